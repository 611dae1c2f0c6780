"""The parts of a claim in another order: time first or last, passive or active."""

import re
from collections.abc import Iterator
from random import Random

from models.verifier.edits.edit import Article
from models.verifier.edits.kept_forms import bases, pasts, verb

from sensecheck.measures.facts.names import is_common

_JOINED = re.compile(
    r"[;:,\"“”()]|\b(?:that|which|who|whom|whose|when|where|while|because|although|though|if|but|said"
    r"|says|say|told|until"
    r"|before|after|since|as|than|what|how|why|whether|to|and|or|not|will|would)\b|n['’]t"
)
"""Signs that a sentence has more than one clause, so that a time may belong to either."""
_LEADING = re.compile(
    r"^(In|On|At|During|After|Before|Since|By|Throughout|Following|Around|Under|Despite)"
    r" ([^,;:()\"]{2,50}), ([^?!]{8,200})\.$"
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_TRAILING = re.compile(
    rf"^([^?!]{{8,200}}?) ((?:in|since|during|around|by) (?:(?:early|late|mid|the late|the early)"
    rf" )?(?:(?:{_MONTHS}),? )?(?:the )?[12]\d{{3}}s?"
    rf"|on (?:\w+day,? )?(?:(?:{_MONTHS}) \d\d?|\d\d? (?:{_MONTHS}))(?:,? \d{{4}})?|during the"
    rf" [a-z ]{{3,30}}|in the \d\d?th century)\.$"
)
_INNER = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "these",
        "those",
        "his",
        "her",
        "its",
        "their",
        "our",
        "my",
        "your",
        "he",
        "she",
        "it",
        "they",
        "we",
        "there",
        "in",
        "on",
        "at",
        "some",
        "many",
        "several",
        "most",
        "all",
        "both",
        "each",
        "every",
        "another",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "during",
        "after",
        "before",
        "when",
        "while",
        "although",
        "if",
        "as",
        "for",
        "with",
        "since",
        "by",
        "from",
        "under",
        "such",
        "other",
    ]
)
_NAME = r"(?:[A-Z][\w.'’-]*)(?: (?:of|the|de|van|von|and|[A-Z][\w.'’-]*))*(?<! of)(?<! the)(?<! and)"
_THING = rf"(?:(?:[Tt]he|[Aa]n?) (?:[\w'’-]+ ){{0,3}}?[\w'’-]+(?: of (?:the )?[A-Z]\w+)?|{_NAME})"
_ADDED = r"(?: (?:in|on|at) (?:the )?(?:[A-Z\d][\w.-]*)(?:,? [A-Z\d][\w.-]*)*)?"
_PASSIVE = re.compile(
    rf"^({_THING}) (?:was|were) (?:([a-z]+ly) )?([a-z]+(?:ed|n|t|de|ng|ld|nd|ne|un|ue)) by"
    rf" ({_THING})({_ADDED})\.$"
)
_ACTIVE = re.compile(
    rf"^({_NAME}|The [a-z]+) (?:([a-z]+ly) )?([a-z]+) ((?:the|an?) (?:[\w'’-]+"
    rf" ){{0,2}}?[\w'’-]+)({_ADDED})\.$"
)
_TIMES = re.compile(
    r"(?i)(?:the )?(?:end|time|beginning|middle|start|late|early|mid|turn|\d|next"
    r"|following)"
)
_DONE = frozenset(
    [
        "wrote",
        "directed",
        "produced",
        "founded",
        "built",
        "designed",
        "invented",
        "discovered",
        "created",
        "published",
        "won",
        "led",
        "defeated",
        "signed",
        "bought",
        "sold",
        "acquired",
        "made",
        "established",
        "opened",
        "painted",
        "composed",
        "developed",
        "launched",
        "released",
        "conquered",
        "destroyed",
        "attacked",
        "captured",
        "owned",
        "killed",
        "described",
        "introduced",
        "adopted",
        "approved",
        "rejected",
        "banned",
        "organized",
        "hosted",
        "replaced",
        "funded",
        "sponsored",
        "announced",
        "completed",
        "formed",
        "held",
        "took",
    ]
)


def moved(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim with its parts in another order."""
    found = [
        *_to_the_end(claim),
        *_to_the_front(claim, article),
        *_active(claim, article),
        *_passive(claim, article),
    ]
    rng.shuffle(found)
    yield from found


def inner(claim: str, article: Article) -> str | None:
    """The claim as it reads inside a sentence; nothing when its first word may or may not be a name."""
    match = re.match(r"[A-Za-z'’-]+", claim)
    if not match or claim[0].islower() or match[0] == "I" or (match[0].isupper() and len(match[0]) > 1):
        return claim
    word = match[0]
    if word.lower() in _INNER:
        return claim[0].lower() + claim[1:]
    if re.match(r"[A-Z][\w'’.-]* [A-Z]", claim):
        return claim
    named = re.compile(rf"(?<=[a-z,] ){re.escape(word)}\b")
    if any(named.search(sentence) for sentence in article.sentences):
        return claim
    plain = re.compile(rf"\b{re.escape(word.lower())}\b")
    if is_common(word.lower()) or any(plain.search(sentence) for sentence in article.sentences):
        return claim[0].lower() + claim[1:]
    return None


def _up(text: str) -> str:
    return text[0].upper() + text[1:]


def _to_the_end(claim: str) -> Iterator[str]:
    match = _LEADING.match(claim)
    if match and not _JOINED.search(match[3]) and match[2].split()[0] not in ("addition", "fact", "contrast"):
        yield f"{_up(match[3])} {match[1].lower()} {match[2]}."


def _to_the_front(claim: str, article: Article) -> Iterator[str]:
    match = _TRAILING.match(claim)
    if match and not _JOINED.search(match[1]) and (rest := inner(match[1], article)):
        yield f"{_up(match[2])}, {rest}."


def _active(claim: str, article: Article) -> Iterator[str]:
    match = _PASSIVE.match(claim)
    if not match or _TIMES.match(match[4]) or not (patient := inner(match[1], article)):
        return
    done = pasts().get(match[3], match[3] if match[3].endswith("ed") else "")
    if done and match[3] not in ("accompanied", "followed", "used", "born"):
        adverb = f"{match[2]} " if match[2] else ""
        yield f"{_up(match[4])} {adverb}{done} {patient}{match[5]}."


def _passive(claim: str, article: Article) -> Iterator[str]:
    match = _ACTIVE.match(claim)
    if not match or match[3] not in _DONE or not (agent := inner(match[1], article)):
        return
    participle = verb(bases()[match[3]]).participle if match[3] in bases() else match[3]
    adverb = f"{match[2]} " if match[2] else ""
    be = "were" if re.search(r"[^s]s$", match[4]) else "was"
    yield f"{_up(match[4])} {be} {adverb}{participle} by {agent}{match[5]}."
