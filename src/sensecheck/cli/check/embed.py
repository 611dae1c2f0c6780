"""`sensecheck embed`: the vectors of texts."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, quoted, safe, write_json
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.datasets.streams import Texts

if TYPE_CHECKING:
    from sensecheck.assessment import TextVector


# ruff: noqa: PLC0415 - encoders bring numpy along, which `--help` does without

SHOWN_NUMBERS = 6
"""How many numbers of a vector are shown."""


def embed(
    text: Annotated[
        list[str],
        typer.Argument(help="The texts; `@path` reads a file, `-` standard input.", metavar="TEXT…"),
    ],
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Print the vectors of texts."""
    from sensecheck.assessment import embed as embed_texts
    from sensecheck.config import encoder as encoder_of

    reader = Texts()
    texts = [reader.read(given) for given in text]
    vectors = embed_texts(texts, encoder=encoder_of(settings_with(encoder)))
    if as_json:
        write_json([vector.to_data() for vector in vectors])
        return
    console = Console()
    for one, vector in zip(texts, vectors, strict=True):
        _show(console, one, vector)


def _show(console: Console, text: str, vector: "TextVector") -> None:
    console.line((quoted(text), "bold"))
    numbers = " ".join(f"{number:+.4f}" for number in vector.vector[:SHOWN_NUMBERS])
    more = vector.dimension - SHOWN_NUMBERS
    console.line((numbers, "cyan"), f" … {more} more" if more > 0 else "", indent=2)
    windows = "1 window" if vector.windows == 1 else f"{vector.windows} windows"
    unread = f", unread characters: {vector.unread_chars}" if vector.unread_chars else ""
    console.line(f"{vector.dimension} dimensions, {windows}{unread}", indent=2)
    console.line((safe(vector.fingerprint or ""), "dim"), indent=2)
