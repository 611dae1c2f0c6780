"""What the verbs that guard can be told of guards and scores."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from sensecheck.retrieval.scales import Scale

# ruff: noqa: PLC0415 - scales bring numpy along, which `--help` does without

_SHORT = "Guards, in this order"


def _option(flag: str, about: str, metavar: str, panel: str | None = _SHORT) -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=panel, show_default=False)


ChainFile = Annotated[
    Path | None,
    _option("--chain", "A chain of guards; see `sensecheck schema --chain`.", "FILE.yaml", None),
]
Above = Annotated[str | None, _option("--above", "Those at least this close: a number, or a card.", "LINE")]
Distinct = Annotated[float | None, _option("--distinct", "One of those this close to each other.", "C")]
Top = Annotated[int | None, _option("--top", "The first so many.", "K")]
Chars = Annotated[int | None, _option("--chars", "Within so many characters.", "N")]
Tokens = Annotated[int | None, _option("--tokens", "Within so many tokens, block included.", "N")]
Counter = Annotated[
    str | None,
    _option("--counter", "Who counts tokens: minilm (as without), onnx:FOLDER, tokenizer:FILE.json.", "NAME"),
]
ScaleName = Annotated[
    str | None,
    _option(
        "--scale",
        "What the `score` of references is: cosine, cosine-distance, half-cosine, inner-product, l2, "
        "squared-l2.",
        "SCALE",
        None,
    ),
]


def scale_of(given: str | None) -> "Scale | None":
    """The scale of this name."""
    from sensecheck.core.serialization import decode
    from sensecheck.retrieval.scales import Scale

    known: Scale | None = None if given is None else decode(Scale, given, at="--scale")
    return known
