"""Other values for a number, and how they are written like the old one."""

import math
from collections.abc import Iterator
from random import Random

from models.verifier.edits.number_slots import Slot
from models.verifier.edits.number_words import cardinal, ordinal_digits, ordinal_word

_FEW = 12
"""Up to here a number is changed by counting, above by a share of itself."""


def other_values(slot: Slot, old: str, rng: Random) -> Iterator[float]:
    """Plausible other values without end, near and far ones mixed."""
    places = len(old.partition(".")[2]) if slot.style == "digits" else 0
    while True:
        if slot.style.startswith("ordinal") or slot.group.startswith("label"):
            yield slot.value + rng.choice((-3, -2, -1, 1, 2, 3, 4))
        elif slot.value <= _FEW and not places:
            yield float(rng.randint(2, max(6, int(2 * slot.value) + 1)))
        elif not slot.bound and rng.random() < 0.35:
            yield _other_digit(slot.value, places, rng)
        else:
            yield _scaled(slot.value, places, rng)


def fits(slot: Slot, value: float) -> bool:
    """Whether a value can stand in a slot and makes the sentence wrong there."""
    if value <= 0 or value == slot.value or (slot.group == "percent" and slot.value <= 100 < value):
        return False
    if value == 1 and not slot.style.startswith("ordinal"):
        return False
    if slot.group == "age" and not (16 if slot.value >= 18 else 2) <= value <= 99:
        return False
    ratio = value / slot.value if slot.value else 1.0
    if slot.bound == "above":
        return ratio > 1
    if slot.bound == "below":
        return ratio < 1
    return not 0.75 < ratio < 1.3 if slot.bound == "about" else True


def written(slot: Slot, old: str, value: float) -> str | None:
    """The value in the notation of the old number; None when it has no such form."""
    if slot.style == "digits":
        places = len(old.partition(".")[2])
        grouped = "," in old or (slot.value < 1000 <= value)
        return f"{value:,.{places}f}" if grouped else f"{value:.{places}f}"
    if value != int(value):
        return None
    if slot.style == "ordinal":
        return ordinal_digits(int(value))
    return ordinal_word(int(value)) if slot.style == "ordinal word" else cardinal(int(value))


def _scaled(value: float, places: int, rng: Random) -> float:
    """The value times some factor, about as round as before."""
    low, high = rng.choice(((0.15, 0.45), (0.5, 0.9), (1.1, 1.9), (2.0, 6.0)))
    return _rounded(value * rng.uniform(low, high), _digits(value, places) + rng.randint(0, 1), places)


def _rounded(value: float, digits: int, places: int) -> float:
    shift = digits - 1 - math.floor(math.log10(abs(value))) if value else 0
    return round(value, min(shift, places))


def _digits(value: float, places: int) -> int:
    """How many digits of a number say something: 2 for 1,200."""
    plain = f"{value:.{places}f}".replace(".", "").strip("0")
    return max(len(plain), 1)


def _other_digit(value: float, places: int, rng: Random) -> float:
    """The value with one of its significant digits changed."""
    plain = f"{value:.{places}f}"
    last = len(plain) if places else len(plain.rstrip("0"))
    at = rng.choice([at for at in range(max(last, 1)) if plain[at].isdigit()])
    digit = rng.choice("123456789" if at == 0 else "0123456789")
    return float(plain[:at] + digit + plain[at + 1 :])
