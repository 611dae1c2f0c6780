"""One of two texts that are held against each other: its words, letters and facts."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.names import fold
from sensecheck.measures.facts.references import Reference, taken_apart
from sensecheck.measures.facts.values import Name
from sensecheck.text.words import Word, is_stop_word, stem

_NO_LETTER = re.compile(r"[\W_]+")
_GLUED = 4
"""Letters of the shortest word that is looked for inside others: `Blake` in `byRobert Blakein 1967`."""


@dataclass(frozen=True, slots=True)
class Side:
    """A text taken apart."""

    reference: Reference
    own: tuple[Word, ...]
    """The words of content that do not stand in the question; all of content where that leaves none."""
    forms: frozenset[str]
    """Every word, in the forms in which words match."""
    letters: str
    """All letters and digits, without accents and anything between them."""
    by_run: Mapping[str, tuple[str, ...]]
    """The different words by each run of three letters in them."""

    @property
    def words(self) -> tuple[Word, ...]:
        """All words of the text."""
        return self.reference.parsed.words

    def says(self, word: str) -> bool:
        """Whether a word stands in the text, whatever its form, alone or glued to others."""
        if not forms(word).isdisjoint(self.forms):
            return True
        letters = letters_of(word)
        return len(letters) >= _GLUED and letters in self.letters

    def likeness(self, word: str) -> float:
        """How many runs of three letters a word shares with the most alike word of the text, from 0 to 1."""
        mine = _runs(word)
        shared: dict[str, int] = defaultdict(int)
        for run in mine:
            for other in self.by_run.get(run, ()):
                shared[other] += 1
        found = (2 * count / (len(mine) + len(_runs(other))) for other, count in shared.items())
        return max(found, default=0.0)

    def facts(self, *, names: bool) -> list[Fact]:
        """Its names, or its numbers and dates."""
        return [fact for fact in self.reference.parsed.facts if isinstance(fact.value, Name) == names]


def side_of(text: str, asked: frozenset[str]) -> Side:
    """Takes a text apart; `asked` are the stems of the question's words."""
    reference = taken_apart(text)
    said = reference.parsed.words
    content = [word for word in said if not is_stop_word(word.text)] or said
    own = [word for word in content if stem(word.text) not in asked] or content
    distinct = dict.fromkeys(word.text for word in said)
    return Side(
        reference,
        tuple(own),
        frozenset(form for word in distinct for form in forms(word)),
        letters_of(text),
        _by_run(distinct),
    )


@lru_cache(maxsize=65536)
def forms(word: str) -> frozenset[str]:
    """The forms in which a word matches another: its stem, and as a name is folded."""
    return frozenset((stem(word), fold(word)))


def letters_of(text: str) -> str:
    """The letters and digits of a text, in small letters and without accents."""
    if not text.isascii():  # most texts are, and there is nothing to take off them
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in plain if not unicodedata.combining(char))
    return _NO_LETTER.sub("", text).lower()


@lru_cache(maxsize=65536)
def _runs(word: str) -> frozenset[str]:
    """The runs of three letters in a word, its beginning and end marked."""
    marked = f"^{letters_of(word)}$"
    return frozenset(marked[at : at + 3] for at in range(len(marked) - 2))


def _by_run(distinct: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for word in distinct:
        for run in _runs(word):
            found[run].append(word)
    return {run: tuple(words) for run, words in found.items()}
