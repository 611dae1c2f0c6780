"""A trained head as people read it in a terminal, and as data."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sensecheck.cli.head_order import Trained
from sensecheck.cli.paint import Paper, safe, show_table
from sensecheck.core.serialization import encode

if TYPE_CHECKING:
    from sensecheck.checks.train import Table

# ruff: noqa: PLC0415 - what is shown was counted with numpy, which `--help` does without

STEP = 2


def head_data(trained: Trained, path: Path) -> dict[str, Any]:
    """What was trained, how it was tested, and where it lies, as plain data."""
    table = trained.table
    label, share = table.commonest()
    return {
        "path": str(path),
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
        "measure": measure_data(trained, path),
    }


def measure_data(trained: Trained, path: Path) -> dict[str, Any]:
    """A measure that reads the head; which classes are looked for is for its user to say."""
    return {"kind": "head", "model": str(path), "of": [trained.table.classes[0]]}


def show_head(paper: Paper, trained: Trained, path: Path) -> None:
    """How the head did, where it lies, and what to do next."""
    paper.say((safe(trained.model.name), "bold"), f": trained on {trained.rows} answers")
    _left_out(paper, trained)
    paper.say("on answers that were held out from training, a fifth at a time:", indent=STEP)
    _table(paper, trained.table)
    _accuracy(paper, trained.table)
    paper.say("written to ", (safe(str(path)), "bold"))
    measure = json.dumps(measure_data(trained, path), ensure_ascii=False)
    paper.say("a measure that reads it, with what you look for in `of`: ", (safe(measure), "bold cyan"))
    command = "sensecheck calibrate OTHER.jsonl --measure MEASURE.json --fpr 0.05 --name NAME"
    paper.say("fit its line on other answers: ", (command, "bold cyan"))


def _left_out(paper: Paper, trained: Trained) -> None:
    if trained.left_out:
        total = trained.rows + len(trained.left_out)
        first = f"(the first because {safe(trained.left_out[0])})"
        said = f"{len(trained.left_out)} of {total} rows could not be read {first}; they were left out"
        paper.say(said, label=("warning: ", "yellow"), indent=STEP)


def _table(paper: Paper, table: "Table") -> None:
    """What was said of each label."""
    from sensecheck.calibration.summary import interval, percent

    recalls = [table.recall(label) for label in table.classes]
    names = [safe(label) for label in table.classes]
    rows = [
        [name, *map(str, counts), f"{percent(recall.value)} ({interval(recall)})"]
        for name, counts, recall in zip(names, table.counts, recalls, strict=True)
    ]
    heads = ["label", *(f"said {name}" for name in names), "recognised"]
    show_table(paper, heads, rows, indent=2 * STEP)


def _accuracy(paper: Paper, table: "Table") -> None:
    from sensecheck.calibration.summary import in_full, percent

    label, share = table.commonest()
    paper.say("right: ", (in_full(table.accuracy), "bold"), indent=STEP)
    if table.accuracy.low <= share:
        hint = f"to say `{safe(label)}` of every answer would be right in {percent(share)}, perhaps as often"
        paper.say(hint, label=("warning: ", "yellow"), indent=STEP)
