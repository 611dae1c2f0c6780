"""Small models as files: known by a name and a digest, and refused when they were changed by hand."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sensecheck.core.errors import SpecError, StaleCutoff
from sensecheck.core.serialization import decode, from_data, read_json, to_data

FORMAT = 1


class FiledModel(Protocol):
    """A model that can be a file."""

    @property
    def name(self) -> str:
        """The shipped name, or its path."""
        ...

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder whose vectors its weights are for."""
        ...

    @property
    def digest(self) -> str:
        """Changes whenever the readings would."""
        ...


M = TypeVar("M", bound=FiledModel)


def written(model: FiledModel) -> str:
    """How a check names the model: its file, and the digest that it must have."""
    return f"{model.name}#{model.digest}"


def model_named(data: Any, shipped: str, ours: Callable[[], M], from_file: Callable[[Path], M]) -> M:
    """The model of the shipped name or of a path; `#digest` behind it is compared with the model's own."""
    given: str = decode(str, data, at="model")
    name, _, digest = given.partition("#")
    model = ours() if name == shipped else from_file(Path(name))
    if digest and digest != model.digest:
        raise SpecError(f"the model `{name}` has the digest {model.digest}; wanted {digest}")
    return model


def model_schema(shipped: str) -> dict[str, Any]:
    """How a model is written in a check."""
    return {"type": "string", "description": f"`{shipped}`, or a path; `#digest` behind it"}


def model_in_file(path: Path, from_json: Callable[[str, str], M], shipped: str) -> M:
    """The model in a file, named after it."""
    try:
        return from_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as unread:
        raise SpecError(f"the model `{path}` cannot be read: {unread}; shipped is `{shipped}`") from unread


def model_json(model: FiledModel) -> str:
    """The text of the model's file."""
    told = {"format": FORMAT, "digest": model.digest, **to_data(model)}
    return json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def model_from_json(kind: type[M], text: str, *, at: str, what: str) -> M:
    """The model that `model_json` wrote; one that was changed by hand is refused."""
    held = read_json(text, at=at)
    if not isinstance(held, Mapping) or held.get("format") != FORMAT or "digest" not in held:
        raise SpecError(f"`{at}` is not a {what} of the format {FORMAT}")
    told = {key: value for key, value in held.items() if key not in ("format", "digest")}
    model: M = from_data(kind, {**told, "name": at}, at=at)
    if held["digest"] != model.digest:
        raise SpecError(f"`{at}` was changed by hand: its digest is {model.digest}, not {held['digest']}")
    return model


def must_fit(model: FiledModel, encoder: str | None, what: str) -> None:
    """Raise unless the vectors are those of the encoder that the weights are for."""
    if encoder != model.encoder:
        raise StaleCutoff(
            f"the {what} `{model.name}` was trained for the encoder `{model.encoder}`; in use is `{encoder}`"
        )
