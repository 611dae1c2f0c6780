"""Which tests hold a model's reading against a line that somebody picked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.checks.introspection import uncalibrated
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.serialization import to_data
from sensecheck.evals.choosing import Plan

MOST = 20
HOW = (
    "fit a line with `sensecheck calibrate LABELLED.jsonl --preset CHECK --fpr 0.05 --name CARD`, "
    "then write `threshold: CARD`"
)


@dataclass(frozen=True, slots=True)
class Uncalibrated:
    """A test, and its lines that nobody fitted."""

    place: str
    description: str
    lines: tuple[str, ...]


def uncalibrated_in(plan: Plan) -> Iterator[Uncalibrated]:
    """The tests of a plan that have such lines."""
    for test in plan.each_test():
        if names := uncalibrated(test.check):
            yield Uncalibrated(str(test.place), test.description, names)


def say(found: Sequence[Uncalibrated], *, as_json: bool) -> None:
    """Tell them on standard error, and how a line is fitted."""
    if as_json:
        told = [to_data(one) for one in found]
        write_json(
            {"error": "uncalibrated lines", "kind": "Uncalibrated", "tests": told, "mend": HOW}, err=True
        )
        return
    paper = Paper(stderr=True)
    tests = f"{len(found):,} test{' has' if len(found) == 1 else 's have'}"
    paper.say(("uncalibrated: ", "bold red"), f"{tests} a line that was not fitted; nothing was asked")
    for one in found[:MOST]:
        names = ", ".join(f"`{safe(name)}`" for name in one.lines)
        paper.say((f"{safe(one.place)}: ", "dim"), f"{safe(one.description)}: {names}", indent=2)
    if len(found) > MOST:
        paper.say((f"and {len(found) - MOST:,} more", "dim"), indent=2)
    paper.say(HOW)
