"""The two sides of a verb: who acts, and who is acted upon."""

import re
from dataclasses import dataclass

from models.verifier.edits.name_phrases import Phrase, is_plural, noun_sort

from sensecheck.text.words import is_stop_word

_LEADS = "the|an?|its|their|his|her|our|your|my|this|these|those|some|many|several|most|another|each|every"
_BOUND = re.compile(
    r"[,;:()\[\]\"“”—–][\"”]?\s*|\b(?:that|and|but|when|while|because|although|if|where|since|after|before|whether"
    r"|or|as|so|then|said|says|which|who|how|why|what|until|though|whereas"
    r"|In \d{4}|In|On|At|By|During|From|For|With|After|Before|Since|Under)\s"
)
_WORD = r"[^\W_][\w'’.-]*[\w'’]|[^\W_]"
_RIGHT = re.compile(rf"(?:(?:{_LEADS})\s)?(?:{_WORD})(?:\s(?:{_WORD})){{0,9}}", re.IGNORECASE)
_STOPS_AT = re.compile(
    r"\s(?:in|on|at|by|for|from|to|with|into|onto|over|under|between|among|through|during|after|before|against"
    r"|within|without|along|across|around|as|than|but|because|although|while|that|which|who|whose|where|when|is|are"
    r"|was|were|has|have|had|can|could|will|would|may|might|must|should|did|does|do|be|if|so|until|since|via|near"
    r"|throughout|despite|about|not|also|only|[a-z]+ly|[a-z]{3,}ing|(?:19|20)\d\d)\b"
)
_JOINT = re.compile(r"(\s(?:of|in|on|at|from|for|with|to)\s)")
_OTHER_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|not|it|he|she|they|we|you|[a-z]+ed)\b")
_AGENTS = frozenset(
    ("man", "woman", "person", "country", "union", "city", "state", "org", "company", "agency", "peoples",
     "believers", "noun person", "noun group", "noun living", "name", "paper")
)  # fmt: skip


SUBJECTS = {"he": "him", "she": "her", "they": "them", "we": "us", "i": "me"}
"""How those who act are spoken of when they are acted upon."""


@dataclass(frozen=True, slots=True)
class Side:
    """A phrase with everything that belongs to it."""

    start: int
    end: int
    text: str
    plural: bool
    agent: bool
    """Whether it can do something on purpose."""
    sort: str
    led: bool
    """Whether it starts with `the` or the like."""
    named: bool
    """Whether it starts with a name, so that its first letter stays a capital within a sentence."""


def left_side(claim: str, end: int, phrases: tuple[Phrase, ...], *, bare: bool = False) -> Side | None:
    """The phrase that ends at a place, if it is a whole one; with `bare`, a noun alone will do."""
    start = 0
    for bound in _BOUND.finditer(claim, 0, end):
        start = bound.end()
        if bound[0] in ("and ", "or ") and claim[bound.start() - 2 : bound.start()] != ", ":
            start = -1  # the other half of `A and B` would be left behind
    if start < 0:
        return None
    return _side(claim, start, end, phrases, bare)


def right_side(claim: str, start: int, phrases: tuple[Phrase, ...], *, bare: bool = False) -> Side | None:
    """The phrase that starts at a place; with `bare`, a noun alone will do."""
    match = _RIGHT.match(claim, start)
    if match is None:
        return None
    stop = _STOPS_AT.search(claim, start, match.end())
    end = stop.start() if stop else match.end()
    if re.match(r"\s(?:and|or)\b", claim[end:]) or re.search(r"\s(?:and|or)\s", claim[start:end]):
        return None
    return _side(claim, start, end, phrases, bare)


def of_phrase(claim: str, phrase: Phrase) -> Side:
    """A name or noun phrase as a side, with its lead."""
    start = phrase.begins(claim)
    agent, named = phrase.sort in _AGENTS, phrase.proper and not phrase.lead
    return Side(
        start,
        phrase.end,
        claim[start : phrase.end],
        phrase.plural,
        agent,
        phrase.sort,
        bool(phrase.lead),
        named,
    )


def _side(claim: str, start: int, end: int, phrases: tuple[Phrase, ...], bare: bool) -> Side | None:
    """The stretch as a side; None when it does not read as one phrase."""
    text = claim[start:end]
    if text.lower() in (*SUBJECTS, *SUBJECTS.values()):
        many = text.lower() in ("they", "them", "we", "us", "i", "me")  # `I have`, not `I has`
        return Side(start, end, text, many, True, "person", False, text == "I")
    lead = re.match(rf"(?:{_LEADS})\s", text, re.IGNORECASE)
    own = text[lead.end() :] if lead else text
    core, joint, rest = _JOINT.split(own, maxsplit=1) if _JOINT.search(own) else (own, "", "")
    words = core.split()
    if not words or len(words) > 5 or len(rest.split()) > 4 or _OTHER_VERB.search(rest) or text[-1:] in ".'’":
        return None
    if any(is_stop_word(word.lower()) or word.lower().endswith(("ly", "n't")) for word in words):
        return None
    if rest and is_stop_word(rest.split()[-1].lower()):
        return None
    inside = [one for one in phrases if one.proper and one.end == end - len(joint) - len(rest)]
    found = _name_side(claim, start, end, inside[0], lead is not None) if inside else None
    return found if inside else _noun_side(claim, start, end, words, led=lead is not None, bare=bare)


def _name_side(claim: str, start: int, end: int, name: Phrase, led: bool) -> Side | None:
    """A side that is a name, unless something else stands before the name."""
    if name.start > start and not led:
        return None
    return Side(start, end, claim[start:end], name.plural, name.sort in _AGENTS, name.sort, led, not led)


def _noun_side(claim: str, start: int, end: int, words: list[str], *, led: bool, bare: bool) -> Side | None:
    """A side of common nouns."""
    head = words[-1].lower()
    if any(word[:1].isupper() for word in words[1:]) or (words[0][:1].isupper() and start):
        return None
    sort = noun_sort(head) if head.isalpha() else ""
    enough = led or is_plural(head) or bare or (sort == "noun abstract" and len(words) > 1)
    if not sort or not enough:
        return None
    return Side(start, end, claim[start:end], is_plural(head), sort in _AGENTS, sort, led, False)
