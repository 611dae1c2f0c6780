"""A card that is to be made: everything that `calibrate` was told."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import sensecheck
from sensecheck.cli.labelled_rows import Columns, labelled
from sensecheck.cli.measured import Measured
from sensecheck.cli.reading import must_be_able_to_fit, read_with_bar
from sensecheck.cli.rows import Rows
from sensecheck.core.errors import SpecError
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.calibration.card import Card
    from sensecheck.calibration.sample_size import NotCertifiable
    from sensecheck.calibration.target import Method, Target
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the parts that judge and fit bring numpy along, which `--help` does without


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is wanted, and where it is to lie."""

    name: str
    folder: Path
    asked: Measured
    method: "Method"
    targets: "tuple[Target, ...]"
    columns: Columns
    held_out: float
    seed: int
    licence: str
    leave_out_unread: bool
    force: bool
    keep_broken: bool = False
    """Whether a card whose promise the held-out rows break is written all the same."""

    @property
    def path(self) -> Path:
        """The card's file."""
        return self.folder / f"{self.name}.json"

    def must_be_possible(self) -> None:
        """Raise for what can be known before anything is read."""
        from sensecheck.calibration.fit import what_to_promise

        what_to_promise(
            name=self.name,
            date=_today(),
            method=self.method,
            targets=self.targets,
            share_held_out=self.held_out,
        )
        self._must_be_free()
        must_be_able_to_fit()

    def fit(self, file: str, settings: "Settings", *, as_json: bool) -> "Card | NotCertifiable":
        """The card, from the rows of a file."""
        from sensecheck.calibration.card import DataMark
        from sensecheck.checks.calibrate import calibrate

        rows = Rows.of(file)
        samples = labelled(rows, self.columns, must_be_labelled=True)
        return calibrate(
            read_with_bar(samples, self.asked.asked, settings, as_json=as_json),
            self.asked.asked,
            name=self.name,
            good=self.asked.good,
            method=self.method,
            targets=self.targets,
            data=DataMark(rows.name, rows.sha256, len(samples), self.columns.label, self.columns.group),
            date=_today(),
            version=sensecheck.__version__,
            share_held_out=self.held_out,
            seed=self.seed,
            licence=self.licence,
            leave_out_unread=self.leave_out_unread,
        )

    def write(self, card: "Card") -> None:
        """Put the card in its place."""
        self._must_be_free()
        write_whole(self.path, card.to_json())

    def _must_be_free(self) -> None:
        """Raise unless the name is free; of two cards of one name, neither could be found."""
        from sensecheck.calibration.library import Shelf

        if self.name in Shelf.shipped().names():
            raise SpecError(f"a card `{self.name}` comes with sensecheck; give yours another name")
        if self.path.exists() and not self.force:
            raise SpecError(f"`{self.path}` is already there; `--force` writes over it")


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
