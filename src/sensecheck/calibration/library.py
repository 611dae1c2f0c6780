"""Libraries of cards: folders with one file per card, found by name or by what they promise."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from sensecheck.calibration.card import Card, validate_card_name
from sensecheck.calibration.decision import digest_of, reading_alone
from sensecheck.calibration.target import SHORT, Errors, Target
from sensecheck.core.cutoff import Cutoff, GoodSide
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.registry import measure_to_data
from sensecheck.core.serialization import decode, did_you_mean
from sensecheck.core.threshold import CutoffSource, Threshold

_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+")
"""A text that was probably meant as a number, and not as the name of a card."""


@dataclass(frozen=True, slots=True)
class CardLibrary:
    """Folders of cards, each card in a file of its own name."""

    folders: tuple[Path, ...]
    """Strings are taken for paths."""

    def __post_init__(self) -> None:
        if not isinstance(self.folders, tuple | list) or not all(
            isinstance(folder, Path | str) for folder in self.folders
        ):
            raise SpecError(
                f'`folders` must be a tuple of paths, such as `("cards",)`; got {self.folders!r:.60}'
            )
        object.__setattr__(self, "folders", tuple(map(Path, self.folders)))

    @classmethod
    def shipped(cls) -> "CardLibrary":
        """The cards that come with sensecheck."""
        return cls((Path(str(files("sensecheck.calibration") / "cards")),))

    def names(self) -> list[str]:
        """What the cards are called."""
        return sorted(self._files())

    def card(self, name: str) -> Card:
        """The card of this name."""
        paths = self._files()
        if validate_card_name(name) not in paths:
            places = " and ".join(f"`{folder}`" for folder in self.folders) or "no folder"
            message = (
                did_you_mean("card", name, paths) if paths else f"`{name}` is not a known card; there is none"
            )
            raise SpecError(f"{message}; looked in {places}")
        return _read_card(paths[name])

    def cards(self) -> Iterator[Card]:
        """All of them, by name."""
        return (_listed_card(path) for _, path in sorted(self._files().items()))

    def promising(self, target: Target) -> CutoffSource:
        """The cutoff of whichever card keeps this promise for the measure at hand."""
        return PromisedCutoff(self, target.with_method("exact"))

    def cutoff_source(self, data: Any, *, at: str = "threshold") -> Threshold:
        """The threshold that data describes: a number, a card's name, or a promise such as `{fpr: 0.05}`."""
        if isinstance(data, CutoffSource):
            return data
        if isinstance(data, str):
            return self._named(data)
        if isinstance(data, Mapping):
            return self.promising(Target.from_data(data))
        number: float = decode(float, data, at=at)
        return number

    def cutoff(self, data: Any, measure: Measure) -> Cutoff:
        """The cutoff that a card's name or a promise stands for; the good side is as the card has it."""
        if isinstance(data, str):
            card = self.card(data)
            return card.cutoff_for(measure, card.good)
        return PromisedCutoff(self, Target.from_data(data).with_method("exact")).cutoff_for(measure)

    def _named(self, name: str) -> Card:
        if _NUMBER.fullmatch(name) and name not in self._files():
            raise SpecError(
                f"a number is written without quotes; got the string `{name}`, and there is no such card"
            )
        return self.card(name)

    def _files(self) -> dict[str, Path]:
        paths: dict[str, Path] = {}
        for folder in self.folders:
            if not folder.is_dir():
                raise SpecError(f"`{folder}` is not a folder of cards")
            for path in sorted(folder.glob("*.json")):
                if path.stem in paths:
                    raise SpecError(f"the card `{path.stem}` is in two places: {paths[path.stem]} and {path}")
                paths[path.stem] = path
        return paths


@dataclass(frozen=True, slots=True)
class PromisedCutoff:
    """A cutoff that is looked for when the measure is known."""

    library: CardLibrary
    target: Target
    check_digest: str = ""
    """Of the check that is to keep the promise; empty for a gate, in which the reading alone decides."""
    carries: frozenset[Errors] = frozenset(SHORT)
    """The errors that the check makes no more of than the reading alone."""

    def cutoff_for(self, measure: Measure, good: GoodSide | None = None) -> Cutoff:
        """The cutoff of the one card that keeps the promise for this measure and promises least beyond it."""
        candidates = self._candidates(measure_to_data(measure), good)
        if not candidates:
            raise SpecError(
                f"no card promises {self.target.describe()} for `{measure.name}`; {self._command()}"
            )
        weakest = max(map(_weakness, (promise for _, promise in candidates)))
        alike = [card for card, promise in candidates if _weakness(promise) == weakest]
        if len({(card.encoder, card.good) for card, _ in candidates}) > 1:
            alike = [card for card, _ in candidates]
        if len(alike) > 1:
            names = ", ".join(f"`{card.name}`" for card in alike)
            raise SpecError(
                f"several cards promise {self.target.describe()} for `{measure.name}`: {names}; "
                "name the one that is meant"
            )
        return alike[0].cutoff_for(measure, alike[0].good)

    def _candidates(self, measure: Mapping[str, Any], good: GoodSide | None) -> list[tuple[Card, Target]]:
        """The cards for this measure that promise as much or more, each with its own promise.

        Those that speak of this very check come first; a promise for the reading alone serves as well where
        the check errs no more often than the reading does.
        """
        usable = [
            (card, promise)
            for card in self.library.cards()
            if card.method == "exact" and good in (None, card.good) and card.measure == measure
            for promise in card.targets
            if promise.implies(self.target) and not card.broken
        ]
        digest = self.check_digest or digest_of(reading_alone(measure))
        for_check = [(card, promise) for card, promise in usable if card.check_digest == digest]
        if for_check or self.target.errors not in self.carries:
            return for_check
        return [(card, promise) for card, promise in usable if card.decides is None]

    def _command(self) -> str:
        option = f"--{SHORT[self.target.errors]} {self.target.at_most:g}"
        return f"make one: sensecheck calibrate … {option} --confidence {self.target.sure:g}"


@cache
def shipped_card(name: str) -> Card:
    """The card of this name that comes with sensecheck."""
    return CardLibrary.shipped().card(name)


def _weakness(target: Target) -> tuple[float, float]:
    """Larger for a promise that is easier to keep."""
    return target.at_most, -target.sure


def _listed_card(path: Path) -> Card:
    """A card that was not requested by its name; an error always names the file."""
    try:
        validate_card_name(path.stem)
        return _read_card(path)
    except SpecError as error:
        raise SpecError(
            f"`{path}` is among the cards and cannot be used: {error}; fix it, rename or move it"
        ) from error


def _read_card(path: Path) -> Card:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"the card `{path}` cannot be read: {error}") from error
    card = Card.from_json(text, at=str(path))
    if card.name != path.stem:
        raise SpecError(f"the card in `{path}` is called `{card.name}`; expected `{path.stem}`")
    return card
