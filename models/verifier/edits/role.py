"""A claim in which those who act and those who are acted upon have changed places."""

import re
from collections.abc import Callable, Iterator
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.name_mentions import phrases_of
from models.verifier.edits.name_phrases import Phrase
from models.verifier.edits.role_clauses import clauses_swapped
from models.verifier.edits.role_grammar import LINKS, NUMBERED, actives, passives, past_of, verb_forms
from models.verifier.edits.role_pairs import (
    amounts_swapped,
    pairs_swapped,
    strangers_swapped,
    things_swapped,
)
from models.verifier.edits.role_sides import Side, left_side, right_side
from models.verifier.edits.role_swap import swapped

Way = Callable[[str, tuple[Phrase, ...]], Iterator[Edit]]


def role(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with its roles exchanged, the surest ways first."""
    phrases, seen = phrases_of(claim, article), {claim}
    for ways in _WAYS:
        found = [edit for way in ways for edit in way(claim, phrases)]
        for edit in rng.sample(found, len(found)):
            if edit.text not in seen:
                seen.add(edit.text)
                yield edit


def _active(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """`A defeated B` becomes `B defeated A`, or `A was defeated by B`."""
    for found in actives().finditer(claim):
        sides = _sides(claim, found.start(), found.end(), phrases)
        if sides and _can_do(found, *sides):
            yield from _turned(claim, found, *sides)


def _turned(claim: str, found: re.Match[str], one: Side, other: Side) -> Iterator[Edit]:
    """What an active verb allows for, given the number of its subject."""
    forms = verb_forms().get(found["verb"])
    present = forms is not None and forms.present and not found["aux"]
    if present and not (other.led or other.named):  # `control systems` may be no verb at all
        return
    bound = found["aux"].startswith(("has", "have", "do")) if found["aux"] else present
    if not bound or one.plural is other.plural:
        yield swapped(claim, one, other)
    if forms and forms.turns and not found["aux"] and not claim.startswith(" to ", other.end):
        new = f"{_BE[forms.present, one.plural]} {found['adverb']}{forms.participle} by"
        yield _put(claim, found.start() + 1, found.end() - 1, new)


def _passive(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """`A was defeated by B` becomes `B was defeated by A`, or `A defeated B`."""
    for found in passives().finditer(claim):
        sides = _sides(claim, found.start(), found.end(), phrases, bare=True)
        if sides is None or not _can_do(found, *sides):
            continue
        if sides[0].plural is sides[1].plural:
            yield swapped(claim, *sides)
        if found["be"] in ("was", "were", "had been"):
            yield _put(claim, found.start() + 1, found.end() - 1, found["adverb"] + past_of()[found["verb"]])


def _linked(claim: str, phrases: tuple[Phrase, ...]) -> Iterator[Edit]:
    """`A led to B`, `A is larger than B` and the like, with A and B exchanged."""
    for found in LINKS.finditer(claim):
        sides = _sides(claim, found.start(), found.end(), phrases, bare=True)
        if sides and (sides[0].plural is sides[1].plural or not NUMBERED.search(found[0])):
            yield swapped(claim, *sides)


def _sides(
    claim: str, end: int, start: int, phrases: tuple[Phrase, ...], *, bare: bool = False
) -> tuple[Side, Side] | None:
    """The phrases that end and start at two places, if they stand for different things."""
    one, other = left_side(claim, end, phrases, bare=bare), right_side(claim, start, phrases, bare=bare)
    if one is None or other is None or one.text.lower().split()[-1] == other.text.lower().split()[-1]:
        return None
    return one, other


def _can_do(found: re.Match[str], one: Side, other: Side) -> bool:
    """Whether either side could have done it to the other."""
    if {one.sort, other.sort} & _HUMAN and {one.sort, other.sort} & _PLACES:
        return False
    if found.groupdict().get("other"):
        return one.agent and other.agent and (one.named or not one.led) and (other.named or not other.led)
    return one.agent is other.agent and (one.agent or bool(found["free"]))


def _put(claim: str, start: int, end: int, new: str) -> Edit:
    return Edit("role", claim[:start] + new + claim[end:], ((start, start + len(new)),))


_HUMAN = {"man", "woman", "person", "noun person"}
_PLACES = {
    "country",
    "city",
    "state",
    "place",
    "union",
    "noun place",
    "noun nature",
    "noun building",
    "faith",
}
_BE = {(False, False): "was", (False, True): "were", (True, False): "is", (True, True): "are"}
_WAYS: tuple[tuple[Way, ...], ...] = (
    (_active, _passive, _linked, clauses_swapped, pairs_swapped, amounts_swapped),
    (strangers_swapped,),
    (things_swapped,),
)
