"""Kept evaluations to look at: real stores, whose readings are made up."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sensecheck.core.run import Item, MetricScore, Run, ScoredAnswer
from sensecheck.runs.find import open_place
from tests.ready_tables import make_tables

Readings = Mapping[str, Sequence[float | None]]
"""By metric, or by `metric@encoder`; None where it could not be read."""
HOSTILE = "\x1b[31mred\x1b[0m"


def questions(count: int, **changed: str) -> list[Item]:
    """So many questions of two topics; those that are named have another reference answer."""
    return [
        Item(
            f"What is {at}?",
            changed.get(f"q{at}", f"It is {at}."),
            slices={"topic": "odd" if at % 2 else "even"},
            id=f"q{at}",
        )
        for at in range(count)
    ]


def kept(
    path: Path | str,
    readings: Readings,
    *,
    pairs: Sequence[Item] | None = None,
    labels: Mapping[str, Sequence[float]] | None = None,
    name: str = "",
    project: str = "atlas",
    encoder: str = "minilm",
    broken: bool = True,
) -> Run:
    """A run with these readings, in the place at this path; a question without any number has no answer.

    Numbers that are not there are errors, or else there was nothing to read.
    """
    if isinstance(path, Path) and not path.exists():
        make_tables(f"sqlite:///{path}")
    store = open_place(str(path))
    asked = list(pairs or questions(len(next(iter(readings.values())))))
    test = store.test(project, "nightly", embedding={}, generation={})
    run = store.begin(test, store.keep_set(project, asked), name=name, encoder=encoder, conditions={})
    told = [_answer(at, readings, labels or {}, broken) for at in range(len(asked))]
    store.writer(run).add(list(zip(store.questions(run.set), told, strict=True)))
    store.finish(run)
    store.close()
    return run


def _answer(at: int, readings: Readings, labels: Mapping[str, Sequence[float]], broken: bool) -> ScoredAnswer:
    values = {name: column[at] for name, column in readings.items()}
    if all(value is None for value in values.values()):
        return ScoredAnswer(None, error="the model did not answer")
    said = {name: column[at] for name, column in labels.items()}
    return ScoredAnswer(
        f"I think {at}.", tuple(_reading(*one, broken) for one in values.items()), labels=said
    )


def _reading(name: str, value: float | None, broken: bool) -> MetricScore:
    metric, _, encoder = name.partition("@")
    error = "the encoder broke" if value is None and broken else None
    return MetricScore(metric, value, None, error, encoder, encoder)
