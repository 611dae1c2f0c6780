"""Expected answers of which one is enough, written into one text."""

from sensecheck.core.errors import SpecError


def must_separate(separator: str | None) -> None:
    """Raise unless it can stand between texts."""
    if separator is not None and not separator.strip():
        raise SpecError(f"`separator` wants a sign such as `/`, or none; found {separator!r}")


def alternatives(expected: str, separator: str | None) -> tuple[str, ...]:
    """The different texts between the separators; without a separator the text itself, unless it is empty."""
    parts = (expected,) if separator is None else (each.strip() for each in expected.split(separator))
    return tuple(dict.fromkeys(each for each in parts if each.strip()))
