"""What the verbs that read labelled files can be told about columns."""

from typing import Annotated, Any

import typer

_PANEL = "Columns"


def _option(flag: str, about: str, metavar: str = "COLUMN") -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=_PANEL, show_default=False)


Label = Annotated[
    str, _option("--label", "Whether the answer is good: true/false, 1/0, good/bad, pass/fail or yes/no.")
]
Group = Annotated[
    str | None, _option("--group", "The prompt or document that rows share; those of one count once.")
]
CardsLabel = Annotated[
    str | None, _option("--label", "Whether the answer is good; the column that the card's rows had it in.")
]
CardsGroup = Annotated[
    str | None, _option("--group", "The prompt or document that rows share; the card's column unless given.")
]
Parts = Annotated[
    list[str] | None,
    _option(
        "--column", "A part of the sample, and the column that holds it. Repeat for more.", "PART=COLUMN"
    ),
]
Slices = Annotated[
    list[str] | None, _option("--slice", "Count the errors by this column too. Repeat for more.")
]
Ignored = Annotated[list[str] | None, _option("--ignore", "Do not read this column. Repeat for more.")]
LeaveOutUnread = Annotated[
    bool, _option("--leave-out-unread", "Leave out rows that cannot be read, and say how many.", "")
]
