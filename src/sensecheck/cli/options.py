"""Options that several verbs share, and what they stand for."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.config import Settings

# ruff: noqa: PLC0415 - the settings bring numpy along, which `--help` does without

DECIDED = "How it is decided"
COLUMNS = "Columns"
_NUMBER = re.compile(r"\s*[-+]?[0-9]*\.?[0-9]+\s*")


def option(*flags: str, about: str, panel: str, metavar: str = "", default: bool = False) -> Any:
    """An option that stands in a panel of the help; its default is shown there only if that is wanted."""
    return typer.Option(*flags, metavar=metavar, help=about, rich_help_panel=panel, show_default=default)


def _deciding_option(flag: str, about: str, metavar: str) -> Any:
    return option(flag, about=about, panel=DECIDED, metavar=metavar)


def _column_option(flag: str, about: str, metavar: str = "COLUMN") -> Any:
    return option(flag, about=about, panel=COLUMNS, metavar=metavar)


Json = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON, for programs.")]
Encoder = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="NAME",
        help="Place texts with this encoder instead of the one in SENSECHECK_ENCODER: "
        "minilm, onnx:FOLDER, hub:ORG/NAME@COMMIT, openai:URL#MODEL, …",
        show_default=False,
    ),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL|FILE",
        help="Another database than the one in SENSECHECK_STORE: postgresql://USER@HOST/DATABASE, or a file.",
        show_default=False,
    ),
]
Threshold = Annotated[
    str | None,
    _deciding_option(
        "--threshold",
        "The line: a number, a card by its name or file, or a promise such as fpr=0.05,confidence=0.9.",
        "NUMBER|CARD|PROMISE",
    ),
]
Doubt = Annotated[
    float | None,
    _deciding_option("--doubt", "Half the width of the band around a number that is unsure.", "NUMBER"),
]
SecondOpinion = Annotated[
    str | None,
    _deciding_option(
        "--second-opinion",
        "Ask this judge about what stays unsure, and say what it changed: openai:URL#MODEL or recorded:FILE.",
        "JUDGE",
    ),
]
Label = Annotated[
    str,
    _column_option("--label", "Whether the answer is good: true/false, 1/0, good/bad, pass/fail or yes/no."),
]
Group = Annotated[
    str | None, _column_option("--group", "The prompt or document that rows share; those of one count once.")
]
CardsLabel = Annotated[
    str | None,
    _column_option("--label", "Whether the answer is good; the column that the card's rows had it in."),
]
CardsGroup = Annotated[
    str | None,
    _column_option("--group", "The prompt or document that rows share; the card's column unless given."),
]
Parts = Annotated[
    list[str] | None,
    _column_option(
        "--column", "A part of the sample, and the column that holds it. Repeat for more.", "PART=COLUMN"
    ),
]
Slices = Annotated[
    list[str] | None, _column_option("--slice", "Count the errors by this column too. Repeat for more.")
]
Ignored = Annotated[list[str] | None, _column_option("--ignore", "Do not read this column. Repeat for more.")]
LeaveOutUnread = Annotated[
    bool, _column_option("--leave-out-unread", "Leave out rows that cannot be read, and say how many.", "")
]


def settings_with(encoder: str | None, second_opinion: str | None = None) -> "Settings":
    """The settings in the environment, with the encoder and the judge that the command line names instead."""
    from dataclasses import replace

    from sensecheck.config import Settings

    settings = Settings.from_environment()
    chosen = settings if encoder is None else replace(settings, encoder=encoder)
    return chosen if second_opinion is None else replace(chosen, judge=second_opinion)


def threshold_of(given: str | None) -> Any:
    """The threshold that was typed, as checks take it; None for none."""
    from sensecheck.calibration.library import Shelf

    if given is None:
        return None
    if given.endswith(".json"):
        path = Path(given)
        return Shelf((path.parent,)).card(path.stem)
    if "=" not in given:
        return float(given) if _NUMBER.fullmatch(given) else given
    pairs = [part.partition("=") for part in given.split(",")]
    wrong = [f"{key}={value}" for key, _, value in pairs if not _NUMBER.fullmatch(value)]
    if wrong:
        raise SpecError(f"`--threshold` must be a promise such as `fpr=0.05`; got `{wrong[0]}`")
    return {key.strip(): float(value) for key, _, value in pairs}
