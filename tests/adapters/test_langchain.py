"""The compressor inside the real LangChain."""

import asyncio
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("langchain_classic", reason="LangChain is not installed here; `just adapters` tests it")

from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from sensecheck.adapters.langchain import SensecheckCompressor
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput, SampleError, SpecError, StaleCutoff, Unreadable
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval.chain import Chain, chain
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.stages.diversity import distinct
from sensecheck.retrieval.stages.limits import top, within_chars
from sensecheck.retrieval.stages.ranking import rerank
from sensecheck.retrieval.stages.threshold import above
from tests.adapters.guards import FITTED, KEPT, NOWHERE, QUERY, TEXTS, printed_by
from tests.adapters.pages import code_of
from tests.conftest import Counting


class Ours(Embeddings):  # type: ignore[misc]  # unknown where LangChain is not installed
    """Our encoder, as LangChain's stores want one."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [placed.vector.tolist() for placed in self._encoder.encode(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def documents(*scores: float, key: str = "score") -> list[Document]:
    if not scores:
        return [Document(page_content=text, metadata={"source": f"{at}.md"}) for at, text in enumerate(TEXTS)]
    return [
        Document(page_content=text, metadata={key: score}) for text, score in zip(TEXTS, scores, strict=False)
    ]


def contents(found: Sequence[Document]) -> list[str]:
    return [document.page_content for document in found]


def test_what_passes_are_the_very_same_documents_in_the_order_of_the_chain(minilm: Encoder) -> None:
    given = documents()
    found = SensecheckCompressor(chain(above(0.3)), encoder=minilm).compress_documents(given, QUERY)

    assert contents(found) == KEPT
    assert all(any(one is document for document in given) for one in found)
    assert found[0].metadata == {"source": "1.md"}


def test_without_a_guard_everything_passes_by_closeness(minilm: Encoder) -> None:
    found = SensecheckCompressor(chain(), encoder=minilm).compress_documents(documents(), QUERY)

    assert contents(found)[:3] == KEPT
    assert sorted(contents(found)) == sorted(TEXTS)


def test_a_retriever_of_langchain_is_guarded_also_when_awaited(minilm: Encoder) -> None:
    store = InMemoryVectorStore(Ours(minilm))
    store.add_documents(documents())
    guarded = ContextualCompressionRetriever(
        base_compressor=SensecheckCompressor(chain(above(0.3), top(2)), encoder=minilm),
        base_retriever=store.as_retriever(search_kwargs={"k": 5}),
    )

    assert contents(guarded.invoke(QUERY)) == KEPT[:2]
    assert contents(asyncio.run(guarded.ainvoke(QUERY))) == KEPT[:2]


def test_what_was_dropped_and_why_is_told(minilm: Encoder) -> None:
    told: list[Selection] = []
    guard = SensecheckCompressor(chain(above(0.3), top(1)), encoder=minilm, on_selection=told.append)
    guard.compress_documents(documents(), QUERY)

    (selection,) = told
    assert selection.query == QUERY
    assert [gone.stage for gone in selection.dropped] == ["above", "above", "top", "top"]
    assert "below the line" in selection.dropped[0].because
    assert selection.kept[0].source == "1.md"


def test_a_document_that_is_cut_is_a_copy_and_the_given_one_stays_whole(minilm: Encoder) -> None:
    given = documents()
    guard = SensecheckCompressor(chain(top(1), within_chars(20, over="truncate")), encoder=minilm)
    (cut,) = guard.compress_documents(given, QUERY)

    assert KEPT[0].startswith(cut.page_content)
    assert 0 < len(cut.page_content) <= 20
    assert cut.metadata == {"source": "1.md"}
    assert contents(given) == list(TEXTS)


def test_documents_that_say_the_same_are_told_apart(minilm: Encoder) -> None:
    twins = [Document(page_content=TEXTS[0], metadata={"copy": at}) for at in range(3)]
    guard = SensecheckCompressor(chain(rerank(), top(2)), encoder=minilm)

    assert guard.compress_documents(twins, QUERY) == twins[:2]


def test_scores_of_the_retriever_are_trusted_only_with_their_scale() -> None:
    distances = documents(0.2, 0.9, 0.1, key="distance")
    guard = SensecheckCompressor(
        chain(above(0.5)), scores="cosine-distance", score_key="distance", encoder=HashingEncoder()
    )

    assert contents(guard.compress_documents(distances, QUERY)) == [TEXTS[2], TEXTS[0]]


def test_a_score_may_be_a_number_of_numpy() -> None:
    given = [Document(page_content=TEXTS[0], metadata={"score": np.float32(0.7)})]

    assert SensecheckCompressor(chain(above(0.5)), scores="cosine").compress_documents(given, QUERY) == given


def test_trusting_scores_needs_no_encoder_unless_a_stage_does() -> None:
    counting = Counting()
    plain = SensecheckCompressor(chain(above(0.5)), scores="cosine", encoder=counting)
    plain.compress_documents(documents(0.9, 0.1), QUERY)
    assert counting.asked == []

    SensecheckCompressor(chain(distinct()), scores="cosine", encoder=counting).compress_documents(
        documents(0.9, 0.1), QUERY
    )
    assert sorted(counting.asked) == sorted(TEXTS[:2])


@pytest.mark.parametrize(
    ("guarded", "given"), [(chain(rerank(HashingEncoder())), documents(0.9, 0.1)), (chain(distinct()), [])]
)
def test_an_encoder_that_nobody_asks_is_not_loaded(guarded: Chain, given: list[Document]) -> None:
    guard = SensecheckCompressor(guarded, scores="cosine", encoder=NOWHERE)

    assert len(guard.compress_documents(given, QUERY)) == len(given)


def test_each_distinct_text_is_encoded_once_from_query_to_query() -> None:
    counting = Counting()
    guard = SensecheckCompressor(chain(top(3), distinct()), encoder=counting)
    for query in (QUERY, "Where are the bicycles?"):
        guard.compress_documents(documents(), query)

    assert len(counting.asked) == len(set(counting.asked)) == len(TEXTS) + 2


@pytest.mark.parametrize(
    ("given", "wrong", "said"),
    [
        (
            [Document(page_content="Something.")],
            MissingInput,
            "document 0, counted from 0, must be a score on .* `cosine`",
        ),
        (documents(0.5) + documents(key="x"), MissingInput, r"document 1 \(`0.md`\)"),
        ([Document(page_content="a", metadata={"score": "0.9"})], MissingInput, "got str"),
        (documents(0.5, 1.7), SampleError, "document 1, .* not on the scale `cosine`"),
    ],
)
def test_a_score_that_is_missing_or_none_of_the_scale_raises(
    given: list[Document], wrong: type[Exception], said: str
) -> None:
    with pytest.raises(wrong, match=said):
        SensecheckCompressor(chain(), scores="cosine").compress_documents(given, QUERY)


def test_what_cannot_be_read_raises_and_nothing_passes(minilm: Encoder) -> None:
    guard = SensecheckCompressor(chain(), encoder=minilm)
    blank = Document(page_content=" \n", metadata={"source": "blank.md"})
    with pytest.raises(Unreadable, match=r"document 5 \(`blank.md`\), counted from 0, .* the text is empty"):
        guard.compress_documents([*documents(), blank], QUERY)
    with pytest.raises(Unreadable, match="the query cannot be read: the text is empty"):
        guard.compress_documents(documents(), "")


def test_no_documents_are_no_work() -> None:
    counting = Counting()

    assert SensecheckCompressor(chain(above(0.3)), encoder=counting).compress_documents([], QUERY) == []
    assert counting.asked == []


def test_a_fitted_line_holds_for_its_encoder_only() -> None:
    guard = SensecheckCompressor(chain(above(FITTED)), encoder=HashingEncoder())
    with pytest.raises(StaleCutoff):
        guard.compress_documents(documents(), QUERY)


def test_a_chain_may_be_data_and_the_encoder_that_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENSECHECK_CACHE", "off")
    by_default = SensecheckCompressor([{"above": 0.3}, {"top": 2}])
    by_name = SensecheckCompressor([{"top": 3}], encoder="hashing")

    assert contents(by_default.compress_documents(documents(), QUERY)) == KEPT[:2]
    assert len(by_name.compress_documents(documents(), QUERY)) == 3


def test_the_settings_are_those_of_when_the_compressor_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENSECHECK_ENCODER", "hashing")
    told: list[Selection] = []
    guard = SensecheckCompressor(chain(), on_selection=told.append)
    for later in (NOWHERE, "minilm"):
        monkeypatch.setenv("SENSECHECK_ENCODER", later)
        guard.compress_documents(documents(), QUERY)

    marks = {match.encoder for selection in told for match in selection.kept}
    assert marks == {HashingEncoder().fingerprint}


def test_a_name_stands_for_one_encoder_in_the_guard_and_in_its_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENSECHECK_CACHE", "off")
    monkeypatch.setenv("SENSECHECK_ENCODER", "hashing")
    monkeypatch.setenv("SENSECHECK_PREFIX", "query: ")
    told: list[Selection] = []
    chains: list[list[dict[str, Any]]] = [[{"top": 2}], [{"rerank": {"encoder": "minilm"}}, {"top": 2}]]
    for described in chains:
        guard = SensecheckCompressor(described, encoder="minilm", on_selection=told.append)
        guard.compress_documents(documents(), QUERY)

    assert len({match.encoder for selection in told for match in selection.kept}) == 1


def test_a_slip_in_the_settings_is_told_when_the_compressor_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENSECHECK_ENCODR", "hashing")
    with pytest.raises(SpecError, match="SENSECHECK_ENCODR"):
        SensecheckCompressor(chain())


def test_a_guard_that_is_sent_elsewhere_works_there_and_takes_no_keys_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SENSECHECK_API_KEY", "a secret of mine")
    guard = SensecheckCompressor([{"top": 2}], encoder="hashing")
    guard.compress_documents(documents(), QUERY)
    sent = pickle.dumps(guard)

    assert b"a secret of mine" not in sent
    assert len(pickle.loads(sent).compress_documents(documents(), QUERY)) == 2


@pytest.mark.parametrize(
    ("name", "other"), [("chain", chain(top(1))), ("encoder", "hashing"), ("scores", "l2")]
)
def test_what_a_guard_was_made_of_stays_and_a_changed_copy_is_another_guard(name: str, other: object) -> None:
    guard = SensecheckCompressor(chain(), encoder=HashingEncoder())
    with pytest.raises(ValueError, match="frozen"):
        setattr(guard, name, other)

    assert getattr(guard.model_copy(update={name: other}), name) == other
    with pytest.raises(SpecError, match="abov"):
        guard.model_copy(update={"chain": [{"abov": 0.3}]})


def test_a_copy_with_another_chain_is_guarded_by_it() -> None:
    guard = SensecheckCompressor(chain(), encoder=HashingEncoder())
    stricter = guard.model_copy(update={"chain": chain(top(1))})

    assert len(guard.compress_documents(documents(), QUERY)) == len(TEXTS)
    assert len(stricter.compress_documents(documents(), QUERY)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"chain": [{"abov": 0.3}]}, "abov"),
        ({"chain": [], "scores": "cosin"}, "`cosin` is not a known scale"),
    ],
)
def test_a_slip_is_told_when_the_compressor_is_made(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        SensecheckCompressor(**arguments)
    with pytest.raises(TypeError, match="scoers"):
        SensecheckCompressor(chain(), scoers="cosine")  # type: ignore[call-arg]


def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("guard-in-frameworks.md", "SensecheckCompressor"), page)

    assert contents(page["found"]) == KEPT[:2]


def test_the_example_runs() -> None:
    assert "kept 2 of 5" in printed_by("guard_langchain.py")
