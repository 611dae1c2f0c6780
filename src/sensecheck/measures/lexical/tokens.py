"""Words of a text and how many of them two texts share, for all lexical measures.

Words are divided as mteval-v13a or the Penn Treebank divides them. What measures remember of the texts that
they read, one after the other, are pure values, so that threads may share them; it is bounded twice: by how
many there are, and by how long a text may be.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence, Sized
from functools import lru_cache

REMEMBERED_CHARS = 4000
"""Characters of the longest text, or pair of texts, that is remembered."""
REMEMBERED_TEXTS = 256
"""Texts that are remembered, each with its words."""
REMEMBERED_PAIRS = 1024
"""Pairs of texts that are remembered, each with its numbers."""

_SIGN = r"{-~\[-`!-&(-+:-@/"
_PLAIN = rf"[^{_SIGN}\s.,\-]"
_DASH = r"(?<![0-9])-"
_POINT = r"(?<=[0-9])[.,](?=[0-9])"
# A point or comma between digits, and a dash that no digit precedes, belong to the word.
_TOKEN = re.compile(rf"(?:{_PLAIN}|{_DASH}){_PLAIN}*+(?:(?:{_DASH}|{_POINT}){_PLAIN}*+)*+|[{_SIGN}.,\-]")
# One after the other: where points follow each other, each rule leaves some to the next.
_MTEVAL_RULES = (
    (re.compile(rf"([{_SIGN}])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_TREEBANK_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\.{3}", " ... "),
        (r"[:,](?!\d)", r" \g<0> "),
        (r"[;@#$%&?!\[\](){}<>]|--|``|''", r" \g<0> "),
        (r"([^.])(?<!\b[a-z]\.[a-z])(\.)([\])}>'\s]*)$", r"\1 \2\3 "),
        (r"^|$", " "),
        (r"([^'])' ", r"\1 ' "),
        (r"'([smd]) ", r" '\1 "),
        (r"('ll|'re|'ve|n't) ", r" \1 "),
        (r"\b(can)(not)\b|\b(d)('ye)\b|\b(gim)(me)\b|\b(gon)(na)\b|\b(got)(ta)\b|\b(lem)(me)\b", None),
        (r"\b(more)('n)\b|\b(wan)(na)\b(?= )|(?<!\w)('t)(is|was)\b", None),
    )
)
_OPENS = re.compile(r"(?:(?<=^)|(?<=[\s(\[{<]))\"")

Grams = Counter[tuple[str, ...]]


def mteval_tokens(text: str) -> tuple[str, ...]:
    """The words and signs, in the letters they are written in; a short text is divided once."""
    return _remembered_mteval(text) if len(text) <= REMEMBERED_CHARS else _mteval_words(text)


def treebank_tokens(text: str) -> list[str]:
    """The words and signs; a straight quotation mark opens after a space or a bracket, else it closes."""
    spaced = _OPENS.sub(" `` ", " ".join(text.split())).replace('"', " '' ")
    for pattern, replacement in _TREEBANK_RULES:
        spaced = pattern.sub(replacement or _spaced_groups, spaced)
    return spaced.split()


def ngrams(words: Sequence[str], n: int) -> Grams:
    """How often each run of `n` words occurs."""
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


def shared(one: Grams, other: Grams) -> int:
    """How many runs both have, each counted as often as it occurs in both."""
    return (one & other).total()


def clipped(one: Iterable[Hashable], other: Iterable[Hashable]) -> int:
    """How many items both have, each counted as often as it occurs in both.

    A plain loop: for texts of a few words, which most are, two counters take twice as long to be made.
    """
    remaining: dict[Hashable, int] = {}
    for item in one:
        remaining[item] = remaining.get(item, 0) + 1
    both = 0
    for item in other:
        if remaining.get(item):
            remaining[item] -= 1
            both += 1
    return both


def nothing_to_compare(answer: Sized, expected: Sized) -> str | None:
    """Why two texts share nothing, from their words; None where both have some."""
    if answer and expected:
        return None
    where = "in the expected answer" if answer else "in the answer" if expected else "in either text"
    return f"there is nothing to compare {where}, which counts as 0"


def _mteval_words(text: str) -> tuple[str, ...]:
    normalized = text.rstrip().replace("<skipped>", "").replace("-\n", "")
    if "&" in normalized:
        for entity, sign in _ENTITIES:
            normalized = normalized.replace(entity, sign)
    if not (".." in normalized or ".," in normalized or ",." in normalized or ",," in normalized):
        return tuple(_plain_tokens(normalized))
    normalized = f" {normalized} "
    for pattern, replacement in _MTEVAL_RULES:
        normalized = pattern.sub(replacement, normalized)
    return tuple(normalized.split())


_remembered_mteval = lru_cache(maxsize=REMEMBERED_TEXTS)(_mteval_words)


def _plain_tokens(text: str) -> list[str]:
    """What the rules of mteval give where no points or commas follow each other, in one pass."""
    tokens: list[str] = []
    for word in text.split():
        if word.isalnum():  # most are, and need no pattern
            tokens.append(word)
        else:
            tokens += _TOKEN.findall(word)
    return tokens


def _spaced_groups(match: re.Match[str]) -> str:
    """The groups of a match with spaces around them: `can not` for `cannot`."""
    return " ".join(("", *(part for part in match.groups() if part is not None), ""))
