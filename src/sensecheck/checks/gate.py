"""The smallest checks: one measure with its cutoff, and a check with a reference of its own.

A `Gate` decides by a single reading. An `Against` lets its check decide about the sample with another
question, another expected answer, other passages, or with something made of its answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import CannotJudge, SpecError, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.sample import Sample
from sensecheck.core.space import MAX_CHARS, Space
from sensecheck.core.verdict import Verdict, could_not_judge, decide, require_check
from sensecheck.text.languages import marked, reason_why_unread, texts_of


@dataclass(frozen=True, slots=True)
class Gate:
    """Reads a measure and holds it against a cutoff; without one it only measures."""

    measure: Measure
    cutoff: Cutoff | None = None
    label: str = ""
    english: bool | None = None
    """Whether other languages than English are `unsure`, being untested; None: as the measure says."""

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or self.measure.name

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What the measure needs; a sample that lacks something needs nothing more."""
        try:
            require_readable_length(sample)
            return self.measure.needs(sample)
        except CannotJudge:
            return Needs()

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict, or the outcome `error` with the reason why none can be given."""
        try:
            require_readable_length(sample)
            fingerprint = space.fingerprint(self.measure.needs(sample))
            reading = self.measure.read(sample, space)
        except CannotJudge as reason:
            return self._unread(sample, reason)
        texts = texts_of(self.measure, sample, english=self.english)
        return decide(self.name, marked(reading, texts), self.cutoff, fingerprint)

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict under this gate's cutoff, from a stored reading; without one it stays as it is."""
        require_check(self.name, verdict)
        if verdict.parts:
            raise SpecError(f"the verdict of `{verdict.check}` has parts; the gate has none")
        return verdict if verdict.reading is None else verdict.with_cutoff(self.cutoff)

    def _unread(self, sample: Sample, reason: CannotJudge) -> Verdict:
        """The verdict on what could not be read: an `error`, or `unsure` in an unverified language."""
        judged = could_not_judge(self.name, reason, cutoff=self.cutoff)
        if self.cutoff is None or not isinstance(reason, Unreadable):
            return judged
        why = reason_why_unread(reason, texts_of(self.measure, sample, english=self.english))
        return judged if why is None else replace(judged, outcome="unsure", because=why)


def require_readable_length(sample: Sample) -> None:
    """Raise for a text that is too long to be judged by anything."""
    texts = (sample.answer, sample.question or "", sample.expected or "", *sample.passages)
    if max(map(len, texts)) <= MAX_CHARS:
        return
    names = ("answer", "question", "expected answer", *(f"passage {at + 1}" for at in range(len(texts))))
    name, chars = next(
        (name, len(text)) for name, text in zip(names, texts, strict=False) if len(text) > MAX_CHARS
    )
    raise Unreadable(f"the {name} has {chars:,} characters; at most {MAX_CHARS:,} are read")


@dataclass(frozen=True, slots=True)
class Against:
    """Decides as its check does, about the sample with these parts in place of its own."""

    check: Check
    question: str | None = None
    expected: str | None = None
    passages: tuple[str, ...] = ()
    answer: str | None = None
    transform: Callable[[str], str] | None = field(default=None, repr=False)
    """What is made of the answer before it is judged; what it raises is no judgement."""

    @property
    def name(self) -> str:
        """What people call it."""
        return self.check.name

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What its check needs."""
        try:
            return self.check.needs(self._with(sample), known)
        except CannotJudge:  # which `decide` says
            return Needs()

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """What its check decides."""
        try:
            changed = self._with(sample)
        except CannotJudge as reason:
            return could_not_judge(self.name, reason)
        return self.check.decide(changed, space)

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings."""
        return self.check.redecide(verdict)

    def _with(self, sample: Sample) -> Sample:
        answer = sample.answer if self.answer is None else self.answer
        return replace(
            sample,
            answer=answer if self.transform is None else self.transform(answer),
            question=sample.question if self.question is None else self.question,
            expected=sample.expected if self.expected is None else self.expected,
            passages=self.passages or sample.passages,
        )
