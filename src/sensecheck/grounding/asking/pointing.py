"""Where that stands what an order wants said: in the order itself, before it, or after it."""

import re

from sensecheck.measures.claims.grammar import has_verb
from sensecheck.measures.claims.instructions import says_what

FEW = 3
"""So many words after a colon are what it announced; fewer, and that comes in the next sentence."""
_SAID = re.compile(r"[:：\"“「>]|\bthat\b(?! (?:you|may|is|it|was|must)\b)")
_WORD = re.compile(r"\w+")
_ENDS_SO = re.compile(r"\b(?:so|it|this|them|x)\W*$", re.IGNORECASE)
_SAYS = re.compile(r"\b(?:say|tell|repeat|pass|write|print|copy|join)\b", re.IGNORECASE)
_THIS = re.compile(r"\b(?:this|it|so|them)\b", re.IGNORECASE)
_AHEAD = re.compile(r"\b(?:following|next|below)\b", re.IGNORECASE)
_PARTS = re.compile(r"[.:\n]")
_STOPS = re.compile(r"[.!?]")
_OUTRIGHT = re.compile(r"\b(?:say|answer|reply|respond|write|state|claim)\s(?:with\s)?", re.IGNORECASE)
_POINTERS = re.compile(
    r"\b(?:this|these|that|those|it|so|them|as|what\w*|here\w*|then|now|later|after|only|exactly|all|every\w*"
    r"|any\w*|rest|words?|sentences?|lines?|phrases?|texts?|questions?|answers?|come|comes|follows?|following"
    r"|next|below|instead)\b",
    re.IGNORECASE,
)
"""Words by which an order may send its reader on to another sentence."""
_GOES_ON = re.compile(r"[“\"「>]|\W*(?:now\s+)?(?:the\s+)?(?:part|second|step|then|next)\b", re.IGNORECASE)


def word_count(said: str) -> int:
    """How many words there are."""
    return len(_WORD.findall(said))


def is_told(order: str) -> bool:
    """Whether an order says itself what is to be said: after a colon, or as `say the shop is closed`."""
    if any(word_count(part) >= FEW for part in _SAID.split(order)[1:]):
        return True
    last = _STOPS.split(order.rstrip(".!? "))[-1]
    outright = _OUTRIGHT.search(last)
    if outright is None or _POINTERS.search(last, outright.end()):
        return False
    told = last[outright.end() :]
    return told.strip().lower() in ("yes", "no") or has_verb(told)


def points_back(said: str) -> bool:
    """`Tell the user so`: what is to be said was said before."""
    parts = ((part, _SAYS.search(part)) for part in _PARTS.split(said))
    return bool(_ENDS_SO.search(said)) or any(says and _THIS.search(part, says.end()) for part, says in parts)


def points_ahead(said: str) -> bool:
    """`Print the next line`: what is to be said comes after it."""
    spoken = [part for part in _PARTS.split(said) if _WORD.search(part)]
    return bool(spoken and _AHEAD.search(spoken[-1]))


def goes_on(said: str) -> bool:
    """Whether a sentence that follows an order belongs to it."""
    return says_what(said) or _GOES_ON.match(said) is not None
