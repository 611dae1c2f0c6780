"""Options that several verbs share, what they stand for, and earlier spellings that still work."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.config import Settings

# ruff: noqa: PLC0415 - the settings bring numpy along, which `--help` does without

EARLIER_SPELLINGS = {
    "--above": "--min-similarity",
    "--ask": "--model",
    "--ask-key": "--api-key-env",
    "--at-once": "--concurrency",
    "--chars": "--max-chars",
    "--counter": "--tokenizer",
    "--cue": "--pattern",
    "--distinct": "--dedupe",
    "--failing-of": "--only-failed",
    "--first": "--limit",
    "--held-out": "--holdout",
    "--html": "--output",
    "--ignore": "--ignore-column",
    "--leave-out-unread": "--skip-unreadable",
    "--like": "--base",
    "--memory": "--memory-limit",
    "--most": "--max-rows",
    "--part": "--sentence",
    "--regularization": "--inverse-regularization",
    "--strength": "--inverse-regularization",
    "--to": "--output",
    "--tokens": "--max-tokens",
    "--top": "--top-k",
    "--without-texts": "--no-texts",
}
"""Spellings that every command with the new option takes too, and no help shows."""
DECIDED = "How it is decided"
COLUMNS = "Columns"
_NUMBER = re.compile(r"\s*[-+]?[0-9]*\.?[0-9]+\s*")


class Verb(TyperCommand):
    """A command that takes the earlier spellings of its options too."""

    def make_parser(self, ctx: Any) -> Any:
        """The parser, with hidden aliases; an option that is called so today goes first."""
        parser = super().make_parser(ctx)
        flags = parser._long_opt
        for earlier, today in EARLIER_SPELLINGS.items():
            if today in flags:
                flags.setdefault(earlier, flags[today])
        return parser


def option(usage: str, about: str, panel: str | None = None, *, default: bool = False, **more: Any) -> Any:
    """An option as its usage says, `--output -o FILE`; its default is shown only if that is wanted."""
    flags = [word for word in usage.split() if word.startswith("-")]
    metavar = usage.removeprefix(" ".join(flags)).strip()
    more |= {"help": about, "metavar": metavar, "rich_help_panel": panel, "show_default": default}
    return typer.Option(*flags, **more)


def argument(metavar: str, about: str, *, default: bool = False) -> Any:
    """An argument; its default is shown in the help only if that is wanted."""
    return typer.Argument(metavar=metavar, help=about, show_default=default)


Json = Annotated[bool, option("--json", "Print JSON, for programs.", default=True)]
Encoder = Annotated[
    str | None,
    option(
        "--encoder NAME",
        "Encode texts with this encoder instead of the one in SENSECHECK_ENCODER: minilm, onnx:FOLDER, "
        "hub:ORG/NAME@COMMIT, openai:URL#MODEL, …",
    ),
]
Store = Annotated[
    str | None,
    option(
        "--store PLACE",
        "Another place than the one in SENSECHECK_STORE: postgresql://USER@HOST/DATABASE, FILE.sqlite3, "
        "folder:PATH, parquet:ADDRESS, suites:PATH.",
    ),
]
Threshold = Annotated[
    str | None,
    option(
        "--threshold NUMBER|CARD|PROMISE",
        "The cutoff: a number, a card by its name or file, or a promise such as fpr=0.05,confidence=0.9.",
        DECIDED,
    ),
]
SecondOpinion = Annotated[
    str | None,
    option(
        "--second-opinion JUDGE",
        "Ask this judge about what stays unsure, and show what it changed: openai:URL#MODEL, recorded:FILE.",
        DECIDED,
    ),
]
Group = Annotated[
    str | None,
    option("--group COLUMN", "The prompt or document that rows share; those of one count once.", COLUMNS),
]
Parts = Annotated[
    list[str] | None,
    option(
        "--column PART=COLUMN",
        "A part of the sample, and the column that holds it. Repeat for more.",
        COLUMNS,
    ),
]
Slices = Annotated[
    list[str] | None,
    option("--slice COLUMN", "Count the errors by this column too. Repeat for more.", COLUMNS),
]
Ignored = Annotated[
    list[str] | None, option("--ignore-column COLUMN", "Do not read this column. Repeat for more.", COLUMNS)
]
SkipUnreadable = Annotated[
    bool, option("--skip-unreadable", "Skip rows that cannot be read, and report how many.", COLUMNS)
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
    from sensecheck.calibration.library import CardLibrary

    if given is None:
        return None
    if given.endswith(".json"):
        path = Path(given)
        return CardLibrary((path.parent,)).card(path.stem)
    if "=" not in given:
        return float(given) if _NUMBER.fullmatch(given) else given
    pairs = [part.partition("=") for part in given.split(",")]
    malformed = [f"{key}={value}" for key, _, value in pairs if not _NUMBER.fullmatch(value)]
    if malformed:
        raise SpecError(f"`--threshold` must be a promise such as `fpr=0.05`; got `{malformed[0]}`")
    return {key.strip(): float(value) for key, _, value in pairs}
