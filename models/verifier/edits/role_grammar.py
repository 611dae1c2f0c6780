"""Verbs and linking words that tell who did what to whom."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from sensecheck.text.wordlists import read_lines

_PLAIN = 3
"""How many forms a verb that takes someone is given with; others have a mark after them."""


class Forms(NamedTuple):
    """The forms of a verb."""

    past: str
    participle: str
    present: bool
    """Whether the verb was met in the present, so that its ending must fit its subject."""
    turns: bool = True
    """Whether it is said in the passive, too."""


_EQUALS = r"(?:married|joined|merged|resembled|divorced|befriended|equal|bordered|matched|based|need|agreed)"
"""Verbs that say the same the other way round, and words that only look like verbs."""
ADVERB = r"(?:(?:[a-z]+ly|also|later|then|first|never|often|once|soon|still|now) )?"
_VERBS = (
    "led to|leads to|lead to|resulted in|results in|resulted from|results from|stems from|stemmed from"
    "|derived from|derives from|originated in|emerged from|evolved from|depends on|depend on|depended on"
    "|relies on|rely on|relied on|belongs to|belonged to|consists of|consisted of|reports to|reported to"
    "|responded to|gave way to|contributed to|contributes to|lost to|surrendered to|apologized to|reacted to"
)
_STATES = (
    "descended from|named after|part of|made of|made from|based on|composed of|inspired by|followed by"
    "|preceded by|caused by|surrounded by|owned by|superior to|inferior to|due to|responsible for"
    "|dependent on|a type of|a form of|a kind of|a member of|a part of|a branch of|a subset of"
    "|a subsidiary of|the capital of|the leader of|the head of|the founder of|the author of|the cause of"
    "|the result of|the source of"
    "|the father of|the son of|the mother of|the daughter of|the predecessor of|the successor of|located in"
    "|situated in|attached to|connected by|replaced by|(?:(?:more|less) [a-z]+|[a-z]+er|worse) than"
)
LINKS = re.compile(
    rf" (?:(?:(?:has|have|had|can|may|would|will) )?{ADVERB}(?:{_VERBS})"
    rf"|(?:is|are|was|were|has been|have been|had been|will be|can be|may be|became) {ADVERB}(?:{_STATES})) "
)
"""What links two phrases that cannot change places without changing what is said."""
NUMBERED = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|leads?|results?|depends?|rely|relies|stems|derives|belongs|consists)\b"
)
"""Verbs that follow the number of their subject."""
RELATIONS = (
    "father|mother|son|daughter|teacher|student|pupil|mentor|boss|employer|employee|predecessor|successor|founder"
    "|creator|biographer|parent|child|uncle|aunt|nephew|niece|grandfather|grandmother|grandson|granddaughter"
    "|lawyer|doctor|secretary|assistant|manager|agent|wife|husband|widow|heir|servant|deputy|adviser|advisor"
    "|bodyguard|coach|subsidiary|parent company|supplier"
)
CHOICES = re.compile(r" (?:instead of|rather than|but not|, not|and not) ")
SPEECH = re.compile(
    r" (?:said|says|claimed|argued|believed|thought|reported|announced|admitted|denied|insisted|feared|hoped"
    r"|knew|wrote|stated|suggested|confirmed|complained|noted) (?:that )?"
)
TRANSFERS = re.compile(
    r" (?:(?:has|had|have) )?(?:gave|sold|sent|lent|handed|ceded|donated|transferred|leased|paid|granted"
    r"|awarded|offered|bought|purchased|received|borrowed|stole|inherited|obtained|acquired|given|taken|took|seized|won)"
    r" (?P<what>[^,;.()]{3,60}?) (?:to|from) $"
)
SYMMETRIC = re.compile(
    r"\b(?:with|between|both|met|married|merged|allied|equal|same|similar|alongside|versus|vs|like|together|including"
    r"|such|called|known|named|among)\b|[;:()\[\]\"“”]"
)


@cache
def verb_forms() -> dict[str, Forms]:
    """Each form of each verb with what the verb becomes elsewhere."""
    forms: dict[str, Forms] = {}
    for plain, past, participle, *mark in _rows():
        turns = mark != ["swap"]
        forms |= {present: Forms(past, participle, True, turns) for present in (plain, _third(plain))}
        forms[past] = Forms(past, participle, False, turns)
    return forms


@cache
def actives() -> re.Pattern[str]:
    """A verb between its subject and its object; `free` when things can do it, too."""
    free, bound = (
        "|".join(_longest(form for row in rows for form in (*row[:3], _third(row[0])))) for rows in _freedom()
    )
    aux = r"(?P<aux>(?:has|have|had|will|would|could|can|may|might|must|should|did not|does not|do not) )?"
    verb = rf"(?P<free>{free})|{bound}|(?P<other>(?!{_EQUALS})[a-z]{{3,}}ed)"
    return re.compile(rf" {aux}(?P<adverb>{ADVERB})(?P<verb>{verb}) (?!by\b|to\b|that\b)")


@cache
def passives() -> re.Pattern[str]:
    """A verb in the passive, between the one it was done to and the one who did it."""
    free, bound = ("|".join(_longest(row[2] for row in rows)) for rows in _freedom())
    aux = r"(?P<be>is|are|was|were|has been|have been|had been|will be|would be|can be|could be)"
    return re.compile(rf" {aux} (?P<adverb>{ADVERB})(?P<verb>(?P<free>{free})|{bound}) by ")


@cache
def past_of() -> dict[str, str]:
    """The past of each participle."""
    return {participle: past for _, past, participle, *_ in _rows()}


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in read_lines("role_verbs.txt", __package__))


def _freedom() -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The verbs that anything can do, and those that take someone."""
    return [row for row in _rows() if len(row) > _PLAIN], [row for row in _rows() if len(row) == _PLAIN]


def _longest(forms: Iterable[str]) -> list[str]:
    """Each form once, longer ones before those they start with."""
    return sorted(set(forms), key=lambda form: (-len(form), form))


def _third(plain: str) -> str:
    if plain.endswith("y") and plain[-2] not in "aeiou":
        return plain[:-1] + "ies"
    return plain + ("es" if plain.endswith(("s", "sh", "ch", "x", "o")) else "s")
