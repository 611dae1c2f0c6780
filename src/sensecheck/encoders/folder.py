"""A model's folder, in the layout that sentence-transformers and the hubs use."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from sensecheck.core.errors import WeightsError
from sensecheck.core.extras import extra
from sensecheck.encoders.tokens import Tokenizer
from sensecheck.encoders.wordpiece import WordPiece


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """Where a model's files lie, and what they say of how it wants to be read."""

    path: Path
    graph: Path
    tokenizer_file: Path
    max_tokens: int
    pooling: Literal["mean", "cls"]

    @classmethod
    def at(cls, path: Path | str) -> "ModelFolder":
        """The model in a folder, or `WeightsError` with what is missing."""
        folder = Path(path)
        if not folder.is_dir():
            raise WeightsError(
                f"`{folder}` is not a folder; wanted one with `onnx/model.onnx` and `tokenizer.json`"
            )
        return cls(
            folder,
            _first(folder, "onnx/model.onnx", "model.onnx"),
            _first(folder, "tokenizer.json"),
            _max_tokens(folder),
            _pooling(folder),
        )

    def tokenizer(self) -> Tokenizer:
        """Our own WordPiece where the model uses it, the `tokenizers` library for every other kind."""
        described = json.loads(self.tokenizer_file.read_bytes())
        model, normal = described["model"], described.get("normalizer") or {}
        plain = model["type"] == "WordPiece" and normal.get("type") == "BertNormalizer"
        if plain and model["continuing_subword_prefix"] == "##":
            lowercase = bool(normal["lowercase"])
            accents = normal["strip_accents"]
            return WordPiece(
                model["vocab"],
                lowercase=lowercase,
                strip_accents=lowercase if accents is None else bool(accents),
                longest_word=model["max_input_chars_per_word"],
            )
        with extra("onnx"):
            from sensecheck.encoders.tokenizer_json import TokenizerJson  # noqa: PLC0415  # an extra
        return TokenizerJson.from_file(self.tokenizer_file)


def sha256(path: Path) -> str:
    """The SHA-256 of a file; an unchanged file is read once a process."""
    now = path.stat()
    return _digest(path, now.st_ino, now.st_size, now.st_mtime_ns)


@lru_cache(maxsize=64)
def _digest(path: Path, *_unchanged: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def graph_hash(graph: Path) -> str:
    """The SHA-256 of a graph, with the weights that it may keep in files of their own beside it."""
    beside = sorted(p for p in graph.parent.iterdir() if p.name.startswith(graph.name + "_"))
    return ":".join(sha256(path) for path in (graph, *beside))


def _first(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise WeightsError(f"`{folder}` holds no `{'` or `'.join(names)}`")


def _settings(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    return dict(json.loads(path.read_bytes())) if path.is_file() else {}


def _max_tokens(folder: Path) -> int:
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ):
        limit = _settings(folder, name).get(key)
        if isinstance(limit, int) and limit < 1_000_000:
            return limit
    raise WeightsError(
        f"`{folder}` does not say how many tokens the model reads; wanted `sentence_bert_config.json`"
    )


def _pooling(folder: Path) -> Literal["mean", "cls"]:
    settings = _settings(folder, "1_Pooling/config.json")
    if settings.get("pooling_mode_mean_tokens") or settings.get("pooling_mode") == "mean":
        return "mean"
    if settings.get("pooling_mode_cls_token") or settings.get("pooling_mode") == "cls":
        return "cls"
    raise WeightsError(
        f"`{folder}/1_Pooling/config.json` names neither mean nor cls pooling; these two are known"
    )
