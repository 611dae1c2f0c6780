"""Whether a stretch of words says that something is so: whether it may have a finite verb."""

from collections.abc import Sequence
from itertools import pairwise

from sensecheck.measures.text.lists import read_groups
from sensecheck.measures.text.words import words


def has_verb(said: str) -> bool:
    """Whether a finite verb may stand in it; in doubt it does, so that it is checked."""
    spoken = [word.text for word in words(said)]
    known = _group("helping") | _group("present")
    return any(word in known for word in spoken) or _is_told(spoken) or _has_object(spoken)


def has_past(said: str) -> bool:
    """Whether it tells of something that happened: `arrested`, `stole`, but not `can be arrested`."""
    return _is_told([word.text for word in words(said)], apart_from="be")


def speaks(said: str) -> bool:
    """Whether it has a verb, or a word that is only ever the subject of one."""
    return has_verb(said) or any(word.text in _group("speaking") for word in words(said))


def _is_told(spoken: Sequence[str], apart_from: str = "") -> bool:
    return any(
        word in _group("past") or (before != apart_from and _looks_past(before, word))
        for before, word in pairwise(["", *spoken])
    )


def _looks_past(before: str, word: str) -> bool:
    """Whether the ending makes it a verb; in `a truncated cone`, `for granulated sugar` it does not."""
    if before in _group("determiner") or before in _group("before"):
        return False
    return len(word) > 4 and word.endswith("ed") and "-" not in word and word not in _group("plain")


def _has_object(spoken: Sequence[str]) -> bool:
    """Whether an unlisted verb stands between a subject and an object: `mayors steal the money`."""
    return any(
        (word in _group("determiner") or word[0].isdigit()) and _may_rule(before, verb)
        for before, (verb, word) in zip(spoken, pairwise(spoken[1:]), strict=False)
    )


def _may_rule(before: str, verb: str) -> bool:
    """Whether a word can be a verb after this one: not after `to`, nor where it is a small word itself."""
    if before in ("to", "and", "or") or before.endswith("ly") or verb.endswith(("ing", "ly")):
        return False
    return verb.isalpha() and not any(
        verb in _group(name) for name in ("small", "determiner", "adverb", "speaking")
    )


def _group(name: str) -> frozenset[str]:
    return read_groups("finite.txt", __package__)[name]
