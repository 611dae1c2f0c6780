"""Numbers as words: `two`, `twenty-one`, `third`, `22nd`."""

from sensecheck.text.wordlists import read_lines

_ONES, _TENS, NAMES_OF_ORDINALS = (line.split() for line in read_lines("number_words.txt", __package__))

CARDINALS = {word: at for at, word in enumerate(_ONES) if at > 1} | {
    word: 10 * at for at, word in enumerate(_TENS, start=2)
}
"""The number words from `two`, since another number than `one` asks for another noun and verb."""
ORDINALS = NAMES_OF_ORDINALS[2:]


def cardinal(value: int) -> str | None:
    """The words for a number from 2 to 99; None for others."""
    if not 2 <= value <= 99:
        return None
    if value < len(_ONES):
        return _ONES[value]
    return _TENS[value // 10 - 2] + (f"-{_ONES[value % 10]}" if value % 10 else "")


def ordinal_word(value: int) -> str | None:
    """The word for a place from the second to the twentieth; None for others."""
    return NAMES_OF_ORDINALS[value] if 2 <= value <= 20 else None


def ordinal_digits(value: int) -> str:
    """Such as `22nd`."""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th") if value % 100 not in (11, 12, 13) else "th"
    return f"{value}{suffix}"
