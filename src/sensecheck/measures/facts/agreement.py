"""How far the facts of an answer agree with those of its references, and where they differ.

Numbers, dates and names are compared in the slot that they fill; negations, opposites, bounds and
quantifiers sentence by sentence.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.facts import dates
from sensecheck.measures.facts.arithmetic import follows
from sensecheck.measures.facts.fact import Change, Difference, Fact, Kind, Moment, Name, Quantity, distinct
from sensecheck.measures.facts.hedges import weaker_claims
from sensecheck.measures.facts.lists import shorter_lists
from sensecheck.measures.facts.negation import negations, turned_aside
from sensecheck.measures.facts.opposites import (
    bound_flips,
    exchanged_amounts,
    exchanged_names,
    opposites,
    quantifier_flips,
)
from sensecheck.measures.facts.parsing import Parsed
from sensecheck.measures.facts.polarity import negation_flips, polarity_flips
from sensecheck.measures.facts.references import Alignment, ParsedReference, says_more, taken_apart
from sensecheck.text.wordlists import read_groups

_LARGE = 1000
"""From here on a number that can be calculated is no chance, even where another one stands in its place."""
_TRIED = 200
"""How many facts of the references are tried as the counterpart of one of the answer."""


@dataclass(frozen=True, slots=True)
class FactAgreement:
    """How many of the answer's facts agree with the reference: numbers, dates, names, negation, opposites."""

    against: Literal["expected", "passages"] = "expected"
    reference: str | None = None
    """A text to compare with, instead of the sample's own."""
    count: tuple[Change, ...] = ("changed", "added")
    """Which differences lower the reading."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "fact_agreement"

    def needs(self, sample: Sample) -> Needs:
        """Nothing: facts are read off the texts themselves."""
        return Needs()

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer and what it is compared with."""
        return {"answer": sample.answer, **self._sources(sample)}

    def read(self, sample: Sample, space: Space) -> Reading:
        """The share of facts that agree, with every difference that counts as evidence."""
        sources = self._sources(sample)
        if not _says_something(sample.answer) and any(map(_says_something, sources.values())):
            raise CannotJudge("the answer has no letter and no digit; there are no facts to compare")
        comparison = compare(sample.answer, tuple(sources.values()), sample.question)
        if len(sources) == 1 and "changed" in self.count:
            (source,) = sources.values()
            comparison = _with_sentences_apart(comparison, sample.answer, source, sample.question)
            if self.against == "expected" or self.reference is not None:
                comparison = _with_less(comparison, sample.answer, source)
        reportable = _reportable(comparison)
        differing = [difference for difference in reportable if difference.change in self.count]
        others = [
            difference
            for difference in reportable
            if difference.change == "added" and difference not in differing
        ]
        total = comparison.agreeing + len(differing) + len(others)
        evidence = tuple(_evidence(difference, sample.answer, sources) for difference in differing)
        return Reading(1.0 - len(differing) / max(total, 1), _because(differing, total), evidence)

    def _sources(self, sample: Sample) -> Mapping[str, str]:
        """What the answer is compared with, by where it stands."""
        if self.reference is not None:
            return {"reference": self.reference}
        if self.against == "expected":
            return {"expected": sample.require_expected()}
        return {f"passages[{at}]": text for at, text in enumerate(sample.require_passages())}


@dataclass(frozen=True, slots=True)
class FactComparison:
    """What differs, and how many facts of the answer do not."""

    differences: tuple[Difference, ...]
    agreeing: int
    """The numbers, dates, names and negations of the answer that differ from nothing."""


def differences(answer: str, references: Sequence[str]) -> list[Difference]:
    """The facts in which an answer differs from the references; one found in any of them agrees."""
    return _reportable(compare(answer, references))


def compare(answer: str, references: Sequence[str], question: str | None = None) -> FactComparison:
    """The differences in the order of the answer, what it lacks last, and how many of its facts agree."""
    return _compared(answer, tuple(references), question or "")


@lru_cache(maxsize=16)
def _compared(answer: str, references: tuple[str, ...], question: str) -> FactComparison:
    """Cached, since several measures compare the same texts, one after the other."""
    mine, theirs = taken_apart(answer), [taken_apart(text) for text in references]
    parsed_question = taken_apart(question) if question else None
    differing = [
        *_slot_differences(mine, theirs, parsed_question),
        *_cue_differences(mine.parsed, [reference.parsed for reference in theirs]),
    ]
    if len(theirs) == 1 and not any(
        difference.kind == "negation" and difference.change == "changed" for difference in differing
    ):
        differing += polarity_flips(
            mine.parsed, theirs[0].parsed, parsed_question.parsed if parsed_question else None
        )
    ordered = sorted(differing, key=lambda difference: difference.answer or (len(answer) + 1, 0))
    return FactComparison(
        tuple(ordered), len(_fact_places(mine.parsed) - {difference.answer for difference in differing})
    )


def _with_sentences_apart(
    comparison: FactComparison, answer: str, source: str, question: str | None
) -> FactComparison:
    """The comparison, in which a fact that one sentence by itself says otherwise is changed, not left out.

    In an answer of several sentences, `1919` of one stands beside much else where `1918` was expected.
    """
    if len(taken_apart(source).parsed.sentences) > 1:  # then its facts are told apart by their places
        return comparison
    sentences = taken_apart(answer).parsed.sentences
    missing = {one.source: one for one in comparison.differences if one.change == "missing"}
    added = {one.answer: one for one in comparison.differences if one.change == "added"}
    if len(sentences) < 2 or not missing or not added:
        return comparison
    differences = list(comparison.differences)
    for sentence in sentences:
        text = answer[sentence.start : sentence.end]
        for one in compare(text, (source,), question).differences:
            if one.change != "changed" or one.kind == "name":  # a name stands for no other
                continue
            place = one.answer and (sentence.start + one.answer[0], sentence.start + one.answer[1])
            if one.source in missing and place in added:
                differences[differences.index(added.pop(place))] = replace(one, answer=place)
                differences.remove(missing.pop(one.source))
    return replace(comparison, differences=tuple(differences))


def _with_less(comparison: FactComparison, answer: str, source: str) -> FactComparison:
    """The comparison, with what the answer says only in part.

    Next to passages that is no difference: what says less follows from them.
    """
    mine, theirs = taken_apart(answer).parsed, taken_apart(source).parsed
    found = (*shorter_lists(mine, theirs), *weaker_claims(mine, theirs))
    differences = list(comparison.differences)
    for one in found:
        if not any(_overlap(one.answer, other.answer) for other in differences if other.kind == one.kind):
            differences.append(one)
    return replace(comparison, differences=tuple(differences))


def _overlap(one: tuple[int, int] | None, other: tuple[int, int] | None) -> bool:
    return one is not None and other is not None and one[0] < other[1] and other[0] < one[1]


def _reportable(comparison: FactComparison) -> list[Difference]:
    """The differences without what the answer adds and may: it can be calculated, or was asked."""
    return [
        difference
        for difference in comparison.differences
        if not (difference.derived and difference.change == "added")
    ]


def _fact_places(answer: Parsed) -> set[tuple[int, int]]:
    """Where the answer states a fact; one that it states twice counts once."""
    facts = [(fact.start, fact.end) for fact in distinct(answer.facts) if not fact.weak]
    denials = (denial for sentence in answer.sentences for denial in negations(answer.text, sentence))
    return {*facts, *((denial.start, denial.end) for denial in denials)}


def _cue_differences(answer: Parsed, references: Sequence[Parsed]) -> list[Difference]:
    """Negations, opposites, bounds and quantifiers, sentence by sentence."""
    alignment = Alignment(references)
    besides = [alignment.beside(answer, sentence) for sentence in answer.sentences]
    kinds = (negation_flips, opposites, bound_flips, quantifier_flips)
    found = [difference for beside in besides if beside for flips in kinds for difference in flips(beside)]
    if not any(besides) and len(answer.sentences) == 1:
        besides = [alignment.only(answer, answer.sentences[0])]
    for beside in filter(None, besides):
        found += (*exchanged_amounts(beside), *exchanged_names(beside))
    return found


@dataclass(frozen=True, slots=True)
class _Slot:
    """A fact, and the words around it."""

    fact: Fact
    parsed: Parsed
    reference: int
    context: frozenset[str]
    follower: str

    @classmethod
    def of(cls, fact: Fact, parsed: Parsed, reference: int) -> "_Slot":
        return cls(fact, parsed, reference, parsed.context(fact), parsed.follower(fact))

    @property
    def written(self) -> str:
        return self.parsed.text[self.fact.start : self.fact.end]


def _slot_differences(
    answer: ParsedReference, references: Sequence[ParsedReference], question: ParsedReference | None
) -> Iterator[Difference]:
    """The facts that only one side has: paired where they fill the same slot, else added or missing.

    What the question says is not added by an answer that says it again, nor missing from one that does not.
    """
    parsed_references = [reference.parsed for reference in references]
    lacking = [
        slot for at, reference in enumerate(references) for slot in _unmatched(reference.parsed, [answer], at)
    ]
    asked = frozenset(at for at, slot in enumerate(lacking) if question and question.asks_with(slot.fact))
    index = _index(lacking)
    alone = all(len(text.parsed.sentences) == 1 for text in (answer, *references))
    used: set[int] = set()
    stretches = [
        stretch
        for sentence in answer.parsed.sentences
        for stretch in turned_aside(answer.parsed.text, sentence)
    ]
    for mine in _unmatched(answer.parsed, references):
        denied = [is_exception for start, end, is_exception in stretches if start <= mine.fact.start < end]
        if any(denied):
            continue  # an exception: the negations report how it differs from the references
        tried = range(min(len(lacking), _TRIED)) if alone else _candidates(mine, index)
        best = _best(mine, lacking, tried, alone, asked)
        if best is not None:
            used.add(best)
            in_question = question is not None and question.holds(mine.fact)
            derived = in_question or (
                not mine.fact.weak and follows(mine.fact, answer.parsed, parsed_references)
            )
            large = isinstance(mine.fact.value, Quantity) and abs(mine.fact.value.amount) >= _LARGE
            difference = _added(mine) if derived and large else _changed(mine, lacking[best])
            yield replace(difference, derived=derived)
        elif not (
            mine.fact.weak or denied or _is_everyday(mine.fact) or (question and question.holds(mine.fact))
        ):
            texts = [*parsed_references, question.parsed] if question else parsed_references
            yield replace(_added(mine), derived=follows(mine.fact, answer.parsed, texts))
    for at, slot in enumerate(lacking):
        is_known = at in asked and question and says_more(slot.fact, slot.parsed, question)
        if not (at in used or slot.fact.weak or is_known):
            yield _missing(slot)


def _unmatched(parsed: Parsed, others: Sequence[ParsedReference], at: int = 0) -> Iterator[_Slot]:
    """The facts of a text that none of the others holds."""
    for fact in distinct(parsed.facts):
        if not any(other.holds(fact) for other in others):
            yield _Slot.of(fact, parsed, at)


def _index(lacking: Sequence[_Slot]) -> dict[str, list[int]]:
    """Where each word stands around a fact that the answer lacks."""
    index: dict[str, list[int]] = defaultdict(list)
    for at, slot in enumerate(lacking):
        for word in slot.context:
            index[word].append(at)
    return index


def _candidates(mine: _Slot, index: dict[str, list[int]]) -> list[int]:
    """The facts with a word around them that also stands around this one, the most alike first."""
    votes = Counter(at for word in sorted(mine.context) for at in index.get(word, [])[:_TRIED])
    return [at for at, _ in votes.most_common(_TRIED)]


def _best(
    mine: _Slot, lacking: Sequence[_Slot], tried: Iterable[int], alone: bool, asked: Set[int]
) -> int | None:
    """Which of the facts that the answer lacks stands in the place of this one.

    For a name of the question the answer may have a pronoun: only the words around it show what replaced it.
    """
    fitting = [at for at in tried if _comparable(mine.fact, lacking[at].fact)]
    scored = [
        (_closeness(mine, lacking[at], alone and not (at in asked and _is_apart(mine, lacking[at]))), -at)
        for at in fitting
    ]
    score, place = max(scored, default=(0.0, 0))
    return -place if score > 0 else None


def _is_apart(mine: _Slot, theirs: _Slot) -> bool:
    """Whether two names have no word around them in common."""
    return isinstance(theirs.fact.value, Name) and not mine.context & theirs.context


def _comparable(mine: Fact, theirs: Fact) -> bool:
    """Whether two facts are of a kind, so that one can stand in the place of the other."""
    one, other = mine.value, theirs.value
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return one.dimension == other.dimension or one.amount == other.amount
    if isinstance(one, Moment) and isinstance(other, Moment):
        return bool(dates.fields(one).keys() & dates.fields(other).keys())
    if (mine.hour and dates.is_time(other)) or (theirs.hour and dates.is_time(one)):
        return True
    return isinstance(one, Name) and isinstance(other, Name)


def _closeness(mine: _Slot, theirs: _Slot, alone: bool) -> float:
    """How much speaks for two facts filling the same slot; 0 when nothing does."""
    same_next = bool(mine.follower) and mine.follower == theirs.follower
    shared = len(mine.context & theirs.context)
    if (mine.fact.weak or theirs.fact.weak) and not _is_measured(mine.fact, theirs.fact, shared + alone):
        framed = alone and mine.context == theirs.context
        return float(same_next or framed)
    return shared + 2.0 * same_next + 0.5 * alone


def _is_measured(mine: Fact, theirs: Fact, shared: int) -> bool:
    """Whether both say a length of time, or both say how often, of the same thing: `within a week`."""
    one, other = mine.value, theirs.value
    if not isinstance(one, Quantity) or not isinstance(other, Quantity) or not shared:
        return False
    return one.dimension == other.dimension == "time" and mine.rate == theirs.rate


def _is_everyday(fact: Fact) -> bool:
    """Whether it is a short form such as `PDF` that names no one."""
    return (
        isinstance(fact.value, Name)
        and fact.value.initials in read_groups("names.txt", __package__)["everyday"]
    )


def _changed(mine: _Slot, theirs: _Slot) -> Difference:
    one, other = mine.fact, theirs.fact
    note = f"`{mine.written}` instead of `{theirs.written}`"
    spans = (one.start, one.end), (other.start, other.end)
    return Difference(_changed_kind(one, other), "changed", note, *spans, theirs.reference)


def _changed_kind(mine: Fact, theirs: Fact) -> Kind:
    one, other = mine.value, theirs.value
    if (dates.is_time(one) or dates.is_time(other)) and not mine.kind == theirs.kind == "number":
        return "date"
    both = isinstance(one, Quantity) and isinstance(other, Quantity) and one.amount == other.amount
    return "unit" if both else mine.kind


def _added(mine: _Slot) -> Difference:
    here = mine.fact.start, mine.fact.end
    return Difference(mine.fact.kind, "added", f"`{mine.written}` is not there", here)


def _missing(theirs: _Slot) -> Difference:
    note = f"`{theirs.written}` is missing from the answer"
    there = theirs.fact.start, theirs.fact.end
    return Difference(theirs.fact.kind, "missing", note, None, there, theirs.reference)


def _says_something(text: str) -> bool:
    return any(map(str.isalnum, text))


def _because(differing: Sequence[Difference], total: int) -> str:
    facts = "1 fact" if total == 1 else f"{total} facts"
    if not differing:
        return f"nothing differs in {facts}" if total else "there were no facts to compare"
    verb = "differs" if len(differing) == 1 else "differ"
    more = f"; and {len(differing) - 1} more" if len(differing) > 1 else ""
    return f"{len(differing)} of {facts} {verb}: {differing[0].note}{more}"


def _evidence(difference: Difference, answer: str, sources: Mapping[str, str]) -> Evidence:
    mine = Span.of("answer", answer, *difference.answer) if difference.answer else None
    theirs = None
    if difference.source and difference.reference is not None:
        where, text = list(sources.items())[difference.reference]
        theirs = Span.of(where, text, *difference.source)
    return Evidence(difference.kind, mine, theirs, note=difference.note)
