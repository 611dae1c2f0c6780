"""The component inside the real Haystack."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("haystack", reason="Haystack is not installed here; `just adapters` tests it")

from haystack import Document, Pipeline
from haystack.components.retrievers import FilterRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from sensecheck.adapters.haystack import SensecheckGuard
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput, SpecError, Unreadable
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.stage import StageContext
from sensecheck.retrieval.stages.limits import top, within_chars
from sensecheck.retrieval.stages.threshold import above
from tests.adapters.guards import KEPT, QUERY, TEXTS, printed_by
from tests.adapters.pages import code_of


def documents(*scores: float | None) -> list[Document]:
    given = scores or (None,) * len(TEXTS)
    return [
        Document(id=f"document {at}", content=text, score=score, meta={"page": at})
        for at, (text, score) in enumerate(zip(TEXTS, given, strict=False))
    ]


def contents(found: Sequence[Document]) -> list[str | None]:
    return [document.content for document in found]


def pipeline(guard: SensecheckGuard) -> Pipeline:
    store = InMemoryDocumentStore()
    store.write_documents(documents())
    made = Pipeline()
    made.add_component("retriever", FilterRetriever(store))
    made.add_component("guard", guard)
    made.connect("retriever.documents", "guard.documents")
    return made


ASKED = {"retriever": {}, "guard": {"query": QUERY}}


def test_what_passes_are_the_very_same_documents_in_the_order_of_the_chain(minilm: Encoder) -> None:
    given = documents()
    found = SensecheckGuard(chain(above(0.3)), encoder=minilm).run(query=QUERY, documents=given)

    assert contents(found["documents"]) == KEPT
    assert all(any(one is document for document in given) for one in found["documents"])


def test_a_pipeline_of_haystack_is_guarded_and_says_what_was_dropped(minilm: Encoder) -> None:
    found = pipeline(SensecheckGuard(chain(above(0.3), top(2)), encoder=minilm)).run(ASKED)["guard"]

    assert contents(found["documents"]) == KEPT[:2]
    dropped = {gone["source"]: gone for gone in found["selection"]["dropped"]}
    assert {source: gone["stage"] for source, gone in dropped.items()} == {
        "document 2": "above",
        "document 3": "top",
        "document 4": "above",
    }
    assert "below the line" in dropped["document 4"]["because"]


def test_a_pipeline_can_be_awaited(minilm: Encoder) -> None:
    guarded = pipeline(SensecheckGuard(chain(top(1)), encoder=minilm))

    assert contents(asyncio.run(guarded.run_async(ASKED))["guard"]["documents"]) == KEPT[:1]


def test_a_pipeline_can_be_written_down_and_read_again() -> None:
    keep: list[dict[str, Any]] = [
        {"above": 0.3},
        {"top": 2},
        {"within_chars": {"chars": 500, "over": "skip"}},
    ]
    written = Pipeline()
    written.add_component("guard", SensecheckGuard(keep, encoder="hashing", scores="cosine"))
    read = Pipeline.loads(written.dumps(), allowed_modules=["sensecheck.adapters.haystack"])
    guard = read.get_component("guard")

    assert guard.to_dict() == written.get_component("guard").to_dict()
    found = read.run({"guard": {"query": QUERY, "documents": documents(0.9, 0.1, 0.5, 0.8)}})["guard"]
    assert contents(found["documents"]) == [TEXTS[0], TEXTS[3]]


def test_a_chain_that_was_made_in_python_is_written_down_too() -> None:
    written = SensecheckGuard(chain(above(0.3), top(2))).to_dict()

    assert SensecheckGuard.from_dict(written).to_dict() == written


def test_an_encoder_is_written_down_by_its_name_or_not_at_all() -> None:
    with pytest.raises(SpecError, match="cannot be written down"):
        SensecheckGuard(chain(), encoder=HashingEncoder()).to_dict()


def test_scores_of_the_retriever_are_trusted_only_with_their_scale() -> None:
    guard = SensecheckGuard(chain(above(0.5)), scores="half-cosine")

    assert contents(guard.run(QUERY, documents(0.9, 0.7))["documents"]) == [TEXTS[0]]
    with pytest.raises(
        MissingInput, match=r"document 1 \(`document 1`\), .* score on the scale `half-cosine`"
    ):
        guard.run(QUERY, documents(0.9, None))


def test_a_document_without_text_raises_and_nothing_passes(minilm: Encoder) -> None:
    guard = SensecheckGuard(chain(), encoder=minilm)
    with pytest.raises(MissingInput, match=r"document 5 \(`a table`\), counted from 0, has no text"):
        guard.run(QUERY, [*documents(), Document(id="a table")])
    with pytest.raises(Unreadable, match=r"document 5 \(`a blank`\), counted from 0, .* the text is empty"):
        guard.run(QUERY, [*documents(), Document(id="a blank", content="")])


def test_a_document_that_is_cut_is_a_copy_and_the_given_one_stays_whole(minilm: Encoder) -> None:
    given = documents()
    guard = SensecheckGuard(chain(top(1), within_chars(20, over="truncate")), encoder=minilm)
    (cut,) = guard.run(QUERY, given)["documents"]

    assert cut.content
    assert KEPT[0].startswith(cut.content)
    assert len(cut.content) <= 20
    assert (cut.id, cut.meta) == ("document 1", {"page": 1})
    assert contents(given) == list(TEXTS)


def test_a_stage_that_brings_something_new_raises() -> None:
    class Inventing:
        name = "inventing"

        def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
            return Step((Match("Tablets are free.", 1.0),))

    with pytest.raises(SpecError, match="kept a match that it was not given"):
        SensecheckGuard(chain(Inventing()), scores="cosine").run(QUERY, documents(0.9))


def test_a_slip_is_told_when_the_guard_is_made() -> None:
    with pytest.raises(SpecError, match="abov"):
        SensecheckGuard([{"abov": 0.3}])
    with pytest.raises(SpecError, match="`cosin` is not a known scale"):
        SensecheckGuard(chain(), scores="cosin")  # type: ignore[arg-type]


def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("guard-in-frameworks.md", "SensecheckGuard"), page)

    assert contents(page["found"]["guard"]["documents"]) == KEPT[:2]


def test_the_example_runs() -> None:
    assert "kept 2 of 5" in printed_by("guard_haystack.py", HAYSTACK_TELEMETRY_ENABLED="false")
