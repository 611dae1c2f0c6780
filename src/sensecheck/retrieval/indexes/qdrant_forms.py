"""Entries, filters and results in the forms that Qdrant has for them, and its errors as ours."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any
from uuid import UUID

import numpy as np

from sensecheck.core.errors import SensecheckError, ToolError, Unreachable
from sensecheck.core.extras import extra
from sensecheck.retrieval.indexes.found import Found
from sensecheck.retrieval.indexes.index import Entry, kept, reference_of
from sensecheck.retrieval.indexes.tags import tags_of
from sensecheck.retrieval.scales import closeness_from


def points_of(entries: Sequence[Entry]) -> Any:
    return qdrant_models().Batch(
        ids=[_point_id(entry.reference.id) for entry in entries],
        vectors=[entry.vector.tolist() for entry in entries],
        payloads=[
            {"reference": kept(entry.reference), "tags": tags_of(entry.reference.metadata)}
            for entry in entries
        ],
    )


def _point_id(name: str) -> str:
    """Qdrant takes numbers and UUIDs only."""
    return str(UUID(bytes=blake2b(name.encode(), digest_size=16).digest()))


def condition_of(tags: Sequence[Sequence[str]]) -> Any:
    models = qdrant_models()
    if not tags:
        return None
    return models.Filter(
        must=[models.FieldCondition(key="tags", match=models.MatchAny(any=list(some))) for some in tags]
    )


def found_in(point: Any) -> Found:
    vector = None if point.vector is None else np.asarray(point.vector, np.float32)
    return Found(reference_of(point.payload["reference"]), closeness_from(point.score, "cosine"), vector)


def qdrant_models() -> Any:
    with extra("qdrant"):
        from qdrant_client import models  # noqa: PLC0415  # an extra
    return models


@contextmanager
def answering(at: str) -> Iterator[None]:
    """A server that does not answer, or refuses, becomes an error of ours."""
    with extra("qdrant"):
        from qdrant_client.http.exceptions import (  # noqa: PLC0415  # an extra
            ResponseHandlingException,
            UnexpectedResponse,
        )
    try:
        yield
    except SensecheckError:
        raise
    except ResponseHandlingException as problem:
        raise Unreachable(f"{at} cannot be reached: {type(problem.source).__name__}") from problem
    except UnexpectedResponse as problem:
        raise ToolError(
            f"{at}: Qdrant refused with {problem.status_code} {problem.reason_phrase}"
        ) from problem
    except (RuntimeError, ValueError) as problem:  # of the engine in memory and in folders
        raise ToolError(f"{at}: Qdrant refused: {problem}") from problem
