"""Negations: what they negate, and which of them deny no fact.

`The passages do not mention it` and `I am unable to say` negate, and leave open what is asked.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sensecheck.measures.facts.parsing import Sentence
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, is_stop_word, stem

_REACH, _FAR = 3, 12
"""How many content words a negation reaches, and among how many words they are looked for."""
_NEAR = 6
"""How many words before a `not` that ends its sentence are searched for a contrast."""
_PLAIN = frozenset(("not", "never", "cannot", "n't"))
_MARKS = ",;:()—–"
_ASIDE = frozenset(("except", "excluding", "unlike"))
_EXCEPT = frozenset(("apart+from", "aside+from", "other+than", "contrary+to"))
_NOTHING = frozenset(("longer", "more", "way"))
"""After `no`, these belong to it: what is negated comes later."""
_SOURCE_BEFORE, _SOURCE_AFTER = 8, 12
"""Among how many words on each side the text that is spoken of is looked for."""
_SPEAKERS = frozenset(("i", "we", "i'm", "we're"))
_WHERE = frozenset(("in", "by", "from", "within", "on"))


@dataclass(frozen=True, slots=True)
class Negation:
    """A negation: where it stands, and the stems of the content words that it governs, nearest first."""

    start: int
    end: int
    scope: tuple[str, ...]
    heads: int
    """How many of them can carry the negation: the verb after `not`; the thing and its verb after `no`."""
    subject: tuple[str, ...] = ()
    """The stems of the content words before it in its clause, the nearest first."""
    antecedent: str = ""
    """For a `not` that leaves out what it negates, the predicate before: `lunch is free, dinner is not`."""
    exception: bool = False
    """Whether it is `except` or the like."""
    restricted: bool = False
    """Whether the clause takes it back in part: `not until May`, `nothing without a ticket`."""


def negations(text: str, sentence: Sentence) -> list[Negation]:
    """The negations of a sentence."""
    words = sentence.words
    places = [at for at in range(len(words)) if _negates(words, at)]
    return [_negation(text, words, at, places) for at in places]


def negated(found: Sequence[Negation]) -> frozenset[str]:
    """The stems that are negated once, not twice."""
    times = Counter(word for negation in found for word in set(negation.scope))
    return frozenset(word for word, count in times.items() if count % 2)


def unclaimed(text: str, sentence: Sentence) -> frozenset[str]:
    """The stems after `if`, `avoid` and the like: what the sentence neither affirms nor denies."""
    words = sentence.words
    open_words: set[str] = set()
    for at, word in enumerate(words):
        if word.text in _group("unclaimed") or _pair(words, at) in _group("unclaimed-when"):
            open_words.update(stem(other.text) for other in _reached(text, words, at + 1))
        elif at and word.text in _group("auxiliary") and _ends_clause(text, words, at):
            open_words.update(list(_subject(text, words, at))[:1])
    return frozenset(open_words)


def denied_around(text: str, sentence: Sentence) -> frozenset[str]:
    """The stems around a word that denies, such as `prohibited` or `missing`."""
    words = sentence.words
    denied_stems: set[str] = set()
    for at, word in enumerate(words):
        if stem(word.text) in _stems("denying"):
            denied_stems.update(_subject(text, words, at))
            denied_stems.update(stem(other.text) for other in _reached(text, words, at + 1))
    return frozenset(denied_stems)


def denies(text: str, sentence: Sentence) -> bool:
    """Whether a sentence denies something, in whatever way; a negation that a bound takes up is none."""
    if not all(negation.restricted for negation in negations(text, sentence)):
        return True
    return any(stem(word.text) in _stems("denying") for word in sentence.words)


def turned_aside(text: str, sentence: Sentence) -> Iterator[tuple[int, int, bool]]:
    """The stretches of which a sentence says that they do not hold, and whether they are exceptions.

    `not Berlin but Bonn`, `PATCH rather than PUT`, `every day except Sunday`.
    """
    words = sentence.words
    for at, word in enumerate(words):
        aside = _is_exception(words, at) or _pair(words, at) in _group("unclaimed-when")
        if aside or word.text in _PLAIN or word.text.endswith("n't"):
            end = at
            while end + 1 < len(words) and end - at < _FAR and not _stops(text, words, end, aside):
                end += 1
            yield word.start, words[end].end, aside


def abstains(sentence: Sentence, negation: Negation, other: Sentence) -> bool:
    """Whether a negation says what is left open, where `other` does not itself speak of a text."""
    sources = _stems("source")
    if other.content & sources:
        return False
    heads = set(negation.scope[: negation.heads])
    if heads & other.content <= _stems("untold"):
        return True
    before = [word.text for word in sentence.words if word.start < negation.start][-_SOURCE_BEFORE:]
    after = [word.text for word in sentence.words if word.start > negation.start][:_SOURCE_AFTER]
    head = negation.scope[0]
    if head in _stems("unsure") and not _SPEAKERS.isdisjoint(before):
        return True
    return head in _stems("tell") and any(stem(word) in sources for word in (*before, *_located(after)))


def _negates(words: Sequence[Word], at: int) -> bool:
    """Whether a word is a negation, alone or with the next."""
    word = words[at].text
    following = words[at + 1].text if at + 1 < len(words) else ""
    if following in _followers() and not _group("negation-when").isdisjoint(
        (f"{stem(word)}+{following}", f"{word}+{following}")
    ):
        return True
    if at > 1 and (words[at - 2].text, words[at - 1].text) == ("whether", "or"):
        return False
    cue = word.endswith("n't") or word in _group("negation") or stem(word) == "lack"
    return cue and following not in _group("idle") and not following.isdigit()


def _negation(text: str, words: Sequence[Word], at: int, places: Sequence[int]) -> Negation:
    """The negation at a word; `places` are all words of the sentence that negate."""
    word = words[at]
    after = at + 1
    while after < len(words) and (
        words[after].text in ("because", "even")
        or (words[after - 1].text == "no" and words[after].text in _NOTHING)
    ):
        after += 1  # `not because of the rain` denies the rain
    reached = list(_reached(text, words, after))
    plain = word.text.endswith("n't") or word.text in _PLAIN or (after > at + 1 and word.text == "no")
    heads = 1 if plain else 2
    antecedent = ""
    if not reached:
        reached, heads = list(_word_before(words, at)), 1
        if reached and _PLAIN & {word.text, word.text[-3:]}:
            antecedent = _predicate(words, at, reached)
    return Negation(
        start=word.start,
        end=max([word.end, *(other.end for other in reached[:1])]),
        scope=tuple(stem(other.text) for other in reached),
        heads=heads,
        subject=tuple(_subject(text, words, at)),
        antecedent=antecedent,
        exception=_is_exception(words, at),
        restricted=_is_restricted(text, words, at, places),
    )


def _is_exception(words: Sequence[Word], at: int) -> bool:
    return words[at].text in _ASIDE or _pair(words, at) in _EXCEPT


def _is_restricted(text: str, words: Sequence[Word], at: int, places: Sequence[int]) -> bool:
    """Whether `until`, `without` or the like follows in the clause, or `only` comes before it."""
    if any(word.text == "only" for word in words[max(0, at - 4) : at]):
        return True
    if [word.text for word in words[at + 1 : at + 4]] == ["to", "do", "with"]:
        return True
    restricting = words[at].text in _group("restricting") or words[at].text in ("apart", "other")
    for place in range(at - 1, max(-1, at - _FAR), -1):
        if _is_broken(text, words, place):
            break
        if restricting and place in places:
            return True
    for place in range(at + 1, min(len(words), at + _FAR)):
        if words[place].text in _ASIDE:
            return True
        if _is_broken(text, words, place - 1):
            return False
        if words[place].text in _group("restricting"):
            return True
    return False


def _reached(text: str, words: Sequence[Word], at: int) -> Iterator[Word]:
    """The content words after a negation, up to the end of its clause."""
    count, end = 0, words[at - 1].end
    for word in words[at : at + _FAR]:
        if any(mark in text[end : word.start] for mark in _MARKS) or word.text in _group("clause"):
            return
        end = word.end
        if not is_stop_word(word.text) and not word.text.endswith(("n't", "ly")):
            yield word
            count += 1
        if count == _REACH:
            return


def _word_before(words: Sequence[Word], at: int) -> Iterator[Word]:
    """The content word before a `not` that governs nothing after it; none in `while cats do not`."""
    contrasted = any(word.text in _group("contrast") for word in words[max(0, at - _NEAR) : at])
    if words[at].text == "no" or contrasted:
        return
    for word in reversed(words[max(0, at - _FAR) : at]):
        if not is_stop_word(word.text):
            yield word
            return


def _predicate(words: Sequence[Word], at: int, subject: Sequence[Word]) -> str:
    """The content word after the first verb of the sentence, which a later `is not` leaves out."""
    verb = next((place for place in range(at) if words[place].text in _group("auxiliary")), None)
    for word in words[:at] if verb is None else words[verb + 1 : at]:
        if not is_stop_word(word.text) and word not in subject:
            return stem(word.text)
    return ""


def _subject(text: str, words: Sequence[Word], at: int) -> Iterator[str]:
    """The stems of the content words before a word, back to the start of its clause."""
    count = 0
    for place in range(at - 1, max(-1, at - _FAR), -1):
        if _is_broken(text, words, place):
            return
        if not is_stop_word(words[place].text):
            yield stem(words[place].text)
            count += 1
        if count == _REACH:
            return


def _is_broken(text: str, words: Sequence[Word], at: int) -> bool:
    """Whether a mark stands between a word and the next, or the next opens a clause."""
    gap = text[words[at].end : words[at + 1].start]
    return any(mark in gap for mark in _MARKS) or words[at + 1].text in _group("clause") - {"unless"}


def _ends_clause(text: str, words: Sequence[Word], at: int) -> bool:
    return at + 1 == len(words) or any(mark in text[words[at].end : words[at + 1].start] for mark in _MARKS)


def _stops(text: str, words: Sequence[Word], at: int, aside: bool) -> bool:
    """Whether what is turned aside ends with a word; a bracket does not end an exception."""
    gap = text[words[at].end : words[at + 1].start]
    marks = ";:()—–" if not aside else ";:—–"
    return any(mark in gap for mark in marks) or words[at + 1].text in _group("clause")


def _located(following: Sequence[str]) -> Iterator[str]:
    """The words that come soon after `in`, `by` and the like: `in the given passages`."""
    return (
        word for at, word in enumerate(following) if not _WHERE.isdisjoint(following[max(0, at - 3) : at])
    )


def _pair(words: Sequence[Word], at: int) -> str:
    """A word and the next, as the lists write them; empty for the last word."""
    return f"{words[at].text}+{words[at + 1].text}" if at + 1 < len(words) else ""


@cache
def _followers() -> frozenset[str]:
    """The second words of the pairs that negate."""
    return frozenset(pair.partition("+")[2] for pair in _group("negation-when"))


@cache
def _stems(group: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _group(group))


@cache
def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
