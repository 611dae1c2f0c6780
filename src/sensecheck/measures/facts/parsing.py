"""A text taken apart once: its sentences, words and facts."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from sensecheck.measures.facts.dates import dates, with_hours
from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.names import names
from sensecheck.measures.facts.numbers import numbers
from sensecheck.text.sentences import sentences
from sensecheck.text.words import Word, is_stop_word, stem, words

_AROUND = 6
"""How many words on each side of a fact are its context."""

_NEXT = 3
"""Among how many words after a fact the next content word is looked for: `half of the fee`."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its words, and the stems of those that carry content."""

    start: int
    end: int
    words: tuple[Word, ...]
    content: frozenset[str]

    @property
    def words_alone(self) -> tuple[str, ...]:
        """The words alone."""
        return tuple(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text, and everything that is compared of it."""

    text: str
    words: tuple[Word, ...]
    stems: tuple[str, ...]
    """The stem of each word; empty for stop words."""
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]

    @classmethod
    def of(cls, text: str) -> "Parsed":
        """Takes a text apart."""
        text_words, pieces = tuple(words(text)), sentences(text)
        stems = tuple("" if is_stop_word(word.text) else stem(word.text) for word in text_words)
        moments = dates(text)
        counted = numbers(text, text_words, [(fact.start, fact.end) for fact in moments])
        amounts = with_hours(text, counted, moments)
        covered = sorted((fact.start, fact.end) for fact in (*moments, *amounts) if not fact.weak)
        all_facts = [*moments, *_unlisted(text, amounts, pieces), *names(text, pieces, covered)]
        facts = sorted(all_facts, key=lambda fact: (fact.start, fact.end))
        return cls(text, text_words, stems, _sentences(pieces, text_words, stems), tuple(facts))

    def context(self, fact: Fact) -> frozenset[str]:
        """The content words around a fact."""
        first, last = self._place(fact)
        around = (*self.stems[max(0, first - _AROUND) : first], *self.stems[last : last + _AROUND])
        return frozenset(around) - {""}

    def follower(self, fact: Fact) -> str:
        """The next content word after a fact, if it comes soon."""
        _, last = self._place(fact)
        return next((word for word in self.stems[last : last + _NEXT] if word), "")

    def within(self, sentence: Sentence) -> tuple[Fact, ...]:
        """The facts of a sentence."""
        first = bisect_left(self.facts, sentence.start, key=lambda fact: fact.start)
        return self.facts[first : bisect_left(self.facts, sentence.end, key=lambda fact: fact.start)]

    def _place(self, fact: Fact) -> tuple[int, int]:
        """The first word of a fact, and the first one after it."""
        first = bisect_right(self.words, fact.start, key=lambda word: word.end)
        return first, bisect_left(self.words, fact.end, key=lambda word: word.start)


def _unlisted(text: str, amounts: list[Fact], pieces: list[tuple[int, int]]) -> list[Fact]:
    """The numbers without those that only count the items of a list: `1. First`, `2) Then`."""
    starts, marks = {start for start, _ in pieces}, (". ", ") ", " .", " )")
    return [
        fact for fact in amounts if fact.start not in starts or text[fact.end : fact.end + 2] not in marks
    ]


def _sentences(
    pieces: list[tuple[int, int]], text_words: tuple[Word, ...], stems: tuple[str, ...]
) -> tuple[Sentence, ...]:
    parsed_sentences: list[Sentence] = []
    for start, end in pieces:
        first = bisect_left(text_words, start, key=lambda word: word.start)
        last = bisect_left(text_words, end, key=lambda word: word.start)
        parsed_sentences.append(
            Sentence(start, end, text_words[first:last], frozenset(stems[first:last]) - {""})
        )
    return tuple(parsed_sentences)
