"""What a card may be called."""

import re

from sensecheck.core.errors import SpecError

LONGEST = 100
"""Characters of a name; a file beside it, with a longer one, must still be possible."""
PATTERN = rf"^(?!.*\.json$)[a-z0-9][a-z0-9_.-]{{0,{LONGEST - 1}}}$"
"""A name, for those who read schemas."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


def must_name_a_card(name: str) -> str:
    """The name, unless it would not do as the name of a file in the cards' own folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SpecError(
            f"a card's name wants small letters, digits, `_`, `.` and `-`, and begins with one of the first "
            f"two; found `{name}`"
        )
    if len(name) > LONGEST:
        raise SpecError(f"a card's name wants at most {LONGEST} characters; found {len(name)}")
    if name.endswith(".json"):
        raise SpecError(f"a card's name wants no `.json` at its end, which its file has; found `{name}`")
    return name
