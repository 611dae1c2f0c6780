"""What a head has learned, as a small file: everything in plain words but the weights."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import decode, did_you_mean, from_data, read_json, to_data
from sensecheck.measures.heads.features import (
    HeadRecipe,
    Numbers,
    TrainingSource,
    is_marked,
    packed,
    packed_numbers,
    unpacked,
    unpacked_numbers,
)

Logits = npt.NDArray[np.float64]

FORMAT = 1
_PLAIN: Mapping[str, Any] = {
    "name": str,
    "encoder": str,
    "dimension": int,
    "strength": float,
    "seed": int,
    "date": str,
    "version": str,
    "bias": tuple[float, ...],
}
_KEYS = ("format", "digest", *_PLAIN, "recipe", "sources", "weights", "mean", "marks")


@dataclass(frozen=True, slots=True, eq=False)
class HeadModel:
    """Weights over the vectors of an answer's parts and its cues, for one encoder."""

    name: str
    recipe: HeadRecipe
    encoder: str
    """The fingerprint of the encoder whose vectors the weights are for."""
    dimension: int
    weights: Numbers = field(repr=False)
    mean: Numbers = field(repr=False)
    """Of the rows it was trained on: what moves a reading is what differs from it."""
    bias: tuple[float, ...]
    sources: tuple[TrainingSource, ...] = ()
    strength: float = 1.0
    """How freely the weights were fitted: the inverse of the penalty on their size."""
    seed: int = 0
    date: str = ""
    version: str = ""
    """Of sensecheck."""
    marks: bytes = field(default=b"", repr=False)
    """Of the answers it was trained on, so that no one calibrates on them unawares."""
    file: str = ""
    """What it was read from: a shipped name, or a path."""
    digest: str = field(init=False)
    """Changes whenever the readings would."""

    def __post_init__(self) -> None:
        shape = (len(self.recipe.classes), self.recipe.width(self.dimension))
        if self.weights.shape != shape or self.mean.shape != shape[1:] or len(self.bias) != shape[0]:
            raise SpecError(
                f"the head `{self.name}` has weights of the shape {self.weights.shape}; expected {shape}"
            )
        if not np.isfinite(self.bias).all():
            raise SpecError(f"the head `{self.name}` has a bias that is not finite")
        content = json.dumps([to_data(self.recipe), self.encoder, self.bias]).encode()
        hashed = hashlib.sha256(content + self.weights.tobytes() + self.mean.tobytes())
        object.__setattr__(self, "digest", hashed.hexdigest()[:16])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeadModel) and (self.file, self.digest) == (other.file, other.digest)

    def __hash__(self) -> int:
        return hash((self.file, self.digest))

    def logits(self, rows: Numbers) -> Logits:
        """The log odds of each class, for one row of numbers or for many."""
        log_odds: Logits = (rows - self.mean).astype(np.float64) @ self.weights.T + np.asarray(self.bias)
        return log_odds

    def was_trained_on(self, text: str) -> bool:
        """Whether an answer was among those that the head learned from."""
        return is_marked(text, self.marks)

    def to_data(self) -> str:
        """How a check names the head: its file, and the digest that it must have."""
        return f"{self.file or self.name}#{self.digest}"

    @classmethod
    def from_data(cls, data: Any) -> "HeadModel":
        """The head of a shipped name or a path; `#digest` behind it is compared with the head's own."""
        text: str = decode(str, data, at="model")
        file, _, digest = text.partition("#")
        model = shipped_head(file) if file in shipped_heads() else cls.from_file(Path(file))
        if digest and digest != model.digest:
            raise SpecError(f"the head `{file}` has the digest {model.digest}; expected {digest}")
        return model

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """How a head is written in a check."""
        return {"type": "string", "description": "a shipped head by name, or a path; `#digest` behind it"}

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """The head in a file."""
        try:
            return cls.from_json(path.read_text(encoding="utf-8"), at=str(path))
        except (OSError, UnicodeDecodeError) as unread:
            names = ", ".join(f"`{name}`" for name in shipped_heads())
            raise SpecError(f"the head `{path}` cannot be read: {unread}; shipped are {names}") from unread

    def to_json(self) -> str:
        """The text of the head's file."""
        content = {
            "format": FORMAT,
            "digest": self.digest,
            **{key: getattr(self, key) for key in _PLAIN},
            "recipe": to_data(self.recipe),
            "sources": [to_data(source) for source in self.sources],
            "weights": packed_numbers(self.weights),
            "mean": packed_numbers(self.mean),
            "marks": packed(self.marks),
        }
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, *, at: str = "head") -> Self:
        """The head that `to_json` wrote; one that was changed by hand is refused."""
        content = read_json(text, at=at)
        _require_keys(content, at)
        recipe = from_data(HeadRecipe, content["recipe"], at=f"{at}.recipe")
        plain = {key: decode(kind, content[key], at=f"{at}.{key}") for key, kind in _PLAIN.items()}
        width = recipe.width(plain["dimension"])
        model = cls(
            recipe=recipe,
            weights=unpacked_numbers(content["weights"], (len(recipe.classes), width), at=f"{at}.weights"),
            mean=unpacked_numbers(content["mean"], (width,), at=f"{at}.mean"),
            sources=decode(tuple[TrainingSource, ...], content["sources"], at=f"{at}.sources"),
            marks=unpacked(content["marks"], at=f"{at}.marks"),
            file=at,
            **plain,
        )
        if content["digest"] != model.digest:
            raise SpecError(
                f"`{at}` was changed by hand: its digest is {model.digest}, not {content['digest']}"
            )
        return model


@cache
def shipped_heads() -> tuple[str, ...]:
    """The names of the heads that come with sensecheck."""
    folder = files("sensecheck.measures.heads") / "shipped"
    return tuple(sorted(item.name[:-5] for item in folder.iterdir() if item.name.endswith(".json")))


@cache
def shipped_head(name: str) -> HeadModel:
    """The head of a shipped name."""
    path = files("sensecheck.measures.heads") / "shipped" / f"{name}.json"
    return HeadModel.from_json(path.read_text(encoding="utf-8"), at=name)


def shares_of(logits: Logits) -> Logits:
    """How likely each class is; a row adds up to 1."""
    odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Logits = odds / odds.sum(axis=-1, keepdims=True)
    return shares


def _require_keys(content: Any, at: str) -> None:
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise SpecError(f"`{at}` is not a head of the format {FORMAT}")
    for key in content:
        if key not in _KEYS:
            raise SpecError(f"in `{at}`: {did_you_mean('key', key, _KEYS)}")
    if lacking := [key for key in _KEYS if key not in content]:
        raise SpecError(f"`{at}` lacks the key `{lacking[0]}`")
