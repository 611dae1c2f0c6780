"""Phrases of a bundled list, read as patterns.

In a list, `a/b` is either word, `word?` may be absent, `…` stands for at most a few words and `……` for twice
as many, `^` for the start of a line, `>` for the start of a clause, `$` for the end of a sentence, `:` for a
colon. Words before `~` must be there, but are not part of what is found.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
class Phrase:
    """A phrase: its pattern, and for each word of it that must be there, the forms that it may have."""

    pattern: re.Pattern[str]
    wanted: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, written: str, gap: int = 6) -> "Phrase":
        """The phrase as a list has it, in any case, with up to `gap` words for each `…`."""
        tokens = written.split()
        pattern = re.compile("".join(_part(token, gap) for token in tokens), re.IGNORECASE)
        firm = (token for token in tokens if token not in _SIGNS and token[-1] not in "…?$")
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
    either = "|".join(re.escape(word).replace("'", "['’]") for word in token.removesuffix("?").split("/"))
    word = rf"\b(?:{either})\b{_BETWEEN}"
    return f"(?:{word})?" if token.endswith("?") else word
