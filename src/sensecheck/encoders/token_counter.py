"""How many tokens a text has, by a model's own tokenizer and without the model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sensecheck.core.errors import SpecError, WeightsError
from sensecheck.core.serialization import did_you_mean
from sensecheck.encoders.model_folder import first_of, tokenizer_of
from sensecheck.encoders.pins import MINILM, packaged, require_files
from sensecheck.encoders.wordpiece import Tokenizer


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts tokens, without the ones that open and close a text: a part of a prompt has none of these.

    The tokenizer is loaded when the first text is counted, and kept.
    """

    described: str
    """`minilm`, `onnx:FOLDER` for the model in a folder, or `tokenizer:FILE.json`."""

    def __post_init__(self) -> None:
        kind, argument = _split(self.described)
        if kind not in _KINDS:
            raise SpecError(did_you_mean("token counter", kind, _KINDS))
        if kind == MINILM.name and self.described != kind:
            raise SpecError(f"the token counter `{kind}` takes no argument; got `{argument}`")
        if kind != MINILM.name and not argument:
            raise SpecError(f"the token counter `{kind}` needs a path: `{kind}:…`")

    def __call__(self, text: str) -> int:
        """How many tokens the text has."""
        return len(_tokenizer(self.described).encode(text).ids)


def token_counter(described: str) -> TokenCounter:
    """A counter by its description; for the tokens of a language model, name its own `tokenizer.json`."""
    return TokenCounter(described)


@cache
def _tokenizer(described: str) -> Tokenizer:
    kind, argument = _split(described)
    return tokenizer_of(_KINDS[kind](argument))


def _split(described: str) -> tuple[str, str]:
    kind, _, argument = described.partition(":")
    return kind, argument


def _of_minilm(_: str) -> Path:
    folder, name = packaged(MINILM), "tokenizer.json"
    require_files(folder, {name: MINILM.package_files[name]})
    return folder / name


def _file(argument: str) -> Path:
    path = Path(argument).expanduser()
    if not path.is_file():
        raise WeightsError(f"`{path}` is not a file; wanted a `tokenizer.json`")
    return path


_KINDS: Mapping[str, Callable[[str], Path]] = {
    MINILM.name: _of_minilm,
    "onnx": lambda folder: first_of(Path(folder).expanduser(), "tokenizer.json"),
    "tokenizer": _file,
}
