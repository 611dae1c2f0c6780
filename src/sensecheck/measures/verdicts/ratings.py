"""Verdicts given in a sentence: `I give it 4 out of 5`, `the response deserves a score of 3`."""

import re

from sensecheck.measures.verdicts.finding import Finding, Stated
from sensecheck.measures.verdicts.places import line_from, starts_clause
from sensecheck.measures.verdicts.said import said
from sensecheck.measures.verdicts.scores import Scale
from sensecheck.measures.verdicts.topics import Topic

_THING = r"(?:response|answer|output|submission|summary|solution|reply)"
_GIVEN = re.compile(
    rf"""\b(?:i|we)(?:['’](?:d|ll|ve)|\s(?:would|will|have|must))?(?:\s(?:therefore|thus|hence))?
    \s(?:give|gave|rate|rated|score|scored|grade|graded|award|assign|assigned|call|deem|judge|mark)
    (?:\s(?:it|this|that|the|a|an|as|at|with|of|score|rating|grade|overall|final|solid|total
          |assistant(?:['’]s)?|model(?:['’]s)?|{_THING})\b){{1,8}}[\s:*]
    | \b(?:it|(?:this|the)(?:\s\w{{2,12}}['’]s)?\s{_THING})(?:\s(?:therefore|thus|hence|clearly))?
    \s(?:deserves|earns|receives|gets|merits|warrants|scores)
    (?:\san?|\sthe)?(?:\s(?:overall|final|total))?(?:\s(?:score|rating|grade)\sof)?[\s:*]""",
    re.VERBOSE | re.IGNORECASE,
)
_RATING = Topic(1, numbers="score")


def in_ratings(text: str, scale: Scale) -> list[Finding]:
    """What the sentences of a text give, in so many words, where nothing is supposed."""
    found = (_finding(text, match, scale) for match in _GIVEN.finditer(text))
    return [finding for finding in found if finding]


def _finding(text: str, match: re.Match[str], scale: Scale) -> Finding | None:
    if not starts_clause(text, match.start()):
        return None
    at = match.end()
    verdict = said(line_from(text, at), _RATING, scale)
    if verdict is None:
        return None
    stated = Stated(verdict.value, at + verdict.start, at + verdict.end, "label")
    return Finding(stated, (False, _RATING.rank, True), _RATING.rank)
