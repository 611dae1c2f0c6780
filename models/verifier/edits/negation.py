"""Claims with a negation put in or taken out."""

import re
from collections.abc import Callable, Iterator
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.kept_forms import verb
from models.verifier.edits.negation_verbs import plain

_BE = "is|are|was|were"
_AUX = f"{_BE}|can|could|will|would|should|must|has been|have been|had been"
_WEAK = (
    r"(?:not|n['’]t|never|no|none|nothing|nobody|neither|nor|only|also|always|all|just|even|still"
    r"|any|either)\b"
)
_SHORT = {
    "is": "isn't",
    "are": "aren't",
    "was": "wasn't",
    "were": "weren't",
    "could": "couldn't",
    "would": "wouldn't",
    "should": "shouldn't",
    "did": "didn't",
    "has": "hasn't",
    "have": "haven't",
    "had": "hadn't",
    "does": "doesn't",
    "do": "don't",
    "can": "cannot",
    "will": "won't",
}
_LONG = {short: word for word, short in _SHORT.items()} | {"can't": "can"}
_HELPING = re.compile(rf"(?<=[\w)] )({_AUX}|has|have|had)(?= (?!{_WEAK})[a-z\d$])", re.I)
_HAVE = re.compile(
    r"(?:also |already |recently |since |long )?(?:[a-z]+ed|been|become|made|taken|given|won|lost|seen"
    r"|shown|found|held|grown)\b"
)
_PAST = re.compile(
    r"(?<=[\w)] )([a-z]{2,})(?= (?:the|an?|his|her|its|their|him|them|in|on|to|at|from|for|with|that"
    r"|[A-Z\d])\b)"
)
_THIRD = re.compile(r"(?<=[a-z] )([a-z]{3,}s)(?= (?:the|an?|his|her|its|their|him|them|that|to)\b)")
_NOT = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|has|have|had) not (?=[a-z])(?!only"
    r"|just|merely|even|necessarily)",
    re.I,
)
_CONTRACTED = re.compile(rf"\b({'|'.join(_LONG)}) (?=[a-z])(?!only|just|even|necessarily|any|either)", re.I)
_DID_NOT = re.compile(r"\b(did|does|do)(?: not|n['’]t) ([a-z]+)\b", re.I)
_NEVER = re.compile(r"\b(was|were|is|are|has|have|had|would|could|will) never (?=[a-z])", re.I)
_FAILED = re.compile(r"\b(failed|refused|declined) to ([a-z]+)\b")
_WITH = re.compile(
    r"(?<=[a-z] )(?:(without) (?=(?:the|an?|his|her|its|their)\b)"
    r"|(with) (?=(?:the |his |her |its |their )?(?:help|support|permission|approval|consent|aid"
    r"|knowledge|backing)\b))"
)
_NO = re.compile(r"\b(has|have|had|was|were|is|are) no (?=[a-z]{3,})(?!longer|more|less|fewer|doubt|one)")
_MANAGED = re.compile(r"\b(managed|agreed|decided|chose|helped|continued|began|started) to (?=[a-z]+)")
_DENIED = re.compile(r"\b(?:not|never|no)\b|n['’]t\b")
_CONTRAST = re.compile(r"\b(?:but|rather|instead)\b")
_LOOSE = re.compile(
    r"(?i)\b(?:if|whether|unless|when|many|some|several|most|other|others|any|each|every|all)\b[^,;.]*$"
)
_CLOSED = re.compile(r"[\"“”]")
Found = Iterator[tuple[int, int, str]]
"""Stretches of a claim and what to put there."""


def negation(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with a negation more or less."""
    ways: list[Callable[[str, Random], Found]] = [_taken_out, _put_in, _did_not, _others]
    rng.shuffle(ways)
    said = {sentence.lower() for sentence in article.sentences}
    for way in ways:
        found = [change for change in way(claim, rng) if not _inside_quotes(claim, change[0])]
        rng.shuffle(found)
        for start, end, new in found:
            text = claim[:start] + new + claim[end:]
            if text != claim and text.lower() not in said and _claimed(claim, start, end):
                yield Edit("negation", text, ((start, start + len(new)),))


def _put_in(claim: str, rng: Random) -> Found:
    """`was built` gives `was not built`."""
    if "?" in claim or re.search(rf"\b{_WEAK}|n['’]t\b", claim):
        return
    for match in _HELPING.finditer(claim):
        word = match[1]
        if word.lower() in ("has", "have", "had") and not _HAVE.match(claim, match.end() + 1):
            continue
        first, _, rest = word.partition(" ")
        never = word.lower() not in ("is", "are") and not claim.startswith(" born", match.end())
        ways = [f"{first} not", f"{first} never" if never else f"{first} not"]
        ways = ["cannot"] if first.lower() == "can" else ways
        if first.lower() in _SHORT:
            ways.append(_cased(_SHORT[first.lower()], first))
        yield match.start(), match.end(), rng.choice(ways) + (f" {rest}" if rest else "")


def _did_not(claim: str, rng: Random) -> Found:
    """`won the cup` gives `did not win the cup`."""
    if "?" in claim or re.search(rf"\b{_WEAK}|n['’]t\b", claim):
        return
    for match in _PAST.finditer(claim):
        base = plain(match[1], claim[: match.start()], claim[match.end() + 1 :])
        if base:
            yield match.start(), match.end(), rng.choice(_not_done(base))
    for match in _THIRD.finditer(claim):
        if base := plain(match[1], claim[: match.start()], "", third=True):
            yield match.start(), match.end(), rng.choice([f"does not {base}", f"doesn't {base}"])


def _not_done(base: str) -> list[str]:
    past = verb(base).past
    return [f"did not {base}", f"didn't {base}", f"never {past}", f"did not {base}", f"failed to {base}"]


def _taken_out(claim: str, rng: Random) -> Found:
    for match in (*_NOT.finditer(claim), *_NEVER.finditer(claim)):
        after = re.compile(r"(?:\w+ )?\w+").match(claim, match.end())
        end = after.end() if after else match.end()
        yield match.start(), end, f"{match[1]} {claim[match.end() : end]}"
    for match in _CONTRACTED.finditer(claim):
        word = _LONG[match[1].lower()]
        if word not in ("did", "does", "do"):
            end = claim.find(" ", match.end())
            end = end if end > 0 else len(claim)
            yield match.start(), end, f"{_cased(word, match[1])} {claim[match.end() : end]}"
    for match in _DID_NOT.finditer(claim):
        forms = verb(match[2])
        done = {"did": forms.past, "does": forms.third, "do": forms.base}[match[1].lower()]
        if (
            not re.match(r" (?:any|anything|anyone|yet|either|at all)\b", claim[match.end() :])
            and match[2] != "yet"
        ):
            yield match.start(), match.end(), done


def _others(claim: str, rng: Random) -> Found:
    for match in _FAILED.finditer(claim):
        yield match.start(), match.end(), verb(match[2]).past
    for match in _MANAGED.finditer(claim):
        yield (
            match.start(),
            match.end() - 1,
            rng.choice(["failed to", "refused to"]),
        )
    for match in _WITH.finditer(claim):
        yield match.start(), match.end() - 1, "with" if match[1] else "without"
    for match in _NO.finditer(claim):
        end = claim.find(" ", match.end())
        word = claim[match.end() : end if end > 0 else len(claim)]
        some = "some" if word.endswith("s") else "an" if word[0] in "aeio" else "a"
        yield match.start(), match.end() + len(word), f"{match[1]} {some} {word}"


def _claimed(claim: str, start: int, end: int) -> bool:
    """Whether the words say something of their own: no condition, no part of many, no `not A but B`."""
    if _CONTRAST.search(claim, start) and _DENIED.search(claim, start, end):
        return False
    return _LOOSE.search(claim, 0, start) is None


def _cased(word: str, model: str) -> str:
    return word[0].upper() + word[1:] if model[0].isupper() else word


def _inside_quotes(claim: str, at: int) -> bool:
    return len(_CLOSED.findall(claim[:at])) % 2 == 1
