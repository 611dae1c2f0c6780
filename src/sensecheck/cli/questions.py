"""The questions that `sensecheck check` asks about one answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sensecheck.cli.inputs import data_from
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from sensecheck.calibration.library import Shelf
    from sensecheck.checks.assess import Case
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

    given: "Mapping[str, Any]" = field(default_factory=dict)
    """How it is decided: `threshold`, `doubt` and `policy`, those that were given."""

    def about(self, answer: str, question: str | None) -> "Iterator[Case]":
        """One case for each of them."""
        from sensecheck.checks.asking import asked

        named = self._named(answer, question)
        cards, given = self._cards(), self._shared_out([preset for preset, _ in named])
        for preset, sample in named:
            yield sample, asked(preset, cards, **given.get(preset, {}))
        if self.own is not None:
            yield Sample(answer, question, self.expected, self.passages), self.own

    def _named(self, answer: str, question: str | None) -> list[tuple[str, Sample]]:
        """The presets that are asked about, each with its sample."""
        found = []
        if self.means is not None:
            found.append(("means", Sample(answer, question, self.means)))
        if self.keeps_facts_of is not None:
            found.append(("keeps_facts", Sample(answer, question, self.keeps_facts_of)))
        if self.grounded_in:
            found.append(("grounded", Sample(answer, question, passages=self.grounded_in)))
        if self.not_refusal:
            found.append(("not_a_refusal", Sample(answer, question)))
        if self.not_circling:
            found.append(("not_circling", Sample(answer, question)))
        return found

    def _cards(self) -> "Shelf | None":
        """Where a card that was named lies; the settings are not read where none was."""
        from sensecheck.wiring import Settings, shelf

        return shelf(Settings.from_environment()) if self.given else None

    def _shared_out(self, presets: "Sequence[str]") -> dict[str, dict[str, Any]]:
        """What was given, by the one question that takes it."""
        from sensecheck.checks.asking import PARAMETERS

        shared: dict[str, dict[str, Any]] = {}
        for name, value in self.given.items():
            takers = [preset for preset in presets if name in PARAMETERS[preset]]
            if len(takers) != 1:
                listed = " and ".join(f"`{taker}`" for taker in takers) or "none that takes it"
                raise SpecError(f"`--{name}` must be about one question; asked was {listed}")
            shared.setdefault(takers[0], {})[name] = value
        return shared


def own_check(file: str | None, preset: str | None, given: "Mapping[str, Any]") -> "Check | None":
    """The check in a file, with the lines of the cards that it names, or the preset of this name."""
    from sensecheck.checks.presets import PRESETS
    from sensecheck.checks.spec import check_from_data
    from sensecheck.wiring import Settings, shelf

    if file is not None and preset is not None:
        raise SpecError("both `--check` and `--preset` were given; one check at a time")
    if preset is not None and preset not in PRESETS:
        raise SpecError(unknown("preset", preset, PRESETS))
    if file is not None:
        if given:
            raise SpecError(f"`--{next(iter(given))}` is not for `--check`; write it into the file")
        return check_from_data(data_from(file), at=file, shelf=shelf(Settings.from_environment()))
    if preset is None:
        return None
    cards = shelf(Settings.from_environment()) if given else None
    return check_from_data({"kind": preset, **given}, at=preset, shelf=cards)
