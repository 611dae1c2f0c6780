"""The plain form of a verb as it stands in a claim."""

import re
from functools import cache

from models.verifier.edits.kept_forms import bases, irregular, verb

from sensecheck.text.wordlists import read_words

_NOT_BEFORE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|has|have|had|having|the|an?|his|her|its|their|of|to|by|in|on"
    r"|at|for|with|and"
    r"|or|as|than|not|never|get|gets|got|become|became|from|most|more|very|well|newly|when|if|after"
    r"|before|while"
    r"|these|those|some|many|all|two|three|[a-z]+ing|[a-z]+ly)$"
)
"""After these a form such as `opened` is no finite verb."""
_SURE = re.compile(r"(?:^|\b)(?:he|she|it|they|we|i|you|who|which)$", re.I)
_LOOSE = re.compile(r"(?:in|on|to|at|from|for|with|by)\b")
_NAME = re.compile(r"(?:[A-Z][\w’'.-]*|\))$")


def plain(form: str, before: str, after: str, *, third: bool = False) -> str:
    """The plain form of a finite verb; nothing when the word may be something else."""
    before = before.rstrip()
    if _NOT_BEFORE.search(before) or before.endswith((",", ";", ":")):
        return ""
    if third:
        return _thirds().get(form, "") if _SURE.search(before) or _NAME.search(before) else ""
    sure = _SURE.search(before) or _NAME.search(before)
    if form in bases() and form not in ("was", "had", "lay"):
        unclear = form in _same() and not _SURE.search(before) and _LOOSE.match(after)
        return "" if unclear or (form in _same() and not sure) else bases()[form]
    return _pasts().get(form, "") if sure else ""


@cache
def _same() -> frozenset[str]:
    """Irregular pasts that are also participles, so that `the cup won by` may be meant."""
    return frozenset(past for past, participle in irregular().values() if past == participle)


@cache
def _pasts() -> dict[str, str]:
    return {verb(base).past: base for base in read_words("negation_verbs.txt", __package__)}


@cache
def _thirds() -> dict[str, str]:
    words = [*read_words("negation_verbs.txt", __package__), *irregular()]
    return {verb(base).third: base for base in words if base != "be"}
