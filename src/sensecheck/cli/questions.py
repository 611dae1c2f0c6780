"""The questions that `sensecheck check` asks about one answer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sensecheck.cli.inputs import data_from
from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown
from sensecheck.core.sample import Sample

if TYPE_CHECKING:
    from sensecheck.checks.staircase import Case
    from sensecheck.core.protocols import Check

# ruff: noqa: PLC0415 - checks bring numpy along, which `--help` does without

NAMES = (
    "`--means`, `--keeps-facts-of`, `--grounded-in`, `--not-refusal`, `--not-circling`, "
    "`--check` or `--preset`"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What is asked; each part stands for itself."""

    means: str | None = None
    keeps_facts_of: str | None = None
    grounded_in: tuple[str, ...] = ()
    not_refusal: bool = False
    not_circling: bool = False
    own: "Check | None" = None
    """A check from a file, or one of the presets by name."""
    expected: str | None = None
    """For the own check."""
    passages: tuple[str, ...] = field(default=())
    """For the own check."""

    def about(self, answer: str, question: str | None) -> "Iterator[Case]":
        """One case for each of them."""
        from sensecheck.checks import presets

        if self.means is not None:
            yield Sample(answer, question, self.means), presets.means()
        if self.keeps_facts_of is not None:
            yield Sample(answer, question, self.keeps_facts_of), presets.keeps_facts()
        if self.grounded_in:
            yield Sample(answer, question, passages=self.grounded_in), presets.grounded()
        if self.not_refusal:
            yield Sample(answer, question), presets.not_a_refusal()
        if self.not_circling:
            yield Sample(answer, question), presets.not_circling()
        if self.own is not None:
            yield Sample(answer, question, self.expected, self.passages), self.own


def own_check(file: str | None, preset: str | None) -> "Check | None":
    """The check in a file, with the lines of the cards that it names, or the preset of this name."""
    from sensecheck.checks.presets import PRESETS
    from sensecheck.checks.spec import check_from_data
    from sensecheck.wiring import Settings, shelf

    if file is not None and preset is not None:
        raise SpecError("both `--check` and `--preset` were given; one check at a time")
    if preset is not None and preset not in PRESETS:
        raise SpecError(unknown("preset", preset, PRESETS))
    if file is not None:
        return check_from_data(data_from(file), at=file, shelf=shelf(Settings.from_environment()))
    return check_from_data({"kind": preset}, at=preset) if preset else None
