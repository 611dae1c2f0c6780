"""What a question asks for, what of a passage can be quoted, and which forms of a word are the same."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal
from unicodedata import combining, normalize

from sensecheck.measures.claims.claims import Claim, claims
from sensecheck.measures.claims.evidence import rarity
from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.names import fold
from sensecheck.measures.facts.parsing import Parsed
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import is_irregular, is_stop_word, stem, words

_OUR = re.compile(r"([aeiouy][a-z]+?)our")
_ISE = re.compile(r"([aeiouy].*[iy])s(e[srd]?|ers|ing|ations?)$")
_RE = re.compile(r"([aeiouy][a-z]*[bt])re(s?)$")
_START = 2
"""So many letters at its start a regular word shares with its forms."""

Wanted = Literal["date", "number", "name"]
_MEASURED = (
    "many|much|long|old|far|large|big|tall|high|deep|wide|often|fast|heavy|few|early|late|soon|hot|cold"
)
_COUNTED = (
    "percentage|percent|number|amount|proportion|share|fraction|distance|age|price|cost|temperature|size"
    "|length|height|weight|population|rate|speed|sum|total|area|depth"
)
_WHO = (
    "person|people|man|woman|country|city|town|king|queen|emperor|company|state|nation|river|team|author"
    "|president|organi[sz]ation|treaty|university|province|scientist|philosopher|war|battle"
)
_KINDS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century|time)\b", re.I)),
    ("number", re.compile(rf"\bhow (?:{_MEASURED})\b|\b(?:what|which) (?:\w+ )?(?:{_COUNTED})\b", re.I)),
    ("name", re.compile(rf"\b(?:who|whom|whose|where)\b|\b(?:what|which) (?:\w+ )?(?:{_WHO})\b", re.I)),
)
_MARKS = re.compile(r"[^\w'’-]+")

_WORD = re.compile(r"[^\W_]+")
_LED = ("item", "row", "code")
"""What is read together with the line that leads to it: a list's introduction, a table's head."""
_MAX_LEAD_CHARS = 200
_POINTS_BACK = re.compile(r"\W*(?:it|its|they|their|he|she|his|her|this|that|these|those|both)\b", re.I)


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question: its words, the kind of thing that would answer it, and what it takes for granted."""

    stems: frozenset[str]
    """The words that carry content, in the form in which they match."""
    wanted: Wanted | None
    facts: tuple[Fact, ...]
    """The names and dates that it speaks of; a passage that lacks one is probably about something else."""
    whole: bool
    """Whether it is about the passage as a whole: `What is this?`, `Summarise`."""
    sums: bool
    """Whether it wants more than a sentence of it."""


@lru_cache(maxsize=64)
def question_of(text: str) -> ParsedQuestion:
    """The question taken apart."""
    word_texts = [word.text for word in words(text)]
    facts = (fact for fact in Parsed.of(text).facts if fact.kind in ("name", "date") and not fact.weak)
    return ParsedQuestion(
        frozenset(stem(word) for word in word_texts if not is_stop_word(word)),
        next((kind for kind, pattern in _KINDS if pattern.search(text)), None),
        tuple(facts),
        is_whole(text),
        not _group("sums").isdisjoint(word_texts),
    )


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence, a list item, a table row or a block of code: its characters `start` to `end`."""

    start: int
    end: int
    read: str
    """What is encoded: its text, after the line that leads to it."""
    prose: bool
    """Whether it is a sentence of running text."""
    stems: frozenset[str]
    around: frozenset[str]
    """Its own words, those of what leads to it, and those of its neighbour before."""
    facts: tuple[Fact, ...]
    title: str = ""
    """The heading, or the question, of its section."""
    before: str = ""
    """The sentence before it, where it opens with a word that points back."""

    @property
    def in_context(self) -> str:
        """What is encoded, behind the title of its section and the sentence that it points back to."""
        lines = (self.title if self.title not in self.read else "", self.before, self.read)
        return "\n".join(filter(None, lines))


@dataclass(frozen=True, slots=True, eq=False)
class Quotables:
    """All of them in the order of the passage, and what the passage says as a whole."""

    each: tuple[Quotable, ...]
    rarity: Mapping[str, float]
    """How much each word says."""
    folded: frozenset[str]
    """All words of the passage, as names are matched."""
    openings: str
    """The first letters of its words, in which an acronym can be found."""
    facts: tuple[Fact, ...]


@lru_cache(maxsize=64)
def quotables_of(passage: str) -> Quotables:
    """The quotables of a passage; headings, questions and pleasantries are none, unless all else is.

    Whom to ask is an offer in an answer; in a passage it may be what is wanted.
    """
    passage_claims = [claim for claim in claims(passage) if any(map(str.isalnum, claim.text))]
    parsed = Parsed.of(passage)
    has_quotable = any(_is_quotable(claim) for claim in passage_claims)
    quotables: list[Quotable] = []
    lead, title, before, previous_stems = "", "", "", frozenset[str]()
    for claim in passage_claims:
        if _is_quotable(claim) or not has_quotable:
            quotable = _quotable(claim, lead if claim.kind in _LED else "", previous_stems, parsed)
            points_back = quotable.prose and _POINTS_BACK.match(claim.text)
            quotables.append(
                replace(quotable, title=title[-_MAX_LEAD_CHARS:], before=before if points_back else "")
            )
            before = claim.text[-_MAX_LEAD_CHARS:] if quotable.prose else ""
            previous_stems = quotable.stems
        elif (claim.kind == "heading" and not claim.text.endswith(":")) or claim.text.endswith("?"):
            title, before = claim.text, ""
        lead = claim.text if claim.kind == "heading" else lead if claim.kind in _LED else ""
    passage_words = _WORD.findall(passage)
    return Quotables(
        tuple(quotables),
        rarity([sentence.stems for sentence in quotables]),
        frozenset(map(fold, passage_words)),
        "".join(word[0].lower() if word[0].isupper() else " " for word in passage_words),
        parsed.facts,
    )


def forms_like(wanted: Iterable[str], among: Iterable[str]) -> frozenset[str]:
    """The forms of those words that could match one that is wanted; of a long text, these are few."""
    starts = {form[:_START] for word in wanted for form in forms(word)}
    return frozenset(form for word in among if _could_match(word, starts) for form in forms(word))


def forms(word: str) -> tuple[str, str]:
    """As a lowercase word, and as a name.

    `Zürich` meets `Zurich`, 5,000 meets 5000, and `colour` meets `color`.
    """
    plain = word.replace(",", "") if word[:1].isdigit() else _american(word)
    return stem(plain), fold(plain)


def asks_only(word: str) -> bool:
    """Whether a lowercase word belongs to the asking, and not to what is asked about: `many`, `passage`.

    So do words that say little of anything (`use`, `like`) and numbers that are spelled out.
    """
    return any(word in _group(name) for name in ("asks", "points", "sums", "light", "numbers"))


def is_small_abroad(word: str) -> bool:
    """Whether a lowercase word, with or without its accents, carries grammar in German, French, Spanish or
    Italian: `wie`, `où`, `cuando`. Some of them are English words too.
    """
    return _without_accents(word) in _small_abroad()


def is_whole(text: str) -> bool:
    """Whether every word only points at the passage, or only says that it is to be told again."""
    question_words = [word.text for word in words(text)]
    plain = "_".join(_MARKS.sub(" ", text.casefold().replace("’", "'")).split())
    if plain in _group("elsewhere"):
        return True
    points, sums = _group("points"), _group("sums")
    if not any(word in points or word in sums for word in question_words):
        return False
    return all(is_stop_word(word) or word in points | sums | _group("fills") for word in question_words)


def _group(name: str) -> frozenset[str]:
    return read_groups("question.txt", __package__)[name]


def _is_quotable(claim: Claim) -> bool:
    return (claim.checked or claim.kind == "offer") and not claim.text.endswith("?")


def _quotable(claim: Claim, lead: str, previous_stems: frozenset[str], parsed: Parsed) -> Quotable:
    stems = _stems(claim.text)
    first, last = (
        bisect_left(parsed.facts, position, key=lambda fact: fact.start)
        for position in (claim.start, claim.end)
    )
    read = f"{lead[-_MAX_LEAD_CHARS:]}\n{claim.text}" if lead else claim.text
    prose = claim.kind == "sentence"
    return Quotable(
        claim.start,
        claim.end,
        read,
        prose,
        stems,
        stems | _stems(lead) | previous_stems,
        parsed.facts[first:last],
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word.text) for word in words(text) if not is_stop_word(word.text))


def _could_match(word: str, starts: Container[str]) -> bool:
    if not word.isalpha() or is_irregular(word):
        return True
    start = word[:_START]
    return start in starts or _without_accents(start).lower()[:_START] in starts


def _without_accents(word: str) -> str:
    """The letters alone."""
    return (
        word if word.isascii() else "".join(sign for sign in normalize("NFKD", word) if not combining(sign))
    )


def _american(word: str) -> str:
    """`colour`, `organise` and `theatre` as Americans write them; words such as `hour` and `prise` stay."""
    return _RE.sub(r"\1er\2", _ISE.sub(r"\1z\2", _OUR.sub(r"\1or", word)))


@cache
def _small_abroad() -> frozenset[str]:
    return frozenset(map(_without_accents, _group("abroad")))
