"""`sensecheck schema`: what can be written in a check, in a battery, or in a chain."""

from typing import Annotated

import typer

from sensecheck.cli.options import Json
from sensecheck.cli.output import write_json
from sensecheck.core.errors import SpecError

# ruff: noqa: PLC0415 - only this verb needs the checks, and `--help` none of them

Battery = Annotated[bool, typer.Option("--battery", metavar="", help="Of test files, instead of checks.")]

Chain = Annotated[bool, typer.Option("--chain", metavar="", help="Of chains of guards, instead of checks.")]


def schema(battery: Battery = False, chain: Chain = False, as_json: Json = False) -> None:
    """Print the JSON Schema of checks, of batteries or of chains, for your editor."""
    from sensecheck.checks.schema import check_schema
    from sensecheck.evals.format.schema import battery_schema
    from sensecheck.retrieval.schema import chain_schema

    if battery and chain:
        raise SpecError("both `--battery` and `--chain` were given; one schema at a time")
    made = battery_schema if battery else chain_schema if chain else check_schema
    write_json(made(), indent=None if as_json else 2)
