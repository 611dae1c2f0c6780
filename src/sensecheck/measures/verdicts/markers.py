"""Verdicts in marks that were agreed on: `[RESULT] 4`, `[[A>B]]`, `<verdict>PASS</verdict>`, `\\boxed{B}`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sensecheck.measures.verdicts.finding import Finding, How, Stated
from sensecheck.measures.verdicts.said import said
from sensecheck.measures.verdicts.scores import Scale
from sensecheck.measures.verdicts.topics import ANSWER, RESULT, Topic, topic_of

_TAG = re.compile(r"<(?P<name>[A-Za-z][\w\- ]{2,30})>\s*+(?P<said>[^<]{1,200})")
_BEFORE = re.compile(
    r"(?<!\[)\[(?P<name>[A-Za-z][A-Za-z _]{2,20})\](?!\])[\s:*=]*+"
    r"(?:(?:score|rating|verdict|result)\s?:)?(?=(?P<said>.{1,200}))",
    re.IGNORECASE,
)
_AROUND = re.compile(r"(?<!\[)\[(?P<name>[A-Za-z]{4,10})(?:\s*:\s*|\s+)(?P<said>[^\[\]\n]{1,30})\](?!\])")
_DOUBLE = re.compile(r"\[\[(?P<said>[^\[\]\n]{1,40})\]\]")
_BOXED = re.compile(
    r"\\boxed\s?\{\s?(?:\\(?:text(?:bf|tt|rm|it)?|math(?:rm|bf))\s?\{)?(?P<said>[^{}\n]{1,60})\}"
)
_WHOLE = replace(RESULT, whole=True)


def in_markers(text: str, scale: Scale) -> list[Finding]:
    """What the marks of a text state; one that is called final is believed first."""
    found = [
        *_named(text, _TAG, scale, "tag"),
        *_named(text, _BEFORE, scale, "marker"),
        *_named(text, _AROUND, scale, "marker"),
    ]
    for pattern in (_DOUBLE, _BOXED):
        found += (_finding(match, (_WHOLE, False), scale, "marker") for match in pattern.finditer(text))
    return [finding for finding in found if finding]


def _named(text: str, pattern: re.Pattern[str], scale: Scale, how: How) -> Iterator[Finding | None]:
    for match in pattern.finditer(text):
        if named := topic_of(match["name"]):
            yield _finding(match, named, scale, how)


def _finding(match: re.Match[str], named: tuple[Topic, bool], scale: Scale, how: How) -> Finding | None:
    topic, final = named
    verdict = said(match["said"], topic, scale)
    if verdict is None:
        return None
    at = match.start("said")
    stated = Stated(verdict.value, at + verdict.start, at + verdict.end, how)
    return Finding(stated, (topic is ANSWER, topic.rank, not final), topic.rank)
