"""How similar an answer is to example texts, and to which of several groups of them it belongs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space
from sensecheck.measures.repetition import sentence_spans

Clusters = Mapping[str, tuple[str, ...]]
Nearness = Literal["mean", "nearest", "centroid"]
OPENING = 3
"""How many sentences make an opening."""


@dataclass(frozen=True, slots=True)
class NearestExemplar:
    """The similarity of the answer to its nearest exemplar: what kind of text is this?"""

    exemplars: tuple[str, ...]
    of: Literal["answer", "opening"] = "answer"
    """What is compared: the whole answer, or its first sentences, each alone and all together, for an answer
    that begins with a refusal and goes on."""

    def __post_init__(self) -> None:
        require_texts("exemplars", self.exemplars)

    @property
    def name(self) -> str:
        """What people call it."""
        return "nearest_exemplar"

    def needs(self, sample: Sample) -> Needs:
        """What is compared, and every exemplar."""
        return Needs(texts=(*(span.text for span in self._compared(sample)), *self.exemplars))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The best cosine over what is compared and the exemplars."""
        nearest = max((self._nearest(span, space) for span in self._compared(sample)), key=_similarity)
        because = (
            f"the nearest exemplar, at similarity {_similarity(nearest):.3f}, is “{_text(nearest.source)}”"
        )
        return Reading(_similarity(nearest), because, (nearest,), space.unread(_text(nearest.answer)))

    def _nearest(self, compared: Span, space: Space) -> Evidence:
        near = space.similarities(compared.text, self.exemplars)
        best = int(np.argmax(near))
        source = Span.of(f"exemplars[{best}]", self.exemplars[best])
        return Evidence("nearest", compared, source, float(near[best]))

    def _compared(self, sample: Sample) -> list[Span]:
        if self.of == "answer":
            return [Span.of("answer", sample.answer)]
        opening = sentence_spans(sample)[:OPENING]
        whole = Span.of("answer", sample.answer, opening[0].start, opening[-1].end)
        return list(dict.fromkeys((*opening, whole)))


@dataclass(frozen=True, slots=True)
class ClusterMargin:
    """By how much the answer is nearer to the wanted cluster than to any other; below 0 it does not."""

    clusters: Clusters
    wanted: str
    by: Nearness = "mean"
    """How near a cluster is: its exemplars' mean similarity, its nearest exemplar, or its centre."""

    def __post_init__(self) -> None:
        if len(self.clusters) < 2:
            raise SpecError(f"`clusters` must have at least two clusters; got {len(self.clusters)}")
        for label, exemplars in self.clusters.items():
            require_texts(f"clusters.{label}", exemplars)
        if self.wanted not in self.clusters:
            raise SpecError(did_you_mean("cluster", self.wanted, self.clusters))

    @property
    def name(self) -> str:
        """What people call it."""
        return "cluster_margin"

    def needs(self, sample: Sample) -> Needs:
        """The answer and every exemplar."""
        exemplars = (text for texts in self.clusters.values() for text in texts)
        return Needs(texts=(sample.answer, *exemplars))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The wanted cluster's similarity less that of the best other one."""
        near = {label: self._nearness(sample.answer, texts, space) for label, texts in self.clusters.items()}
        order = sorted(near, key=near.__getitem__, reverse=True)
        rival = next(label for label in order if label != self.wanted)
        because = f"nearest to `{order[0]}`: " + ", ".join(f"`{label}` {near[label]:.3f}" for label in order)
        evidence = tuple(self._evidence(sample.answer, label, near[label], space) for label in order)
        return Reading(near[self.wanted] - near[rival], because, evidence, space.unread(sample.answer))

    def _nearness(self, answer: str, texts: tuple[str, ...], space: Space) -> float:
        if self.by == "centroid":
            centre = np.mean([space.vector(text) for text in texts], axis=0)
            return float(centre @ space.vector(answer) / max(float(np.linalg.norm(centre)), 1e-12))
        near = space.similarities(answer, texts)
        return float(near.mean() if self.by == "mean" else near.max())

    def _evidence(self, answer: str, label: str, closeness: float, space: Space) -> Evidence:
        texts = self.clusters[label]
        best = int(np.argmax(space.similarities(answer, texts)))
        source = Span.of(f"clusters.{label}[{best}]", texts[best])
        return Evidence("cluster", Span.of("answer", answer), source, closeness, label)


def require_texts(what: str, given: object) -> None:
    """Raise unless it is a list of strings with at least one; a single text is a frequent slip."""
    if not isinstance(given, tuple | list) or not all(isinstance(text, str) for text in given):
        raise SpecError(f"`{what}` must be a list of strings; got {type(given).__name__}")
    if not given:
        raise SpecError(f"`{what}` is empty; wanted at least one string")


def clusters_of(given: Mapping[str, Iterable[str]]) -> Clusters:
    """Clusters as measures take them, from lists or tuples of texts."""
    for label, texts in given.items():
        require_texts(f"clusters.{label}", texts)
    return {label: tuple(texts) for label, texts in given.items()}


def _similarity(evidence: Evidence) -> float:
    return evidence.closeness or 0.0


def _text(span: Span | None) -> str:
    return span.text if span else ""
