"""A head that is to be trained: everything that `train-head` was told."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import sensecheck
from sensecheck.cli.classed_rows import examples_in
from sensecheck.cli.labelled_rows import Columns
from sensecheck.cli.looked_at import LookedAt
from sensecheck.cli.progress import bar
from sensecheck.cli.reading import must_be_able_to_fit
from sensecheck.cli.rows import Rows
from sensecheck.core.errors import SpecError
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from rich.progress import Progress

    from sensecheck.checks.train import Example, Table
    from sensecheck.checks.train import Rows as Placed
    from sensecheck.measures.heads.features import Recipe
    from sensecheck.measures.heads.model import Model
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the parts that place and fit bring numpy along, which `--help` does without

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Trained:
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
class HeadOrder:
    """What is wanted, and where it is to lie."""

    name: str
    path: Path
    columns: Columns
    looked_at: LookedAt
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

    def train(self, file: str, settings: "Settings", *, as_json: bool) -> Trained:
        """The head, from the rows of a file."""
        rows = Rows.of(file)
        examples = examples_in(rows, self.columns)
        recipe = self._recipe(examples)
        with bar(hidden=as_json and sys.stdout.isatty()) as progress:
            placed = self._placed(examples, recipe, settings, progress)
            table = self._table(placed, recipe, progress)
        return Trained(self._model(placed, recipe, rows.name), table, placed.left_out)

    def write(self, model: "Model") -> None:
        """Put the head in its place."""
        self._must_be_free()
        write_whole(self.path, model.to_json())

    def _recipe(self, examples: "Sequence[Example]") -> "Recipe":
        """What the head looks at; too few answers of a label are better noticed before the slow work."""
        from sensecheck.checks.train import folds_of, must_be_of

        labels = [example.label for example in examples]
        recipe = self.looked_at.telling(labels)
        must_be_of(recipe, labels)
        folds_of(examples)
        return recipe

    def _placed(
        self, examples: "Sequence[Example]", recipe: "Recipe", settings: "Settings", progress: "Progress"
    ) -> "Placed":
        from sensecheck.checks.train import joined, rows_of
        from sensecheck.core.backends import Answerers
        from sensecheck.wiring import encoder

        task, parts = progress.add_task("placing", total=len(examples)), []
        for part in rows_of(examples, recipe, Answerers(encoder(settings))):
            parts.append(part)
            progress.advance(task, len(part.examples) + len(part.left_out))
        return joined(parts, leave_out_unread=self.leave_out_unread)

    def _table(self, rows: "Placed", recipe: "Recipe", progress: "Progress") -> "Table":
        from sensecheck.checks.train import FOLDS, Table, cross_validate

        folds = cross_validate(rows, recipe, strength=self.strength)
        seen = progress.track(folds, total=FOLDS, description="testing")
        return Table.of(recipe.classes, chain.from_iterable(seen))

    def _model(self, rows: "Placed", recipe: "Recipe", data: str) -> "Model":
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
