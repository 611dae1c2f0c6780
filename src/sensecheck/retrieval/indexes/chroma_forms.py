"""Filters and results in the forms that Chroma has for them, and its errors as ours."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from sensecheck.core.errors import SensecheckError, SpecError, ToolError, Unreachable
from sensecheck.core.extras import extra
from sensecheck.retrieval.indexes.found import Found
from sensecheck.retrieval.indexes.index import reference_of
from sensecheck.retrieval.scales import closeness_from


def condition_of(tags: Sequence[Sequence[str]]) -> Any:
    each = [_one_of([{"tags": {"$contains": tag}} for tag in some], "$or") for some in tags]
    return _one_of(each, "$and") if each else None


def _one_of(conditions: list[dict[str, Any]], how: str) -> dict[str, Any]:
    """Chroma joins two or more, and refuses to join one."""
    return conditions[0] if len(conditions) == 1 else {how: conditions}


def found_in(result: Any) -> Iterable[Found]:
    told, distances = result["metadatas"][0], result["distances"][0]
    vectors = result["embeddings"][0] if result["embeddings"] is not None else [None] * len(told)
    for metadata, distance, vector in zip(told, distances, vectors, strict=True):
        row = None if vector is None else np.asarray(vector, np.float32)
        yield Found(reference_of(metadata["reference"]), closeness_from(distance, "cosine-distance"), row)


@contextmanager
def answering(at: str) -> Iterator[None]:
    """A server that does not answer, or refuses, becomes an error of ours."""
    with extra("chroma"):
        from chromadb.errors import ChromaError, InvalidArgumentError  # noqa: PLC0415  # an extra
    try:
        yield
    except SensecheckError:
        raise
    except InvalidArgumentError as problem:
        raise SpecError(f"{at}: Chroma refused it: {problem}") from problem
    except ChromaError as problem:
        raise ToolError(f"{at}: Chroma refused: {problem}") from problem
    except Exception as problem:
        if error := _of_the_network(problem, at):
            raise error from problem
        raise


def _of_the_network(problem: BaseException | None, at: str) -> Unreachable | ToolError | None:
    """Chroma raises plain exceptions over what went wrong on the way, which is still beneath them."""
    with extra("chroma"):
        from httpx import HTTPStatusError, TransportError  # noqa: PLC0415  # an extra
    while problem is not None:
        if isinstance(problem, TransportError):
            return Unreachable(f"{at} cannot be reached: {type(problem).__name__}")
        if isinstance(problem, HTTPStatusError):
            status = problem.response.status_code
            who = "; give a client with its headers to `from_client`" if status in (401, 403) else ""
            return ToolError(f"{at} refused with {status} {problem.response.reason_phrase}{who}")
        problem = problem.__cause__ or problem.__context__
    return None
