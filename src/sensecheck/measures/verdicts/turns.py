"""Verdicts that their own sentence takes back: `correct, but overall it fails`, `yes, mostly`."""

import re
from dataclasses import replace

from sensecheck.measures.verdicts.endings import ends
from sensecheck.measures.verdicts.phrases import phrase_at
from sensecheck.measures.verdicts.topics import FLAG
from sensecheck.measures.verdicts.words import EVEN, PLAIN_FAIL, PLAIN_PASS, TRUTHS

_CLAUSE = re.compile(
    r"[.,;!?…—–(]+|\s-\s|\b(?:and|but|however|yet|though|although|so|overall|therefore|thus|hence)\b", re.I
)
_HEDGED = re.compile(r"[\s,;(—–-]*(?:mostly|mainly|largely|partly|partially|somewhat|almost|nearly)\b", re.I)
_HEDGED_YES = re.compile(r"[\s,;(—–-]*(?:but|though|although|except|however)\b", re.I)
_WORD = replace(FLAG, numbers="none")
_DECIDING = (PLAIN_PASS | PLAIN_FAIL | {"incorrect"}) - set(TRUTHS)
"""`No issues` takes no pass back, and `the answer is correct, but rude` no fail."""
_MENTIONED = re.compile(rf"\b(?:{'|'.join(sorted(_DECIDING))})\b", re.I)


def hedged(text: str, start: int, end: int) -> bool:
    """Whether a verdict is weakened right away: `correct, mostly`, `yes, but the year is wrong`."""
    weaker = text[start:end].lower() == "yes" and _HEDGED_YES.match(text, end)
    return bool(weaker or _HEDGED.match(text, end))


def taken_back(text: str, at: int, value: float) -> bool:
    """Whether a clause after this place says the opposite, in so many words: `so it fails`."""
    if not _MENTIONED.search(text, at):
        return False
    return any(_opposes(text, clause.end(), value) for clause in _CLAUSE.finditer(text, at))


def _opposes(text: str, at: int, value: float) -> bool:
    found = phrase_at(text, at, _WORD)
    if found is None or (found.value - EVEN) * (value - EVEN) >= 0:
        return False
    deciding = _MENTIONED.search(text, found.start, found.end)
    return deciding is not None and ends(text, found.end, aspect=True)
