"""Small models as files: known by a name and a digest, and refused when they were changed by hand."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Self

from sensecheck.core.errors import SpecError, StaleCutoff
from sensecheck.core.serialization import decode, from_data, read_json, to_data

FORMAT = 1


class FiledModel(ABC):
    """What dataclasses share that are models with a file; equal where their digests are."""

    __slots__ = ()
    kind: ClassVar[str]
    """What such a model is called in messages."""
    shipped: ClassVar[str]
    """The name of the one that comes with sensecheck, in the folder `shipped` beside its module."""
    name: str
    """The shipped name, or its path."""
    encoder: str
    """The fingerprint of the encoder whose vectors the weights are for."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """Changes whenever the readings would."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_data() == other.to_data()

    def __hash__(self) -> int:
        return hash(self.to_data())

    def require_encoder(self, encoder: str | None) -> None:
        """Raise unless the vectors are those of the encoder that the weights are for."""
        if encoder != self.encoder:
            raise StaleCutoff(
                f"the {self.kind} `{self.name}` was trained for the encoder `{self.encoder}`; in use is "
                f"`{encoder}`"
            )

    def to_data(self) -> str:
        """How a check names the model: its file, and the digest that it must have."""
        return f"{self.name}#{self.digest}"

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """The model of the shipped name or of a path; a `#digest` behind it must be the model's own."""
        reference: str = decode(str, data, at="model")
        name, _, digest = reference.partition("#")
        model = cls.ours() if name == cls.shipped else cls.from_file(Path(name))
        if digest and digest != model.digest:
            raise SpecError(f"the model `{name}` has the digest {model.digest}; wanted {digest}")
        return model

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """How a model is written in a check."""
        return {"type": "string", "description": f"`{cls.shipped}`, or a path; `#digest` behind it"}

    @classmethod
    @cache
    def ours(cls) -> Self:
        """The model that comes with sensecheck."""
        path = files(cls.__module__.rpartition(".")[0]) / "shipped" / f"{cls.shipped}.json"
        return cls.from_json(path.read_text(encoding="utf-8"), at=cls.shipped)

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """The model in a file, named after it."""
        try:
            return cls.from_json(path.read_text(encoding="utf-8"), at=str(path))
        except (OSError, UnicodeDecodeError) as unread:
            raise SpecError(
                f"the model `{path}` cannot be read: {unread}; shipped is `{cls.shipped}`"
            ) from unread

    def to_json(self) -> str:
        """The text of the model's file."""
        data = {"format": FORMAT, "digest": self.digest, **to_data(self)}
        return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, *, at: str) -> Self:
        """The model that `to_json` wrote; one that was changed by hand is refused."""
        data = read_json(text, at=at)
        if not isinstance(data, Mapping) or data.get("format") != FORMAT or "digest" not in data:
            raise SpecError(f"`{at}` is not a {cls.kind} of the format {FORMAT}")
        members = {key: value for key, value in data.items() if key not in ("format", "digest")}
        model: Self = from_data(cls, {**members, "name": at}, at=at)
        if data["digest"] != model.digest:
            raise SpecError(f"`{at}` was changed by hand: its digest is {model.digest}, not {data['digest']}")
        return model
