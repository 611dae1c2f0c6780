"""`sensecheck train-head`: from answers with labels to a small model that tells the labels apart."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sensecheck.cli.column_options import Group, Ignored, LeaveOutUnread
from sensecheck.cli.head_order import HeadOrder
from sensecheck.cli.head_sheet import head_data, show_head
from sensecheck.cli.labelled_rows import Columns
from sensecheck.cli.looked_at import LookedAt
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper

_HEAD = "The head"
_LOOKS = "What it looks at"
EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  the head was written",
        "2  the command is wrong, a file cannot be read, or there are too few labels",
        "3  a row could not be read",
    )
)


def _option(flag: str, about: str, panel: str, metavar: str, *, default: bool = False) -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=panel, show_default=default)


def train_head(
    file: Annotated[
        str, typer.Argument(help="Labelled answers, one a line; or a .csv.", metavar="LABELLED.jsonl")
    ],
    name: Annotated[str, _option("--name", "What the head is called.", _HEAD, "NAME")],
    out: Annotated[
        Path | None, _option("--out", "Its file; NAME.json unless given.", _HEAD, "FILE.json")
    ] = None,
    strength: Annotated[
        float,
        _option("--strength", "How freely it is fitted; less for few rows.", _HEAD, "NUMBER", default=True),
    ] = 3.0,
    source: Annotated[
        str | None,
        _option("--source", "Whose answers, for a head that travels.", _HEAD, "'NAME; LICENCE'"),
    ] = None,
    force: Annotated[bool, _option("--force", "Write over a file of this name.", _HEAD, "")] = False,
    recipe: Annotated[
        str | None, _option("--recipe", "Parts, cues and classes, as data.", _LOOKS, "FILE.json")
    ] = None,
    like: Annotated[
        str | None, _option("--like", "The parts and cues of one of our heads.", _LOOKS, "NAME")
    ] = None,
    parts: Annotated[
        list[str] | None,
        _option(
            "--part",
            "A sentence, and how many of its words are read: first, second, third or last. Repeat for more; "
            "first:16, second:16 and last:16 unless given.",
            _LOOKS,
            "first:16",
        ),
    ] = None,
    cues: Annotated[
        list[str] | None,
        _option(
            "--cue",
            "A pattern, and where it is looked for: opening, rest, last or answer. Repeat for more.",
            _LOOKS,
            "NAME:WHERE:PATTERN",
        ),
    ] = None,
    label: Annotated[
        str, _option("--label", "The class of the answer: any text.", "Columns", "COLUMN", default=True)
    ] = "label",
    group: Group = None,
    ignored: Ignored = None,
    leave_out_unread: LeaveOutUnread = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Train a head: a small model that tells classes of answers apart, from answers with labels.

    A row holds an `answer` and its `label`. Of each other column, say what it is.
    """
    order = HeadOrder(
        name=name,
        path=Path(f"{name}.json") if out is None else out,
        columns=Columns(label, group, (), tuple(ignored or ())),
        looked_at=LookedAt.of(recipe, like, parts or (), cues or ()),
        strength=strength,
        source=source,
        leave_out_unread=leave_out_unread,
        force=force,
    )
    order.must_be_possible()
    trained = order.train(file, settings_with(encoder), as_json=as_json)
    order.write(trained.model)
    if as_json:
        write_json(head_data(trained, order.path))
    else:
        show_head(Paper(), trained, order.path)
