"""Guards as a notebook calls them: a request, one function, a result."""

from pathlib import Path

import pytest

from sensecheck.config import Settings
from sensecheck.core.errors import CannotJudge, SampleError, SpecError
from sensecheck.guards import EffectsRequest, GuardRequest, guard, measure_effects
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.labels import LabelledReference, LabelledRow
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.stages.limits import top

HASHING = Settings(encoder="hashing", cache="off")
TEA = {
    "id": "tea",
    "query": "How long does green tea steep?",
    "references": ["The museum opens at nine.", "Green tea steeps for two minutes."],
}
GIVEN = {
    "query": "When does it open?",
    "references": [{"text": "At noon.", "closeness": 0.2}, {"text": "At nine.", "closeness": 0.8}],
}
LABELLED = [
    LabelledRow("tea", "q", (LabelledReference("good", True, 0.9), LabelledReference("bad", False, 0.1))),
    LabelledRow(
        "zoo", "q", (LabelledReference("also good", True, 0.4), LabelledReference("worse", False, 0.2))
    ),
]


def test_rows_in_memory_are_guarded_and_counted() -> None:
    queries = guard(GuardRequest(retrieved=[TEA, GIVEN], top_k=1, settings=HASHING))

    first, second = queries

    assert isinstance(first.result, Selection)
    assert isinstance(second.result, Selection)
    assert [match.text for match in first.result.kept] == ["Green tea steeps for two minutes."]
    assert second.to_data()["kept"][0]["text"] == "At nine."
    assert queries.prompt(second.result).startswith("<references>")
    assert (queries.tally.queries, queries.tally.kept, queries.tally.dropped["top"]) == (2, 2, 2)
    assert queries.notes == ()


def test_what_should_be_known_is_noted_and_a_query_that_cannot_be_judged_is_a_result() -> None:
    queries = guard(GuardRequest(retrieved=[{"query": "", "references": ["A text."]}], settings=HASHING))

    (query,) = queries

    assert queries.notes == ("no guard is set: all is kept, by similarity",)
    assert isinstance(query.result, CannotJudge)
    assert queries.tally.errors == 1


def test_a_chain_may_be_one_that_is_made_already() -> None:
    (query,) = guard(GuardRequest(retrieved=[GIVEN], chain=chain(top(1)), settings=HASHING))

    assert len(query.to_data()["kept"]) == 1
    with pytest.raises(SpecError, match="`chain` is a chain already"):
        guard(GuardRequest(retrieved=[GIVEN], chain=chain(top(1)), top_k=2, settings=HASHING))


def test_nothing_to_guard_is_an_error() -> None:
    with pytest.raises(SampleError, match="`retrieved` holds no query"):
        list(guard(GuardRequest(retrieved=[], top_k=1, settings=HASHING)))
    with pytest.raises(SpecError, match="holds another"):
        list(guard(GuardRequest(retrieved=[GIVEN, GIVEN], top_k=1, one_query=True, settings=HASHING)))


def test_effects_are_measured_on_rows_in_memory() -> None:
    report = measure_effects(EffectsRequest(labelled=LABELLED, min_similarity=0.3, settings=HASHING))

    assert report.encoder is None
    assert (report.effects.overall.before.references, report.effects.overall.after.references) == (4, 2)
    assert (report.effects.overall.after.relevant, report.effects.overall.after.irrelevant) == (2, 0)


def test_effects_report_how_many_texts_are_encoded(tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    path.write_text('{"query": "tea", "references": [{"text": "green tea", "relevant": true}]}\n')
    seen: list[tuple[int, int | None]] = []

    request = EffectsRequest(labelled=str(path), top_k=1, settings=HASHING)
    report = measure_effects(request, lambda done, total: seen.append((done, total)))

    assert seen[-1] == (2, 2)
    assert str(report.encoder).startswith("hashing")


def test_effects_of_no_guard_are_refused() -> None:
    with pytest.raises(SpecError, match="no guard is set"):
        measure_effects(EffectsRequest(labelled=LABELLED, settings=HASHING))
