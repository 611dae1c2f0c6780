"""The known name that a mistyped one was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches


def unknown(what: str, found: object, known: Iterable[str]) -> str:
    """Say that `found` is not a known `what`, and which known one is nearest."""
    names = sorted(known)
    close = get_close_matches(str(found), names, n=1, cutoff=0.5)
    hint = f"; did you mean `{close[0]}`?" if close else ";"
    return f"`{found}` is not a known {what}{hint} known: {', '.join(f'`{name}`' for name in names)}"
