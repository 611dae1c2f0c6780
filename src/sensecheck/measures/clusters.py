"""To which of several groups of examples the answer belongs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import unknown
from sensecheck.core.space import Space
from sensecheck.measures.given import must_be_texts

Nearness = Literal["mean", "nearest", "centroid"]


@dataclass(frozen=True, slots=True)
class ClusterMargin:
    """By how much the answer lies nearer to the wanted cluster than to any other; below 0 it does not."""

    clusters: Mapping[str, tuple[str, ...]]
    wanted: str
    by: Nearness = "mean"
    """How near a cluster is: its exemplars' mean closeness, its nearest exemplar, or its centre."""

    def __post_init__(self) -> None:
        if len(self.clusters) < 2:
            raise SpecError(f"`clusters` wants at least two clusters; found {len(self.clusters)}")
        for label, exemplars in self.clusters.items():
            must_be_texts(f"clusters.{label}", exemplars)
        if self.wanted not in self.clusters:
            raise SpecError(unknown("cluster", self.wanted, self.clusters))

    @property
    def name(self) -> str:
        """What people call it."""
        return "cluster_margin"

    def needs(self, sample: Sample) -> Needs:
        """The answer and every exemplar."""
        exemplars = (text for texts in self.clusters.values() for text in texts)
        return Needs(texts=(sample.answer, *exemplars))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The wanted cluster's closeness less that of the best other one."""
        near = {label: self._closeness(sample.answer, texts, space) for label, texts in self.clusters.items()}
        order = sorted(near, key=near.__getitem__, reverse=True)
        rival = next(label for label in order if label != self.wanted)
        because = f"nearest to `{order[0]}`: " + ", ".join(f"`{label}` {near[label]:.3f}" for label in order)
        found = tuple(self._evidence(sample.answer, label, near[label], space) for label in order)
        return Reading(near[self.wanted] - near[rival], because, found, space.unread(sample.answer))

    def _closeness(self, answer: str, texts: tuple[str, ...], space: Space) -> float:
        if self.by == "centroid":
            centre = np.mean([space.vector(text) for text in texts], axis=0)
            return float(centre @ space.vector(answer) / max(float(np.linalg.norm(centre)), 1e-12))
        near = space.closenesses(answer, texts)
        return float(near.mean() if self.by == "mean" else near.max())

    def _evidence(self, answer: str, label: str, closeness: float, space: Space) -> Evidence:
        texts = self.clusters[label]
        best = int(np.argmax(space.closenesses(answer, texts)))
        source = Span.of(f"clusters.{label}[{best}]", texts[best])
        return Evidence("cluster", Span.of("answer", answer), source, closeness, label)
