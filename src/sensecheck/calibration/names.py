"""What a card may be called."""

import re

from sensecheck.core.errors import SpecError

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


def must_name_a_card(name: str) -> str:
    """The name, unless it would not do as the name of a file in the cards' own folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SpecError(
            f"a card's name wants small letters, digits, `_`, `.` and `-`, and begins with one of the first "
            f"two; found `{name}`"
        )
    return name
