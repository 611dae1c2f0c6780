"""Test files: read, linted, and run from their first question to their reports."""

from typing import TYPE_CHECKING

from sensecheck.core.extras import loaded_on_use

if TYPE_CHECKING:
    from sensecheck.batteries.lint import LintFinding, lint_battery
    from sensecheck.batteries.plan import TestFilter
    from sensecheck.batteries.request import BatteryRequest
    from sensecheck.batteries.run import (
        BatteryProgress,
        BatteryRun,
        BatteryStarted,
        ReportWritten,
        battery_steps,
        run_battery,
    )

_MODULES = {
    "BatteryProgress": "run",
    "BatteryRequest": "request",
    "BatteryRun": "run",
    "BatteryStarted": "run",
    "LintFinding": "lint",
    "ReportWritten": "run",
    "TestFilter": "plan",
    "lint_battery": "lint",
    "battery_steps": "run",
    "run_battery": "run",
}

__all__ = [
    "BatteryProgress",
    "BatteryRequest",
    "BatteryRun",
    "BatteryStarted",
    "LintFinding",
    "ReportWritten",
    "TestFilter",
    "battery_steps",
    "lint_battery",
    "run_battery",
]

__getattr__ = loaded_on_use(__name__, _MODULES)
