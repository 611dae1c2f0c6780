"""An encoder from a short description: `minilm`, `onnx:./folder`, `openai:http://localhost:1234/v1#model`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from sensecheck.core.encoder import Encoder
from sensecheck.core.registry import ENCODERS, load


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """What a loader may use besides the description; it takes what concerns it."""

    threads: int = 1
    prefix: str = ""
    """Put before every text; some models want `query: `."""
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 30.0
    """Seconds to wait for one answer of an endpoint."""
    retries: int = 4
    hub_token: str | None = field(default=None, repr=False)


Loader = Callable[[str, EncoderOptions], Encoder]
"""What the entry points of `sensecheck.encoders` name: (argument, options) to an encoder."""


def load_encoder(described: str, options: EncoderOptions | None = None) -> Encoder:
    """The encoder that `kind` or `kind:argument` describes."""
    kind, _, argument = described.partition(":")
    loader = cast(Loader, load(ENCODERS, kind))
    return loader(argument, options or EncoderOptions())
