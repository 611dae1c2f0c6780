"""What is only almost so: `almost everyone` for `everyone`, `nearly lost` for `lost`, `some` for `all`.

Next to passages a weaker claim follows from a stronger one; an answer that should mean what was expected
says something else with it.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sensecheck.measures.facts.fact import Difference, Moment, Quantity
from sensecheck.measures.facts.negation import negations
from sensecheck.measures.facts.parsing import Parsed, Sentence
from sensecheck.measures.facts.references import Alignment, SentenceBeside
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, is_stop_word, stem

_HEAD = 4
"""Among how many words after a quantifier what it is said of is looked for."""
_ALL, _HEDGED = 4, 3
"""The rank of `all`, and of `almost all`."""
_PEOPLE = frozenset({"people", "person", "persons", "of", "the", "those", "them", "us", "single", "time"})
"""Words after a quantifier that are no more than `everyone` says."""


class _Mention(NamedTuple):
    """A word that can be hedged, and whether it is."""

    key: str
    """What it is compared by: its stem, or that of all words which say `all`, or `none`."""
    hedged: bool
    start: int
    end: int


class _Quantified(NamedTuple):
    """A quantifier, how much it claims, and what it is said of."""

    rank: int
    head: str
    start: int
    end: int


def weaker_claims(answer: Parsed, expected: Parsed) -> Iterator[Difference]:
    """Where the answer claims less than was expected, or all where almost all was expected."""
    yield from _hedges(answer, expected)
    alignment = Alignment((expected,))
    for sentence in answer.sentences:
        if (beside := alignment.beside(answer, sentence)) is not None:
            yield from _weaker_quantifiers(beside)


def _hedges(answer: Parsed, expected: Parsed) -> Iterator[Difference]:
    """The words that one side hedges and the other does not."""
    mine, theirs = _by_key(answer), _by_key(expected)
    for key in mine.keys() & theirs.keys():
        hedged, their_hedged = ({one.hedged for one in side[key]} for side in (mine, theirs))
        if len(hedged) > 1 or len(their_hedged) > 1 or hedged == their_hedged:
            continue  # the same, or both ways within one text
        one, other = mine[key][0], theirs[key][0]
        if one.hedged and not _shares_content(answer, expected, one):
            continue
        if other.hedged and _is_qualified(answer, one):
            continue
        here, there = (one.start, one.end), (other.start, other.end)
        note = f"`{answer.text[slice(*here)]}` instead of `{expected.text[slice(*there)]}`"
        yield Difference("quantifier", "less" if one.hedged else "changed", note, here, there, 0)


def _by_key(text: Parsed) -> dict[str, list[_Mention]]:
    """The words of a text that can be hedged, by what they are compared by."""
    found: dict[str, list[_Mention]] = {}
    for sentence in text.sentences:
        for one in _mentions(sentence, _amounts(text)):
            found.setdefault(one.key, []).append(one)
    return found


def _mentions(sentence: Sentence, amounts: frozenset[int]) -> Iterator[_Mention]:
    words = sentence.words
    for at, word in enumerate(words):
        if not amounts.isdisjoint(range(word.start, word.end)):
            continue
        key, before = _key(words, at), _word_before(words, at)
        if word.text in _group("rare"):
            yield _Mention(key, True, word.start, word.end)
        elif before is not None and before.text in _group("scarce") and word.text in _group("any"):
            yield _Mention(_nobody(words, at), True, before.start, word.end)  # `hardly anyone`: almost nobody
        elif key:
            hedged = before is not None and before.text in _group("almost")
            yield _Mention(key, hedged, before.start if before and hedged else word.start, word.end)


def _word_before(words: Sequence[Word], at: int) -> Word | None:
    """The word before another one, and before `the`."""
    before = at - 2 if at and words[at - 1].text == "the" else at - 1
    return words[before] if before >= 0 else None


def _amounts(text: Parsed) -> frozenset[int]:
    """Where a text has amounts and dates: `almost ten` only rounds."""
    facts = (fact for fact in text.facts if isinstance(fact.value, Quantity | Moment))
    return frozenset(place for fact in facts for place in range(fact.start, fact.end))


def _key(words: Sequence[Word], at: int) -> str:
    """What a word that can be hedged is compared by; empty for small words."""
    word = words[at].text
    if word in _group("universal"):
        return "all"
    if word in _group("nobody"):
        return _nobody(words, at)
    if word == "never" or word in _group("rare"):
        return "never"
    return "" if is_stop_word(word) and word not in _group("any") else stem(word)


def _nobody(words: Sequence[Word], at: int) -> str:
    """What `nobody` is compared by, and `no` with what there is none of; empty for `no` as an answer."""
    word, following = words[at], words[at + 1 : at + 2]
    if at and words[at - 1].text == "to":
        return ""  # `next to nobody`
    if word.text in ("no", "any") and following and following[0].start == word.end + 1:
        return f"no {stem(following[0].text)}"
    return "" if word.text == "no" else "nobody"


def _shares_content(answer: Parsed, expected: Parsed, mention: _Mention) -> bool:
    """Whether the sentence of a hedge speaks of what was expected; the only one does."""
    if len(answer.sentences) == 1:
        return True
    said = {stem_ for sentence in expected.sentences for stem_ in sentence.content}
    own = next(one for one in answer.sentences if one.start <= mention.start < one.end)
    return not said.isdisjoint(own.content - {mention.key})


def _is_qualified(answer: Parsed, mention: _Mention) -> bool:
    """Whether an answer without `almost` says in other words that it is not quite so."""
    others = (word.text for word in answer.words if word.start != mention.start)
    return any(word in _group("qualifying") or word in _group("negation") for word in others)


def _weaker_quantifiers(beside: SentenceBeside) -> Iterator[Difference]:
    """The quantifiers that claim less of the same thing: `some rooms` for `all rooms`."""
    if negations(beside.answer.text, beside.sentence):
        return
    theirs = [
        (other, one)
        for other in beside.near
        if not negations(other.parsed.text, other.sentence)
        for one in _quantified(other.sentence)
    ]
    for mine in _quantified(beside.sentence):
        same = [(other, one) for other, one in theirs if one.head == mine.head]
        if same and all(one.rank > mine.rank for _, one in same):
            other, one = same[0]
            here, there = (mine.start, mine.end), (one.start, one.end)
            note = f"`{beside.answer.text[slice(*here)]}` instead of `{other.parsed.text[slice(*there)]}`"
            yield Difference("quantifier", "less", note, here, there, other.reference)


def _quantified(sentence: Sentence) -> Iterator[_Quantified]:
    """The quantifiers of a sentence, each with the next content word; `almost all` is less than `all`."""
    words = sentence.words
    for at, word in enumerate(words):
        rank = _ranks().get(word.text)
        if rank is None or (at and words[at - 1].text in ("a", "at", "the")):
            continue  # `a few`, `at most`, `the most`
        following = (
            stem(other.text)
            for other in words[at + 1 : at + 1 + _HEAD]
            if not is_stop_word(other.text) and other.text not in _PEOPLE
        )
        hedged = at > 0 and words[at - 1].text in _group("almost")
        if head := next(following, ""):
            yield _Quantified(min(rank, _HEDGED) if hedged else rank, head, word.start, word.end)


@cache
def _ranks() -> dict[str, int]:
    """The quantifiers from `some` upwards, by how much they claim."""
    entries = (entry.split("=") for entry in _group("quantifier"))
    ranks = {word: int(rank) for word, rank in entries if int(rank) > 1}
    return {**ranks, **dict.fromkeys(_group("universal"), _ALL), "many": 2, "often": 2}


def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
