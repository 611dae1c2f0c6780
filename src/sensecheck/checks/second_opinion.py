"""One flag for a cascade: what our own checks leave unsure is asked of a judge, and counted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sensecheck.checks.assess import Case
from sensecheck.checks.combine import Cascade, Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.weighted import Scored
from sensecheck.core.cutoff import at_least
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.measures.rubric import Judged, Part
from sensecheck.text.escaping import counted

OPINION = "second_opinion"
"""The name of the part that the judge decides."""

# Rubrics are sent, cached and recorded verbatim: a changed word here changes every prompt.
_MEANS = (
    "The answer says what the expected answer says: it contradicts nothing of it and leaves out nothing that "
    "the expected answer says. Other words, another order and further details are no error."
)
_FACTS = (
    "Every number, date, name and negation of the answer agrees with the expected answer, and none of them "
    "is missing there."
)
_GROUNDED = (
    "The passages support everything that the answer states: each of its claims is said by the passages or "
    "follows from them. Other words are no error; what the passages say otherwise, or do not say, is one."
)
_ANSWERS = "The answer does what it was asked for, or tries to; it does not refuse, in whole or in the main."
_RELEVANT = "The answer is a text that was found for the question, and it helps to answer the question."
_RUBRICS: Mapping[str, tuple[str, tuple[Part, ...]]] = {
    "means": (_MEANS, ("expected",)),
    "keeps_facts": (_FACTS, ("expected",)),
    "grounded": (_GROUNDED, ("passages",)),
    "not_a_refusal": (_ANSWERS, ()),
    "not_refusal": (_ANSWERS, ()),
    "not_is_refusal": (_ANSWERS, ()),
    "relevant": (_RELEVANT, ("question",)),
}
"""What a judge is asked in the place of each check, and what it is shown besides the answer."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """Whether the answer does what a rubric asks, as a judge sees it, who is shown the question if any."""

    rubric: str
    reads: tuple[Part, ...] = ()

    @property
    def name(self) -> str:
        """What people call it."""
        return OPINION

    def needs(self, sample: Sample) -> Needs:
        """One prompt."""
        return self._judged(sample).needs(sample)

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 where the judge says PASS, 0 where it says FAIL."""
        return self._judged(sample).read(sample, space)

    def _judged(self, sample: Sample) -> Judged:
        question_part: tuple[Part, ...] = () if sample.question is None else ("question",)
        return Judged(self.rubric, reads=tuple(dict.fromkeys((*question_part, *self.reads))))


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """Decides as its check does; only where that is unsure, a judge is asked, and its outcome stands.

    A verdict that no one had to be asked for is exactly that of the check. One that a judge decided has the
    check's own verdict and the judge's as its parts, and no cutoff: no card promises anything of a judge.
    """

    cascade: Cascade

    @classmethod
    def on(cls, check: Check, opinion: Opinion) -> "SecondOpinion":
        """A check with a judge behind it."""
        return cls(Cascade((check, Gate(opinion, at_least(1.0))), check.name))

    @property
    def name(self) -> str:
        """What people call it."""
        return self.cascade.name

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What the check needs, and the judge where the check is known to be unsure."""
        return self.cascade.needs(sample, known)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The check's verdict, or both together where the judge was asked."""
        return _unwrapped(self.cascade.decide(sample, space))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings."""
        if opinion_in(verdict) is None:
            return self.cascade.checks[0].redecide(verdict)
        return _unwrapped(self.cascade.redecide(verdict))


def seconded(check: Check) -> Check:
    """The check with a second opinion behind each part that is a question of ours; all else as it is."""
    if isinstance(check, Scored):
        return replace(check, parts=tuple(replace(part, check=seconded(part.check)) for part in check.parts))
    if isinstance(check, Against | Not):
        return replace(check, check=seconded(check.check))
    rubric = _RUBRICS.get(check.name.replace("-", "_"))
    return check if rubric is None else SecondOpinion.on(check, Opinion(*rubric))


def has_second_opinion(check: Check) -> bool:
    """Whether a judge would be asked where this check is unsure."""
    if isinstance(check, Scored):
        return any(has_second_opinion(part.check) for part in check.parts)
    if isinstance(check, Against | Not):
        return has_second_opinion(check.check)
    return isinstance(check, SecondOpinion)


def seconded_each(cases: Iterable[Case]) -> Iterator[Case]:
    """Cases, each with its second opinion."""
    wrapped: dict[int, tuple[Check, Check]] = {}
    for sample, check in cases:
        if id(check) not in wrapped:
            wrapped = {id(check): (check, seconded(check))}  # one check for many samples is wrapped once
        yield sample, wrapped[id(check)][1]


def opinion_in(verdict: Verdict) -> Verdict | None:
    """The judge's verdict, where it was asked for this one."""
    return verdict.parts[1] if [part.check for part in verdict.parts[1:]] == [OPINION] else None


_BECAME: Mapping[Outcome, str] = {"pass": "to pass", "fail": "to fail", "error": "without a usable reply"}


@dataclass(slots=True)
class Opinions:
    """How many verdicts a judge was asked about, and what became of them."""

    verdicts: int = 0
    asked: int = 0
    became: Counter[Outcome] = field(default_factory=Counter)

    def count(self, verdict: Verdict) -> Verdict:
        """The verdict again, counted: each question within it that was asked about."""
        self.add(_opinions(verdict))
        return verdict

    def add(self, opinions: Iterable[Verdict]) -> None:
        """One more verdict, with what the judge said of the questions within it."""
        self.verdicts += 1
        for opinion in opinions:
            self.asked += 1
            self.became[opinion.outcome] += 1

    def to_data(self) -> dict[str, Any]:
        """The counts, for programs."""
        words: tuple[Outcome, ...] = ("pass", "fail", "unsure", "error")
        return {"verdicts": self.verdicts, "asked": self.asked, **{word: self.became[word] for word in words}}

    def __str__(self) -> str:
        verdicts = counted(self.verdicts, "verdict")
        if not self.asked:
            return f"second opinion: nothing in {verdicts} was unsure; the judge was not asked"
        times = "once" if self.asked == 1 else f"{self.asked:,} times"
        became = [f"{self.became[word]:,} {phrase}" for word, phrase in _BECAME.items() if self.became[word]]
        return f"second opinion: the judge was asked {times} in {verdicts}; from unsure: {', '.join(became)}"


def _opinions(verdict: Verdict) -> Iterator[Verdict]:
    opinion = opinion_in(verdict)
    if opinion is not None:
        yield opinion
        return
    for part in verdict.parts:
        yield from _opinions(part)


def _unwrapped(verdict: Verdict) -> Verdict:
    first, *others = verdict.parts
    return verdict if others else replace(first, sample=verdict.sample)
