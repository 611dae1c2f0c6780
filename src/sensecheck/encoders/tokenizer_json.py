"""Any tokenizer that the `tokenizers` library reads."""

from pathlib import Path

import tokenizers

from sensecheck.core.errors import WeightsError
from sensecheck.encoders.wordpiece import Tokens


class TokenizerJson:
    """A `tokenizer.json`, with its own truncation and padding switched off: the windows are ours."""

    def __init__(self, inner: tokenizers.Tokenizer, *, plain: bool = False) -> None:
        inner.no_truncation()
        inner.no_padding()
        inner.encode_special_tokens = plain
        self._inner = inner
        self._around: list[int] = list(inner.encode("").ids)

    @classmethod
    def from_file(cls, path: Path, *, plain: bool = False) -> "TokenizerJson":
        """The tokenizer in a file, or `WeightsError`; `plain` when special tokens in a text are text."""
        try:
            return cls(tokenizers.Tokenizer.from_file(str(path)), plain=plain)
        except Exception as broken:
            if type(broken) is not Exception:  # the library raises a bare one, and only that is ours
                raise
            raise WeightsError(f"`{path}` is not a tokenizer that can be read: {broken}") from broken

    @property
    def start(self) -> int | None:
        """The id that opens a text, if there is one."""
        return self._around[0] if len(self._around) > 1 else None

    @property
    def end(self) -> int | None:
        """The id that closes a text, if there is one."""
        return self._around[-1] if self._around else None

    @property
    def unknown(self) -> int | None:
        """The id of what the vocabulary cannot spell, if there is one."""
        for name in ("[UNK]", "<unk>"):
            token_id = self._inner.token_to_id(name)
            if token_id is not None:
                return int(token_id)
        return None

    def encode(self, text: str) -> Tokens:
        """The tokens of a text, all of them."""
        encoding = self._inner.encode(text, add_special_tokens=False)
        spans = [(int(a), int(b)) for a, b in encoding.offsets]
        return Tokens(list(encoding.ids), spans, words=tuple(encoding.word_ids))
