"""Verdicts that stand alone: a text, its first line or its last that is nothing but `PASS`, `No.` or `4`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sensecheck.measures.verdicts.finding import Finding, Stated
from sensecheck.measures.verdicts.places import line_from
from sensecheck.measures.verdicts.said import said
from sensecheck.measures.verdicts.scores import Scale
from sensecheck.measures.verdicts.topics import RESULT
from sensecheck.measures.verdicts.turns import hedged, taken_back
from sensecheck.measures.verdicts.words import ALONE, FAIL, TRUTHS, WORDS

_WHOLE = replace(RESULT, whole=True)
_LINE = re.compile(r"\S[^\n]*")
_LONGEST = 200
"""A longer line is more than a verdict."""
_OPENING = re.compile(
    r"[\s*_`#\"'“’]*(?P<word>[A-Za-z]{2,9})[*_`\"'“’]*(?P<sign>[.;!:](?=[\s*_]|\Z)|\s?[—–]|\s-\s)[*_]*"
    r"(?!\s*\d|(?<=[.])\s+[a-z])"
)
_VERDICTS = frozenset(WORDS) & ALONE - set(TRUTHS)
_NEXT = re.compile(
    rf"(?<!\w)(?P<word>{'|'.join(sorted(_VERDICTS, key=len, reverse=True))})[*_`\"'“’]*+\s?(?::|[—–=]|-\s)",
    re.I,
)
_ANSWERED = re.compile(r"[\s*_`\"'“’]*(?:yes|no|true|false|none|n/a|unknown)\b(?!\s+\w)", re.I)
_DENIED = re.compile(r"[\s*_`\"'“’]*(?:no|none|nothing)\b", re.I)
_NUMBERED = re.compile(r"\W*(?P<number>\d{1,3})(?P<sign>[.)]?)\W*")


def alone(text: str, scale: Scale) -> list[Finding]:
    """What the text, its first line or its last states without any announcement."""
    return [Finding(stated, (0,)) for stated in _stated(text, scale)]


def _stated(text: str, scale: Scale) -> Iterator[Stated]:
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    last = text.rfind("\n", start, end) + 1
    first = text.find("\n", start, end)
    lines = {(start, first), (last, end)} if first >= 0 and last > start else {(start, end)}
    for begin, stop in sorted(lines):
        line, whole = text[begin : min(stop, begin + _LONGEST)], len(lines) == 1
        if stop - begin < _LONGEST and (whole or not _is_list_number(text, line)):
            yield from _line(line, begin, scale, whole=whole)
    yield from _opening(text, start)


def _is_list_number(text: str, line: str) -> bool:
    """Whether a line is only the number of a list's next item, where the text broke off."""
    match = _NUMBERED.fullmatch(line)
    if match is None or match["sign"]:
        return match is not None
    return re.search(rf"^[ \t]*{int(match['number']) - 1}[.)]\s", text, re.MULTILINE) is not None


def _line(line: str, at: int, scale: Scale, *, whole: bool) -> Iterator[Stated]:
    """A line that is a verdict; only a whole text may say `The answer is correct.` for it."""
    verdict = said(line, _WHOLE, scale)
    if verdict is None:
        return
    word = line[verdict.start : verdict.end].lower()
    bare = not any(map(str.isalnum, line[: verdict.start]))
    if whole or (bare and (word in ALONE or not word.isalpha())):
        yield Stated(verdict.value, at + verdict.start, at + verdict.end, "alone")


def _opening(text: str, start: int) -> Iterator[Stated]:
    """The first word of a text: `FAIL: …`. `Yes, …` and `No: …` answer a question that is not known."""
    match = _OPENING.match(text, start)
    word = match["word"].lower() if match else ""
    if match and word in _VERDICTS and not _only_names(text, match):
        value, line = WORDS[word], line_from(text, match.end("word"))
        if not (hedged(line, 0, 0) or taken_back(line, 0, value)):
            yield Stated(value, match.start("word"), match.end("word"), "alone")


def _only_names(text: str, match: re.Match[str]) -> bool:
    """Whether the word is a label (`Failed: no`), or one of the verdicts that a rubric explains in turn."""
    if match["sign"] in ".;!":
        return False
    value = WORDS[match["word"].lower()]
    answered = _ANSWERED.match(text, match.end())
    denied = value == FAIL and not match["word"].isupper() and _DENIED.match(text, match.end())
    others = (WORDS[other["word"].lower()] for other in _NEXT.finditer(text, match.end()))
    return bool(answered or denied) or any(other != value for other in others)
