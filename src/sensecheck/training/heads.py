"""Heads: small models that tell classes of answers apart, trained on answers with labels."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import sensecheck
from sensecheck.checks.train import (
    FOLDS,
    Example,
    Table,
    cross_validate,
    folds_of,
    joined,
    rows_of,
    train,
    validate_labels,
)
from sensecheck.checks.train import Rows as EncodedRows
from sensecheck.config import Settings, encoder
from sensecheck.core.backends import Backends
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import require_packages
from sensecheck.core.serialization import did_you_mean, from_data, to_data
from sensecheck.datasets.labels import LabelledColumns, examples_in
from sensecheck.datasets.rows import LoadedRows
from sensecheck.datasets.streams import data_from
from sensecheck.io.atomic import write_whole
from sensecheck.measures.heads.features import Cue, HeadRecipe, SentencePart, TrainingSource
from sensecheck.measures.heads.model import HeadModel, shipped_head, shipped_heads
from sensecheck.training.cards import FIT_PACKAGES, OnProgress

WORDS_READ = 16
"""Of a sentence, unless another number is given."""
_USUAL_RECIPE = {"parts": [{"name": name, "words": WORDS_READ} for name in ("first", "second", "last")]}
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRequest:
    """The head to train: the labelled answers, what it looks at, and its file."""

    data: str | Path
    """Labelled answers, one per line; or a .csv; `-` is standard input."""
    name: str
    path: Path | None = None
    """The head's file; NAME.json unless given."""
    inverse_regularization: float = 3.0
    """How freely weights are fitted, scikit-learn's `C`: the inverse of the penalty; less for few rows."""
    source: str = ""
    """Whose answers they are, for a head that travels; the file's name unless given."""
    licence: str = ""
    recipe: str | Path | Mapping[str, Any] | None = None
    """Parts, cues and classes, from a file or as data."""
    base: str | None = None
    """A head of ours whose parts and cues are taken instead."""
    sentences: Sequence[str | SentencePart] = ()
    """Sentences, and how many of their words are read: `first:16`. Instead of those of the recipe."""
    patterns: Sequence[str | Cue] = ()
    """Patterns, and where they are looked for: `sorry:opening:sorry`. Added to those of the recipe."""
    label: str = "label"
    group: str | None = None
    ignored: Sequence[str] = ()
    skip_unreadable: bool = False
    force: bool = False
    """Whether a file of this name is overwritten."""
    settings: Settings = field(default_factory=Settings.from_environment)

    @property
    def file(self) -> Path:
        """The head's file."""
        return Path(f"{self.name}.json") if self.path is None else self.path

    @property
    def columns(self) -> LabelledColumns:
        """Which column means what."""
        return LabelledColumns(self.label, self.group, (), tuple(self.ignored))

    def validate(self) -> None:
        """Raise for what can be known before anything is read."""
        if not _NAME.fullmatch(self.name):
            raise SpecError(
                "a head's name must be of small letters, digits, `_`, `.` and `-`, and begin with one of the "
                f"first two; got `{self.name}`"
            )
        if not 0 < self.inverse_regularization < math.inf:
            raise SpecError(
                "`inverse_regularization` must be a number above 0, such as 3; "
                f"got {self.inverse_regularization}"
            )
        _ = self.columns
        RecipeOptions.of(self)
        self.require_free_file()
        require_packages("train", *FIT_PACKAGES)

    def require_free_file(self) -> None:
        """Raise unless the head can be written there and be found again by the name of its file."""
        if self.name in shipped_heads():
            raise SpecError(f"a head `{self.name}` comes with sensecheck; give yours another name")
        if "#" in str(self.file):
            raise SpecError(f"`{self.file}` holds a `#`, behind which a check names the head's digest")
        if self.file.exists() and not self.force:
            raise SpecError(f"`{self.file}` is already there; `--force` (`force=True`) overwrites it")


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """A recipe as data, which may lack its classes; with other sentences instead, and more patterns."""

    data: Mapping[str, Any]
    at: str
    """Where it comes from, for messages."""
    sentences: tuple[SentencePart, ...]
    patterns: tuple[Cue, ...]

    @classmethod
    def of(cls, request: TrainingRequest) -> "RecipeOptions":
        """A recipe in a file or as data, that of a shipped head, or the usual one; and what is added."""
        recipe, base = request.recipe, request.base
        if recipe is not None and base is not None:
            raise SpecError("`recipe` and `base` are two ways to say the same; give one of them")
        at = str(recipe) if isinstance(recipe, str | Path) else "recipe"
        data: Any = {} if recipe is None else recipe
        if base is not None:
            data = _recipe_of_head(base)
        elif isinstance(recipe, str | Path):
            data = data_from(at)
        if not isinstance(data, Mapping):
            raise SpecError(f"`{at}` must be a mapping such as {{…}}; got {type(data).__name__}")
        return cls(data, at, tuple(map(_sentence, request.sentences)), tuple(map(_pattern, request.patterns)))

    def for_labels(self, labels: Sequence[str]) -> HeadRecipe:
        """The recipe for answers with these labels; they are its classes, unless it has its own."""
        classes = {"classes": sorted(set(labels))}
        recipe = from_data(HeadRecipe, {**_USUAL_RECIPE, **classes, **self.data}, at=self.at)
        names = Counter(cue.name for cue in (*recipe.cues, *self.patterns))
        if duplicates := [name for name, count in names.items() if count > 1]:
            raise SpecError(f"there are two patterns `{duplicates[0]}`; call one of them otherwise")
        return replace(recipe, parts=self.sentences or recipe.parts, cues=(*recipe.cues, *self.patterns))


@dataclass(frozen=True, slots=True)
class TrainedHead:
    """A head, its file, and how others like it did on answers that they had not seen."""

    model: HeadModel
    path: Path
    table: Table
    left_out: tuple[str, ...]
    """Why some rows could not be read."""

    @property
    def rows(self) -> int:
        """How many answers it was trained on."""
        return sum(source.rows for source in self.model.sources)

    @property
    def measure(self) -> dict[str, Any]:
        """A measure that reads the head, as data; which classes `of` is to name is for its user to decide."""
        return {"kind": "head", "model": str(self.path), "of": [self.table.classes[0]]}


def train_head(request: TrainingRequest, *, on_progress: OnProgress | None = None) -> TrainedHead:
    """Train a head on labelled answers, cross-validate it, and write its file."""
    request.validate()
    rows = LoadedRows.of(str(request.data))
    examples = examples_in(rows, request.columns)
    labels = [example.label for example in examples]
    recipe = RecipeOptions.of(request).for_labels(labels)
    validate_labels(recipe, labels)  # too few answers of a label are better noticed before the slow work
    folds_of(examples)
    report = on_progress or _silent
    encoded = _encoded(request, examples, recipe, report)
    table = _table(request, encoded, recipe, report)
    model = train(
        encoded,
        recipe,
        name=request.name,
        strength=request.inverse_regularization,
        sources=[TrainingSource(request.source or rows.name, len(encoded.examples), request.licence)],
        date=datetime.now(UTC).date().isoformat(),
        version=sensecheck.__version__,
    )
    request.require_free_file()
    write_whole(request.file, model.to_json())
    return TrainedHead(model, request.file, table, encoded.left_out)


def _encoded(
    request: TrainingRequest, examples: Sequence[Example], recipe: HeadRecipe, report: OnProgress
) -> EncodedRows:
    batches: list[EncodedRows] = []
    done = 0
    for batch in rows_of(examples, recipe, Backends(encoder(request.settings))):
        batches.append(batch)
        done += len(batch.examples) + len(batch.left_out)
        report("encoding", done, len(examples))
    return joined(batches, skip_unreadable=request.skip_unreadable)


def _table(request: TrainingRequest, rows: EncodedRows, recipe: HeadRecipe, report: OnProgress) -> Table:
    predictions = []
    for done, fold in enumerate(cross_validate(rows, recipe, strength=request.inverse_regularization), 1):
        predictions.append(fold)
        report("cross-validating", done, FOLDS)
    return Table.of(recipe.classes, chain.from_iterable(predictions))


def _recipe_of_head(name: str) -> dict[str, Any]:
    """The parts and cues of a shipped head; its classes are its own."""
    if name not in shipped_heads():
        raise SpecError(did_you_mean("shipped head", name, shipped_heads()))
    return {key: value for key, value in to_data(shipped_head(name).recipe).items() if key != "classes"}


def _sentence(sentence: str | SentencePart) -> SentencePart:
    if isinstance(sentence, SentencePart):
        return sentence
    name, _, words = sentence.partition(":")
    if words and not (words.isascii() and words.isdecimal()):
        raise SpecError(f"a sentence must be a place and a number of words, as in first:16; got `{sentence}`")
    return from_data(SentencePart, {"name": name, "words": int(words or WORDS_READ)}, at="sentence")


def _pattern(cue: str | Cue) -> Cue:
    if isinstance(cue, Cue):
        return cue
    name, _, rest = cue.partition(":")
    where, _, pattern = rest.partition(":")
    if not (name and pattern):
        raise SpecError(f"a pattern must be NAME:WHERE:PATTERN, as in sorry:opening:sorry; got `{cue}`")
    return from_data(Cue, {"name": name, "where": where, "pattern": pattern}, at="pattern")


def _silent(_stage: str, _done: int, _total: int) -> None:
    """No one is waiting."""
