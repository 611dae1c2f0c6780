"""What kind of answer this is, by a linear model that learned it from labelled answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space
from sensecheck.measures.heads.features import (
    END,
    QUOTED,
    START,
    Features,
    Numbers,
    Outline,
    features_of,
    part_texts,
    require_encoder,
)
from sensecheck.measures.heads.model import HeadModel, Logits, shares_of, shipped_heads
from sensecheck.text.languages import language_of

_SHOWN = 0.25
"""What moved the reading by less, in units of log odds, is not worth a line."""
_SHOWN_WORD = 0.1
"""Words that moved it by less are not named."""
_WORDS = 3
"""So many words of a sentence are named."""
_MARKS = frozenset((START, END, QUOTED, "\n", ":"))


@dataclass(frozen=True, slots=True)
class Head:
    """How likely the answer is of some classes rather than of others, from 0 to 1."""

    model: HeadModel
    """A shipped head by name, or the file of your own."""
    of: tuple[str, ...]
    """The classes that are looked for."""
    against: tuple[str, ...] = ()
    """The classes they are compared with; all others when none is named."""

    def __post_init__(self) -> None:
        for label in (*self.of, *self.against):
            if label not in self.model.recipe.classes:
                raise SpecError(
                    did_you_mean(f"class of the head `{self.model.name}`", label, self._classes())
                )
        compared = (*self.of, *self._against())
        if not self.of or not self._against() or len(set(compared)) < len(compared):
            raise SpecError(f"`of` and `against` must be different classes; got {self.of} and {self.against}")

    @property
    def name(self) -> str:
        """What people call it."""
        return "head"

    def needs(self, sample: Sample) -> Needs:
        """The parts of the answer that the model looks at."""
        return Needs(texts=part_texts(self.model.recipe, sample))

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer, to a head of ours that does not know its language; one of your own knows its rows."""
        languages = self.model.recipe.languages
        if self.model.file not in shipped_heads() or (languages and language_of(sample.answer) in languages):
            return {}
        return {"answer": sample.answer}

    def read(self, sample: Sample, space: Space) -> Reading:
        """The odds of the wanted classes against the others, as a share."""
        require_encoder(self.model.encoder, space, self.model.name)
        features = features_of(self.model.recipe, sample, space)
        logits = self.model.logits(features.row)
        shares = self._shares(logits, self._classes())
        compared_shares = self._shares(logits, (*self.of, *self._against()))
        moves = sorted(self._moved(sample, features, shares), key=lambda item: -abs(item[0]))
        evidence = tuple(item for size, item in moves if abs(size) >= _SHOWN)
        value = min(sum(compared_shares[label] for label in self.of), 1.0)
        return Reading(value, self._because(shares), evidence, features.unread_chars)

    def was_trained_on(self, text: str) -> bool:
        """Whether an answer was among those that the head learned from."""
        return self.model.was_trained_on(text)

    def _classes(self) -> tuple[str, ...]:
        return self.model.recipe.classes

    def _against(self) -> tuple[str, ...]:
        return self.against or tuple(label for label in self._classes() if label not in self.of)

    def _shares(self, logits: Logits, classes: tuple[str, ...]) -> dict[str, float]:
        """How likely each of some classes is, if it is one of them; they add up to 1."""
        theirs = logits[[self._classes().index(label) for label in classes]]
        return dict(zip(classes, shares_of(theirs).tolist(), strict=True))

    def _moved(
        self, sample: Sample, features: Features, shares: dict[str, float]
    ) -> list[tuple[float, Evidence]]:
        """By how much each sentence and each cue moved the log odds of the best class on either side."""
        one, other = (max(side, key=shares.__getitem__) for side in (self.of, self._against()))
        pull = self._weights(one) - self._weights(other)
        moves = pull * (features.row - self.model.mean)
        block = len(features.parts) * self.model.dimension
        cues, phrases = np.split(moves[block:], [len(features.cues)])
        outline = Outline.of(sample.answer) if features.phrases else None
        sentences: dict[Span, _Sentence] = {}
        for i, (part, span) in enumerate(zip(self.model.recipe.parts, features.parts, strict=True)):
            whole = span if outline is None else outline.sentence_at(span.start)
            # a lone sentence is every part
            sentence = sentences.setdefault(whole, _Sentence(f"{part.name} sentence"))
            sentence.size += float(moves[i * self.model.dimension : (i + 1) * self.model.dimension].sum())
        for size, phrase, place in zip(
            phrases.tolist(), self.model.recipe.phrases, features.phrases, strict=True
        ):
            if place is not None and outline is not None:
                sentence = sentences.setdefault(
                    outline.sentence_at(place.start), _Sentence("a later sentence")
                )
                sentence.size += size
                sentence.words.append((size, phrase))
        return [
            *(
                (sentence.size, Evidence("part", span, note=sentence.note(one, other)))
                for span, sentence in sentences.items()
            ),
            *(
                (size, Evidence("cue", span, note=_note(cue.name, size, one, other)))
                for size, cue, span in zip(cues.tolist(), self.model.recipe.cues, features.cues, strict=True)
                if span is not None
            ),
        ]

    def _weights(self, label: str) -> Numbers:
        weights: Numbers = self.model.weights[self._classes().index(label)]
        return weights

    def _because(self, shares: dict[str, float]) -> str:
        order = sorted(shares, key=shares.__getitem__, reverse=True)
        return f"most likely `{order[0]}`: " + ", ".join(f"`{label}` {shares[label]:.3f}" for label in order)


@dataclass(slots=True)
class _Sentence:
    """By how much a sentence moved the log odds: what it is near to, and its words."""

    name: str
    size: float = 0.0
    words: list[tuple[float, str]] = field(default_factory=list)

    def note(self, one: str, other: str) -> str:
        """Its name and size, and the words that moved the most to the same side."""
        same = sorted(((size, word) for size, word in self.words if size * self.size > 0), key=_by_size)
        shown_words = [
            word for size, word in same if abs(size) >= _SHOWN_WORD and not _MARKS.intersection(word.split())
        ]
        quoted = ", ".join(f"“{word}”" for word in shown_words[:_WORDS])
        return _note(self.name, self.size, one, other) + (f", by {quoted}" if quoted else "")


def _by_size(item: tuple[float, str]) -> float:
    return -abs(item[0])


def _note(name: str, size: float, one: str, other: str) -> str:
    return f"{name}, {abs(size):.1f} towards `{one if size > 0 else other}`"
