"""How many of the answer's key words also stand in the passages."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.text.words import content_words, stem, stop_words


@dataclass(frozen=True, slots=True)
class KeywordOverlap:
    """The share of the answer's key words that the passages hold too."""

    keywords: Literal["content", "long"] = "content"
    """`content`: every word that carries content, whatever its form. `long`: what stands between spaces and
    is longer than three characters, letter by letter; an answer without any counts as covered."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "keyword_overlap"

    def needs(self, sample: Sample) -> Needs:
        """Nothing: it only reads words."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """Found key words by all key words."""
        passages = sample.require_passages()
        return _long(sample, passages) if self.keywords == "long" else _content(sample, passages)


def long_words(text: str) -> list[str]:
    """What stands between spaces, in lower case, if it is longer than three characters and no stop word."""
    return [
        word.strip(".,!?;:") for word in text.lower().split() if word not in stop_words() and len(word) > 3
    ]


def _long(sample: Sample, passages: Iterable[str]) -> Reading:
    asked = long_words(sample.answer)
    if not asked:
        return Reading(1.0, "the answer has no key words, which this rule counts as covered")
    found = set(asked) & {word for passage in passages for word in long_words(passage)}
    because = f"{len(found)} different key words found, of {len(asked)} in the answer"
    return Reading(len(found) / len(asked), because)


def _content(sample: Sample, passages: Iterable[str]) -> Reading:
    asked = content_words(sample.answer)
    if not asked:
        raise CannotJudge("the answer has no word that carries content; there is nothing to look for")
    held = {stem(word.text) for passage in passages for word in content_words(passage)}
    strange = [word for word in asked if stem(word.text) not in held]
    because = f"{len(asked) - len(strange)} of the answer's {len(asked)} key words stand in the passages"
    spans = (Span.of("answer", sample.answer, word.start, word.end) for word in strange)
    found = tuple(Evidence("novel_term", span, note="is not in the passages:") for span in spans)
    return Reading(1 - len(strange) / len(asked), because, found)
