"""Numbers, dates and names that the answer and the references do not share."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sensecheck.measures.facts import dates
from sensecheck.measures.facts.arithmetic import follows
from sensecheck.measures.facts.clocks import is_time
from sensecheck.measures.facts.fact import Difference, Fact, Kind, distinct
from sensecheck.measures.facts.negation import turned_aside
from sensecheck.measures.facts.parsed import Parsed
from sensecheck.measures.facts.references import Reference
from sensecheck.measures.facts.values import Moment, Name, Quantity
from sensecheck.text.wordlists import read_groups

_LARGE = 1000
"""From here on a number that can be calculated is no chance, even where another one stands in its place."""
_TRIED = 200
"""How many facts of the references are tried as the counterpart of one of the answer."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """A fact, and the words around it."""

    fact: Fact
    text: str
    reference: int
    context: frozenset[str]
    follower: str

    @classmethod
    def of(cls, fact: Fact, parsed: Parsed, reference: int = 0) -> "_Slot":
        return cls(fact, parsed.text, reference, parsed.context(fact), parsed.follower(fact))

    @property
    def said(self) -> str:
        return self.text[self.fact.start : self.fact.end]


def slot_differences(
    answer: Reference, references: Sequence[Reference], question: Reference | None = None
) -> Iterator[Difference]:
    """The facts that only one side has: paired where they fill the same slot, else added or missing.

    What the question says is not added by an answer that says it again.
    """
    parsed = [held.parsed for held in references]
    lacking = [slot for at, held in enumerate(references) for slot in _unheld(held.parsed, [answer], at)]
    index = _index(lacking)
    alone = all(len(text.parsed.sentences) == 1 for text in (answer, *references))
    used: set[int] = set()
    aside = [
        one for sentence in answer.parsed.sentences for one in turned_aside(answer.parsed.text, sentence)
    ]
    for mine in _unheld(answer.parsed, references):
        denied = [other for start, end, other in aside if start <= mine.fact.start < end]
        if any(denied):
            continue  # an exception: what it holds against the references, the negations say
        tried = range(min(len(lacking), _TRIED)) if alone else _candidates(mine, index)
        best = _best(mine, lacking, tried, alone)
        if best is not None:
            used.add(best)
            asked = question is not None and question.holds(mine.fact)
            derived = asked or (not mine.fact.weak and follows(mine.fact, answer.parsed, parsed))
            large = isinstance(mine.fact.value, Quantity) and abs(mine.fact.value.amount) >= _LARGE
            found = _added(mine) if derived and large else _changed(mine, lacking[best])
            yield replace(found, derived=derived)
        elif not (
            mine.fact.weak or denied or _is_everyday(mine.fact) or (question and question.holds(mine.fact))
        ):
            given = [*parsed, question.parsed] if question else parsed
            yield replace(_added(mine), derived=follows(mine.fact, answer.parsed, given))
    yield from (_missing(slot) for at, slot in enumerate(lacking) if at not in used and not slot.fact.weak)


def _is_everyday(fact: Fact) -> bool:
    """Whether it is a short form such as `PDF` that names nobody."""
    return (
        isinstance(fact.value, Name)
        and fact.value.initials in read_groups("names.txt", __package__)["everyday"]
    )


def _unheld(parsed: Parsed, others: Sequence[Reference], at: int = 0) -> Iterator[_Slot]:
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


def _best(mine: _Slot, lacking: Sequence[_Slot], tried: Iterable[int], alone: bool) -> int | None:
    """Which of the facts that the answer lacks stands in the place of this one."""
    fitting = [at for at in tried if _comparable(mine.fact, lacking[at].fact)]
    scored = [(_closeness(mine, lacking[at], alone), -at) for at in fitting]
    score, place = max(scored, default=(0.0, 0))
    return -place if score > 0 else None


def _comparable(mine: Fact, theirs: Fact) -> bool:
    one, other = mine.value, theirs.value
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return one.dimension == other.dimension or one.amount == other.amount
    if isinstance(one, Moment) and isinstance(other, Moment):
        return bool(dates.fields(one).keys() & dates.fields(other).keys())
    if (mine.hour and is_time(other)) or (theirs.hour and is_time(one)):
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


def _changed(mine: _Slot, theirs: _Slot) -> Difference:
    one, other = mine.fact, theirs.fact
    note = f"`{mine.said}` is not there; it says `{theirs.said}`"
    spans = (one.start, one.end), (other.start, other.end)
    return Difference(_kind(one, other), "changed", note, *spans, theirs.reference)


def _kind(mine: Fact, theirs: Fact) -> Kind:
    one, other = mine.value, theirs.value
    if (is_time(one) or is_time(other)) and not mine.kind == theirs.kind == "number":
        return "date"
    both = isinstance(one, Quantity) and isinstance(other, Quantity) and one.amount == other.amount
    return "unit" if both else mine.kind


def _added(mine: _Slot) -> Difference:
    here = mine.fact.start, mine.fact.end
    return Difference(mine.fact.kind, "added", f"`{mine.said}` is not there", here)


def _missing(theirs: _Slot) -> Difference:
    note = f"`{theirs.said}` is missing from the answer"
    there = theirs.fact.start, theirs.fact.end
    return Difference(theirs.fact.kind, "missing", note, None, there, theirs.reference)
