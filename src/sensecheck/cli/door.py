"""Runs a verb; what goes wrong becomes one readable line and an exit code."""

import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from sensecheck.cli.outcomes import ASKED_WRONGLY, NOT_JUDGED, exit_code_of
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SensecheckError

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for a command line that it does not understand; it has no public name for it."""


class Door(TyperGroup):
    """All verbs, behind one handler of errors."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> Any:
        """Run the command line, then leave with the exit code."""
        given = list(sys.argv[1:] if args is None else args)
        wants_json = "--json" in given
        try:
            code = super().main(given, *rest, **{**more, "standalone_mode": False})
        except SensecheckError as wrong:
            complain(str(wrong), type(wrong).__name__, as_json=wants_json)
            code = exit_code_of(wrong)
        except UsageError as wrong:
            _usage(wrong, as_json=wants_json)
            code = ASKED_WRONGLY
        except SystemExit as end:  # typer's 1 for a reader that has gone would say `fail`
            code = NOT_JUDGED if isinstance(end.__context__, BrokenPipeError) else end.code
        sys.exit(code or 0)


def complain(message: str, kind: str, *, as_json: bool) -> None:
    """Say on standard error what is wrong."""
    if as_json:
        write_json({"error": message, "kind": kind}, err=True)
    else:
        paper, first = Paper(stderr=True), ("error: ", "bold red")
        for number, line in enumerate(message.splitlines() or [""]):
            paper.say(safe(line), label=("", "") if number else first)


def _usage(wrong: Any, *, as_json: bool) -> None:
    message = wrong.format_message()
    if not message:  # typer has printed the help instead
        return
    complain(message, "UsageError", as_json=as_json)
    if wrong.ctx is not None and not as_json:
        Paper(stderr=True).say((f"see: {wrong.ctx.command_path} --help", "dim"))
