"""`sensecheck train-head`: from answers with labels to a small model that tells the labels apart."""

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import sensecheck
from sensecheck.cli.console import Paper, safe, show_table, write_json
from sensecheck.cli.options import (
    COLUMNS,
    Encoder,
    Group,
    Ignored,
    Json,
    LeaveOutUnread,
    option,
    settings_with,
)
from sensecheck.cli.progress import bar, must_be_able_to_fit
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import encode
from sensecheck.datasets.labelled import LabelledColumns, examples_in
from sensecheck.datasets.rows import LoadedRows
from sensecheck.datasets.streams import data_from
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from rich.progress import Progress

    from sensecheck.checks.train import Example, Table
    from sensecheck.checks.train import Rows as EncodedRows
    from sensecheck.config import Settings
    from sensecheck.measures.heads.features import Cue, Part, Recipe
    from sensecheck.measures.heads.model import Model

# ruff: noqa: PLC0415 - the parts that place and fit bring numpy along, which `--help` does without

TRAIN_HEAD_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  the head was written",
        "2  the command is wrong, a file cannot be read, or there are too few labels",
        "3  a row could not be read",
    )
)
WORDS_READ = 16
"""Of a sentence for which nobody says how many are read."""
STEP = 2
_HEAD = "The head"
_LOOKS = "What it looks at"
_USUAL_RECIPE = {"parts": [{"name": name, "words": WORDS_READ} for name in ("first", "second", "last")]}
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


def train_head(
    file: Annotated[
        str, typer.Argument(help="Labelled answers, one a line; or a .csv.", metavar="LABELLED.jsonl")
    ],
    name: Annotated[str, option("--name", about="What the head is called.", panel=_HEAD, metavar="NAME")],
    out: Annotated[
        Path | None,
        option("--out", about="Its file; NAME.json unless given.", panel=_HEAD, metavar="FILE.json"),
    ] = None,
    strength: Annotated[
        float,
        option(
            "--strength",
            about="How freely it is fitted; less for few rows.",
            panel=_HEAD,
            metavar="NUMBER",
            default=True,
        ),
    ] = 3.0,
    source: Annotated[
        str | None,
        option(
            "--source",
            about="Whose answers, for a head that travels.",
            panel=_HEAD,
            metavar="'NAME; LICENCE'",
        ),
    ] = None,
    force: Annotated[bool, option("--force", about="Write over a file of this name.", panel=_HEAD)] = False,
    recipe: Annotated[
        str | None,
        option("--recipe", about="Parts, cues and classes, as data.", panel=_LOOKS, metavar="FILE.json"),
    ] = None,
    like: Annotated[
        str | None,
        option("--like", about="The parts and cues of one of our heads.", panel=_LOOKS, metavar="NAME"),
    ] = None,
    parts: Annotated[
        list[str] | None,
        option(
            "--part",
            about="A sentence, and how many of its words are read: first, second, third or last. "
            "Repeat for more; first:16, second:16 and last:16 unless given.",
            panel=_LOOKS,
            metavar="first:16",
        ),
    ] = None,
    cues: Annotated[
        list[str] | None,
        option(
            "--cue",
            about="A pattern, and where it is looked for: opening, rest, last or answer. Repeat for more.",
            panel=_LOOKS,
            metavar="NAME:WHERE:PATTERN",
        ),
    ] = None,
    label: Annotated[
        str,
        option(
            "--label",
            about="The class of the answer: any text.",
            panel=COLUMNS,
            metavar="COLUMN",
            default=True,
        ),
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
    request = HeadRequest(
        name=name,
        path=Path(f"{name}.json") if out is None else out,
        columns=LabelledColumns(label, group, (), tuple(ignored or ())),
        recipe=RecipeOptions.of(recipe, like, parts or (), cues or ()),
        strength=strength,
        source=source,
        leave_out_unread=leave_out_unread,
        force=force,
    )
    request.must_be_possible()
    trained = request.train(file, settings_with(encoder), as_json=as_json)
    request.write(trained.model)
    if as_json:
        write_json(head_data(trained, request.path))
    else:
        show_head(Paper(), trained, request.path)


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """A recipe as data, which may lack its classes; with other parts instead, and more cues."""

    data: Mapping[str, Any]
    at: str
    """Where it comes from, for messages."""
    parts: "tuple[Part, ...]"
    cues: "tuple[Cue, ...]"

    @classmethod
    def of(
        cls, recipe: str | None, like: str | None, parts: Sequence[str], cues: Sequence[str]
    ) -> "RecipeOptions":
        """A recipe in a file, that of a shipped head, or the usual one; and what is said besides."""
        if recipe is not None and like is not None:
            raise SpecError("`--recipe` and `--like` are two ways to say the same; give one of them")
        found = (
            _recipe_of_head(like) if like is not None else {} if recipe is None else _recipe_in_file(recipe)
        )
        return cls(found, recipe or "recipe", tuple(map(_part, parts)), tuple(map(_cue, cues)))

    def for_labels(self, labels: Sequence[str]) -> "Recipe":
        """The recipe for answers with these labels; they are its classes, unless it has its own."""
        from sensecheck.core.serialization import from_data
        from sensecheck.measures.heads.features import Recipe

        classes = {"classes": sorted(set(labels))}
        found = from_data(Recipe, {**_USUAL_RECIPE, **classes, **self.data}, at=self.at)
        names = Counter(cue.name for cue in (*found.cues, *self.cues))
        if twice := [name for name, count in names.items() if count > 1]:
            raise SpecError(f"there are two cues `{twice[0]}`; call one of them otherwise")
        return replace(found, parts=self.parts or found.parts, cues=(*found.cues, *self.cues))


@dataclass(frozen=True, slots=True)
class TrainedHead:
    """A head, and how others like it did on answers that they had not seen."""

    model: "Model"
    table: "Table"
    left_out: tuple[str, ...]
    """Why some rows could not be read."""

    @property
    def rows(self) -> int:
        """How many answers it was trained on."""
        return sum(source.rows for source in self.model.sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadRequest:
    """The head that is wanted, and the file for it."""

    name: str
    path: Path
    columns: LabelledColumns
    recipe: RecipeOptions
    strength: float
    source: str | None
    leave_out_unread: bool
    force: bool

    def must_be_possible(self) -> None:
        """Raise for what can be known before anything is read."""
        from sensecheck.checks.train import must_be_a_strength

        if not _NAME.fullmatch(self.name):
            raise SpecError(
                "a head's name wants small letters, digits, `_`, `.` and `-`, and begins with one of the "
                f"first two; found `{self.name}`"
            )
        must_be_a_strength(self.strength)
        self._must_be_free()
        must_be_able_to_fit()

    def train(self, file: str, settings: "Settings", *, as_json: bool) -> TrainedHead:
        """The head, from the rows of a file."""
        rows = LoadedRows.of(file)
        examples = examples_in(rows, self.columns)
        recipe = self._recipe(examples)
        with bar(hidden=as_json and sys.stdout.isatty()) as progress:
            encoded = self._encoded(examples, recipe, settings, progress)
            table = self._table(encoded, recipe, progress)
        return TrainedHead(self._model(encoded, recipe, rows.name), table, encoded.left_out)

    def write(self, model: "Model") -> None:
        """Write the head's file."""
        self._must_be_free()
        write_whole(self.path, model.to_json())

    def _recipe(self, examples: "Sequence[Example]") -> "Recipe":
        """What the head looks at; too few answers of a label are better noticed before the slow work."""
        from sensecheck.checks.train import folds_of, must_be_of

        labels = [example.label for example in examples]
        recipe = self.recipe.for_labels(labels)
        must_be_of(recipe, labels)
        folds_of(examples)
        return recipe

    def _encoded(
        self, examples: "Sequence[Example]", recipe: "Recipe", settings: "Settings", progress: "Progress"
    ) -> "EncodedRows":
        from sensecheck.checks.train import joined, rows_of
        from sensecheck.config import encoder
        from sensecheck.core.backends import Answerers

        task, parts = progress.add_task("placing", total=len(examples)), []
        for part in rows_of(examples, recipe, Answerers(encoder(settings))):
            parts.append(part)
            progress.advance(task, len(part.examples) + len(part.left_out))
        return joined(parts, leave_out_unread=self.leave_out_unread)

    def _table(self, rows: "EncodedRows", recipe: "Recipe", progress: "Progress") -> "Table":
        from sensecheck.checks.train import FOLDS, Table, cross_validate

        folds = cross_validate(rows, recipe, strength=self.strength)
        seen = progress.track(folds, total=FOLDS, description="testing")
        return Table.of(recipe.classes, chain.from_iterable(seen))

    def _model(self, rows: "EncodedRows", recipe: "Recipe", data: str) -> "Model":
        from sensecheck.checks.train import train
        from sensecheck.measures.heads.features import Source

        source, _, licence = map(str.strip, (self.source or data).partition(";"))
        return train(
            rows,
            recipe,
            name=self.name,
            strength=self.strength,
            sources=[Source(source, len(rows.examples), licence)],
            date=datetime.now(UTC).date().isoformat(),
            version=sensecheck.__version__,
        )

    def _must_be_free(self) -> None:
        """Raise unless the head can lie there and be found again by the name of its file."""
        from sensecheck.measures.heads.model import shipped_heads

        if self.name in shipped_heads():
            raise SpecError(f"a head `{self.name}` comes with sensecheck; give yours another name")
        if "#" in str(self.path):
            raise SpecError(f"`{self.path}` holds a `#`, behind which a check names the head's digest")
        if self.path.exists() and not self.force:
            raise SpecError(f"`{self.path}` is already there; `--force` writes over it")


def head_data(trained: TrainedHead, path: Path) -> dict[str, Any]:
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
        "measure": _measure_data(trained, path),
    }


def _measure_data(trained: TrainedHead, path: Path) -> dict[str, Any]:
    """A measure that reads the head; which classes are looked for is for its user to say."""
    return {"kind": "head", "model": str(path), "of": [trained.table.classes[0]]}


def show_head(paper: Paper, trained: TrainedHead, path: Path) -> None:
    """How the head did, where it lies, and what to do next."""
    paper.say((safe(trained.model.name), "bold"), f": trained on {trained.rows} answers")
    _show_left_out(paper, trained)
    paper.say("on answers that were held out from training, a fifth at a time:", indent=STEP)
    _show_confusion(paper, trained.table)
    _show_accuracy(paper, trained.table)
    paper.say("written to ", (safe(str(path)), "bold"))
    measure = json.dumps(_measure_data(trained, path), ensure_ascii=False)
    paper.say("a measure that reads it, with what you look for in `of`: ", (safe(measure), "bold cyan"))
    command = "sensecheck calibrate OTHER.jsonl --measure MEASURE.json --fpr 0.05 --name NAME"
    paper.say("fit its line on other answers: ", (command, "bold cyan"))


def _recipe_of_head(name: str) -> dict[str, Any]:
    """The parts and cues of a shipped head; its classes are its own."""
    from sensecheck.core.serialization import to_data, unknown
    from sensecheck.measures.heads.model import shipped_head, shipped_heads

    if name not in shipped_heads():
        raise SpecError(unknown("shipped head", name, shipped_heads()))
    return {key: value for key, value in to_data(shipped_head(name).recipe).items() if key != "classes"}


def _recipe_in_file(path: str) -> dict[str, Any]:
    found = data_from(path)
    if not isinstance(found, dict):
        raise SpecError(f"`{path}` wants a mapping such as {{…}}; found {type(found).__name__}")
    return found


def _part(text: str) -> "Part":
    from sensecheck.core.serialization import from_data
    from sensecheck.measures.heads.features import Part

    name, _, words = text.partition(":")
    if words and not (words.isascii() and words.isdecimal()):
        raise SpecError(f"`--part` wants a sentence and how many words of it, as in first:16; found `{text}`")
    return from_data(Part, {"name": name, "words": int(words or WORDS_READ)}, at="--part")


def _cue(text: str) -> "Cue":
    from sensecheck.core.serialization import from_data
    from sensecheck.measures.heads.features import Cue

    name, _, rest = text.partition(":")
    where, _, pattern = rest.partition(":")
    if not (name and pattern):
        raise SpecError(f"`--cue` wants NAME:WHERE:PATTERN, as in sorry:opening:\\bsorry\\b; found `{text}`")
    return from_data(Cue, {"name": name, "where": where, "pattern": pattern}, at="--cue")


def _show_left_out(paper: Paper, trained: TrainedHead) -> None:
    if trained.left_out:
        total = trained.rows + len(trained.left_out)
        first = f"(the first because {safe(trained.left_out[0])})"
        said = f"{len(trained.left_out)} of {total} rows could not be read {first}; they were left out"
        paper.say(said, label=("warning: ", "yellow"), indent=STEP)


def _show_confusion(paper: Paper, table: "Table") -> None:
    """What was predicted for each label."""
    from sensecheck.calibration.summary import interval, percent

    recalls = [table.recall(label) for label in table.classes]
    names = [safe(label) for label in table.classes]
    rows = [
        [name, *map(str, counts), f"{percent(recall.value)} ({interval(recall)})"]
        for name, counts, recall in zip(names, table.counts, recalls, strict=True)
    ]
    heads = ["label", *(f"said {name}" for name in names), "recognised"]
    show_table(paper, heads, rows, indent=2 * STEP)


def _show_accuracy(paper: Paper, table: "Table") -> None:
    from sensecheck.calibration.summary import in_full, percent

    label, share = table.commonest()
    paper.say("right: ", (in_full(table.accuracy), "bold"), indent=STEP)
    if table.accuracy.low <= share:
        hint = f"to say `{safe(label)}` of every answer would be right in {percent(share)}, perhaps as often"
        paper.say(hint, label=("warning: ", "yellow"), indent=STEP)
