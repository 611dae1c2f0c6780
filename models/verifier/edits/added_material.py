"""Clauses that can be put to a sentence: some of the article's own, some made up."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from models.verifier.edits.edit import Article
from models.verifier.edits.name_mentions import content_stems, listed, mentions
from models.verifier.edits.name_phrases import Phrase

from sensecheck.text.wordlists import read_groups, read_lines

_PLAIN = r"[^,;:()\[\]\"“”?!—–]"
_CLAUSE = re.compile(
    r"(?P<clip>,? (?:because|although|even though|so that|due to|because of|as a result of|despite|in order"
    r" to|thanks to|instead of|, which|, making|, leading|, causing|, resulting|, allowing|, leaving"
    r"|, prompting|, forcing|, where|, while|, although|, especially|, particularly|, mainly)"
    rf" {_PLAIN}{{8,90}}$)"
)
_PHRASE = re.compile(
    r"(?P<clip> (?:in|during|throughout|since|until|under|without|across|near|despite|within|outside|at|among"
    r"|after|before) (?:the|an?|his|her|their|its|[A-Z0-9][\w'’%-]*|[a-z]{4,})(?: [A-Za-z0-9'’%$-]+){0,4}$)"
)
_OPENING = re.compile(
    r"(?P<clip>(?:In|During|After|Before|By|Since|According to|Despite|Because of|Under|Following|Throughout"
    rf"|As a result of|Unlike|Thanks to|At|For|Due to) {_PLAIN}{{4,50}}),\s"
)
_DIGIT = re.compile(r"\d|\b(?:century|year|years|decade|today|now|month|week|day|yesterday|night|morning)\b")
_INNER_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|there|can|will|would|said|says)\b")
_FINITE_IN_PHRASE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|that|which|who|to|it|this|and|or|[a-z]+ed|[a-z]+ing)\b"
)
_POINTS = re.compile(
    r"^(?:In|For|At|By|During|After|Before|Under|Since) (?:this|that|these|those|it|him|her|them|which"
    r"|example|instance|addition|fact|contrast|general|particular|all|first|least|other|short|total|turn|order|then)\b"
)
_OWN_SORTS = {
    "city": ("city", "place", "state"), "country": ("country",), "company": ("company", "org"),
    "person": ("man", "woman", "person"), "org": ("org", "agency", "acronym"),
    "people": ("peoples", "believers"),
}  # fmt: skip
"""Which names of the article may fill a slot."""
_OWN_SHARE = 0.6
_SLOT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Clip:
    """A piece of a sentence that could also stand with another one."""

    text: str
    """With the comma or space before it, when it stands at the end."""
    place: int
    """Which sentence of the article it is from."""
    opens: bool
    timed: bool
    stems: frozenset[str]
    around: frozenset[str]
    """The stems of the sentence it was cut from, without its own."""


@lru_cache(maxsize=32)
def clips(article: Article) -> tuple[Clip, ...]:
    """The pieces of an article that can be put elsewhere; the last few articles are remembered."""
    found: list[Clip] = []
    for place, sentence in enumerate(article.sentences):
        if len(sentence) < 400 and sentence[-1:] in ".!" and sentence[-3:-2] != " ":
            found += _clips(sentence, place)
    return tuple(found)


def is_timed(text: str) -> bool:
    """Whether a text says when."""
    return _DIGIT.search(text) is not None


def made_up(form: str, article: Article, rng: Random) -> str:
    """A clause of a form, with everything filled in; half of the names are the article's own."""
    text = rng.choice(_templates()[form])
    every = mentions(article).every
    while slot := _SLOT.search(text):
        known = [name for sort in _OWN_SORTS.get(slot[1], ()) for name in every.get(sort, ())]
        own = _own_name(rng.choice(known)) if known and rng.random() < _OWN_SHARE else ""
        text = text[: slot.start()] + (own or _filled(slot[1], rng)) + text[slot.end() :]
    return text


def adjectives(sort: str) -> tuple[str, ...]:
    """Adjectives that go with a sort of noun."""
    return tuple(sorted(read_groups("added_clauses.txt", __package__).get(f"adjective {sort}", ())))


def _clips(sentence: str, place: int) -> list[Clip]:
    body = sentence[:-1]
    matches = (_CLAUSE.search(body), _PHRASE.search(body), _OPENING.match(sentence))
    return [_clip(match, sentence, place) for match in matches if match and not _is_bound(match)]


def _is_bound(match: re.Match[str]) -> bool:
    """Whether a piece points back to what came before it, or is more than a phrase."""
    clip = match["clip"]
    if match.re is _PHRASE:
        return _FINITE_IN_PHRASE.search(clip, clip.index(" ", 1)) is not None
    return match.re is _OPENING and bool(_POINTS.match(clip) or _INNER_VERB.search(clip))


def _clip(match: re.Match[str], sentence: str, place: int) -> Clip:
    text, opens = match["clip"], match.re is _OPENING
    rest = sentence[: match.start()] + sentence[match.end() :]
    return Clip(text, place, opens, is_timed(text), content_stems(text), content_stems(rest))


@cache
def _templates() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in read_lines("added_clauses.txt", __package__):
        form, _, text = line.partition(":")
        found[form] = (*found.get(form, ()), text)
    found["people"] = tuple(word for line in found["people"] for word in line.strip().split("|"))
    return found


def _filled(slot: str, rng: Random) -> str:
    """The value of a slot: one of its choices, or something of the sort it names."""
    lists = listed()
    if slot in ("city", "country", "company"):
        return rng.choice(lists[slot])
    if slot == "person":
        return f"{rng.choice(lists[rng.choice(('man', 'woman'))])} {rng.choice(lists['surname'])}"
    if slot == "org":
        return _with_the(rng.choice(lists["org"]))
    if slot == "people":
        return rng.choice(_templates()["people"])
    if slot == "person_noun":
        return rng.choice(
            ("mayor", "governor", "owner", "director", "president", "minister", "chairman", "judge")
        )
    if slot == "number":
        return str(rng.choice((3, 4, 6, 7, 8, 12, 14, 15, 18, 20, 25, 30, 35, 40, 45, 60)))
    if slot == "year":
        return str(rng.randint(1890, 2019))
    return f"{rng.randint(189, 201)}0s" if slot == "decade" else rng.choice(slot.split("|"))


def _own_name(name: Phrase) -> str:
    return f"the {name.text}" if name.lead == "the" else name.text


def _with_the(org: str) -> str:
    bare = org.endswith(("University", "College")) and " of " not in org
    return org if bare else f"the {org}"
