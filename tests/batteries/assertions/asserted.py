"""Assertions as a test file would have them, read and decided."""

from pathlib import Path
from typing import Any

from sensecheck.batteries.assertions.base import About
from sensecheck.batteries.assertions.registry import read_assertions
from sensecheck.batteries.assertions.similarity import read_embedding_validation
from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.assess import assess
from sensecheck.checks.weighted import Part
from sensecheck.core.backends import Backends
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.documents.node import Node, Place
from sensecheck.encoders.hashing import HashingEncoder

PLACE = Place("here.yaml", 7, 3)


def about(folder: Path = Path("nowhere"), **variables: Any) -> About:
    """The test around an assertion."""
    return About(variables, folder, CardLibrary.shipped())


def read(*assertions: dict[str, Any], around: About | None = None) -> tuple[tuple[str, Part], ...]:
    """The parts of a test with these assertions."""
    return read_assertions(Node.of(list(assertions), PLACE), around or about())


def validated(data: Any) -> tuple[tuple[str, Part], ...]:
    """The parts of a test with these rules on embeddings."""
    return read_embedding_validation(Node.of(data, PLACE), about())


def verdict_on(
    answer: str | Sample,
    assertion: dict[str, Any],
    *,
    around: About | None = None,
    answerers: Backends | None = None,
) -> Verdict:
    """What comes of an answer under a single assertion."""
    ((_, part),) = read(assertion, around=around)
    return decided(answer, part, answerers)


def decided(answer: str | Sample, part: Part, answerers: Backends | None = None) -> Verdict:
    """What comes of an answer under a part of a test."""
    sample = Sample(answer) if isinstance(answer, str) else answer
    (verdict,) = assess([(sample, part.check)], answerers or Backends(HashingEncoder()))
    return verdict
