"""One question with its answer, as the page shows it once somebody opens it."""

from typing import Any

from sensecheck.core.errors import CannotJudge
from sensecheck.core.reading import Evidence
from sensecheck.core.run import KeptReading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.evals.qa.report.axes import FACTS
from sensecheck.evals.reports.page_verdict import Counted
from sensecheck.measures.metrics import measure_of
from sensecheck.store.run_reading import AnsweredPair, RunTable

LONGEST = 20_000
"""Characters of a text that a page holds; how many more there are is told."""

_NOTHING_PLACED = Space()


def pair_data(one: AnsweredPair, table: RunTable) -> dict[str, Any]:
    """Its texts, and why each metric read what it did; `bare` where the prompt held no passages."""
    told, pair = one.told, one.pair
    texts = {"question": pair.question, "expected": pair.expected, "answer": told.answer, "error": told.error}
    passages = pair.passages if told.passages is None else told.passages
    return {
        **{what: None if text is None else text[:LONGEST] for what, text in texts.items()},
        "passages": [text[:LONGEST] for text in passages],
        "bare": told.passages == (),
        "left_out": sum(max(0, len(text) - LONGEST) for text in (*texts.values(), *passages) if text),
        "because": _reasons(told.readings, table),
        "facts": _facts(one),
        "latency_ms": told.latency_ms,
        "cost": told.cost,
    }


def _reasons(readings: tuple[KeptReading, ...], table: RunTable) -> dict[str, list[str | None]]:
    """Why it is so and what went wrong, by the number of the metric's column."""
    columns = {(metric.name, metric.fingerprint): at for at, metric in enumerate(table.metrics)}
    return {
        str(columns[one.metric, one.fingerprint]): [one.because, one.error]
        for one in readings
        if one.because or one.error
    }


def _facts(one: AnsweredPair) -> list[dict[str, Any]]:
    """Which facts differ and where they stand, if the run says that some do; the store keeps no places."""
    answer, expected = one.told.answer, one.pair.expected
    read = next((one.value for one in one.told.readings if one.metric == FACTS), None)
    if read is None or read == 1 or answer is None or expected is None:
        return []
    answer, expected = answer[:LONGEST], expected[:LONGEST]
    try:
        found = measure_of(FACTS, "facts").read(Sample(answer, one.pair.question, expected), _NOTHING_PLACED)
    except CannotJudge:
        return []
    sides = Counted.of(answer), Counted.of(expected)
    return [_fact(item, *sides) for item in found.evidence]


def _fact(item: Evidence, answer: Counted, expected: Counted) -> dict[str, Any]:
    return {
        "kind": item.kind,
        "note": item.note,
        "at": None if item.answer is None else answer.place(item.answer),
        "against": None if item.source is None else expected.place(item.source),
    }
