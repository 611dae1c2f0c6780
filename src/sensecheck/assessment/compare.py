"""Two texts compared sentence by sentence: which belong together, and which facts differ; texts encoded."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sensecheck.config import Settings
from sensecheck.config import encoder as encoder_of
from sensecheck.core.backends import Encoder
from sensecheck.core.space import Space
from sensecheck.measures.facts.agreement import differences
from sensecheck.measures.facts.fact import Difference
from sensecheck.text.sentences import sentences

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A sentence of A, and the nearest sentence of B; none when either cannot be read."""

    a: Stretch
    b: Stretch | None = None
    closeness: float | None = None


@dataclass(frozen=True, slots=True)
class TextComparison:
    """How close two texts are, which sentences belong together, and which facts differ."""

    a: str
    b: str
    closeness: float
    fingerprint: str | None
    unread_chars: int
    pairs: tuple[SentencePair, ...]
    alone: tuple[Stretch, ...]
    """Sentences of B that are the nearest of no sentence of A."""
    differences: tuple[Difference, ...]

    @classmethod
    def of(cls, a: str, b: str, encoder: Encoder) -> "TextComparison":
        """Compares two texts."""
        stretches_a, stretches_b = sentences(a), sentences(b)
        sentence_texts = (
            *(a[start:end] for start, end in stretches_a),
            *(b[start:end] for start, end in stretches_b),
        )
        space = Space.of((a, b, *sentence_texts), encoder)
        whole = space.similarity(a, b)
        pairs = _pairs(a, stretches_a, b, stretches_b, space)
        paired = {pair.b for pair in pairs}
        alone = tuple(stretch for stretch in stretches_b if stretch not in paired)
        fact_differences = tuple(differences(a, (b,)))
        return cls(a, b, whole, space.encoder, space.unread(a, b), pairs, alone, fact_differences)

    def to_data(self) -> dict[str, Any]:
        """The comparison as plain data; stretches are characters of A and of B."""
        return {
            "closeness": self.closeness,
            "fingerprint": self.fingerprint,
            "unread_chars": self.unread_chars,
            "sentences": [{"a": pair.a, "b": pair.b, "closeness": pair.closeness} for pair in self.pairs],
            "only_in_b": self.alone,
            "differences": [
                {"kind": d.kind, "change": d.change, "note": d.note, "a": d.answer, "b": d.source}
                for d in self.differences
            ],
        }


@dataclass(frozen=True, slots=True)
class TextVector:
    """The vector of a text, whose it is, and how much of the text it stands for."""

    text_chars: int
    fingerprint: str | None
    dimension: int
    windows: int
    unread_chars: int
    vector: list[float]

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def explain(a: str, b: str, *, encoder: Encoder | None = None) -> TextComparison:
    """Where two texts agree, sentence by sentence; the encoder is that of the settings unless given."""
    return TextComparison.of(a, b, encoder or encoder_of(Settings.from_environment()))


def embed(texts: Sequence[str], *, encoder: Encoder | None = None) -> list[TextVector]:
    """The vectors of texts, in order; the encoder is that of the settings unless given."""
    space = Space.of(list(texts), encoder or encoder_of(Settings.from_environment()))
    return [_vector(text, space) for text in texts]


def _vector(text: str, space: Space) -> TextVector:
    embedding = space.embedding(text)
    return TextVector(
        len(text),
        space.encoder,
        len(embedding.vector),
        len(embedding.windows),
        embedding.unread_chars,
        embedding.vector.tolist(),
    )


def _pairs(
    a: str, stretches_a: Sequence[Stretch], b: str, stretches_b: Sequence[Stretch], space: Space
) -> tuple[SentencePair, ...]:
    readable = [stretch for stretch in stretches_b if b[slice(*stretch)] in space.embeddings]
    candidates = [b[slice(*stretch)] for stretch in readable]
    pairs = []
    for stretch in stretches_a:
        sentence = a[slice(*stretch)]
        if sentence not in space.embeddings or not candidates:
            pairs.append(SentencePair(stretch))
            continue
        near = space.similarities(sentence, candidates)
        best = int(near.argmax())
        pairs.append(SentencePair(stretch, readable[best], float(near[best])))
    return tuple(pairs)
