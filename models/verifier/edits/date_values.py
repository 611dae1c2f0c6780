"""Other values for a part of a date, and how they are written like the old one."""

from collections.abc import Iterator
from random import Random

from models.verifier.edits.date_slots import MONTHS, WEEKDAYS, Part, Slot
from models.verifier.edits.number_words import NAMES_OF_ORDINALS, ordinal_digits

_LATEST = 2024
"""No past year is moved beyond it."""
_STEPS: dict[Part, tuple[tuple[int, int], ...]] = {
    "year": ((1, 1), (2, 5), (6, 12), (15, 60)),
    "decade": ((1, 1), (2, 4)),
    "century": ((1, 1), (2, 4)),
    "era year": ((2, 20), (30, 150)),
}
_RANGES: dict[Part, tuple[int, int]] = {"month": (1, 12), "day": (1, 28), "weekday": (1, 7), "hour": (1, 12)}
_ERAS = {
    "BC": "AD",
    "BCE": "CE",
    "AD": "BC",
    "CE": "BCE",
    "B.C.": "A.D.",
    "A.D.": "B.C.",
    "B.C.E.": "C.E.",
    "C.E.": "B.C.E.",
}


def other_values(slot: Slot, step: int, rng: Random) -> Iterator[int]:
    """Plausible other values without end; years move by multiples of `step`."""
    while True:
        if slot.part in _RANGES:
            yield rng.randint(*_RANGES[slot.part])
        elif slot.part in ("half", "era"):
            yield 1 - slot.value
        else:
            yield slot.value + rng.choice((-1, 1)) * _unit(slot, step) * rng.randint(
                *rng.choice(_STEPS[slot.part])
            )


def fits(slot: Slot, value: int) -> bool:
    """Whether a value can stand in a slot."""
    if value == slot.value or value < (0 if slot.part in ("half", "era") else 1):
        return False
    if slot.part == "decade" and slot.value < 100:
        return 20 <= value <= 90
    if slot.part in ("year", "decade"):
        return 1000 <= value <= max(slot.value, _LATEST)
    return slot.part != "century" or value <= 21


def written(slot: Slot, old: str, value: int) -> str:
    """The value in the notation of the old one."""
    if slot.part in ("month", "weekday"):
        name = (MONTHS if slot.part == "month" else WEEKDAYS)[value - 1]
        short = slot.part == "month" and len(old) < 5 and old.title() not in MONTHS
        plural = "s" if slot.part == "weekday" and old.endswith("ys") else ""
        return _cased(name[:3] if short else name + plural, old)
    if slot.part == "decade":
        return str(value) + old.lstrip("0123456789")
    if slot.part in ("day", "century") and not old[-1].isdigit():
        return ordinal_digits(value) if old[0].isdigit() else NAMES_OF_ORDINALS[min(value, 20)]
    if slot.part == "half":
        return "ap"[value] if old.islower() else "AP"[value]
    if slot.part == "era":
        return _ERAS[old]
    return f"{value:0{len(old)}d}" if old[0] == "0" else str(value)


def _unit(slot: Slot, step: int) -> int:
    return 10 if slot.part == "decade" else step if slot.part == "year" else 1


def _cased(name: str, old: str) -> str:
    return name.lower() if old.islower() else name.upper() if old.isupper() else name
