"""`sensecheck schema`: what can be written in a check, or in a battery."""

from typing import Annotated

import typer

from sensecheck.cli.options import Json
from sensecheck.cli.output import write_json

# ruff: noqa: PLC0415 - only this verb needs the checks, and `--help` none of them

Battery = Annotated[bool, typer.Option("--battery", metavar="", help="Of test files, instead of checks.")]


def schema(battery: Battery = False, as_json: Json = False) -> None:
    """Print the JSON Schema of checks, or of batteries, for your editor."""
    from sensecheck.checks.schema import check_schema
    from sensecheck.evals.format.schema import battery_schema

    write_json(battery_schema() if battery else check_schema(), indent=None if as_json else 2)
