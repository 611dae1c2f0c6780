"""A name or a noun replaced by another one of the same sort."""

from collections.abc import Iterator
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.name_mentions import (
    content_stems,
    first_names,
    listed,
    mentions,
    phrases_of,
    same_thing,
)
from models.verifier.edits.name_phrases import Phrase, noun_sorts, plural, singular

from sensecheck.text.wordlists import read_groups

_TRIES = 4
_VOWELS = "aeiou"
_KIN = {
    "man": ("man", "person"),
    "woman": ("woman", "person"),
    "person": ("person", "man", "woman"),
    "place": ("place", "city"),
    "city": ("city", "place"),
    "acronym": ("acronym", "agency"),
    "agency": ("agency", "acronym"),
    "noun ": ("noun ", "noun ", "noun thing", "noun tiny", "noun living", "noun writing"),
    "noun thing": ("noun thing", "noun "),
    "noun tiny": ("noun tiny", "noun "),
    "noun person": ("noun person", "noun group"),
}
"""Which sorts of the same article may stand for a sort."""


def name(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim about someone or something else."""
    phrases = list(phrases_of(claim, article))
    rng.shuffle(phrases)
    names_first = rng.random() < 0.7
    phrases.sort(key=lambda phrase: phrase.proper is not names_first)
    for phrase in phrases:
        near, far = _from_article(phrase, claim, article, rng), _from_outside(phrase, claim, rng)
        for source in (near, far) if rng.random() < 0.55 else (far, near):
            new = next((text for text in source if _is_other(text, phrase, claim, article)), "")
            if new:
                yield replaced(claim, phrase, new)
                break


def replaced(claim: str, phrase: Phrase, new: str) -> Edit:
    """The claim with other words in the place of a phrase; `a` and `an` follow."""
    if claim.islower():
        new = new.lower()
    elif phrase.start == 0 and not phrase.lead:
        new = new[0].upper() + new[1:]
    if phrase.lead in ("a", "an"):
        start = phrase.begins(claim)
        new = f"{claim[start]}{'n' if new[0].lower() in _VOWELS else ''} {new}"  # keeps a capital `A`
        return Edit("name", claim[:start] + new + claim[phrase.end :], ((start, start + len(new)),))
    kept = _shared_start(phrase.text, new) if phrase.proper else 0
    end = phrase.start + len(new) - (_shared_end(phrase.text, new, kept) if phrase.proper else 0)
    text = claim[: phrase.start] + new + claim[phrase.end :]
    return Edit("name", text, ((phrase.start + kept, end),))


def _from_article(phrase: Phrase, claim: str, article: Article, rng: Random) -> Iterator[str]:
    """Phrases of the same sort elsewhere in the article, of the same number and shape."""
    every = mentions(article).every
    pool = [other for sort in _KIN.get(phrase.sort, (phrase.sort,)) for other in every.get(sort, ())]
    fitting = [other for other in pool if _fits(other, phrase) and other.text.lower() not in claim.lower()]
    for other in rng.sample(fitting, min(len(fitting), _TRIES)):
        yield other.text if other.proper else other.text[0].lower() + other.text[1:]


def _fits(other: Phrase, phrase: Phrase) -> bool:
    """Whether a phrase can stand where another one stood."""
    if other.plural is not phrase.plural:
        return False
    if phrase.proper:
        return (
            bool(other.lead) == bool(phrase.lead)
            and abs(len(other.text.split()) - len(phrase.text.split())) < 2
        )
    if other.relates is not phrase.relates:
        return False
    if phrase.lead in ("a", "an", "each", "every", "another"):
        return other.lead in ("a", "an", "each", "every", "another")
    return bool(other.lead) or not phrase.lead or other.plural


def _from_outside(phrase: Phrase, claim: str, rng: Random) -> Iterator[str]:
    """Values that need not occur in the article."""
    for _ in range(_TRIES):
        new = _outside_name(phrase, rng) if phrase.proper else _outside_noun(phrase, rng)
        if new and new.lower() not in claim.lower():
            yield new


def _outside_noun(phrase: Phrase, rng: Random) -> str:
    sort = phrase.sort.removeprefix("noun ")
    if sort not in noun_sorts():
        return ""
    *before, head = phrase.text.split()
    new = rng.choice(sorted(read_groups("name_nouns.txt", __package__)[sort]))
    if singular(head.lower()) == new:
        return ""
    new = plural(new) if phrase.plural else new
    return " ".join((*before, new)) if rng.random() < 0.5 else new


def _outside_name(phrase: Phrase, rng: Random) -> str:
    lists, tokens = listed(), phrase.text.split()
    if phrase.sort in ("man", "woman", "person"):
        return _outside_person(tokens, phrase.sort, rng)
    if phrase.sort in lists:
        return rng.choice(lists[phrase.sort])
    if phrase.sort == "org" and "of" in tokens[:-1] and tokens[0] == "University":
        return f"University of {rng.choice(lists['city'])}"
    if phrase.sort in ("org", "acronym"):
        return rng.choice(lists["org" if phrase.sort == "org" else "agency"]) if phrase.lead else ""
    return ""


def _outside_person(tokens: list[str], sort: str, rng: Random) -> str:
    """Another first name, another surname, or both."""
    lists = listed()
    first = rng.choice(lists["woman" if sort == "woman" else "man"])
    if len(tokens) == 1:
        return first if tokens[0] in first_names() else rng.choice(lists["surname"])
    if len(tokens) > 3 or sort == "person":
        return ""
    chosen = rng.random()
    if chosen < 0.3:
        return " ".join((first, *tokens[1:]))
    if chosen < 0.6:
        return " ".join((*tokens[:-1], rng.choice(lists["surname"])))
    return f"{first} {rng.choice(lists['surname'])}"


def _is_other(new: str, phrase: Phrase, claim: str, article: Article) -> bool:
    """Whether the new words stand for something else, and the article does not say the same of it."""
    if new == phrase.text or (_whole_other(new, phrase) and same_thing(new, phrase.text)):
        return False
    if phrase.text.split()[-1].lower() == new.split()[-1].lower() and not phrase.proper:
        return False
    return not _said(new, phrase, claim, article)


def _whole_other(new: str, phrase: Phrase) -> bool:
    """Whether the name was not merely changed in one of its words on purpose."""
    mine, theirs = phrase.text.split(), new.split()
    partly = (
        len(mine) == len(theirs) and sum(a == b for a, b in zip(mine, theirs, strict=True)) == len(mine) - 1
    )
    return phrase.proper and not (partly and len(mine) > 1)


def _said(new: str, phrase: Phrase, claim: str, article: Article) -> bool:
    """Whether a sentence with the new words has half of what the claim says."""
    wanted = content_stems(claim[: phrase.start] + claim[phrase.end :])
    theirs = content_stems(new)
    stems = (found for sentence, found in mentions(article).stems.items() if sentence != claim)
    return any(theirs <= found and 2 * len(wanted & found) >= len(wanted) for found in stems)


def _shared_start(old: str, new: str) -> int:
    """The length of the first words that two names share."""
    length = 0
    for mine, theirs in zip(old.split(), new.split(), strict=False):
        if mine != theirs:
            break
        length += len(mine) + 1
    return min(length, max(0, len(new) - 1))


def _shared_end(old: str, new: str, kept: int) -> int:
    """The length of the last words that two names share."""
    length = 0
    for mine, theirs in zip(reversed(old.split()), reversed(new.split()), strict=False):
        if mine != theirs:
            break
        length += len(mine) + 1
    return length if length < len(new) - kept else 0
