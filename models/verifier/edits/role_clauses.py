"""Claims of two clauses, cause and effect or before and after, with the clauses exchanged."""

import re
from collections.abc import Iterator

from models.verifier.edits.edit import Edit
from models.verifier.edits.name_phrases import Phrase

_JOINED = re.compile(
    r"(?P<first>[^,;:()\"“”—]{12,140}?)(?P<by>,? (?:because|after|before|even though|until) )"
    r"(?P<second>[^,;:()\"“”—]{10,140}?)(?P<end>[.!]?)"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|may|might|did|does|do|[a-z]{3,}ed|became|began|came|went"
    r"|took|made|said|left|lost|won|got|rose|fell|grew|found|saw|felt|knew|thought|wrote|led|held|kept|ran|gave)\b"
)
_SUBJECT = re.compile(
    r"(?:(?i:the|an?|its|their|his|her|my|our|your|it|he|she|they|we|i|you|this|these|there)|[A-Z]\w+) "
)
_BACK = re.compile(r"\b(?:it|he|she|they|this|its|their|his|her|him|them|these|those)\b", re.IGNORECASE)

_MORE = re.compile(r"\b(?:because|so|then|which|after|before|okay|you know)\b|\?")


def clauses_swapped(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """`X because Y` becomes `Y because X`; so do `after`, `before` and `until`."""
    found = _JOINED.fullmatch(claim)
    if found is None or not _stand_alone(found["first"], found["second"]):
        return
    named = any(phrase.start == 0 and phrase.proper for phrase in phrases)
    first = found["first"] if named else _small(found["first"])
    second = found["second"]
    opening = second if claim.islower() else second[0].upper() + second[1:]
    text = opening + found["by"] + first + found["end"]
    later = len(opening) + len(found["by"])
    yield Edit("role", text, ((0, len(opening)), (later, later + len(first))))


def _stand_alone(first: str, second: str) -> bool:
    """Whether both are clauses of their own, and the second does not point back to the first."""
    if (
        not (_SUBJECT.match(first) and _SUBJECT.match(second))
        or _BACK.match(second)
        or _MORE.search(first + second)
    ):
        return False
    return all(_FINITE.search(clause) for clause in (first, second))


def _small(clause: str) -> str:
    """A clause without the capital of its sentence, unless it starts with `I`."""
    return clause if clause.startswith(("I ", "I'")) else clause[0].lower() + clause[1:]
