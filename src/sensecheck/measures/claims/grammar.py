"""What a sentence is made of: phrases of bundled lists, and whether a verb makes it say something.

In a list of phrases, `a/b` is either word, `word?` may be absent, `…` stands for at most a few words and `……`
for twice as many, `^` for the start of a line, `>` for the start of a clause, `$` for the end of a sentence,
`:` for a colon, `*ing` for any word with this ending. Words before `~` must be there, but are not part of
what is found. `NAME = word word` gives a name to words; `NAME` then stands for any of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from sensecheck.text.wordlists import read_groups, read_lines
from sensecheck.text.words import words

_BETWEEN = r"[^\w.!?]{0,4}"
"""What may stand between two words of one phrase: no end of a sentence."""
_SIGNS = {
    "^": r"(?m:^)[^\w\n]{0,6}",
    "$": r"(?=[\"'”’)\]]*(?:[.!?;]|[^\S\n]{0,8}(?:\n|$)))",
    ">": r"(?:(?m:^)|[.!?:;,\"“(—–-]|\b(?:and|but|please|must|should|then)\b)[^\w\n]{0,4}",
    "~": "(?P<from>)",
    ":": r"(?<=\w)[^\w.!?]{0,3}:[^\w.!?]{0,4}",
}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class PhrasePattern:
    """A phrase: its pattern, and for each word of it that must be there, the forms that it may have."""

    pattern: re.Pattern[str]
    wanted: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, written: str, gap: int = 6) -> "PhrasePattern":
        """The phrase as a list has it, in any case, with up to `gap` words for each `…`."""
        tokens = written.split()
        pattern = re.compile("".join(_part(token, gap) for token in tokens), re.IGNORECASE)
        firm = (
            token for token in tokens if token not in _SIGNS and token[-1] not in "…?$" and "*" not in token
        )
        return cls(pattern, tuple(_forms(token) for token in firm))

    def places(self, text: str, said: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Where the phrase stands in a text of these words, from its first letter to its last."""
        if any(said.isdisjoint(forms) for forms in self.wanted):  # much faster than the pattern
            return
        for match in self.pattern.finditer(text):
            start = match.start("from") if "from" in match.re.groupindex else match.start()
            letters = [at for at in range(start, match.end()) if text[at].isalnum()]
            yield letters[0], letters[-1] + 1


def bare_words(text: str) -> frozenset[str]:
    """The words of a text, in the form in which a phrase looks for them."""
    return frozenset(_WORD.findall(text.casefold()))


def _forms(token: str) -> frozenset[str]:
    """The words of which a text must have one; of `don't`, its first part."""
    return frozenset(word.casefold().split("'")[0] for word in token.split("/"))


def _part(token: str, gap: int) -> str:
    if token in _SIGNS:
        return _SIGNS[token]
    if token.endswith("/$"):
        return f"(?:{_part(token[:-2], gap)}|{_SIGNS['$']})"
    if token.startswith("…"):
        return rf"(?:\b\w+\b{_BETWEEN}){{0,{gap * len(token)}}}?"
    either = "|".join(map(_pattern, token.removesuffix("?").split("/")))
    word = rf"\b(?:{either})\b{_BETWEEN}"
    return f"(?:{word})?" if token.endswith("?") else word


def _pattern(word: str) -> str:
    return re.escape(word).replace("'", "['’]").replace(r"\*", r"\w+")


@cache
def phrases_of(name: str, gap: int = 6) -> tuple[PhrasePattern, ...]:
    """The phrases of a list of this package."""
    return tuple(PhrasePattern.of(line, gap) for line in spelled_lines(name))


def spelled_lines(name: str) -> Iterator[str]:
    """The lines of a list, with the words that its names stand for."""
    names: dict[str, str] = {}
    for line in read_lines(name, __package__):
        alias, is_name, spelled = line.partition(" = ")
        if is_name:
            names[alias] = "/".join((*names.get(alias, "").split(), *spelled.split())).replace("//", "/")
        else:
            yield " ".join(_spelled(token, names) for token in line.split())


def _spelled(token: str, names: dict[str, str]) -> str:
    """A token with each name in it replaced: `THE/more`, `PLACED?`."""
    parts = token.removesuffix("?").split("/")
    return "/".join(names.get(part, part) for part in parts) + "?" * token.endswith("?")


def has_verb(said: str) -> bool:
    """Whether a finite verb may stand in it; in doubt it does, so that it is checked."""
    word_texts = [word.text for word in words(said)]
    listed_verbs = _group("helping") | _group("present")
    return (
        any(word in listed_verbs for word in word_texts)
        or _has_past_verb(word_texts)
        or _has_object(word_texts)
    )


def has_past(said: str) -> bool:
    """Whether it tells of something that happened: `arrested`, `stole`, but not `can be arrested`."""
    return _has_past_verb([word.text for word in words(said)], apart_from="be")


def speaks(said: str) -> bool:
    """Whether it has a verb, or a word that is only ever the subject of one."""
    return has_verb(said) or any(word.text in _group("speaking") for word in words(said))


def _has_past_verb(word_texts: Sequence[str], apart_from: str = "") -> bool:
    return any(
        word in _group("past") or (before != apart_from and _looks_past(before, word))
        for before, word in pairwise(["", *word_texts])
    )


def _looks_past(before: str, word: str) -> bool:
    """Whether the ending makes it a verb; in `a truncated cone`, `for granulated sugar` it does not."""
    if before in _group("determiner") or before in _group("before"):
        return False
    return len(word) > 4 and word.endswith("ed") and "-" not in word and word not in _group("plain")


def _has_object(word_texts: Sequence[str]) -> bool:
    """Whether an unlisted verb stands between a subject and an object: `mayors steal the money`."""
    return any(
        (word in _group("determiner") or word[0].isdigit()) and _may_rule(before, verb)
        for before, (verb, word) in zip(word_texts, pairwise(word_texts[1:]), strict=False)
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


_SOURCE = r"(?:passages?|texts?|contexts?|documents?|sources?|information|articles?|excerpts?)"
_GIVEN = r"(?:provided|given|supplied|retrieved|mentioned)"
_LEANS = re.compile(
    rf"\b(?:based|relying|drawing|according)\s+(?:\w+\s+)?(?:on|to)\s+(?:\w+\s+){{0,3}}?{_SOURCE}\b(?:\s+{_GIVEN}\b)?"
    rf"|\b{_GIVEN}\s+(?={_SOURCE}\b)|\b{_SOURCE}\s+{_GIVEN}\b|\b{_GIVEN}\s+in\s+the\s+{_SOURCE}\b",
    re.IGNORECASE,
)


def without_source(said: str) -> str:
    """What is said, without the words that name what it leans on; their participles are no verbs."""
    return _LEANS.sub(" ", said)
