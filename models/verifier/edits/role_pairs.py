"""Names and noun phrases that stand in a relation, exchanged."""

import re
from collections.abc import Iterator
from itertools import combinations

from models.verifier.edits.edit import Edit
from models.verifier.edits.name_mentions import same_thing
from models.verifier.edits.name_phrases import Phrase, is_plural, noun_sort
from models.verifier.edits.role_grammar import CHOICES, RELATIONS, SPEECH, SYMMETRIC, TRANSFERS
from models.verifier.edits.role_sides import of_phrase
from models.verifier.edits.role_swap import swapped

_REACH = 110
"""How many characters may stand between the two."""
_OWNED = re.compile(rf"['’]s (?:[a-z]+ )?(?:{RELATIONS})(?: was|,)? ")
_OF = re.compile(rf"(?:,| was| is| became) (?:the |a )?(?:[a-z]+ )?(?:{RELATIONS}) of ")
_ON = re.compile(r" (?:up)?(?:on|over|by|against|from|to|for) ")
_EFFECT = re.compile(
    r"\b(?:effects?|impact|influence|attacks?|invasion|conquest|control|victory|power|dominance|defeat|dependence"
    r"|criticism|opinion|hatred|fear|rule|reliance|superiority|transfer|conversion|sale|loss|threat) of $"
)
_FROM_TO = re.compile(r" (?:in)?to ")
_MORE_THAN = re.compile(r"\b(?:more|fewer|rather|less) (?P<one>[a-z]+)(?P<than> than )(?P<other>[a-z]+)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|[a-z]{3,}ed|said|wrote|told|made|took|became|won|lost|gave|led|can|will"
    r"|could|would|may|might|must|does|did)\b"
)
_IS = re.compile(r"[^.]{0,15}\b(?:is|are|was|were|be|as|become|became)\b (?:also |now |still )?")
"""What makes the two one and the same."""
_LISTED = re.compile(r"\s(?:and|or)\s|/|-|,\s(?:[A-Z]|and|or)")
_PEOPLE = ("man", "woman", "person", "noun person")
_THINGS = ("noun ", "noun abstract", "noun thing")
_ARTICLES = {"the", "a", "an"}
_OPEN = _ARTICLES | {"", "some", "many", "several", "most", "another", "each", "every"}
"""Leads that do not point at someone named before."""
_SHORT = 180
_LOOSE = ("name", "quoted", "acronym", "noun idea", *_THINGS)
"""Sorts too wide for two of them to be alike."""


def pairs_swapped(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """`A's teacher B`, `from A to B`, `A rather than B`, `A said that B`, `A sold it to B`, exchanged."""
    for one, other in _pairs(claim, phrases):
        if _is_related(claim, one, other):
            yield swapped(claim, of_phrase(claim, one), of_phrase(claim, other))


def strangers_swapped(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """Two phrases of the same sort with a verb between them, where nothing makes them equals."""
    for one, other in _pairs(claim, phrases):
        if one.sort == other.sort and one.sort not in _LOOSE and _are_apart(claim, one, other):
            yield swapped(claim, of_phrase(claim, one), of_phrase(claim, other))


def amounts_swapped(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """`more men than women` becomes `more women than men`."""
    for found in _MORE_THAN.finditer(claim):
        one, other = found["one"], found["other"]
        if is_plural(one) and is_plural(other) and noun_sort(one) and noun_sort(other):
            text = claim[: found.start("one")] + other + found["than"] + one + claim[found.end() :]
            later = found.end() - len(one)
            yield Edit(
                "role", text, ((found.start("one"), found.start("one") + len(other)), (later, found.end()))
            )


def things_swapped(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """The same for nouns that are only known to be things: `the boiler`, `the cylinder`."""
    for one, other in _pairs(claim, phrases):
        things = one.sort == other.sort and one.sort in _THINGS
        if (
            things
            and one.lead == other.lead == "the"
            and len(claim) < _SHORT
            and _are_apart(claim, one, other)
        ):
            yield swapped(claim, of_phrase(claim, one), of_phrase(claim, other))


def _are_apart(claim: str, one: Phrase, other: Phrase) -> bool:
    between, before = claim[one.end : other.begins(claim)], claim[max(0, one.start - 12) : one.start]
    if _IS.fullmatch(between) or (not one.proper and _is_part(claim, one) != _is_part(claim, other)):
        return False
    led_alike = bool(one.lead) == bool(other.lead) if one.proper else {one.lead, other.lead} <= _OPEN
    if one.plural is not other.plural or not led_alike:
        return False
    return bool(_VERB.search(between)) and not SYMMETRIC.search(before + between)


def _is_part(claim: str, phrase: Phrase) -> tuple[bool, bool]:
    """Whether the phrase is the second or the first half of `A of B`."""
    return claim[: phrase.begins(claim)].lower().endswith(" of "), claim.startswith(" of ", phrase.end)


def _pairs(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[tuple[Phrase, Phrase]]:
    whole = [phrase for phrase in phrases if not _is_cut(claim, phrase)]
    for one, other in combinations(whole, 2):
        if other.start - one.end < _REACH and not same_thing(one.text, other.text):
            yield one, other


def _is_related(claim: str, one: Phrase, other: Phrase) -> bool:
    between = claim[one.end : other.begins(claim)]
    before = claim[max(0, one.begins(claim) - 5) : one.begins(claim)].lower()
    if one.proper and other.proper and (_OWNED.fullmatch(between) or _OF.fullmatch(between)):
        return True
    if before == "from " and _FROM_TO.fullmatch(between):
        return one.proper is other.proper
    if _ON.fullmatch(between) and _EFFECT.search(claim, 0, one.begins(claim)):
        return True
    if CHOICES.fullmatch(between):
        return bool(one.lead) == bool(other.lead)
    if (
        one.sort in _PEOPLE
        and other.sort in _PEOPLE
        and one.plural is other.plural
        and SPEECH.fullmatch(between)
    ):
        return True
    return (
        one.proper
        and other.proper
        and "people" not in (one.sort, other.sort)
        and bool(TRANSFERS.fullmatch(between))
    )


def _is_cut(claim: str, phrase: Phrase) -> bool:
    """Whether the phrase belongs to a list, or is half of a word."""
    before, after = claim[: phrase.begins(claim)].rstrip().lower(), claim[phrase.end :]
    return before.endswith((" and", " or", "/", "-")) or bool(_LISTED.match(after))
