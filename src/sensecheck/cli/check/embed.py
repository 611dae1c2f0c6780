"""`sensecheck embed`: where texts lie."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Paper, quoted, safe, write_json
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.datasets.streams import Texts

if TYPE_CHECKING:
    from sensecheck.core.space import Space


# ruff: noqa: PLC0415 - the parts that place texts bring numpy along, which `--help` does without

SHOWN = 6
"""How many numbers of a vector people are shown."""


def embed(
    text: Annotated[
        list[str],
        typer.Argument(help="The texts; `@path` reads a file, `-` standard input.", metavar="TEXT…"),
    ],
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Print the vectors of texts."""
    from sensecheck.config import encoder as wired
    from sensecheck.core.space import Space

    reader = Texts()
    wanted = [reader.read(given) for given in text]
    space = Space.of(wanted, wired(settings_with(encoder)))
    found = [_described(one, space) for one in wanted]
    if as_json:
        write_json(found)
        return
    paper = Paper()
    for one, about in zip(wanted, found, strict=True):
        _show(paper, one, about)


def _described(text: str, space: "Space") -> dict[str, Any]:
    placement = space.placement(text)
    return {
        "text_chars": len(text),
        "fingerprint": space.encoder,
        "dimension": len(placement.vector),
        "windows": len(placement.windows),
        "unread_chars": placement.unread_chars,
        "vector": placement.vector.tolist(),
    }


def _show(paper: Paper, text: str, about: dict[str, Any]) -> None:
    paper.say((quoted(text), "bold"))
    numbers = " ".join(f"{number:+.4f}" for number in about["vector"][:SHOWN])
    more = about["dimension"] - SHOWN
    paper.say((numbers, "cyan"), f" … {more} more" if more > 0 else "", indent=2)
    windows = "1 window" if about["windows"] == 1 else f"{about['windows']} windows"
    unread = f", unread characters: {about['unread_chars']}" if about["unread_chars"] else ""
    paper.say(f"{about['dimension']} dimensions, {windows}{unread}", indent=2)
    paper.say((safe(about["fingerprint"]), "dim"), indent=2)
