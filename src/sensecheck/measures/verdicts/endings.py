"""Whether a verdict ends where its word does, or whether the sentence goes on: `pass rates are high`."""

import re

from sensecheck.measures.verdicts.words import SIGNS

SIGN = f"[{''.join(SIGNS)}]"

_DONE = re.compile(
    rf"""[*_`)\]>~]*(?:
      \s*\Z | \s*\n | \s*\}}
    | \s*["“'’]+[*_`)\]}}>,;.\s]*(?:\Z|\n)              # the string ends here, and nothing comes after it
    | \s*[.!;,:…]+(?=[\s"“'’*_`)\]}}>|]|\Z)
    | \s*(?:[—–|(\[{{]|--|//|/\*|{SIGN}) | \s+-\s | \s+\#
    | \s+(?:because|since|as|due|with|given|based|considering)\b
    | \s+(?!for\b)[A-Za-z][A-Za-z ]{{1,20}}:            # the next label
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE = re.compile(rf"(?:[\s*_`\"'“’\])}}>~.!…,;|]|{SIGN})*\Z")
_BETTER = re.compile(
    r"\s+(?:(?:is|was)\s+(?:the\s+)?(?:clearly\s+)?(?:better|best|preferred|winner|stronger|superior)"
    r"(?:\s+(?:one|response|answer|output))?|wins|won)\b",
    re.IGNORECASE,
)
_ASPECT = re.compile(r"[*_`]*\s+(?:for|on|in)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\s+[A-Z]")
_ALSO = re.compile(
    r"[*_`)\]>\"“'’]*\s*(?:[^\w\s]{1,4}|or\b|and\b|vs\b)\s*[*_`(\[<\"“'’]*(?P<word>\w++)(?!\s+\w)"
)


def ends(text: str, at: int, *, aspect: bool = False) -> bool:
    """Whether a verdict may end here; `A` also before `is better`, and one of an aspect before `for tone`."""
    if aspect and _ASPECT.match(text, at):
        return True
    better = _BETTER.match(text, at)
    return _DONE.match(text, better.end() if better else at) is not None


def ends_whole(text: str, at: int) -> bool:
    """Whether nothing but marks comes after it."""
    return _WHOLE.match(text, at) is not None


def ends_shouted(text: str, start: int, at: int) -> bool:
    """Whether a verdict in capitals ends before the next sentence: `FAIL The date is wrong`."""
    return at - start > 1 and text[start:at].isupper() and _CAPITAL.match(text, at) is not None


def offered_with(text: str, at: int) -> str:
    """The word that is offered as well: `FAIL`, behind `PASS`, in `PASS/FAIL` and in `PASS or FAIL`."""
    match = _ALSO.match(text, at)
    return match["word"] if match else ""
