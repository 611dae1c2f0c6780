"""Contracts that encoders, pair scorers, judges, indexes and caches must keep, for those who bring one."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from sensecheck.core.backends import Embedding, Encoder, Judge, PairScore, PairScorer, Unanswered, Vectors
from sensecheck.core.cutoff import GoodSide
from sensecheck.core.errors import EncoderError, SpecError
from sensecheck.core.needs import Prompt
from sensecheck.encoders.disk_cache import Keeper
from sensecheck.encoders.invariance import PAIRS_INVARIANT
from sensecheck.retrieval.indexes.index import Index, IndexEntry, Reference
from sensecheck.retrieval.match import Match

_MAKER = "contract:one"
_OTHER = "contract:two"

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

_CLAIM = "The museum opens at nine."
_UNRELATED = "Bananas grow in warm countries."

_PROMPTS = tuple(
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


def pair_scorer_contract(scorer: PairScorer, *, words: int = 700, good: GoodSide | None = "below") -> None:
    """Raise `AssertionError` unless the pair scorer keeps to its protocol.

    `words` is how long the texts of a pair are that must be read whole, or be said not to have been. A
    reader's `value` speaks against the claim, so less is `good`; of one that only ranks, it may be "above";
    None is for weights that were never trained.
    """
    fingerprint = scorer.fingerprint
    assert fingerprint, "the pair scorer has no fingerprint"
    assert not list(scorer.score([])), "no pairs must give no scores"
    long = " ".join(f"Room {n} holds painting {n * 7 % 101}." for n in range(words // 5))
    pairs = [*PAIRS, (long, long), PAIRS[0]]
    forwards, backwards = _scores(scorer, pairs), _scores(scorer, pairs[::-1])[::-1]
    assert scorer.fingerprint == fingerprint, "the fingerprint changed with use"
    assert len({round(score.value, 3) for score in forwards}) > 1, "all pairs have the same score"
    for pair, forward, backward in zip(pairs, forwards, backwards, strict=True):
        _is_a_score(pair, forward)
        for repeated in (backward, _scores(scorer, [pair])[0]):
            moved = abs(repeated.value - forward.value)
            assert moved <= PAIRS_INVARIANT, (
                f"{pair[0][:40]!r} moved by {moved} elsewhere; are scores in order?"
            )
    if good is not None:
        _is_the_right_way_round(scorer, good)


def judge_contract(judge: Judge, *, prompts: Sequence[Prompt] = _PROMPTS, repeatable: bool = True) -> None:
    """Raise `AssertionError` unless the judge keeps to its protocol.

    `prompts` are asked, several times over; at least two must get different replies. A judge that may reply
    otherwise to the same prompt is not `repeatable`, and then the order of its replies cannot be seen.
    """
    fingerprint = judge.fingerprint
    assert fingerprint, "the judge has no fingerprint"
    assert not list(judge.ask([])), "no prompts must give no replies"
    forwards = _replies(judge, [*prompts, prompts[0]])
    backwards = _replies(judge, prompts[::-1])[::-1]
    assert judge.fingerprint == fingerprint, "the fingerprint changed with use"
    if not repeatable:
        return
    assert len({*forwards}) > 1, "all prompts got the same reply, so that their order cannot be seen"
    assert forwards[0] == forwards[-1], "the same prompt twice got two replies; is the judge repeatable?"
    for prompt, forward, backward in zip(prompts, forwards, backwards, strict=False):
        alone = _replies(judge, [prompt])[0]
        assert forward == backward == alone, (
            f"{prompt.user!r} got another reply elsewhere; are replies in order?"
        )


def index_contract(opened: Callable[[str, int], Index]) -> None:
    """Raise `AssertionError` unless the index keeps to its protocol.

    `opened` gives an empty index for the fingerprint of an encoder and the dimension of its vectors.
    """
    index = opened("contract:1", 8)
    assert index.encoder in ("contract:1", None), f"it says that `{index.encoder}` made its vectors"
    assert index.count() == 0, "an index that was just made is not empty"
    assert not index.search(_axis(0), 3), "an empty index must find nothing"
    index.add(_entry(name, vector, metadata) for name, vector, metadata in _INDEXED)
    assert index.count() == len(_INDEXED), f"{len(_INDEXED)} entries went in; it counts {index.count()}"
    _finds_the_closest_first(index)
    _filters_exactly(index)
    _replaces_what_has_the_same_id(index)
    _refuses_what_it_cannot_keep(index)
    for _ in range(2):  # a second time does nothing
        index.close()


def cache_contract(opened: Callable[[], Keeper], *, many: int = 20_000) -> None:
    """Raise `AssertionError` unless what `opened` gives keeps bodies as it should; it is to be empty before.

    It is opened several times, as by processes that come and go, and is empty again in the end.
    """
    _reads_what_was_written(opened)
    _keeps_the_first_write(opened)
    _lets_go(opened)
    _keeps_many(opened, many)
    opened().clear()
    assert opened().count() == {}, "something is counted after all was cleared"


def some_bodies(count: int, salt: bytes = b"") -> dict[bytes, bytes]:
    """So many bodies, by keys as long as a text's digest; the salt is in the bodies only."""
    numbers = (str(number).encode() for number in range(count))
    return {
        hashlib.blake2b(number, digest_size=20).digest(): number + salt * (1 + len(number))
        for number in numbers
    }


def _describes_itself(encoder: Encoder) -> None:
    assert encoder.name, "the encoder has no name"
    assert encoder.dimension > 0, f"the dimension is {encoder.dimension}"
    fingerprint = encoder.fingerprint
    assert fingerprint, "the encoder has no fingerprint"
    assert not list(encoder.encode([])), "no texts must give no embeddings"
    for embedding in encoder.encode(TEXTS[:1]):
        kind = type(embedding).__name__
        assert isinstance(embedding, Embedding), (
            f"`encode` must return Embeddings; got {kind}; one vector becomes "
            "`Embedding(vector, ((0, len(text)),), vector[None, :])`"
        )
    assert encoder.fingerprint == fingerprint, "the fingerprint changed with use"


def _places_each_text_in_order(encoder: Encoder) -> None:
    embeddings = encoder.encode(TEXTS)
    assert len(embeddings) == len(TEXTS), f"{len(TEXTS)} texts gave {len(embeddings)} embeddings"
    for text, embedding in zip(TEXTS, embeddings, strict=True):
        _is_well_formed(encoder, text, embedding)
        alone = encoder.encode([text])[0]
        similarity = float(alone.vector @ embedding.vector)
        assert similarity > 0.99, (
            f"{text!r} lies elsewhere alone: similarity {similarity}; are embeddings in order?"
        )
    difference = np.abs(embeddings[0].vector - embeddings[3].vector).max()
    assert difference < 1e-5, f"the same text twice gave vectors that differ by {difference}"
    unrelated = float(embeddings[0].vector @ embeddings[1].vector)
    assert unrelated < 0.999, f"two texts that share nothing have similarity {unrelated}"


def _is_well_formed(encoder: Encoder, text: str, embedding: Embedding) -> None:
    assert embedding.vector.shape == (encoder.dimension,), f"a vector has the shape {embedding.vector.shape}"
    _are_unit_rows(embedding.vector[None, :], encoder.dimension, "vectors")
    _are_unit_rows(embedding.windows, encoder.dimension, "windows")
    assert len(embedding.windows) == len(embedding.spans), "there must be one span per window"
    _cover(text, embedding.spans)
    assert 0 <= embedding.unread_chars <= len(text), f"{embedding.unread_chars} characters cannot be unread"


def _are_unit_rows(rows: np.ndarray, dimension: int, what: str) -> None:
    assert rows.dtype == np.float32, f"{what} are {rows.dtype}; wanted float32"
    assert rows.ndim == 2, f"{what} have the shape {rows.shape}; wanted rows"
    assert rows.shape[1] == dimension, f"{what} have {rows.shape[1]} dimensions; wanted {dimension}"
    lengths = np.linalg.norm(rows, axis=1)
    assert np.allclose(lengths, 1, atol=1e-4), f"{what} have the lengths {lengths}; wanted 1"


def _cover(text: str, spans: Sequence[tuple[int, int]]) -> None:
    covered_to = 0
    for previous, (start, end) in zip([(0, 0), *spans], spans, strict=False):
        assert 0 <= start <= end <= len(text), f"the span {start}:{end} lies outside the text"
        assert previous <= (start, end), f"the spans are not in order: {start}:{end} comes after {previous}"
        assert not text[covered_to:start].strip(), f"the characters {covered_to}:{start} are in no window"
        covered_to = max(covered_to, end)
    assert not text[covered_to:].strip(), f"the characters from {covered_to} on are in no window"


def _reads_a_long_text_whole(encoder: Encoder, words: int, *, limited: bool) -> None:
    long = " ".join(f"Room {n} holds painting {n * 7 % 101}." for n in range(words // 5))
    longer = f"{long} The director resigned because the roof leaks."
    long_embedding, longer_embedding = encoder.encode([long, longer])
    for text, embedding in ((long, long_embedding), (longer, longer_embedding)):
        _is_well_formed(encoder, text, embedding)
        windows = len(embedding.spans)
        assert windows > 1 or not limited, f"a text of {words} words has one window: was the rest cut off?"
    moved = np.abs(long_embedding.vector - longer_embedding.vector).max()
    assert moved > 1e-4, "a fact at the end of a long text left no trace in its vector"


def _gives_token_vectors_or_says_no(encoder: Encoder) -> None:
    text = " ".join(TEXTS)
    try:
        tokens = encoder.encode([text], tokens=True)[0].tokens
    except EncoderError:
        return
    assert tokens is not None, "token vectors were asked for; wanted them, or an EncoderError"
    assert len(tokens.spans) == len(tokens.vectors), "there must be one span per token vector"
    assert all(0 <= a <= b <= len(text) for a, b in tokens.spans), "a token lies outside its text"
    _are_unit_rows(tokens.vectors, encoder.dimension, "token vectors")


def _scores(scorer: PairScorer, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
    scores = list(scorer.score(pairs))
    assert len(scores) == len(pairs), f"{len(pairs)} pairs gave {len(scores)} scores"
    for score in scores:
        assert isinstance(score, PairScore), f"`score` must return PairScores; got {type(score).__name__}"
    return scores


def _is_the_right_way_round(scorer: PairScorer, good: GoodSide) -> None:
    """A claim beside itself must do better than beside a text that has nothing to do with it."""
    itself, unrelated = _scores(scorer, [(_CLAIM, _CLAIM), (_CLAIM, _UNRELATED)])
    if good == "above":
        assert itself.value > unrelated.value, (
            f"`value` must be higher for a better pair; yours looks reversed: {itself.value:g} for a claim "
            f"beside itself, {unrelated.value:g} beside an unrelated text"
        )
        return
    assert itself.value < unrelated.value, (
        f"`value` must be the log odds against the claim; yours looks reversed: {itself.value:g} for a claim "
        f"beside itself, {unrelated.value:g} beside an unrelated text"
    )


def _is_a_score(pair: tuple[str, str], score: PairScore) -> None:
    claim, evidence = pair
    assert np.isfinite([score.value, *score.scores]).all(), "a score is not a finite number"
    assert len(score.spans) == len(score.scores), "there must be one score per stretch"
    if score.contradicted is not None:
        assert 0 <= score.contradicted <= 1, f"`contradicted` is {score.contradicted}: no probability"
    covered_to = 0
    for start, end in score.spans:
        assert covered_to <= start < end <= len(claim), (
            f"the stretch {start}:{end} is not in order, or not in the claim"
        )
        covered_to = end
    unread, total = score.unread_chars, len(claim) + len(evidence)
    assert 0 <= unread <= total, f"{unread} characters of {total} cannot be unread"
    remaining = len(claim[covered_to:].strip())
    assert not score.spans or remaining <= unread, (
        f"{remaining} characters after the last stretch are not said to be unread"
    )


def _replies(judge: Judge, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
    replies = list(judge.ask(prompts))
    assert len(replies) == len(prompts), f"{len(prompts)} prompts gave {len(replies)} replies"
    for reply in replies:
        valid = isinstance(reply, str | Unanswered)
        assert valid, f"a reply is {type(reply).__name__}; wanted a string, or `Unanswered`"
        assert isinstance(reply, str) or reply.because, "a prompt was not answered, and it is not said why"
    return replies


def _axis(number: int, lean: float = 0.0) -> Vectors:
    row = np.zeros(8, np.float32)
    row[number], row[number + 1] = 1.0, lean
    unit: Vectors = row / np.float32(np.linalg.norm(row))
    return unit


_INDEXED: tuple[tuple[str, Vectors, dict[str, Any]], ...] = (
    ("far", _axis(0, 2.0), {"year": 1.5}),
    ("same", _axis(0), {"lang": "en", "year": 1}),
    ("against", -_axis(0), {"lang": "it's; DROP TABLE x --", "a.b": "日本語 🎉"}),
    ("near", _axis(0, 0.5), {"lang": "en", "year": True}),
    ("across", _axis(5), {"lang": "de", "year": "1"}),
)


def _entry(name: str, vector: Vectors, metadata: dict[str, Any]) -> IndexEntry:
    return IndexEntry(Reference(f"id of {name}", f"text of {name}", name, metadata, 0.5), vector)


def _finds_the_closest_first(index: Index) -> None:
    matches = index.search(_axis(0), 10)
    order = ["same", "near", "far", "across", "against"]
    assert _ids(matches) == order, f"the order is {_ids(matches)}; wanted {order}"
    assert _ids(index.search(_axis(0), 2)) == order[:2], "the two closest are not the first two of all"
    entries_by_name = {name: (vector, metadata) for name, vector, metadata in _INDEXED}
    for match in matches:
        vector, metadata = entries_by_name[match.source]
        cosine = float(vector @ _axis(0))
        deviation = abs(match.closeness - cosine)
        assert deviation < 1e-3, f"a similarity is {match.closeness}, where the cosine is {cosine}"
        assert match.text == f"text of {match.source}", f"a text came back as {match.text!r}"
        assert match.reference_score == 0.5, f"a score of 0.5 came back as {match.reference_score}"
        assert repr(sorted(match.metadata.items())) == repr(sorted(metadata.items())), (
            f"metadata came back as {dict(match.metadata)}; wanted {metadata}"
        )


def _ids(matches: Sequence[Match]) -> list[str]:
    return [match.source for match in matches]


def _filters_exactly(index: Index) -> None:
    cases: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({"lang": "en"}, ["same", "near"]),
        ({"lang": ["de", "en"]}, ["same", "near", "across"]),
        ({"year": 1}, ["same"]),
        ({"year": True}, ["near"]),
        ({"year": "1"}, ["across"]),
        ({"lang": "en", "year": 1.0}, ["same"]),
        ({"lang": "it's; DROP TABLE x --"}, ["against"]),
        ({"a.b": "日本語 🎉"}, ["against"]),
        ({"nowhere": "en"}, []),
        ({"lang": "x' OR '1'='1"}, []),
    )
    for criteria, expected_names in cases:
        names = _ids(index.search(_axis(0), 10, filter=criteria))
        assert names == expected_names, f"the filter {criteria} let {names} pass; wanted {expected_names}"
    nearest_names = _ids(index.search(_axis(0), 1, filter={"lang": "de"}))
    assert nearest_names == ["across"], (
        "a filter must come before the count: the nearest one that passes was lost"
    )


def _replaces_what_has_the_same_id(index: Index) -> None:
    before = index.count()
    index.add([_entry("far", _axis(3), {"lang": "fr"})])
    assert index.count() == before, f"an entry with a known id made {index.count()} of {before}"
    assert _ids(index.search(_axis(3), 1, filter={"lang": "fr"})) == ["far"], "it was not replaced"
    assert not index.search(_axis(0), 9, filter={"year": 1.5}), "old metadata still passes a filter"


def _refuses_what_it_cannot_keep(index: Index) -> None:
    before = index.count()
    good = _entry("new", _axis(1), {})
    for wrong in (np.ones(5, np.float32), np.zeros(8, np.float32), np.full(8, np.nan, np.float32)):
        _is_refused(partial(index.add, [good, _entry("wrong", wrong, {})]), "a wrong vector")
        _is_refused(partial(index.search, wrong, 1), "a search for a wrong vector")
    _is_refused(lambda: index.add([good, _entry("wrong", _axis(1), {"key": None})]), "metadata without value")
    _is_refused(lambda: index.search(_axis(0), 0), "a search for none")
    assert index.count() == before, "something was written, though it was refused"


def _is_refused(action: Callable[[], object], what: str) -> None:
    try:
        action()
    except (EncoderError, SpecError):
        return
    raise AssertionError(f"{what} was taken; wanted an EncoderError or a SpecError")


def _reads_what_was_written(open_keeper: Callable[[], Keeper]) -> None:
    keeper, bodies = open_keeper(), some_bodies(50)
    assert keeper.count() == {}, "it is to be empty before its contract is looked at"
    assert keeper.read(_MAKER, list(bodies)) == {}, "it reads what nobody wrote"
    assert keeper.write(_MAKER, {}) == {}, "no bodies give something back"
    assert keeper.write(_MAKER, bodies) == {}, "bodies that are new were written by somebody else"
    for instance in (keeper, open_keeper()):
        assert instance.read(_MAKER, list(bodies)) == bodies, "it reads something else than was written"
        assert instance.read(_MAKER, []) == {}, "no keys have bodies"
        assert instance.read(_OTHER, list(bodies)) == {}, "another maker gets what it did not make"
        assert instance.count() == {_MAKER: 50}, "it counts something else than was written"
    assert keeper.used_bytes() > 0, "what is kept takes no room"


def _keeps_the_first_write(open_keeper: Callable[[], Keeper]) -> None:
    first, again = some_bodies(80), some_bodies(80, b"again")
    written = open_keeper().write(_MAKER, again)
    assert written == some_bodies(50), "the keys that were there do not come back with their first bodies"
    expected = {key: first[key] if key in written else again[key] for key in first}
    assert open_keeper().read(_MAKER, list(expected)) == expected, (
        "a second write took the place of the first"
    )


def _lets_go(open_keeper: Callable[[], Keeper]) -> None:
    keeper = open_keeper()
    keeper.write(_OTHER, some_bodies(3))
    dropped_keys = list(some_bodies(2))
    keeper.drop(_OTHER, dropped_keys)
    keeper.drop(_OTHER, dropped_keys)
    assert open_keeper().count() == {_MAKER: 80, _OTHER: 1}, "what was dropped is counted"
    assert list(open_keeper().read(_OTHER, list(some_bodies(3)))) == list(some_bodies(3))[2:], (
        "not all was dropped"
    )
    new_bodies = some_bodies(2, b"new")
    assert keeper.write(_OTHER, new_bodies) == {}, (
        "what was dropped stands in the way of what is written anew"
    )
    assert open_keeper().read(_OTHER, dropped_keys) == new_bodies, "what was dropped cannot be written anew"
    assert keeper.clear(_OTHER) == 3, "clearing counts something else than was there"
    assert open_keeper().count() == {_MAKER: 80}, "clearing one maker's bodies took another's"


def _keeps_many(open_keeper: Callable[[], Keeper], many: int) -> None:
    bodies = some_bodies(many, b"many")
    first = open_keeper().write(_MAKER, bodies)
    expected: Mapping[bytes, bytes] = {**bodies, **first}
    assert len(first) == 80, f"{len(first)} of 80 keys that were there came back"
    assert open_keeper().read(_MAKER, list(expected)) == expected, (
        f"of {many} bodies not all are read as they were written"
    )
