"""`sensecheck schema`: what can be written in a check."""

from sensecheck.cli.options import Json
from sensecheck.cli.output import write_json

# ruff: noqa: PLC0415 - only this verb needs the checks, and `--help` none of them


def schema(as_json: Json = False) -> None:
    """Print the JSON Schema of checks, for your editor."""
    from sensecheck.checks.schema import check_schema

    write_json(check_schema(), indent=None if as_json else 2)
