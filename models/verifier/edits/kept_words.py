"""Another word that says the same, put where it fits."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from models.verifier.edits.edit import Article
from models.verifier.edits.kept_forms import verb, with_s

from sensecheck.text.wordlists import read_lines

_TOKEN = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*,?|\$?\d[\d,.]*|[^\sA-Za-z\d]")
_LONGEST = 5
_ARTICLES = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "these",
        "those",
        "that",
        "his",
        "her",
        "its",
        "their",
        "our",
        "my",
        "your",
        "no",
        "some",
        "any",
        "each",
        "every",
        "of",
    ]
)
_BEFORE_BASE = frozenset(
    [
        "to",
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "must",
        "shall",
        "should",
        "they",
        "we",
        "you",
        "i",
        "who",
        "not",
        "did",
        "do",
        "does",
        "cannot",
    ]
)
_BEFORE_THIRD = frozenset(
    ["he", "she", "it", "who", "which", "that", "also", "often", "usually", "sometimes", "now", "still"]
)
_BEFORE_PARTICIPLE = frozenset(
    ["has", "have", "had", "having", "is", "are", "was", "were", "be", "been", "being", "get", "got"]
)
_BEFORE_PAST = frozenset(
    ["he", "she", "it", "they", "we", "i", "you", "who", "which", "that", "and", "also", "then", "later"]
)
_NOT_A_NOUN = _BEFORE_BASE | {"be", "been", "being", "that", "which"}
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "get", "got"])
_INTRANSITIVE = re.compile(
    r"(?:c[ao]me|gone|went|stepped|happened|lived|died|ris|rose|fall|fell|appeared|seemed|took part)"
)
_VERB_NEXT = frozenset(
    [
        "to",
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "must",
        "they",
        "we",
        "i",
        "you",
        "he",
        "she",
        "who",
    ]
)
_GRADED = frozenset(["more", "most", "less", "least", "very", "so", "too", "as", "how", "rather", "quite"])


@dataclass(frozen=True, slots=True)
class Choice:
    """What may stand for a word in one of its forms, and which words must come next, if any."""

    part: str
    form: str
    other: str
    follow: frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """A word or phrase of a claim that has a synonym, and the words around it."""

    start: int
    end: int
    before: str
    after: str
    choice: Choice


def other_word(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim with one word or phrase said otherwise."""
    found = list(places(claim, choices()))
    rng.shuffle(found)
    for place in found:
        if changed := put(claim, place.start, place.end, place.choice.other):
            yield changed


def places(claim: str, known: dict[str, tuple[Choice, ...]]) -> Iterator[Place]:
    """Where a known word stands in a position that fits its part of speech."""
    tokens = list(_TOKEN.finditer(claim))
    low = [token[0].lower() for token in tokens]
    quoted = _quoted(claim)
    for at, token in enumerate(tokens):
        for size in range(1, min(_LONGEST, len(tokens) - at) + 1):
            phrase, last = " ".join(low[at : at + size]), at + size
            if phrase not in known:
                phrase = phrase.rstrip(",")
            if phrase not in known or not _plain(claim, token.start(), at, quoted):
                continue
            end = token.start() + len(phrase)
            after = low[last] if last < len(low) and end == tokens[last - 1].end() else ""
            place = (low[at - 1] if at else "", after)
            for choice in known[phrase]:
                if claim[token.start() : end].lower() == phrase and fits(choice, *place, low):
                    yield Place(token.start(), end, *place, choice)


def put(claim: str, start: int, end: int, other: str) -> str:
    """The claim with a stretch replaced: capital and `a` or `an` as they must be."""
    head, tail = claim[:start], claim[end:]
    if claim[start].isupper() and not claim[start:end].isupper():
        other = other[0].upper() + other[1:]
    if article := re.search(r"\b([Aa])n? $", head):
        sound = "n" if re.match(r"(?i)(?!uni[cfloqstv]|us[eu]|eu|one\b|ubi)[aeiou]|hono|hour", other) else ""
        head = head[: article.start()] + article[1] + sound + " "
        if other.split()[0] in ("a", "very", "enough", "many", "some") and other.split()[0] != "very":
            return ""
    return head + other + tail


def fits(choice: Choice, before: str, after: str, claim: list[str]) -> bool:
    """Whether a word can be what the choice takes it for, given its neighbours."""
    if choice.follow and not (after in choice.follow or ("#" in choice.follow and after[:1].isdigit())):
        return False
    if choice.part == "verb":
        return _verb_fits(choice.form, before, after) and not (
            before in _BE and _INTRANSITIVE.match(choice.other)
        )
    if choice.part == "noun":
        return before.rstrip(",") not in _NOT_A_NOUN and after not in ("-", "–")
    if choice.part == "adjective" and (before in _VERB_NEXT or (before == "the" and not after.isalpha())):
        return False
    if choice.part == "adjective":
        many = choice.other.count(" ") or choice.other.startswith("very")
        return not (before in _GRADED and many) and after not in ("-", "than", "enough")
    return before not in _GRADED and after not in ("-", "as", "than", "enough")


def _verb_fits(form: str, before: str, after: str) -> bool:
    before = before.rstrip(",")
    if form == "base":
        return before in _BEFORE_BASE
    if form == "third":
        return before in _BEFORE_THIRD
    if form == "participle":
        return before in _BEFORE_PARTICIPLE
    if form == "past":
        return before in _BEFORE_PAST and after != "by"
    if form == "either":
        return before not in _ARTICLES and before not in ("and", "or", "")
    return before not in _ARTICLES and after != "of"


def _plain(claim: str, start: int, at: int, quoted: list[tuple[int, int]]) -> bool:
    """Whether a word is neither part of a name nor of a quotation nor of a longer word."""
    if claim[start].isupper() and at:
        return False
    if claim[start - 1 : start] in ("-", "–", "/", "@", "#", "."):
        return False
    return not any(begin <= start < end for begin, end in quoted)


def _quoted(claim: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"[\"“][^\"”]*[\"”]?|(?<!\w)['‘][^'’]*['’]", claim)]


@cache
def choices() -> dict[str, tuple[Choice, ...]]:
    """The bundled synonyms, under each form of each word."""
    return choices_in("kept_synonyms.txt", " = ", _inflected)


def choices_in(
    file: str, both_ways: str, inflected: Callable[[str, str, str], Iterator[tuple[str, str, str]]]
) -> dict[str, tuple[Choice, ...]]:
    """The exchanges of a bundled list, under each form of each word."""
    made: dict[str, list[Choice]] = {}
    for part, one, other, follow in _pairs(file, both_ways):
        for form, mine, theirs in inflected(part, one, other):
            made.setdefault(mine, []).append(Choice(part, form, theirs, follow))
    return {word: tuple(found) for word, found in made.items()}


def _pairs(file: str, both_ways: str) -> Iterator[tuple[str, str, str, frozenset[str]]]:
    for line in read_lines(file, __package__):
        part, _, rest = line.partition(": ")
        said, _, follow = rest.partition(" | ")
        sign = both_ways if both_ways in said else " > "
        one, other = said.split(sign)
        yield part, one, other, frozenset(follow.split())
        if sign == both_ways:
            yield part, other, one, frozenset(follow.split())


def _inflected(part: str, one: str, other: str) -> Iterator[tuple[str, str, str]]:
    if part == "verb":
        yield from verb_pairs(one, other)
    else:
        yield "", one, other
    if part == "noun" and not {one[-1], other[-1]} & {"s"} and " or " not in other and " of " not in other:
        yield "plural", with_s(one), with_s(other)


def verb_pairs(one: str, other: str) -> Iterator[tuple[str, str, str]]:
    """The forms of two verbs side by side; a past that serves as participle too comes once, as `either`."""
    mine, theirs = verb(one), verb(other)
    same = mine.past == mine.participle and theirs.past == theirs.participle
    for name, form in mine.forms.items():
        if not same or name not in ("past", "participle"):
            yield name, form, theirs.forms[name]
    if same:
        yield "either", mine.past, theirs.past
