"""Noun phrases of a sentence, found by the small words around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import is_stop_word

_NOT_NOUN = ("ly", "ed", "ing", "ous", "ful", "al", "ive", "able", "ible", "ic", "less", "est", "n't")
_ABSTRACT = ("tion", "sion", "ment", "ity", "ness", "ism", "ance", "ence", "ship", "logy", "phy")
_PERSON = ("ist", "ologist", "ician", "woman", "man")
_CLOSER = (
    r"(?=[.,;:!?)\]]|$|\s(?:of|in|on|at|by|for|from|to|with|into|onto|over|under|between|among|through|during"
    r"|after|before|against|within|without|along|across|around|as|than|and|or|but|because|although|while|that"
    r"|which|who|whose|where|when|is|are|was|were|has|have|had|can|could|will|would|may|might|must|should|did"
    r"|does|do|be|been|if|so|until|since|via|near|behind|upon|[a-z]{3,}ed|took|made|gave|wrote|bought|sold|built"
    r"|held|won|lost|led|left|became|began|came|went|saw|said|says|told|found|met|ran|grew|rose|fell|kept|spoke"
    r"|chose|contains?|includes?|provides?|requires?|produces?|becomes?|remains?|causes?|allows?|seems?)\b)"
)
_LEAD = (
    r"(?P<lead>the|an?|its|their|his|her|our|your|my|this|these|those|some|each|every|many|several|most"
    r"|another|various|all)\s"
)
_PHRASE = re.compile(rf"\b{_LEAD}(?P<nouns>[a-z][a-z'-]+(?:\s[a-z][a-z'-]+){{0,2}}?){_CLOSER}", re.IGNORECASE)
_BARE = re.compile(
    r"(?:^|\b(?:of|in|by|for|from|with|between|among|against|and|or|as|than|into|include|includes|including)\s)"
    rf"(?P<nouns>(?:[A-Za-z][a-z-]+\s)?[A-Za-z][a-z-]+s){_CLOSER}"
)
_PLURAL_LEADS = frozenset(["these", "those", "many", "several", "various", "all", "most"])
_SINGLE_LEADS = frozenset(["a", "an", "this", "each", "every", "another"])


@dataclass(frozen=True, slots=True)
class Phrase:
    """A name or the nouns of a phrase, where they stand, and what they may be exchanged with."""

    start: int
    end: int
    text: str
    sort: str
    """`person`, `country`, …; for common nouns it starts with `noun `."""
    plural: bool = False
    lead: str = ""
    """The word before it, in lowercase, when it belongs to it: `the`, `a`, `their`."""
    relates: bool = False
    """Whether `of` follows (`the depth of`); for a name, whether `in` or the like goes before."""

    @property
    def proper(self) -> bool:
        """Whether it is a name."""
        return not self.sort.startswith("noun ")

    def begins(self, sentence: str) -> int:
        """Where it starts together with its lead."""
        return self.start - len(self.lead) - 1 if self.lead else self.start

    def whole(self, sentence: str) -> str:
        """The phrase together with its lead."""
        return sentence[self.begins(sentence) : self.end]


def noun_phrases(sentence: str) -> Iterator[Phrase]:
    """The phrases of common nouns, in order of their finding; they may touch but not overlap."""
    for match in _PHRASE.finditer(sentence):
        phrase = _phrase(match, match["lead"].lower())
        if phrase and match["nouns"].islower():
            yield phrase
    for match in _BARE.finditer(sentence):
        phrase = _phrase(match, "")
        if (
            phrase
            and phrase.plural
            and (match["nouns"].islower() or match.start() == 0)
            and _inner_lower(match["nouns"])
        ):
            yield phrase


def is_plural(head: str) -> bool:
    """Whether a noun has the ending of a plural."""
    return head in _ODD_PLURALS or (head.endswith("s") and not head.endswith(("ss", "us", "is", "ics")))


@lru_cache(maxsize=65536)
def noun_sort(head: str) -> str:
    """The sort of a common noun; empty when the word is hardly a noun that stands for a thing."""
    single = singular(head)
    groups = read_groups("name_nouns.txt", __package__)
    if head in groups["not"] or single in groups["not"] or is_stop_word(head):
        return ""
    for sort in noun_sorts():
        if single in groups[sort]:
            return f"noun {sort}"
    if single.endswith(_NOT_NOUN) and single not in groups["noun"]:
        return ""
    if single.endswith(_PERSON):
        return "noun person"
    return "noun abstract" if single.endswith(_ABSTRACT) else "noun"


@cache
def noun_sorts() -> tuple[str, ...]:
    """The sorts of the bundled nouns."""
    return tuple(sort for sort in read_groups("name_nouns.txt", __package__) if sort not in ("not", "noun"))


def singular(noun: str) -> str:
    """A noun without the ending of its plural."""
    if not is_plural(noun):
        return noun
    if noun in _ODD_PLURALS:
        return _ODD_PLURALS[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("sses", "shes", "ches", "xes")) else noun[:-1]


def plural(noun: str) -> str:
    """A noun with the ending of its plural."""
    for many, one in _ODD_PLURALS.items():
        if one == noun:
            return many
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "sh", "ch", "x")) else "s")


_ODD_PLURALS = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "bacteria": "bacterium", "wives": "wife", "knives": "knife", "thieves": "thief",
    "wolves": "wolf", "nuclei": "nucleus", "fungi": "fungus", "police": "policeman", "viruses": "virus",
    "buses": "bus", "theories": "theory", "policemen": "policeman", "shoes": "shoe", "houses": "house",
}  # fmt: skip


def _phrase(match: re.Match[str], lead: str) -> Phrase | None:
    nouns = match["nouns"]
    *before, head = nouns.lower().split()
    sort = noun_sort(head)
    if not sort or any(is_stop_word(word) or word.endswith(("ly", "n't")) for word in before):
        return None
    many = is_plural(head)
    if (many and lead in _SINGLE_LEADS) or (not many and lead in _PLURAL_LEADS):
        return None
    relates = match.string.startswith(" of ", match.end("nouns"))
    return Phrase(match.start("nouns"), match.end("nouns"), nouns, sort.ljust(5), many, lead, relates)


def _inner_lower(nouns: str) -> bool:
    return all(word.islower() for word in nouns.split()[1:])
