"""What pytest calls; nothing heavy comes along before a test or a battery needs it."""

import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sensecheck.core.verdict import Verdict
    from sensecheck.grounding.grounding import Grounding
    from sensecheck.sense import Sense

# ruff: noqa: PLC0415 - every pytest run of an environment loads this file, whether it has batteries or not

ENDINGS = (".battery.yaml", ".battery.yml")
_INTERMEDIATE = "@py_assert"
"""How pytest names the values of which an assertion is made, in the frame of the test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option: where the answers come from, instead of from a battery's own sources."""
    parser.getgroup("sensecheck").addoption(
        "--battery-answers",
        metavar="FILE",
        help="Judge the answers in this file instead of asking: .jsonl, .csv, a run, results of promptfoo.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A battery is a file of tests."""
    if not file_path.name.endswith(ENDINGS):
        return None
    from sensecheck.pytest_plugin.collection import BatteryFile

    answers = parent.config.getoption("--battery-answers")
    path = None if answers is None else parent.config.invocation_params.dir / answers
    collected: BatteryFile = BatteryFile.from_parent(parent, path=file_path, answers=path)
    return collected


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """After `assert sense.means(…)` has failed, the message explains the verdict."""
    try:
        return (yield)
    except AssertionError as failed:
        for verdict in _asserted(failed):
            failed.add_note(verdict.explain())
        raise


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """`assert verdict == True` says what a verdict is; the explanation follows, as for every assertion."""
    sides = (left, right)
    if not any(_is_verdict(side) for side in sides) or not any(isinstance(side, bool) for side in sides):
        return None
    how = "a verdict is no bool: write `assert verdict`, or compare its `outcome`"
    return [f"{left!r} {op} {right!r}", how]


def _asserted(failed: AssertionError) -> "list[Verdict | Grounding]":
    """The verdicts that the failed assertion is about, as far as its frame still has them."""
    trace, message = failed.__traceback__, str(failed)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    values = {} if trace is None else {**trace.tb_frame.f_globals, **trace.tb_frame.f_locals}
    verdicts: dict[int, Verdict | Grounding] = {
        id(value): value
        for name, value in values.items()
        if _is_verdict(value) and (name.startswith(_INTERMEDIATE) or repr(value) in message)
    }
    return list(verdicts.values())


def _is_verdict(value: object) -> bool:
    """Whether it is one of ours; where verdicts are not imported, none is."""
    homes = (("sensecheck.core.verdict", "Verdict"), ("sensecheck.grounding.grounding", "Grounding"))
    return isinstance(value, tuple(getattr(sys.modules[at], name) for at, name in homes if at in sys.modules))


@pytest.fixture(scope="session")
def sense() -> "Sense":
    """The friendly face, as the settings say: `sense.expect(answer).means(reference)`."""
    from sensecheck.sense import shared_sense

    return shared_sense()
