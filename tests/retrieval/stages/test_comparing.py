"""`distinct` and `diverse` compare references with each other; `rerank` with the query, once more."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given

from sensecheck.core.backends import Encoder, PairScore
from sensecheck.core.errors import CannotJudge, EncoderError, SpecError, Unreadable
from sensecheck.core.loading import load_verifier
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval import Match, Retrieved, above, chain, distinct, diverse, matched, rerank, top
from tests.conftest import Counting
from tests.retrieval.given import MATCHES, match, texts


def test_of_twins_the_better_ranked_stays_and_is_named() -> None:
    first, twin, other = match("a", 0.9, 1, 0.01), match("b", 0.8, 1, 0), match("c", 0.7, 0, 1)
    selection = chain(distinct(0.95))([twin, other, first])

    assert texts(selection.kept) == ["a", "c"]
    assert selection.dropped[0].match is twin
    assert selection.dropped[0].twin is first


def test_a_twin_of_what_was_dropped_is_no_twin() -> None:
    """Three in a row, each near the next: the first drops the second, and so the third stays."""
    angle = np.arccos(0.96)
    row = [match(str(n), 0.9 - n / 10, np.cos(n * angle), np.sin(n * angle)) for n in range(3)]

    assert texts(chain(distinct(0.95))(row).kept) == ["0", "2"]


@given(MATCHES)
def test_no_two_that_are_kept_lie_that_close(matches: tuple[Match, ...]) -> None:
    kept = chain(distinct(0.9))(matches).kept

    for one, other in itertools.combinations(kept, 2):
        assert one.vector is not None
        assert other.vector is not None
        near = one.vector @ other.vector / np.linalg.norm(one.vector) / np.linalg.norm(other.vector)
        assert near < 0.9 + 1e-6
        assert one.text != other.text


def test_what_cannot_be_read_may_not_pass_and_says_why(minilm: Encoder) -> None:
    held = [match("The library closes at 17."), match(" "), match("Cats sleep.")]
    for stage in (distinct(), diverse()):
        selection = chain(stage)(held, encoder=minilm)

        assert texts(selection.kept) == ["The library closes at 17.", "Cats sleep."]
        assert "the text is empty" in selection.dropped[0].because


@pytest.mark.parametrize("broken", [(0.0, 0.0), (np.nan, 1.0), (np.inf, 0.0), (1e30, 1e30)])
def test_a_vector_without_a_direction_is_named(broken: tuple[float, float]) -> None:
    selection = chain(distinct())([match("a", 0.5, *broken), match("b", 0.4, 1, 0)])

    assert texts(selection.kept) == ["b"]
    assert "no direction" in selection.dropped[0].because


def test_vectors_of_two_encoders_are_not_compared() -> None:
    with pytest.raises(CannotJudge, match="vectors of 2, 3 numbers"):
        chain(distinct())([match("a", 0.5, 1, 0), match("b", 0.4, 1, 0, 0)])


def test_vectors_of_one_length_and_two_encoders_are_not_compared_either() -> None:
    mine = Match("a", 0.9, encoder="mine", vector=np.array([1, 0], np.float32))
    yours = Match("b", 0.8, encoder="yours", vector=np.array([1, 0], np.float32))
    for stage in (distinct(), diverse()):
        with pytest.raises(CannotJudge, match="got those of `mine` and `yours`"):
            chain(stage)([mine, yours])
        with pytest.raises(CannotJudge, match="got those of"):
            chain(stage)([mine, match("c")], encoder=HashingEncoder())


def test_pairs_of_very_many_are_refused_before_memory_runs_out() -> None:
    with pytest.raises(CannotJudge, match="at most 5000 matches; got 5001; put `top` before it"):
        chain(distinct())([match(str(n), 0.5, 1, 0) for n in range(5001)])


def test_diverse_is_maximal_marginal_relevance() -> None:
    near = [match("best", 0.9, 1, 0), match("like it", 0.89, 1, 0.1), match("new", 0.6, 0, 1)]

    assert texts(chain(diverse(0.5), top(2))(near).kept) == ["best", "new"]
    assert texts(chain(diverse(1.0))(near).kept) == ["best", "like it", "new"]


@given(MATCHES)
def test_diverse_loses_nothing_and_its_beginning_does_not_depend_on_how_much_is_taken(
    matches: tuple[Match, ...],
) -> None:
    whole = chain(diverse(0.7))(matches).kept

    assert sorted(map(id, whole)) == sorted(map(id, matches))
    assert chain(diverse(0.7), top(2))(matches).kept == whole[:2]


def test_another_encoder_gives_its_own_closeness_and_its_name(minilm: Encoder) -> None:
    query, held = "When does the library close?", ["Bread is baked.", "The library closes at 17."]
    given = [Match(text, 0.5, encoder="another") for text in held]
    selection = chain(rerank(minilm))(given, query=query)

    assert texts(selection.kept) == [held[1], held[0]]
    assert selection.kept == chain()(matched(query, held, minilm)).kept
    assert {one.encoder for one in selection.kept} == {minilm.fingerprint}
    assert chain(rerank())(given, query=query, encoder=minilm).kept == selection.kept


def test_a_query_that_cannot_be_read_is_an_error_and_not_an_empty_selection(minilm: Encoder) -> None:
    with pytest.raises(Unreadable, match="the text is empty"):
        chain(rerank(minilm))([match("a text")], query=" ")


def test_a_line_after_it_judges_the_new_closeness() -> None:
    other = HashingEncoder()
    selection = chain(rerank(other), above(0.99))(
        [match("a query", 0.0), match("else", 1.0)], query="a query"
    )

    assert texts(selection.kept) == ["a query"]


class Longest:
    """A cross-encoder that likes long references, and cannot read an empty one."""

    fingerprint = "longest"

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        if any(not evidence for _, evidence in pairs):
            raise EncoderError("an empty text")
        return [PairScore(len(evidence)) for _, evidence in pairs]


def test_a_cross_encoder_changes_the_order_and_nothing_else() -> None:
    near = [match("a", 0.9), match("ccc", 0.8), match("bb", 0.1), match("", 0.95)]
    selection = chain(rerank(Longest(), good="above"))(near, query="a query")

    assert selection.kept == (near[1], near[2], near[0])
    assert "an empty text" in selection.dropped[0].because


class Broken(Longest):
    """A cross-encoder that gives no number for some."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        return [PairScore(np.nan if evidence == "b" else 1.0) for _, evidence in pairs]


def test_a_query_for_which_nobody_can_be_ranked_is_an_error_and_not_an_empty_selection() -> None:
    with pytest.raises(Unreadable, match=r"no reference could be ranked .* the cross-encoder gave nan"):
        chain(rerank(Broken(), good="above"))([match("b")], query="a query")


def test_a_score_that_is_no_number_ranks_nobody() -> None:
    selection = chain(rerank(Broken(), good="above"))([match("a"), match("b")], query="a query")

    assert texts(selection.kept) == ["a"]
    assert selection.dropped[0].because == "cannot be ranked: the cross-encoder gave nan"


def test_which_scores_are_good_must_be_said_of_a_cross_encoder_and_of_nobody_else() -> None:
    with pytest.raises(SpecError, match="needs its `good` scores named"):
        rerank(load_verifier("mpnet"))
    with pytest.raises(SpecError, match="closer is always better"):
        rerank(HashingEncoder(), good="above")
    with pytest.raises(SpecError, match=r"must be an encoder or a cross-encoder.*got str"):
        rerank("minilm")  # type: ignore[arg-type]


def test_a_model_of_a_stage_reads_each_text_once() -> None:
    encoder = Counting()
    near = (match("a text"), match("another text"))
    list(
        chain(rerank(encoder)).each([Retrieved("one query", near), Retrieved("another", near)], batch_size=1)
    )

    assert sorted(encoder.asked) == ["a text", "another", "another text", "one query"]


@pytest.mark.real_model
def test_the_real_cross_encoder_puts_what_supports_a_claim_first() -> None:
    claim = "The library closes at 17."
    held = [match("The library closes at 20.", 0.9), match("The library closes at 17 every day.", 0.8)]

    assert chain(rerank(load_verifier("mpnet"), good="below"), top(1))(held, query=claim).kept == (held[1],)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: distinct(1.1),
        lambda: distinct(True),
        lambda: diverse(-0.1),
        lambda: diverse("0.5"),  # type: ignore[arg-type]
        lambda: top(0),
        lambda: top(True),
        lambda: top(2.5),  # type: ignore[arg-type]
    ],
)
def test_numbers_that_mean_nothing_are_refused(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(SpecError, match="must be"):
        wrong()
