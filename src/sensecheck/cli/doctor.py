"""`sensecheck doctor`: is everything there, and can a verdict be made?"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from sensecheck.cli import findings
from sensecheck.cli.findings import Finding
from sensecheck.cli.options import Encoder, Json
from sensecheck.cli.outcomes import NOT_JUDGED, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import to_data

if TYPE_CHECKING:
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the settings bring numpy along, which `--help` does without

_STATES = {"ok": "green", "missing": "yellow", "wrong": "bold red"}


def doctor(encoder: Encoder = None, as_json: Json = False) -> None:
    """Say what is installed, what is missing, and how to mend it."""
    paper = Paper()
    found: list[Finding] = []
    for finding in _look(encoder):
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


def _look(encoder: str | None) -> Iterator[Finding]:
    """Everything there is to see, the slow things last."""
    yield from findings.packages()
    yield from findings.extras()
    settings, wrong = _settings()
    yield from findings.settings_in_force(settings)
    if wrong is not None:
        yield wrong
    yield from findings.weights()
    yield from findings.cache(settings)
    yield findings.verifier(settings)
    yield from findings.judge(settings)
    yield findings.encoder(settings if encoder is None else replace(settings, encoder=encoder))


def _settings() -> "tuple[Settings, Finding | None]":
    """The settings in force; when they cannot be read, the defaults and why."""
    from sensecheck.wiring import Settings

    try:
        return Settings.from_environment(), None
    except SpecError as wrong:
        return Settings(), Finding("settings", "environment", "wrong", str(wrong), needed=True)


def _show(paper: Paper, finding: Finding, *, heading: bool) -> None:
    if heading:
        paper.say((finding.about, "bold"))
    colour = _STATES[finding.state]
    name = f"{safe(finding.name)}  " if len(finding.name) > 22 else f"{safe(finding.name):<22}  "
    state = "" if finding.about == "settings" and finding.state == "ok" else finding.state
    paper.say(safe(finding.says), label=Text.assemble((f"{state:<8}", colour), (name, "bold")), indent=2)
    if finding.mend:
        paper.say(("mend: ", "dim"), (safe(finding.mend), "bold cyan"), indent=10)
