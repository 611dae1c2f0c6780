"""`sensecheck train-head`: from answers with labels to a small model that tells the labels apart."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sensecheck.cli.console import Console, safe, show_table, write_json
from sensecheck.cli.options import (
    COLUMNS,
    Encoder,
    Group,
    Ignored,
    Json,
    SkipUnreadable,
    argument,
    option,
    settings_with,
)
from sensecheck.cli.progress import stage_progress
from sensecheck.core.serialization import encode

if TYPE_CHECKING:
    from sensecheck.checks.train import Table
    from sensecheck.training import TrainedHead

# ruff: noqa: PLC0415 - the parts that place and fit bring numpy along, which `--help` does without

STEP = 2
_HEAD = "The head"
_LOOKS = "What it looks at"


def train_head(
    file: Annotated[str, argument("LABELLED.jsonl", "Labelled answers, one per line; or a .csv.")],
    name: Annotated[str, option("--name NAME", "What the head is called.", _HEAD)],
    out: Annotated[Path | None, option("--out FILE.json", "Its file; NAME.json unless given.", _HEAD)] = None,
    inverse_regularization: Annotated[
        float,
        option(
            "--inverse-regularization NUMBER",
            "How freely it is fitted, scikit-learn's C; less for few rows.",
            _HEAD,
            default=True,
        ),
    ] = 3.0,
    source: Annotated[
        str | None, option("--source 'NAME; LICENCE'", "Whose answers, for a head that travels.", _HEAD)
    ] = None,
    force: Annotated[bool, option("--force", "Overwrite a file of this name.", _HEAD)] = False,
    recipe: Annotated[
        str | None, option("--recipe FILE.json", "Sentences, patterns and classes, as data.", _LOOKS)
    ] = None,
    base: Annotated[
        str | None, option("--base NAME", "The sentences and patterns of one of our heads.", _LOOKS)
    ] = None,
    sentences: Annotated[
        list[str] | None,
        option(
            "--sentence first:16",
            "A sentence, and how many of its words are read: first, second, third or last. Repeat for more; "
            "first:16, second:16 and last:16 unless given.",
            _LOOKS,
        ),
    ] = None,
    patterns: Annotated[
        list[str] | None,
        option(
            "--pattern NAME:WHERE:PATTERN",
            "A pattern, and where it is looked for: opening, rest, last or answer. Repeat for more.",
            _LOOKS,
        ),
    ] = None,
    label: Annotated[
        str, option("--label COLUMN", "The class of the answer: any text.", COLUMNS, default=True)
    ] = "label",
    group: Group = None,
    ignored: Ignored = None,
    skip_unreadable: SkipUnreadable = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Train a head: a small model that tells classes of answers apart, from answers with labels.

    A row holds an `answer` and its `label`. Name what each other column is.
    """
    from sensecheck.training import TrainingRequest
    from sensecheck.training import train_head as train_head_

    source_name, _, licence = map(str.strip, (source or "").partition(";"))
    request = TrainingRequest(
        data=file,
        name=name,
        path=out,
        inverse_regularization=inverse_regularization,
        source=source_name,
        licence=licence,
        recipe=recipe,
        base=base,
        sentences=sentences or (),
        patterns=patterns or (),
        label=label,
        group=group,
        ignored=ignored or (),
        skip_unreadable=skip_unreadable,
        force=force,
        settings=settings_with(encoder),
    )
    with stage_progress(as_json=as_json) as report:
        trained = train_head_(request, on_progress=report)
    if as_json:
        write_json(head_data(trained))
    else:
        show_head(Console(), trained)


def head_data(trained: "TrainedHead") -> dict[str, Any]:
    """What was trained, how it was tested, and its file, as plain data."""
    table = trained.table
    label, share = table.commonest()
    return {
        "path": str(trained.path),
        "name": trained.model.name,
        "digest": trained.model.digest,
        "encoder": trained.model.encoder,
        "rows": trained.rows,
        "left_out": len(trained.left_out),
        "cross_validation": {
            "classes": list(table.classes),
            "counts": [list(row) for row in table.counts],
            "accuracy": encode(table.accuracy),
            "recall": {name: encode(table.recall(name)) for name in table.classes},
            "commonest": {"label": label, "share": share},
        },
        "measure": trained.measure,
    }


def show_head(console: Console, trained: "TrainedHead") -> None:
    """How the head did, its file, and what to do next."""
    console.line((safe(trained.model.name), "bold"), f": trained on {trained.rows} answers")
    _show_left_out(console, trained)
    console.line("on answers that were held out from training, a fifth at a time:", indent=STEP)
    _show_confusion(console, trained.table)
    _show_accuracy(console, trained.table)
    console.line("written to ", (safe(str(trained.path)), "bold"))
    measure = json.dumps(trained.measure, ensure_ascii=False)
    console.line("a measure that reads it, with what you look for in `of`: ", (safe(measure), "bold cyan"))
    command = "sensecheck calibrate OTHER.jsonl --measure MEASURE.json --fpr 0.05 --name NAME"
    console.line("fit its cutoff on other answers: ", (command, "bold cyan"))


def _show_left_out(console: Console, trained: "TrainedHead") -> None:
    if trained.left_out:
        total = trained.rows + len(trained.left_out)
        first = f"(the first because {safe(trained.left_out[0])})"
        message = f"{len(trained.left_out)} of {total} rows could not be read {first}; they were left out"
        console.line(message, label=("warning: ", "yellow"), indent=STEP)


def _show_confusion(console: Console, table: "Table") -> None:
    """What was predicted for each label."""
    from sensecheck.calibration.summary import interval, percent

    recalls = [table.recall(label) for label in table.classes]
    names = [safe(label) for label in table.classes]
    rows = [
        [name, *map(str, counts), f"{percent(recall.value)} ({interval(recall)})"]
        for name, counts, recall in zip(names, table.counts, recalls, strict=True)
    ]
    heads = ["label", *(f"said {name}" for name in names), "recognised"]
    show_table(console, heads, rows, indent=2 * STEP)


def _show_accuracy(console: Console, table: "Table") -> None:
    from sensecheck.calibration.summary import in_full, percent

    label, share = table.commonest()
    console.line("right: ", (in_full(table.accuracy), "bold"), indent=STEP)
    if table.accuracy.low <= share:
        hint = f"to say `{safe(label)}` of every answer would be right in {percent(share)}, perhaps as often"
        console.line(hint, label=("warning: ", "yellow"), indent=STEP)
