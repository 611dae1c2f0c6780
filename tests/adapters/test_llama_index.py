"""The postprocessor inside the real LlamaIndex."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed here; `just adapters` tests it")

from llama_index.core import Settings
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import ImageNode, NodeWithScore, QueryBundle, TextNode

from sensecheck.adapters.llama_index import SensecheckPostprocessor
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput, SampleError, SpecError, StaleCutoff, Unreadable
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.stages.limits import top, within_chars
from sensecheck.retrieval.stages.ranking import reorder
from sensecheck.retrieval.stages.threshold import above
from tests.adapters.guards import FITTED, KEPT, QUERY, TEXTS, printed_by
from tests.adapters.pages import code_of
from tests.conftest import Counting


def nodes(*scores: float | None) -> list[NodeWithScore]:
    given = scores or (None,) * len(TEXTS)
    return [
        NodeWithScore(node=TextNode(text=text, id_=f"node {at}", metadata={"page": at}), score=score)
        for at, (text, score) in enumerate(zip(TEXTS, given, strict=False))
    ]


def texts(found: Sequence[NodeWithScore]) -> list[str]:
    return [node.text for node in found]


class Found(BaseRetriever):  # type: ignore[misc]  # unknown where LlamaIndex is not installed
    """A retriever that finds all of our nodes."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return nodes()


def test_what_passes_are_the_very_same_nodes_in_the_order_of_the_chain(minilm: Encoder) -> None:
    given = nodes()
    guard = SensecheckPostprocessor(chain(above(0.3)), encoder=minilm)
    found = guard.postprocess_nodes(given, query_str=QUERY)

    assert texts(found) == KEPT
    assert all(any(one is node for node in given) for one in found)


def test_it_can_be_awaited(minilm: Encoder) -> None:
    guard = SensecheckPostprocessor(chain(above(0.3), reorder("reverse")), encoder=minilm)
    found = asyncio.run(guard.apostprocess_nodes(nodes(), query_str=QUERY))

    assert texts(found) == KEPT[::-1]


def test_a_query_engine_of_llama_index_writes_from_what_passed(
    minilm: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "_llm", MockLLM())
    told: list[Selection] = []
    guard = SensecheckPostprocessor(chain(above(0.3), top(2)), encoder=minilm, on_selection=told.append)
    engine = RetrieverQueryEngine.from_args(Found(), response_mode="no_text", node_postprocessors=[guard])

    assert texts(engine.query(QUERY).source_nodes) == KEPT[:2]
    (selection,) = told
    assert [(gone.stage, gone.match.source) for gone in selection.dropped] == [
        ("above", "node 2"),
        ("above", "node 4"),
        ("top", "node 3"),
    ]


def test_scores_of_the_retriever_are_trusted_only_with_their_scale() -> None:
    counting = Counting()
    given = nodes(0.9, 0.7, 0.2)
    as_cosine = SensecheckPostprocessor(chain(above(0.5)), scores="cosine", encoder=counting)
    as_half = SensecheckPostprocessor(chain(above(0.5)), scores="half-cosine", encoder=counting)

    assert texts(as_cosine.postprocess_nodes(given)) == [TEXTS[0], TEXTS[1]]
    assert texts(as_half.postprocess_nodes(given)) == [TEXTS[0]]
    assert counting.asked == []


def test_without_scores_closeness_is_measured_and_the_nodes_own_is_left_alone(minilm: Encoder) -> None:
    found = SensecheckPostprocessor(chain(top(1)), encoder=minilm).postprocess_nodes(
        nodes(0.99, 0.01, 0.98), query_str=QUERY
    )

    assert [(node.text, node.score) for node in found] == [(TEXTS[1], 0.01)]


def test_measuring_without_a_query_raises_and_says_what_to_do(minilm: Encoder) -> None:
    with pytest.raises(
        MissingInput, match=r"there is none; hand on the query, or name the scale .* `scores`"
    ):
        SensecheckPostprocessor(chain(), encoder=minilm).postprocess_nodes(nodes())


def test_a_score_that_is_missing_or_none_of_the_scale_raises() -> None:
    guard = SensecheckPostprocessor(chain(above(0.5)), scores="cosine")
    with pytest.raises(
        MissingInput, match=r"document 1 \(`node 1`\), .* must be a score on the scale `cosine`; got none"
    ):
        guard.postprocess_nodes(nodes(0.9, None))
    with pytest.raises(SampleError, match="not on the scale"):
        guard.postprocess_nodes(nodes(17.0))


def test_what_cannot_be_read_raises_and_nothing_passes(minilm: Encoder) -> None:
    picture = NodeWithScore(node=ImageNode(image_url="a.png", id_="a picture"))
    with pytest.raises(Unreadable, match=r"document 5 \(`a picture`\), counted from 0, .* the text is empty"):
        SensecheckPostprocessor(chain(), encoder=minilm).postprocess_nodes(
            [*nodes(), picture], query_str=QUERY
        )


def test_a_fitted_line_does_not_hold_for_scores_of_nobody_knows_whom() -> None:
    with pytest.raises(StaleCutoff, match="another encoder"):
        SensecheckPostprocessor(chain(above(FITTED)), scores="cosine").postprocess_nodes(nodes(0.9))


def test_a_node_that_is_cut_is_a_copy_and_the_given_one_stays_whole(minilm: Encoder) -> None:
    given = nodes()
    guard = SensecheckPostprocessor(chain(top(1), within_chars(20, over="truncate")), encoder=minilm)
    (cut,) = guard.postprocess_nodes(given, query_str=QUERY)

    assert KEPT[0].startswith(cut.text)
    assert 0 < len(cut.text) <= 20
    assert (cut.node_id, cut.metadata) == ("node 1", {"page": 1})
    assert texts(given) == list(TEXTS)


def test_it_can_be_written_down_and_read_again_when_the_chain_is_data() -> None:
    written = SensecheckPostprocessor([{"above": 0.5}], scores="cosine", on_selection=print).to_json()
    read = SensecheckPostprocessor.from_json(written)

    assert json.loads(written)["class_name"] == "SensecheckPostprocessor"
    assert texts(read.postprocess_nodes(nodes(0.2, 0.8))) == [TEXTS[1]]


def test_a_chain_that_was_made_in_python_is_written_down_too() -> None:
    guard = SensecheckPostprocessor(chain(above(0.5), top(1)), scores="cosine", encoder="hashing")
    read = SensecheckPostprocessor.from_json(guard.to_json())

    assert guard.to_dict() == {
        "chain": [{"above": 0.5}, {"top": 1}],
        "encoder": "hashing",
        "scores": "cosine",
        "class_name": "SensecheckPostprocessor",
    }
    assert json.loads(guard.model_dump_json()) == guard.to_dict() == read.to_dict()
    assert texts(read.postprocess_nodes(nodes(0.2, 0.8, 0.7))) == [TEXTS[1]]


def test_an_encoder_is_written_down_by_its_name_or_not_at_all() -> None:
    guard = SensecheckPostprocessor(chain(), encoder=HashingEncoder())
    with pytest.raises(SpecError, match="cannot be written down"):
        guard.to_json()
    with pytest.raises(ValueError, match="cannot be written down"):
        guard.model_dump()


@pytest.mark.parametrize(
    ("name", "other"), [("chain", chain(top(1))), ("encoder", "hashing"), ("scores", "l2")]
)
def test_what_a_guard_was_made_of_stays_as_it_is(name: str, other: object) -> None:
    guard = SensecheckPostprocessor(chain(), encoder=HashingEncoder())
    with pytest.raises(ValueError, match="frozen"):
        setattr(guard, name, other)


def test_a_copy_with_another_chain_is_guarded_by_it() -> None:
    guard = SensecheckPostprocessor(chain(), scores="cosine")
    stricter = guard.model_copy(update={"chain": chain(top(1))})

    assert len(guard.postprocess_nodes(nodes(0.9, 0.8))) == 2
    assert len(stricter.postprocess_nodes(nodes(0.9, 0.8))) == 1


def test_a_slip_is_told_when_the_postprocessor_is_made() -> None:
    with pytest.raises(SpecError, match="abov"):
        SensecheckPostprocessor([{"abov": 0.3}])
    with pytest.raises(SpecError, match="`cosin` is not a known scale"):
        SensecheckPostprocessor(chain(), scores="cosin")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="scoers"):
        SensecheckPostprocessor(chain(), scoers="cosine")  # type: ignore[call-arg]


def test_no_nodes_are_no_work() -> None:
    assert (
        SensecheckPostprocessor(chain(), encoder=HashingEncoder()).postprocess_nodes([], query_str="?") == []
    )


def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("guard-in-frameworks.md", "SensecheckPostprocessor"), page)

    assert texts(page["found"]) == KEPT[:2]


def test_the_example_runs() -> None:
    assert "kept 2 of 5" in printed_by("guard_llama_index.py")
