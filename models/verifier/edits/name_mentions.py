"""The names and noun phrases of an article, sentence by sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from models.verifier.edits.edit import Article
from models.verifier.edits.name_phrases import Phrase, noun_phrases

from sensecheck.measures.facts.dates import dates
from sensecheck.measures.facts.names import fold, initials, names
from sensecheck.text.wordlists import read_groups, read_lines
from sensecheck.text.words import is_stop_word, stem, words

_TITLE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lord|Lady|Professor|President|King|Queen|Prince|Princess|Senator|Judge|Justice"
    r"|General|Captain|Colonel|Pope|Saint|Minister|Chancellor|Detective|Officer|Coach)\.?\s$"
)
_SPEAKS = re.compile(
    r"(?:,? who\b|,? (?:said|says|told|wrote|argued|added|asked|replied|claimed|explained)\b)"
)
_WHERE = re.compile(r"\b(?:[Ii]n|[Aa]t|near|across|outside|throughout|to|from)\s(?:the\s)?$")
_JOINED_BEFORE = re.compile(r"(?:[-/@_]|\bSt\.? )$")
_JOINED_AFTER = re.compile(r"[-/@_]\w")
"""What makes a name half of something longer: `sub-`, `St.`, a path."""
_LEAD = re.compile(r"\b(the|an?) $", re.IGNORECASE)
_OWNER = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Mentions:
    """What an article speaks of."""

    within: dict[str, tuple[Phrase, ...]]
    """The phrases of each sentence."""
    stems: dict[str, frozenset[str]]
    """The stems of the content words of each sentence."""
    every: dict[str, tuple[Phrase, ...]]
    """The phrases of the whole article by sort, each text once."""


@lru_cache(maxsize=32)
def mentions(article: Article) -> Mentions:
    """Takes an article apart; the last few are remembered."""
    found = _names(article.sentences)
    persons = {
        word for one in found.values() for name in one if name.sort in _HUMAN for word in name.text.split()
    }
    within = {
        sentence: _ordered([_settled(name, persons) for name in named], list(noun_phrases(sentence)))
        for sentence, named in found.items()
    }
    every: dict[str, dict[str, Phrase]] = {}
    for phrases in within.values():
        for one in phrases:
            every.setdefault(one.sort, {}).setdefault(one.text.lower(), one)
    return Mentions(
        within,
        {sentence: content_stems(sentence) for sentence in found},
        {sort: tuple(texts.values()) for sort, texts in every.items()},
    )


def phrases_of(claim: str, article: Article) -> tuple[Phrase, ...]:
    """The names and noun phrases of a claim, in order and apart from each other."""
    known = mentions(article).within
    if claim in known:
        return known[claim]
    return _ordered(_names((claim,))[claim], list(noun_phrases(claim)))


def content_stems(sentence: str) -> frozenset[str]:
    """The stems of the words that carry content."""
    return frozenset(stem(word.text) for word in words(sentence) if not is_stop_word(word.text))


@cache
def listed() -> dict[str, tuple[str, ...]]:
    """The bundled names by sort."""
    groups: dict[str, tuple[str, ...]] = {}
    for line in read_lines("name_lists.txt", __package__):
        sort, _, rest = line.partition(": ")
        groups[sort] = (*groups.get(sort, ()), *rest.split("|"))
    return groups


@cache
def _sort_of_listed() -> dict[str, str]:
    lists = {
        sort: texts for sort, texts in listed().items() if sort not in ("man", "woman", "surname", "river")
    }
    return {text: sort for sort, texts in reversed(lists.items()) for text in texts}


@cache
def first_names() -> dict[str, str]:
    """`man` or `woman` for each bundled first name."""
    return {text: sort for sort in ("man", "woman") for text in listed()[sort]}


_HUMAN = ("man", "woman", "person")


def _names(sentences: Sequence[str]) -> dict[str, list[Phrase]]:
    """The names of each sentence, read with the whole text in view."""
    starts = [0]
    for sentence in sentences:
        starts.append(starts[-1] + len(sentence) + 1)
    text = "\n".join(sentences)
    spans = [(start, end - 1) for start, end in pairwise(starts)]
    taken = [(fact.start, fact.end) for fact in dates(text)]
    found: dict[str, list[Phrase]] = {sentence: [] for sentence in sentences}
    place = 0
    for fact in names(text, spans, taken):
        while fact.start >= starts[place + 1]:
            place += 1
        sentence, base = sentences[place], starts[place]
        if not fact.weak and (phrase := _name(sentence, fact.start - base, fact.end - base)):
            found[sentence].append(phrase)
    if text.islower():
        found = {sentence: [*_lowercase(sentence)] for sentence in sentences}
    return {sentence: sorted(set(one), key=lambda name: name.start) for sentence, one in found.items()}


def _name(sentence: str, start: int, end: int) -> Phrase | None:
    text = _OWNER.sub("", sentence[start:end])
    if not text or text[0].isdigit() or _JOINED_BEFORE.search(sentence[:start]) or end > len(sentence):
        return None
    if _JOINED_AFTER.match(sentence, start + len(text)):
        return None
    led = _LEAD.search(sentence[max(0, start - 5) : start])
    lead = led[1].lower() if led else ""
    sort = _sort(text, sentence, start, start + len(text))
    many = sort in ("peoples", "believers") or (
        sort == "name" and text.endswith("s") and not text.endswith("ss")
    )
    return Phrase(start, start + len(text), text, sort, many, lead, bool(_WHERE.search(sentence[:start])))


def _sort(text: str, sentence: str, start: int, end: int) -> str:
    """What a name seems to stand for, by its words and by those around it."""
    tokens = text.split()
    if text in _sort_of_listed():
        return _sort_of_listed()[text]
    for sort, cues in read_groups("name_cues.txt", __package__).items():
        if tokens[0] in cues or tokens[-1] in cues:
            return sort
    if initials(text):
        return "acronym"
    if tokens[0] in first_names():
        return first_names()[tokens[0]]
    if _TITLE.search(sentence[max(0, start - 14) : start]) or _SPEAKS.match(sentence, end):
        return "person"
    return (
        "quoted"
        if sentence[start - 1 : start] in ('"', "“") and sentence[end : end + 1] in ('"', "”")
        else "name"
    )


def _settled(name: Phrase, persons: set[str]) -> Phrase:
    """A lone surname is a person when the article gives it to one elsewhere."""
    if name.sort == "name" and name.text in persons:
        return Phrase(name.start, name.end, name.text, "person", False, name.lead, name.relates)
    return name


def _lowercase(sentence: str) -> list[Phrase]:
    """Names of countries, cities and peoples in a text without capitals."""
    found: list[Phrase] = []
    for word in words(sentence):
        sort = _sort_of_listed().get(word.text.title(), "")
        if sort in ("country", "state", "city", "people", "faith") and word.text not in ("turkey", "polish"):
            found.append(Phrase(word.start, word.end, sentence[word.start : word.end], sort))
    return found


def _ordered(named: list[Phrase], nouns: list[Phrase]) -> tuple[Phrase, ...]:
    """All phrases in order; where two overlap, the name goes first, then the one that starts first."""
    kept: list[Phrase] = []
    for phrase in (*named, *nouns):
        if all(phrase.end <= other.start or other.end <= phrase.start for other in kept):
            kept.append(phrase)
    return tuple(sorted(kept, key=lambda phrase: phrase.start))


@cache
def _alias_groups() -> dict[str, int]:
    lines = read_lines("aliases.txt", "sensecheck.measures.facts")
    return {text.lower(): place for place, line in enumerate(lines) for text in line.split("|")}


def same_thing(one: str, other: str) -> bool:
    """Whether two names may stand for the same thing: shared words, initials, or known aliases."""
    groups = _alias_groups()
    if one.lower() in groups and groups[one.lower()] == groups.get(other.lower()):
        return True
    mine, theirs = ([fold(word) for word in text.split() if word[:1].isalnum()] for text in (one, other))
    letters = {"".join(word[:1] for word in side) for side in (mine, theirs) if len(side) > 1}
    acronyms = {initials(one), initials(other)} - {""}
    if letters & acronyms or set(mine) & set(theirs):
        return True
    return any(
        a.startswith(b[:5]) or b.startswith(a[:5]) for a in mine for b in theirs if min(len(a), len(b)) > 3
    )
