"""`sensecheck doctor` and `schema`: whether a verdict can be made here, and what can be written in files."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Encoder, Json, option
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import to_data

if TYPE_CHECKING:
    from sensecheck.installation.doctor import InstallationFinding

# ruff: noqa: PLC0415 - what is looked at brings numpy along, which `--help` does without

_STATES = {"ok": "green", "missing": "yellow", "wrong": "bold red"}
Battery = Annotated[bool, option("--battery", "Of test files, instead of checks.", default=True)]
Chain = Annotated[bool, option("--chain", "Of chains of guards, instead of checks.", default=True)]


def doctor(encoder: Encoder = None, as_json: Json = False) -> None:
    """Show what is installed, what is missing, and how to fix it."""
    from sensecheck.installation.doctor import findings, is_ready

    console, all_findings = Console(), list["InstallationFinding"]()
    for finding in findings(encoder):
        if not as_json:
            _show(console, finding, heading=not all_findings or all_findings[-1].about != finding.about)
        all_findings.append(finding)
    ready = is_ready(all_findings)
    if as_json:
        write_json({"ready": ready, "findings": [to_data(finding) for finding in all_findings]})
    elif ready:
        console.line(("ready: a verdict can be made", "bold green"))
    else:
        console.line(("not ready: no verdict can be made until what is wrong above is fixed", "bold red"))
    raise typer.Exit(PASSED if ready else NOT_JUDGED)


def schema(battery: Battery = False, chain: Chain = False, as_json: Json = False) -> None:
    """Print the JSON Schema of checks, of batteries or of chains, for your editor."""
    from sensecheck.batteries.schema import battery_schema
    from sensecheck.checks.schema import check_schema
    from sensecheck.retrieval.schema import chain_schema

    if battery and chain:
        raise SpecError("both `--battery` and `--chain` were given; one schema at a time")
    build = battery_schema if battery else chain_schema if chain else check_schema
    write_json(build(), indent=None if as_json else 2)


def _show(console: Console, finding: "InstallationFinding", *, heading: bool) -> None:
    if heading:
        console.line((finding.about, "bold"))
    colour = _STATES[finding.state]
    name = f"{safe(finding.name)}  " if len(finding.name) > 22 else f"{safe(finding.name):<22}  "
    state = "" if finding.about == "settings" and finding.state == "ok" else finding.state
    console.line(safe(finding.says), label=Text.assemble((f"{state:<8}", colour), (name, "bold")), indent=2)
    if finding.hint:
        console.line(("fix: ", "dim"), (safe(finding.hint), "bold cyan"), indent=10)
