"""What encoders, pair scorers, judges, indexes and caches must keep to, for those who bring one."""

from collections.abc import Sequence

import numpy as np

from sensecheck.core.backends import Encoder, Judge, PairScore, PairScorer, Placement, Unanswered
from sensecheck.core.errors import EncoderError
from sensecheck.core.needs import Prompt
from sensecheck.encoders.cache_contract import cache_contract
from sensecheck.encoders.invariance import PAIRS_INVARIANT
from sensecheck.retrieval.indexes.contract import index_contract

__all__ = ["cache_contract", "encoder_contract", "index_contract", "judge_contract", "pair_scorer_contract"]

TEXTS = (
    "The museum opens at nine.",
    "Yes.",
    "Das Museum öffnet um 9:30 Uhr; 日本語, русский, emoji 🎉.",
    "The museum opens at nine.",
    "def f(x):\n\treturn x ** 2",
)

PAIRS = (
    ("The museum opens at nine.", "The museum opens at nine and closes at five."),
    ("The museum opens at eleven.", "The museum opens at nine and closes at five."),
    ("Das Museum öffnet um 9:30 Uhr; 日本語 🎉.", "The roof leaks."),
    ("The museum opens at nine.", "def f(x):\n\treturn x ** 2"),
)

PROMPTS = tuple(
    Prompt(f"Reply with one word: {word}", system=system)
    for word, system in (("red", ""), ("blue", ""), ("green", "Be brief."), ("green", ""))
)


def encoder_contract(encoder: Encoder, *, words: int = 700, limited: bool = True) -> None:
    """Raise `AssertionError` unless the encoder keeps to its protocol.

    `words` is how long a text must be to go beyond the encoder's limit; one without a limit is not `limited`.
    """
    _describes_itself(encoder)
    _places_each_text_in_order(encoder)
    _reads_a_long_text_whole(encoder, words, limited=limited)
    _gives_token_vectors_or_says_no(encoder)


def pair_scorer_contract(scorer: PairScorer, *, words: int = 700) -> None:
    """Raise `AssertionError` unless the pair scorer keeps to its protocol.

    `words` is how long the texts of a pair are that must be read whole, or be said not to have been.
    """
    first = scorer.fingerprint
    assert first, "the pair scorer has no fingerprint"
    assert not list(scorer.score([])), "no pairs must give no scores"
    long = " ".join(f"Room {n} holds painting {n * 7 % 101}." for n in range(words // 5))
    pairs = [*PAIRS, (long, long), PAIRS[0]]
    forwards, backwards = _scores(scorer, pairs), _scores(scorer, pairs[::-1])[::-1]
    assert scorer.fingerprint == first, "the fingerprint changed with use"
    assert len({round(score.value, 3) for score in forwards}) > 1, "all pairs have the same score"
    for pair, one, other in zip(pairs, forwards, backwards, strict=True):
        _is_a_score(pair, one)
        for again in (other, _scores(scorer, [pair])[0]):
            moved = abs(again.value - one.value)
            assert moved <= PAIRS_INVARIANT, (
                f"{pair[0][:40]!r} moved by {moved} elsewhere; are scores in order?"
            )


def judge_contract(judge: Judge, *, prompts: Sequence[Prompt] = PROMPTS, repeatable: bool = True) -> None:
    """Raise `AssertionError` unless the judge keeps to its protocol.

    `prompts` are asked, several times over; at least two must get different replies. A judge that may reply
    otherwise to the same prompt is not `repeatable`, and then the order of its replies cannot be seen.
    """
    first = judge.fingerprint
    assert first, "the judge has no fingerprint"
    assert not list(judge.ask([])), "no prompts must give no replies"
    forwards = _replies(judge, [*prompts, prompts[0]])
    backwards = _replies(judge, prompts[::-1])[::-1]
    assert judge.fingerprint == first, "the fingerprint changed with use"
    if not repeatable:
        return
    assert len({*forwards}) > 1, "all prompts got the same reply, so that their order cannot be seen"
    assert forwards[0] == forwards[-1], "the same prompt twice got two replies; is the judge repeatable?"
    for prompt, one, other in zip(prompts, forwards, backwards, strict=False):
        alone = _replies(judge, [prompt])[0]
        assert one == other == alone, f"{prompt.user!r} got another reply elsewhere; are replies in order?"


def _scores(scorer: PairScorer, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
    scores = list(scorer.score(pairs))
    assert len(scores) == len(pairs), f"{len(pairs)} pairs gave {len(scores)} scores"
    return scores


def _is_a_score(pair: tuple[str, str], score: PairScore) -> None:
    claim, evidence = pair
    assert np.isfinite([score.value, *score.scores]).all(), "a score is not a finite number"
    assert len(score.spans) == len(score.scores), "there must be one score a stretch"
    if score.contradicted is not None:
        assert 0 <= score.contradicted <= 1, f"`contradicted` is {score.contradicted}: no probability"
    read = 0
    for start, end in score.spans:
        assert read <= start < end <= len(claim), (
            f"the stretch {start}:{end} is not in order, or not in the claim"
        )
        read = end
    unread, there = score.unread_chars, len(claim) + len(evidence)
    assert 0 <= unread <= there, f"{unread} characters of {there} cannot be unread"
    left = len(claim[read:].strip())
    assert not score.spans or left <= unread, (
        f"{left} characters after the last stretch are not said to be unread"
    )


def _replies(judge: Judge, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
    replies = list(judge.ask(prompts))
    assert len(replies) == len(prompts), f"{len(prompts)} prompts gave {len(replies)} replies"
    for reply in replies:
        known = isinstance(reply, str | Unanswered)
        assert known, f"a reply is {type(reply).__name__}; wanted a text, or `Unanswered`"
        assert isinstance(reply, str) or reply.because, "a prompt was not answered, and it is not said why"
    return replies


def _describes_itself(encoder: Encoder) -> None:
    assert encoder.name, "the encoder has no name"
    assert encoder.dimension > 0, f"the dimension is {encoder.dimension}"
    first = encoder.fingerprint
    assert first, "the encoder has no fingerprint"
    assert not list(encoder.place([])), "no texts must give no placements"
    encoder.place(TEXTS[:1])
    assert encoder.fingerprint == first, "the fingerprint changed with use"


def _places_each_text_in_order(encoder: Encoder) -> None:
    placed = encoder.place(TEXTS)
    assert len(placed) == len(TEXTS), f"{len(TEXTS)} texts gave {len(placed)} placements"
    for text, placement in zip(TEXTS, placed, strict=True):
        _is_well_formed(encoder, text, placement)
        alone = encoder.place([text])[0]
        near = float(alone.vector @ placement.vector)
        assert near > 0.99, f"{text!r} lies elsewhere alone: closeness {near}; are placements in order?"
    twins = np.abs(placed[0].vector - placed[3].vector).max()
    assert twins < 1e-5, f"the same text twice gave vectors that differ by {twins}"
    other = float(placed[0].vector @ placed[1].vector)
    assert other < 0.999, f"two texts that share nothing have closeness {other}"


def _reads_a_long_text_whole(encoder: Encoder, words: int, *, limited: bool) -> None:
    long = " ".join(f"Room {n} holds painting {n * 7 % 101}." for n in range(words // 5))
    longer = f"{long} The director resigned because the roof leaks."
    one, other = encoder.place([long, longer])
    for text, placement in ((long, one), (longer, other)):
        _is_well_formed(encoder, text, placement)
        windows = len(placement.spans)
        assert windows > 1 or not limited, f"a text of {words} words has one window: was the rest cut off?"
    moved = np.abs(one.vector - other.vector).max()
    assert moved > 1e-4, "a fact at the end of a long text left no trace in its vector"


def _gives_token_vectors_or_says_no(encoder: Encoder) -> None:
    text = " ".join(TEXTS)
    try:
        tokens = encoder.place([text], tokens=True)[0].tokens
    except EncoderError:
        return
    assert tokens is not None, "token vectors were asked for; wanted them, or an EncoderError"
    assert len(tokens.spans) == len(tokens.vectors), "there must be one span a token vector"
    assert all(0 <= a <= b <= len(text) for a, b in tokens.spans), "a token lies outside its text"
    _are_unit_rows(tokens.vectors, encoder.dimension, "token vectors")


def _is_well_formed(encoder: Encoder, text: str, placement: Placement) -> None:
    assert placement.vector.shape == (encoder.dimension,), f"a vector has the shape {placement.vector.shape}"
    _are_unit_rows(placement.vector[None, :], encoder.dimension, "vectors")
    _are_unit_rows(placement.windows, encoder.dimension, "windows")
    assert len(placement.windows) == len(placement.spans), "there must be one span a window"
    _cover(text, placement.spans)
    assert 0 <= placement.unread_chars <= len(text), f"{placement.unread_chars} characters cannot be unread"


def _are_unit_rows(rows: np.ndarray, dimension: int, what: str) -> None:
    assert rows.dtype == np.float32, f"{what} are {rows.dtype}; wanted float32"
    assert rows.ndim == 2, f"{what} have the shape {rows.shape}; wanted rows"
    assert rows.shape[1] == dimension, f"{what} have {rows.shape[1]} dimensions; wanted {dimension}"
    lengths = np.linalg.norm(rows, axis=1)
    assert np.allclose(lengths, 1, atol=1e-4), f"{what} have the lengths {lengths}; wanted 1"


def _cover(text: str, spans: Sequence[tuple[int, int]]) -> None:
    read = 0
    for before, (start, end) in zip([(0, 0), *spans], spans, strict=False):
        assert 0 <= start <= end <= len(text), f"the span {start}:{end} lies outside the text"
        assert before <= (start, end), f"the spans are not in order: {start}:{end} comes after {before}"
        assert not text[read:start].strip(), f"the characters {read}:{start} are in no window"
        read = max(read, end)
    assert not text[read:].strip(), f"the characters from {read} on are in no window"
