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
    key_words = long_words(sample.answer)
    if not key_words:
        return Reading(1.0, "the answer has no key words, which this rule counts as covered")
    shared = set(key_words) & {word for passage in passages for word in long_words(passage)}
    because = f"{len(shared)} different key words found, of {len(key_words)} in the answer"
    return Reading(len(shared) / len(key_words), because)


def _content(sample: Sample, passages: Iterable[str]) -> Reading:
    key_words = content_words(sample.answer)
    if not key_words:
        raise CannotJudge("the answer has no word that carries content; there is nothing to look for")
    passage_stems = {stem(word.text) for passage in passages for word in content_words(passage)}
    novel = [word for word in key_words if stem(word.text) not in passage_stems]
    because = (
        f"{len(key_words) - len(novel)} of the answer's {len(key_words)} key words stand in the passages"
    )
    spans = (Span.of("answer", sample.answer, word.start, word.end) for word in novel)
    evidence = tuple(Evidence("novel_term", span, note="is not in the passages:") for span in spans)
    return Reading(1 - len(novel) / len(key_words), because, evidence)
