"""Sentences that claim nothing: questions, greetings, offers of help."""

import re
from functools import cache

from sensecheck.measures.claims.phrases import Phrase
from sensecheck.measures.text.lists import read_lines

_ASKS = re.compile(r"[?？؟]+[!?\"'”’»)\]*_」』）]*$")
_LONGEST = 30
"""No pleasantry has more words than this; a longer sentence says something besides."""
_MARKS = " \t\r\n*_\"'“”‘’()[]#>!.…,:;。！？"


def is_talk(said: str) -> bool:
    """Whether a sentence is a question, a pleasantry, or has neither a letter nor a digit."""
    if not any(map(str.isalnum, said)):
        return True
    return _ASKS.search(said[-12:]) is not None or _is_pleasantry(said)


def _is_pleasantry(said: str) -> bool:
    bare = said.strip(_MARKS)
    if any(map(str.isdigit, bare)) or len(bare.split()) > _LONGEST:
        return False
    introduces = said.rstrip("*_ ").endswith((":", "："))
    return any(each.fullmatch(bare) for each in _phrases(opening=False)) or (
        introduces and any(each.fullmatch(bare) for each in _phrases(opening=True))
    )


@cache
def _phrases(*, opening: bool) -> tuple[re.Pattern[str], ...]:
    """The phrases that open something and end in a colon, or all the others."""
    lines = (line for line in read_lines("talk.txt", __package__) if line.endswith(":") == opening)
    return tuple(Phrase.of(line.removesuffix(":"), gap=14).pattern for line in lines)
