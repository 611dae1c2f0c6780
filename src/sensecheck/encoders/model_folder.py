"""A model's folder, in the layout that sentence-transformers and the hubs use, and the encoder made from it.

`assembled` is the one way in which a folder and an engine become an encoder. The digests of a model's files
tell it from every other one.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from sensecheck.core.errors import WeightsError
from sensecheck.core.extras import extra
from sensecheck.encoders.transformer import EncoderRecipe, Graph, Transformer
from sensecheck.encoders.wordpiece import Tokenizer, WordPiece, is_berts, is_mpnets

Pooling = Literal["mean", "cls"]
Engine = Callable[[Path], tuple[Graph, int]]
"""A graph's file to a graph that runs, and the dimension of its vectors."""

_POOLINGS: dict[str, Pooling] = {
    "mean": "mean",
    "cls": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
}
_MODULES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
"""What we do with a text; a model that wants more done to it would get other vectors than its own."""
_LOCATION = b"\n\x08location\x12"
"""How a graph's file begins to name a file of weights: ONNX's entry `location`, as protobuf writes it."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """Where a model's files lie, and what they say of how it wants to be read."""

    path: Path
    graph: Path
    tokenizer_file: Path
    max_tokens: int
    pooling: Pooling

    @classmethod
    def at(cls, path: Path | str) -> "ModelFolder":
        """The model in a folder, or `WeightsError` with what is missing."""
        folder = Path(path)
        if not folder.is_dir():
            raise WeightsError(
                f"`{folder}` is not a folder; wanted one with `onnx/model.onnx` and `tokenizer.json`"
            )
        graph = first_of(folder, "onnx/model.onnx", "model.onnx")
        tokenizer_file = first_of(folder, "tokenizer.json")
        _require_ours(folder)
        return cls(folder, graph, tokenizer_file, _max_tokens(folder), _pooling(folder))

    def tokenizer(self) -> Tokenizer:
        """What turns texts into the model's tokens."""
        return tokenizer_of(self.tokenizer_file)


def assembled(
    path: Path, engine: Engine, *, engine_name: str, name: str, known: bool, prefix: str
) -> Transformer:
    """The encoder in a model folder; `known` when the model is pinned."""
    folder = ModelFolder.at(path)
    graph, dimension = engine(folder.graph)
    recipe = EncoderRecipe(
        name,
        graph_hash(folder.graph),
        sha256(folder.tokenizer_file),
        engine_name,
        dimension,
        folder.max_tokens,
        folder.pooling,
        prefix,
        known=known,
    )
    return Transformer(recipe, folder.tokenizer(), graph)


def tokenizer_of(file: Path, *, plain: bool = False) -> Tokenizer:
    """Our own WordPiece where the model reads as BERT does, the `tokenizers` library for the others.

    With `plain`, special tokens that are written in a text are text, whichever tokenizer it is.
    """
    described = settings_in(file)
    mpnets = plain and is_mpnets(described)
    if mpnets or is_berts(described):
        model, normal = described["model"], described["normalizer"]
        lowercase, accents = bool(normal["lowercase"]), normal["strip_accents"]
        return WordPiece(
            model["vocab"],
            lowercase=lowercase,
            strip_accents=lowercase if accents is None else bool(accents),
            longest_word=model["max_input_chars_per_word"],
            opening="<s>" if mpnets else "[CLS]",
            closing="</s>" if mpnets else "[SEP]",
        )
    with extra("onnx"):
        from sensecheck.encoders.tokenizer_json import TokenizerJson  # noqa: PLC0415  # an extra
    return TokenizerJson.from_file(file, plain=plain)


def first_of(folder: Path, *names: str) -> Path:
    """The first of these files that the folder holds, or `WeightsError`."""
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise WeightsError(f"`{folder}` holds no `{'` or `'.join(names)}`")


def settings_in(path: Path) -> dict[str, Any]:
    """The settings in a JSON file; none when there is no such file."""
    settings = _json(path) if path.is_file() else {}
    if not isinstance(settings, dict):
        raise WeightsError(f"`{path}` holds a {type(settings).__name__}; wanted an object with settings")
    return settings


def graph_hash(graph: Path) -> str:
    """The SHA-256 of a graph, and of each file next to it in which it keeps weights."""
    weight_paths = [graph.parent / name for name in weight_files(graph)]
    return ":".join(sha256(path) for path in (graph, *weight_paths) if path.is_file())


def weight_files(graph: Path) -> tuple[str, ...]:
    """The files, relative to its folder, in which a graph says that it keeps weights."""
    return _weight_file_names(graph, *_state(graph))


def sha256(path: Path) -> str:
    """The SHA-256 of a file; an unchanged file is read once a process."""
    return _digest(path, *_state(path))


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as broken:
        raise WeightsError(f"`{path}` cannot be read as JSON: {broken}") from broken


def _require_ours(folder: Path) -> None:
    path = folder / "modules.json"
    if not path.is_file():
        return
    modules = _json(path)
    if not isinstance(modules, list) or not all(isinstance(module, dict) for module in modules):
        raise WeightsError(f"`{path}` does not list the model's modules; wanted a list of objects")
    kinds = [str(module.get("type")).rpartition(".")[2] for module in modules]
    if kinds not in _MODULES:
        raise WeightsError(f"`{path}` names the modules {kinds}; wanted {_MODULES[1]}, the last if need be")
    if str(modules[1].get("path")) != "1_Pooling":
        raise WeightsError(f"`{path}` keeps its pooling in `{modules[1].get('path')}`; wanted `1_Pooling`")


def _max_tokens(folder: Path) -> int:
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ):
        limit = settings_in(folder / name).get(key)
        if isinstance(limit, int) and limit < 1_000_000:
            return limit
    raise WeightsError(
        f"`{folder}` does not say how many tokens the model reads; wanted `sentence_bert_config.json`"
    )


def _pooling(folder: Path) -> Pooling:
    path = folder / "1_Pooling/config.json"
    settings = settings_in(path)
    modes = [key for key, value in settings.items() if key.startswith("pooling_mode_") and value]
    mode_setting = settings.get("pooling_mode")
    modes += (
        mode_setting if isinstance(mode_setting, list) else [] if mode_setting is None else [mode_setting]
    )
    modes_by_pooling = {_POOLINGS.get(str(mode), str(mode)): mode for mode in modes}
    if len(modes_by_pooling) == 1 and (pooling := _POOLINGS.get(str(modes[0]))):
        return pooling
    raise WeightsError(
        f"`{path}` names the pooling modes {sorted(modes_by_pooling)}; wanted one, `mean` or `cls`"
    )


def _state(path: Path) -> tuple[int, int, int]:
    """A file's inode, size and time of change: while they stay, so does what was read of it."""
    now = path.stat()
    return now.st_ino, now.st_size, now.st_mtime_ns


@lru_cache(maxsize=64)
def _digest(path: Path, _inode: int, _size: int, _changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=64)
def _weight_file_names(graph: Path, _inode: int, size: int, _changed: int) -> tuple[str, ...]:
    """Found by searching the bytes: parsing the graph properly would take one more package."""
    names: set[str] = set()
    if size:
        with graph.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            position = content.find(_LOCATION)
            while position >= 0:
                position += len(_LOCATION)
                names.add(_short_text(content[position : position + 2 + 4096]))
                position = content.find(_LOCATION, position)
    return tuple(sorted(name for name in names if _stays_in_folder(name)))


def _short_text(content: bytes) -> str:
    """The text after its length, which protobuf writes in one byte, or in two from 128 on."""
    length, more = (*content[:2], 0, 0)[:2]
    start = 1
    if length > 127:
        length, start = (length & 127) | more << 7, 2
    return content[start : start + length].decode("utf-8", "replace")


def _stays_in_folder(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
