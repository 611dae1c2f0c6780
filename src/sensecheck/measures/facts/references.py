"""The references of a comparison: which facts they hold, and which of their sentences are near.

A sentence of the answer is compared with those that speak of the same thing.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import attrgetter
from typing import Literal

from sensecheck.measures.facts import dates, numbers
from sensecheck.measures.facts.fact import Difference, Fact, Kind, Moment, Name, Quantity, Value
from sensecheck.measures.facts.names import fold, initials, tokens
from sensecheck.measures.facts.parsing import Parsed, Sentence
from sensecheck.text.wordlists import read_groups, read_lines
from sensecheck.text.words import is_stop_word, stem

_HYPHENED = re.compile(r"(?<![^\W_])[^\W_]{1,30}(?:-[^\W_]{1,30})+")
_WIDEST = 0.07
"""No two amounts agree that lie further apart than this share."""
_CACHED_CHARS = 20_000
"""Longer references are taken apart anew: their parts would take too much memory."""
_TWO, _BRIEF = 2, 60
"""Two letters stand for two words only in a text of so few words: in a long one, any two would be found."""
_MAX_ACRONYM_LETTERS = 7
"""Letters in the longest acronym that is looked for."""
_NEAREST = 3
"""How many sentences are compared with one of the answer."""
_SHARE = 0.5
"""The share of content words from which on two sentences are compared."""
_SHORT = 6
"""Words in the longest sentence that is compared by its frame alone."""
_TRIED, _EVERYWHERE = 20, 1000
"""How many sentences are looked at closely; a word in more sentences than this leads to none of them."""


@dataclass(frozen=True, slots=True)
class ParsedReference:
    """One reference, ready to be asked whether it holds a fact."""

    parsed: Parsed
    vocabulary: frozenset[str]
    """Every word, folded as names are."""
    acronyms: frozenset[str]
    """The acronyms, and the initials of its capitalised phrases."""
    values: frozenset[Value]
    moments: tuple[Moment, ...]
    hours: frozenset[float]
    """The bare hours."""
    by_amount: tuple[Quantity, ...]
    by_base: tuple[Quantity, ...]
    uncounted: frozenset[Quantity]
    """Bare numbers such as `first` and `one`, which say no amount of anything that has a unit."""
    short_names: frozenset[Name]
    """Names that are no part of a longer one."""

    @classmethod
    def of(cls, text: str) -> "ParsedReference":
        """Takes a reference apart."""
        parsed = Parsed.of(text)
        values = frozenset(fact.value for fact in parsed.facts)
        quantities = (value for value in values if isinstance(value, Quantity))
        amounts = [reading for value in quantities for reading in numbers.readings(value)]
        return cls(
            parsed=parsed,
            vocabulary=frozenset(fold(match[0]) for match in tokens(text)) | _joined(text) | _aliases(text),
            acronyms=frozenset(_acronyms(text)),
            values=values,
            moments=tuple(value for value in values if isinstance(value, Moment)),
            hours=frozenset(
                fact.value.amount for fact in parsed.facts if fact.hour and isinstance(fact.value, Quantity)
            ),
            by_amount=tuple(sorted(amounts, key=attrgetter("amount"))),
            by_base=tuple(sorted(amounts, key=attrgetter("base"))),
            uncounted=frozenset(
                fact.value
                for fact in parsed.facts
                if fact.weak and isinstance(fact.value, Quantity) and not fact.value.dimension
            ),
            short_names=_unparted([value for value in values if isinstance(value, Name)]),
        )

    def holds(self, fact: Fact) -> bool:
        """Whether the reference says the same somewhere."""
        value = fact.value
        if value in self.values:
            return True
        if isinstance(value, Name):
            return self._knows(value)
        if isinstance(value, Quantity):
            is_counted = any(self._counts(reading) for reading in numbers.readings(value))
            return is_counted or (fact.hour and self._strikes(value.amount))
        return self._dated(value)

    def asks_with(self, fact: Fact) -> bool:
        """Whether it says all of a fact itself: the weekend is not yet its Saturday."""
        return self.holds(fact) if isinstance(fact.value, Name) else fact.value in self.values

    def _knows(self, name: Name) -> bool:
        """Whether it has the name, written out or shortened."""
        if all(word in self.vocabulary for word in name.words) or name.initials in self.acronyms:
            return True
        if "".join(name.words) in self.vocabulary or (name.initials and self._abbreviates(name.initials)):
            return True
        if len(name.words) > 1 and "".join(word[0] for word in name.words) in self.acronyms:
            return True
        return len(name.words) > 1 and Name(name.words[-1:]) in self.short_names

    def _abbreviates(self, letters: str) -> bool:
        """Whether so many words in a row, none of them small, start with the letters: `pull request`."""
        starts = "".join(word[0] if word else " " for word in self.parsed.stems)
        short = len(letters) > _TWO or len(starts) <= _BRIEF
        return short and letters in starts

    def _counts(self, quantity: Quantity) -> bool:
        """Whether it has an amount that agrees, or a bare number as a year or a day."""
        if not quantity.dimension and any(quantity.amount in (day.year, day.day) for day in self.moments):
            return True
        near = (
            *_around(self.by_amount, quantity.amount, "amount"),
            *_around(self.by_base, quantity.base, "base"),
            *_around(self.by_base, 100 * quantity.amount, "base"),
            *_around(self.by_amount, quantity.base / 100, "amount"),
        )
        if quantity.dimension:
            near = tuple(other for other in near if other not in self.uncounted)
        return any(numbers.agree(quantity, other) for other in near)

    def _strikes(self, hour: float) -> bool:
        """Whether it has a time of day that a bare hour can mean."""
        return any(dates.same_time(hour, day.minute) for day in self.moments if day.minute is not None)

    def _dated(self, moment: Moment) -> bool:
        """Whether it has the date or time, in one place or in parts that agree."""
        minute = moment.minute if dates.is_time(moment) else None
        if minute is not None and any(dates.same_time(hour, minute) for hour in self.hours):
            return True
        moment_fields = dates.fields(moment)
        if moment_fields.keys() <= {"weekday", "last_weekday"} and moment.weekday is not None:
            return self._on_days(moment)
        near = [other for other in self.moments if dates.agree(moment, other)]
        if any(
            moment_fields.keys() <= dates.fields(other).keys()
            or "decade" in moment_fields
            or "century" in moment_fields
            for other in near
        ):
            return True
        near_entries = {entry for other in near for entry in dates.fields(other).items()}
        if near and moment_fields.items() <= near_entries:
            return True
        year = float(moment.year or 0)
        return moment_fields.keys() == {"year"} and any(
            other.amount == year for other in _around(self.by_amount, year, "amount")
        )

    def _on_days(self, moment: Moment) -> bool:
        """Whether it names the same days of the week; a stretch of days is the same stretch."""
        days = dates.weekdays(moment)
        if moment.last_weekday is not None and any(other.last_weekday for other in self.moments):
            return any(days == dates.weekdays(other) for other in self.moments)
        return days <= {day for other in self.moments for day in dates.weekdays(other)}


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sentence of a reference that is near."""

    reference: int
    parsed: Parsed
    sentence: Sentence
    share: float
    """The share of the content words of the shorter sentence that the other one has."""
    framed: bool = False
    """Whether both are their whole text, and but for negations the same in all words except one."""


@dataclass(frozen=True, slots=True)
class SentenceBeside:
    """A sentence of the answer next to the nearest sentences of the references, at least one."""

    answer: Parsed
    sentence: Sentence
    near: tuple[Aligned, ...]

    def changed(
        self, kind: Kind, here: tuple[int, int], other: Aligned, there: tuple[int, int]
    ) -> Difference:
        """The difference between a stretch of the answer and one of a near sentence."""
        mine, theirs = self.answer.text[slice(*here)], other.parsed.text[slice(*there)]
        note = f"`{mine}` instead of `{theirs}`"
        return Difference(kind, "changed", note, here, there, other.reference)


class Alignment:
    """The sentences of the references, found by their content words."""

    def __init__(self, references: Sequence[Parsed]) -> None:
        self._all = [
            (at, parsed, piece) for at, parsed in enumerate(references) for piece in parsed.sentences
        ]
        self._said = {sentence.words_alone for _, _, sentence in self._all}
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for place, (_, _, sentence) in enumerate(self._all):
            for word in sentence.content:
                self._by_word[word].append(place)

    def only(self, answer: Parsed, sentence: Sentence) -> "SentenceBeside | None":
        """It next to the only sentence of the references, whatever they share; None where there are more."""
        if len(self._all) != 1 or sentence.words_alone in self._said:
            return None
        return SentenceBeside(answer, sentence, (Aligned(*self._all[0], share=0.0, framed=False),))

    def beside(self, answer: Parsed, sentence: Sentence) -> SentenceBeside | None:
        """It next to those that share most content words with it; None when nothing needs comparing."""
        if sentence.words_alone in self._said:
            return None
        if len(answer.sentences) == len(self._all) == 1 and _same_frame(sentence, self._all[0][2]):
            return SentenceBeside(answer, sentence, (Aligned(*self._all[0], share=1.0, framed=True),))
        lists = (self._by_word.get(word, []) for word in sorted(sentence.content))
        votes = Counter(place for places in lists if len(places) <= _EVERYWHERE for place in places)
        scored = [self._aligned(place, sentence) for place, _ in votes.most_common(_TRIED)]
        near = [aligned for aligned in scored if aligned.share >= _SHARE]
        ordered = sorted(near, key=lambda a: (-a.share, a.reference, a.sentence.start))
        return SentenceBeside(answer, sentence, tuple(ordered[:_NEAREST])) if near else None

    def _aligned(self, place: int, sentence: Sentence) -> Aligned:
        reference, parsed, other = self._all[place]
        shared = len(sentence.content & other.content)
        fewer = max(2, min(len(sentence.content), len(other.content)))
        return Aligned(reference, parsed, other, shared / fewer)


def taken_apart(text: str) -> ParsedReference:
    """A text, taken apart once for all that is compared with it in a row, and by all who read it."""
    return _parsed(text) if len(text) <= _CACHED_CHARS else ParsedReference.of(text)


def says_more(fact: Fact, reference: Parsed, question: ParsedReference) -> bool:
    """Whether a fact of the question is not what was asked for: the reference says something else as well.

    Of a question that offers a choice it may be the answer: `Is it Ann or Ben?`.
    """
    if any(word.text == "or" for word in question.parsed.words):
        return False
    said = set(question.parsed.stems)
    return any(
        content and content not in said and not fact.start <= word.start < fact.end
        for word, content in zip(reference.words, reference.stems, strict=True)
    )


@lru_cache(maxsize=128)
def _parsed(text: str) -> ParsedReference:
    return ParsedReference.of(text)


def _joined(text: str) -> frozenset[str]:
    """The words with hyphens in one: `wifi` for `Wi-Fi`."""
    return frozenset(fold(match[0].replace("-", "")) for match in _HYPHENED.finditer(text))


def _aliases(text: str) -> frozenset[str]:
    """The other names of what a text names."""
    plain = (match[0].replace(".", "").removesuffix("'s").removesuffix("’s") for match in tokens(text))
    padded = f" {' '.join(plain)} "
    matching = (line for line in _alias_lines() if any(f" {name} " in padded for name in line))
    return frozenset(fold(word) for line in matching for name in line for word in name.split())


@cache
def _alias_lines() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split("|")) for line in read_lines("aliases.txt", __package__))


def _acronyms(text: str) -> Iterator[str]:
    """The acronyms of a text, and the initials of each of its capitalised phrases."""
    run = ""
    for match in tokens(text):
        if letters := initials(match[0]):
            yield letters
        if match[0][0].isupper():
            run = (run + match[0][0].lower())[-_MAX_ACRONYM_LETTERS:]
            yield from (run[at:] for at in range(len(run) - 1))
        elif not is_stop_word(match[0]):
            run = ""


def _unparted(names: Sequence[Name]) -> frozenset[Name]:
    """The names that are no part of a longer one."""
    longer = {word for name in names if len(name.words) > 1 for word in name.words}
    return frozenset(name for name in names if len(name.words) > 1 or name.words[0] not in longer)


def _around(
    ordered: Sequence[Quantity], value: float, field: Literal["amount", "base"]
) -> Sequence[Quantity]:
    """The quantities that are near a value, of those that are ordered by this field."""
    key = attrgetter(field)
    low, high = sorted((value * (1 - _WIDEST), value * (1 + _WIDEST)))
    return ordered[bisect_left(ordered, low, key=key) : bisect_right(ordered, high, key=key)]


def _same_frame(one: Sentence, other: Sentence) -> bool:
    """Whether two short sentences differ in one word at most, negations aside: `It is open`, `It is shut`."""
    mine, theirs = _frame(one), _frame(other)
    if not len(mine) == len(theirs) <= _SHORT:
        return False
    return sum(a != b for a, b in zip(mine, theirs, strict=True)) <= 1


def _frame(sentence: Sentence) -> list[str]:
    """The words, without negations and the `do` that comes with them."""
    cues = read_groups("cues.txt", __package__)["negation"] | {"do", "does", "did"}
    plain = (word.text.removesuffix("n't") for word in sentence.words)
    return [stem(word) for word in plain if word not in cues]
