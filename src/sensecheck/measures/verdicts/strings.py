"""Where keys and strings end in JSON, also where quotes are missing, foreign, doubled or not escaped."""

import re

from sensecheck.measures.verdicts.topics import topic_of

QUOTES = "\"'`“’"
"""The marks that open a string; each is closed by its like. Texts are made plain before: see `plain.py`."""

_SEPARATOR = r"(?::=?|=>?|->)"
_NEAR = rf"[\s*]{{0,20}}+{_SEPARATOR}"
_NAME = r"[A-Za-z_][\w\-./ ]{0,60}"
_KEY = re.compile(rf"\"(?P<exact>(?:[^\"\\\n]|\\.)*+)\"[\s*]*+{_SEPARATOR}")
_LOOSE_KEY = re.compile(rf"\\*+[{QUOTES}*]{{1,4}}\s?(?P<name>{_NAME}?)\s?\\*+[{QUOTES}*]{{1,4}}{_NEAR}")
_BARE_KEY = re.compile(rf"\\*+[{QUOTES}]?(?P<name>{_NAME}?)\\*+[{QUOTES}]?{_NEAR}(?!//)")
_QUOTED_NAME = rf"\\*+[{QUOTES}](?P<name>{_NAME}?)\\*+[{QUOTES}]"
_SPACED_KEY = re.compile(rf"{_QUOTED_NAME}\s++(?=\\*+[{QUOTES}])")
_UNPARTED_KEY = re.compile(rf"{_QUOTED_NAME}[\s,]*+(?=\\*+[{QUOTES}]|(?:true|false)\b|\d)", re.IGNORECASE)
_OPENING = re.compile(rf"(?P<escapes>\\*+)(?P<quote>[{QUOTES}])")
_GAP = re.compile(r"(?:[\s*]|\\++[nrt])*+")
_LONG_GAP = re.compile(r"(?:[\s*,;]|\\++[nrt])*+")
_LINE_END = re.compile(r"\n|\\n")
_CLOSED = re.compile(r"\Z|[}\]]|```|//|/\*|#\s|\)\s*+\Z")
_CLOSED_AFTER_COMMA = re.compile(
    rf"\Z|[}}\]{{]|\.\.\.|…|//|/\*|#\s|```|{_QUOTED_NAME}\s*+(?=[{QUOTES}}}\]]|\Z)|[{QUOTES}][\w ]{{0,60}}+\Z"
)
_CLOSED_IN_LIST = re.compile(r"\Z|[,}\]\n]|```|//|/\*")


def key_at(text: str, at: int) -> tuple[str, int] | None:
    """The quoted key that stands at a place, and where its value may begin."""
    exact = _KEY.match(text, at)
    if exact:
        return exact["exact"], exact.end()
    loose = _LOOSE_KEY.match(text, at)
    return (loose["name"], loose.end()) if loose else None


def bare_key_at(text: str, at: int) -> tuple[str, int] | None:
    """The key without quotes, or with one of them, that stands at a place."""
    match = _BARE_KEY.match(text, at)
    return (match["name"], match.end()) if match else None


def unparted_key_at(text: str, at: int) -> tuple[str, int] | None:
    """The quoted key that stands at a place without a colon: `"why" "so"`; a verdict's before a comma."""
    match = _SPACED_KEY.match(text, at) or _UNPARTED_KEY.match(text, at)
    known = match and (match.re is _SPACED_KEY or topic_of(match["name"]))
    return (match["name"], match.end()) if match and known else None


def string_at(text: str, at: int, *, in_list: bool = False) -> tuple[int, int, int] | None:
    """The start and end of the string that opens at a place, and where reading goes on.

    A quote closes the string if what follows can only follow a string, or if it opens the next key after a
    comma or a line's end: then the closing quote is missing. In well-formed JSON the first quote that is
    not escaped is always such a one, so that well-formed strings are read exactly.
    """
    opening = _OPENING.match(text, at)
    if opening is None:
        return None
    escapes, start = len(opening["escapes"]), opening.end()
    end = text.find(opening["quote"], start)
    while end >= 0:
        before = _escapes_before(text, start, end)
        if before < escapes or (before - escapes) % (2 * escapes + 2) == 0:
            if _closes(text, end + 1, in_list=in_list):
                return start, end - min(before, escapes), end + 1
            if _opens_next_key(text, start, end - before):
                return start, end - before, end - before
        end = text.find(opening["quote"], end + 1)
    return start, len(text), len(text)


def _escapes_before(text: str, start: int, end: int) -> int:
    at = end
    while at > start and text[at - 1] == "\\":
        at -= 1
    return end - at


def _closes(text: str, after: int, *, in_list: bool) -> bool:
    """Whether what follows a quote can only follow a string."""
    gap = _GAP.match(text, after)
    at = gap.end() if gap else after
    if in_list:
        return _CLOSED_IN_LIST.match(text, at) is not None
    if _CLOSED.match(text, at) or key_at(text, at):
        return True
    if text[at : at + 1] not in (",", ";") and not _LINE_END.search(text, after, at):
        return False
    gap = _LONG_GAP.match(text, at)
    at = gap.end() if gap else at
    return bool(_CLOSED_AFTER_COMMA.match(text, at) or key_at(text, at) or bare_key_at(text, at))


def _opens_next_key(text: str, start: int, at: int) -> bool:
    """Whether a quote opens the next key: it stands after a comma or at the start of a line."""
    before = at - 1
    while before >= start and text[before] in " \t\r":
        before -= 1
    return before >= start and text[before] in ",\n" and key_at(text, at) is not None
