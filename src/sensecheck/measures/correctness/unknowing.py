"""Answers that say that they do not know: `I don't know who won`, `As an AI, I have no access to …`."""

import re

from sensecheck.measures.claims.abstention import abstention
from sensecheck.text.sentences import sentences

_OPENING = 3
"""Sentences in which an answer that does not know says so."""
_WE = r"\b(?:i|we)"
_UNKNOWING = re.compile(
    rf"{_WE}(?:['’]m| am|['’]re| are)(?: \w+)?"
    r" (?:not (?:sure|certain|aware|familiar|able)|unsure|unable|unaware)\b"
    rf"|{_WE} (?:do not|don['’]t|did not|didn['’]t)(?: \w+)? (?:know|have|recall|remember|find)\b"
    rf"|{_WE} (?:could not|couldn['’]t|cannot|can['’]t)(?: \w+)?"
    r" (?:find|answer|say|tell|determine|provide|verify|confirm)\b"
    rf"|{_WE} have no (?:\w+ )?(?:idea|information|knowledge|data|access|record)\b|^\W*no idea\b"
    r"|\bit is (?:unclear|unknown|uncertain|not (?:clear|known|certain))\b|^\W*unknown\W*$"
    r"|\b(?:there is|there['’]s|i found|i see) no (?:\w+ ){0,2}(?:information|data|record|evidence|answer)\b",
    re.IGNORECASE,
)


def unknowing(answer: str) -> tuple[int, int] | None:
    """Where an answer says at its beginning that it does not know; None where it does not say so."""
    for start, end in sentences(answer)[:_OPENING]:
        said = answer[start:end]
        if match := _UNKNOWING.search(said):
            return start + match.start(), start + match.end()
        if found := abstention(said):
            return start + found[0], start + found[1]
    return None
