"""A claim that says more than the article: a clause, an adverbial or an adjective was put to it."""

import re
from collections.abc import Callable, Iterator
from random import Random

from models.verifier.edits.added_material import Clip, adjectives, clips, is_timed, made_up
from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.name_mentions import content_stems, phrases_of
from models.verifier.edits.name_phrases import Phrase

from sensecheck.measures.facts.names import is_common

_STATEMENT = re.compile(r"[^?]{20,260}[\w%)\]][.!]?")
_ASKS = re.compile(
    r"(?:please|let|do|does|did|is|are|can|could|would|will|what|why|how|who|where|when|if)\b", re.I
)
_PERSON = re.compile(r"(?:he|she)\b", re.IGNORECASE)
_SPOKEN = re.compile(r"\b(?:I|you|we|my|your|our|me|us|I'm|you're|we're|okay|yeah)\b", re.IGNORECASE)
_PLACED = re.compile(
    r"(?:in|at|on|by|for|from|with|to|of|as|under|after|before|since|during|but|and|so|or)\b", re.IGNORECASE
)
_HUMAN = ("man", "woman", "person")
_NO_NOUN = ("ly", "ed", "ing")

Way = Callable[[str, Article, Random], Edit | None]


def added(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with something more in it."""
    if not _STATEMENT.fullmatch(claim) or _ASKS.match(claim):
        return
    own, invented = list(_OWN), list(_INVENTED)
    rng.shuffle(own)
    rng.shuffle(invented)
    order = [way for pair in zip(own * 2, invented, strict=False) for way in rng.sample(pair, 2)]
    for way in order:
        if edit := way(claim, article, rng):
            yield edit


def _own_end(claim: str, article: Article, rng: Random) -> Edit | None:
    """An ending of another sentence of the article."""
    clip = _strange([clip for clip in clips(article) if not clip.opens], claim, article, rng)
    return _ended(claim, clip.text) if clip else None


def _own_start(claim: str, article: Article, rng: Random) -> Edit | None:
    """The first words of another sentence of the article."""
    clip = _strange([clip for clip in clips(article) if clip.opens], claim, article, rng)
    return _started(claim, clip.text + ",", article) if clip else None


def _new_end(claim: str, article: Article, rng: Random) -> Edit | None:
    """A made-up ending."""
    text = made_up("chat" if _SPOKEN.search(claim) else "end", article, rng)
    return None if is_timed(text) and is_timed(claim) else _ended(claim, text)


def _new_start(claim: str, article: Article, rng: Random) -> Edit | None:
    """A made-up opening."""
    text = made_up("start", article, rng)
    return (
        None
        if _SPOKEN.search(claim) or (is_timed(text) and is_timed(claim))
        else _started(claim, text, article)
    )


def _new_deed(claim: str, article: Article, rng: Random) -> Edit | None:
    """Something else that the person the claim is about is said to have done."""
    first = next(iter(phrases_of(claim, article)), None)
    about = _PERSON.match(claim) or (first and first.start == 0 and first.sort in _HUMAN)
    return _ended(claim, made_up("does", article, rng)) if about else None


def _new_apposition(claim: str, article: Article, rng: Random) -> Edit | None:
    """Something said of a person between commas."""
    people = [one for one in phrases_of(claim, article) if one.sort in _HUMAN and _is_free(claim, one)]
    if not people:
        return None
    end, more = rng.choice(people).end, made_up("who", article, rng)
    stop = "" if claim[end : end + 1] in (".", "!", "") else ","
    return Edit("added", f"{claim[:end]}, {more}{stop}{claim[end:]}", ((end + 2, end + 2 + len(more)),))


def _new_adjective(claim: str, article: Article, rng: Random) -> Edit | None:
    """An adjective that nothing in the article says."""
    nouns = [one for one in phrases_of(claim, article) if _takes_adjective(one)]
    if not nouns:
        return None
    phrase = rng.choice(nouns)
    new = rng.choice(adjectives(phrase.sort.removeprefix("noun ")))
    if any(new in sentence for sentence in article.sentences):
        return None
    return _before(claim, phrase, new)


def _before(claim: str, phrase: Phrase, new: str) -> Edit:
    """The claim with a word before the nouns of a phrase; `a` and `an` follow."""
    head = claim[: phrase.start]
    if phrase.lead in ("a", "an"):
        head = claim[: phrase.begins(claim) + 1] + ("n " if new[0] in "aeiou" else " ")
    return Edit("added", f"{head}{new} {claim[phrase.start :]}", ((len(head), len(head) + len(new)),))


def _takes_adjective(phrase: Phrase) -> bool:
    return (
        bool(phrase.lead) and " " not in phrase.text and bool(adjectives(phrase.sort.removeprefix("noun ")))
    )


def _is_free(claim: str, phrase: Phrase) -> bool:
    """Whether nothing is said of the name yet, and it is no part of a list."""
    return re.match(r"(?: [a-z]|[.!]?$)(?!nd\b)", claim[phrase.end :]) is not None


def _strange(found: list[Clip], claim: str, article: Article, rng: Random) -> Clip | None:
    """A clip that was said of something else."""
    place = article.sentences.index(claim) if claim in article.sentences else -9
    stems, timed = content_stems(claim), is_timed(claim)
    fitting = [
        clip
        for clip in found
        if clip.place != place
        and not (clip.timed and (timed or abs(clip.place - place) < 2))
        and 3 * len(stems & clip.around) <= len(stems)
        and len(clip.stems - stems) > len(clip.stems & stems)
    ]
    return rng.choice(fitting) if fitting else None


def _ended(claim: str, more: str) -> Edit | None:
    """The claim with more words before its full stop."""
    body = claim.rstrip(".!")
    if claim[len(body) :] not in ("", ".", "!") or (", which" in more and body.endswith(_NO_NOUN)):
        return None
    more = more.lower() if claim.islower() else more
    start = len(body) + len(more) - len(more.lstrip(", "))
    return Edit("added", body + more + claim[len(body) :], ((start, len(body) + len(more)),))


def _started(claim: str, more: str, article: Article) -> Edit | None:
    """The claim with more words before it."""
    first = claim.split(" ", 1)[0]
    if "," in claim[:40] or ":" in claim or not claim[0].isalpha() or _PLACED.match(claim):
        return None
    small = any(f" {first.lower()} " in sentence for sentence in article.sentences)
    named = first == "I" or (
        not small and any(not one.start and one.proper for one in phrases_of(claim, article))
    )
    if first.endswith(("ed", "ing")) or not (named or small or is_common(first.lower())):
        return None
    more = more.lower() if claim.islower() else more
    text = f"{more} {claim if named else claim[0].lower() + claim[1:]}"
    return Edit("added", text, ((0, len(more.rstrip(","))),))


_OWN: tuple[Way, ...] = (_own_end, _own_start, _own_end)
_INVENTED: tuple[Way, ...] = (_new_end, _new_start, _new_deed, _new_apposition, _new_adjective, _new_end)
