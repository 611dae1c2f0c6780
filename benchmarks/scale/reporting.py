"""What was measured: told to people, kept for the docs, or only held against what is clearly broken."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from platform import machine, python_version

from benchmarks.speed.measured import Measured, shown

RESULTS = Path(__file__).resolve().parents[1] / "results"


def report(
    name: str, about: str, found: Sequence[Measured], *, short: bool, more: Mapping[str, object] | None = None
) -> None:
    """Print it; the full form is kept as `results/NAME.json`, the short one fails on what is broken."""
    for one in found:
        goal = "" if one.goal is None else f"; goal {one.goal.describe()}: {'met' if one.met else 'MISSED'}"
        print(
            f"{one.about}: {shown(one.ratio)} ({shown(one.low)} to {shown(one.high)}{goal}) {dict(one.notes)}"
        )
    if not short:
        keep(name, about, {**(more or {}), "measured": [one.to_data() for one in found]})
    elif broken := [one.name for one in found if one.broken]:
        sys.exit(f"clearly broken: {', '.join(broken)}")


def keep(name: str, about: str, found: Mapping[str, object]) -> None:
    """Write a file of results, with what it was measured on."""
    with_what = {"about": about, "python": python_version(), "machine": machine(), "cores": os.cpu_count()}
    text = json.dumps({**with_what, **found}, indent=2)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
