"""How far an answer's facts agree with what it is judged by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.facts.comparing import compare
from sensecheck.measures.facts.fact import Change, Difference


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
        compared = compare(sample.answer, tuple(sources.values()), sample.question)
        telling = [found for found in compared.differences if not (found.derived and found.change == "added")]
        differing = [found for found in telling if found.change in self.count]
        others = [found for found in telling if found.change == "added" and found not in differing]
        total = compared.agreeing + len(differing) + len(others)
        evidence = tuple(_evidence(found, sample.answer, sources) for found in differing)
        return Reading(1.0 - len(differing) / max(total, 1), _because(differing, total), evidence)

    def _sources(self, sample: Sample) -> Mapping[str, str]:
        """What the answer is compared with, by where it stands."""
        if self.reference is not None:
            return {"reference": self.reference}
        if self.against == "expected":
            return {"expected": sample.must_have_expected()}
        return {f"passages[{at}]": text for at, text in enumerate(sample.must_have_passages())}


def _says_something(text: str) -> bool:
    return any(map(str.isalnum, text))


def _because(differing: Sequence[Difference], total: int) -> str:
    if not differing:
        return f"nothing differs in {_facts(total)}" if total else "there were no facts to compare"
    verb = "differs" if len(differing) == 1 else "differ"
    more = f"; and {len(differing) - 1} more" if len(differing) > 1 else ""
    return f"{len(differing)} of {_facts(total)} {verb}: {differing[0].note}{more}"


def _facts(count: int) -> str:
    return "1 fact" if count == 1 else f"{count} facts"


def _evidence(found: Difference, answer: str, sources: Mapping[str, str]) -> Evidence:
    mine = Span.of("answer", answer, *found.answer) if found.answer else None
    theirs = None
    if found.source and found.reference is not None:
        where, text = list(sources.items())[found.reference]
        theirs = Span.of(where, text, *found.source)
    return Evidence(found.kind, mine, theirs, note=found.note)
