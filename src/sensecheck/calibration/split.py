"""Labelled readings, and which of them a cutoff is fitted on and which are held out to count its errors.

Hashes decide, and no order of rows: the same labels and the same seed give the same parts on every machine.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, TypeVar

from sensecheck.calibration.placement import written
from sensecheck.core.cutoff import Cutoff, Side


class Decided(Protocol):
    """An answer that a whole check decides, of which one cutoff is still open."""

    @property
    def passes(self) -> float:
        """The strictest cutoff under which the answer passes; infinite where none or every one lets it."""
        ...

    @property
    def fails(self) -> float:
        """The strictest cutoff under which the answer does not fail; infinite as above."""
        ...

    @property
    def claims(self) -> int | None:
        """How many claims the answer makes; None for a check that does not count them."""
        ...

    def side(self, cutoff: Cutoff) -> Side:
        """The verdict of the check under this cutoff; what cannot be judged is `unsure`."""
        ...


@dataclass(frozen=True, slots=True)
class Labelled:
    """One reading, and whether the answer it was read from is good."""

    value: float
    good: bool
    group: str | None = None
    """Rows of one prompt or document: they stay together, and count once. None for a row of its own."""
    slices: Mapping[str, str] = field(default_factory=dict)
    """Named columns that rates are also counted by: `{"model": "small"}`."""
    decided: Decided | None = field(default=None, compare=False, repr=False)
    """What the whole check makes of the answer; None where the reading against the cutoff is all there is."""

    @property
    def passes(self) -> float:
        """The strictest cutoff that the answer passes."""
        return self.value if self.decided is None else self.decided.passes

    @property
    def fails(self) -> float:
        """The strictest cutoff under which the answer does not fail."""
        return self.value if self.decided is None else self.decided.fails

    @property
    def claims(self) -> int | None:
        """How many claims the answer makes, where the check counts them."""
        return None if self.decided is None else self.decided.claims

    def side(self, cutoff: Cutoff) -> Side:
        """What is decided under a cutoff."""
        return cutoff.side(self.value) if self.decided is None else self.decided.side(cutoff)


class Row(Protocol):
    """A reading that may be labelled, and may be one of a group."""

    @property
    def value(self) -> float:
        """The reading."""
        ...

    @property
    def good(self) -> bool | None:
        """The label."""
        ...

    @property
    def group(self) -> str | None:
        """The prompt or document that the row shares with others."""
        ...

    @property
    def slices(self) -> Mapping[str, str]:
        """Named columns."""
        ...

    @property
    def claims(self) -> int | None:
        """How many claims the answer makes, where the check counts them."""
        ...


AnyRow = TypeVar("AnyRow", bound=Row)


def split(
    rows: Sequence[Labelled], *, share_held_out: float, seed: int
) -> tuple[list[Labelled], list[Labelled]]:
    """Rows to fit on and rows held out: a group is never on both sides, labels are on both if they can be."""
    units = _units(rows)
    fitted: list[Labelled] = []
    held_out: list[Labelled] = []
    for names in strata(rows).values():
        ordered = sorted(names, key=lambda name: _mark(seed, "split", name))
        aside = how_many_held_out(len(ordered), share_held_out)
        held_out += (row for name in ordered[:aside] for row in units[name])
        fitted += (row for name in ordered[aside:] for row in units[name])
    return fitted, held_out


def strata(rows: Sequence[Labelled]) -> dict[frozenset[bool], list[str]]:
    """Groups and single rows by the labels that they hold, each kind of which is split by itself."""
    kinds: dict[frozenset[bool], list[str]] = {}
    for name, unit in _units(rows).items():
        kinds.setdefault(frozenset(row.good for row in unit), []).append(name)
    return kinds


def how_many_held_out(units: int, share: float) -> int:
    """The share of so many, rounded; where there are two or more, neither side stays empty."""
    if share == 0 or units < 2:
        return 0
    rounded = math.floor(written(share) * units + Fraction(1, 2))
    return min(max(rounded, 1), units - 1)


def one_each(rows: Iterable[AnyRow], *, seed: int) -> list[AnyRow]:
    """At most one good and one bad row of each group.

    Rows of one prompt are alike: five of them tell less than five of five prompts, and a promise that counts
    them as five would promise too much. Which one stays is left to a hash.
    """
    chosen: dict[object, AnyRow] = {}
    for i, row in enumerate(rows):
        key: object = i if row.group is None else (row.group, row.good)
        rival = chosen.setdefault(key, row)
        if rival is not row and _row_mark(seed, row) < _row_mark(seed, rival):
            chosen[key] = row
    return list(chosen.values())


def _units(rows: Sequence[Labelled]) -> dict[str, list[Labelled]]:
    """The rows by group; a row of no group is one by itself, and is known by its place."""
    units: dict[str, list[Labelled]] = {}
    for i, row in enumerate(rows):
        units.setdefault(f"row {i}" if row.group is None else f"group {row.group}", []).append(row)
    return units


def _row_mark(seed: int, row: Row) -> bytes:
    """What a row is chosen by: all that tells it from others of its group and label."""
    return _mark(seed, "row", json.dumps([row.group, row.value, sorted(row.slices.items())]))


def _mark(seed: int, use: str, name: str) -> bytes:
    """A number that looks random and is always the same."""
    return hashlib.blake2b(f"{seed} {use} {name}".encode("utf-8", "surrogatepass")).digest()
