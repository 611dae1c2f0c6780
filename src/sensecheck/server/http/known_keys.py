"""The keys that an object of a request may have, found by where the object lies."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel


@lru_cache(256)
def keys_at(shape: Any, steps: tuple[int | str, ...]) -> tuple[str, ...]:
    """The keys of the object at these steps into a shape; none where no object is described there."""
    for step in steps:
        shape = _after(shape, step)
    model = next(_models_in(shape), None)
    return () if model is None else tuple(model.model_fields)


def _after(shape: Any, step: int | str) -> Any:
    """What lies behind a step: the value of a key, or one of several shapes by its name; else the same."""
    for model in _models_in(shape):
        if model.__name__ == step:
            return model
        if step in model.model_fields:
            return model.model_fields[str(step)].annotation
    return shape


def _models_in(shape: Any) -> Iterator[type[BaseModel]]:
    """Models that a value may be, or hold as the items of a list."""
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        yield shape
    for part in get_args(shape):
        yield from _models_in(part)
