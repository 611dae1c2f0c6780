"""How many, how often, how surely: `most` becomes `all`, `may` becomes `must`, `only` is added."""

import re
from collections.abc import Iterator
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.number_replaced import Replacement, replaced
from models.verifier.edits.quantifier_rules import exchanges

_BEFORE_PHRASE = re.compile(
    r"\b(?:is|are|was|were|been) (?:used|found|spoken|grown|sold|made|produced|taught|held|offered|allowed|"
    r"permitted|required|supported|funded|affected|caused|attended|visited|played|influenced|opposed|hampered|"
    r"protected|governed|controlled|operated|owned|elected|published|practi[cs]ed|observed|accepted|recogni[sz]ed|"
    r"covered|performed|conducted|applied|available|employed|served|seen|threatened|driven|shown|measured) "
    r"(?=(?:in|by|from|with|during|for) (?!order|varying|addition|fact|which|whom|(?:the )?\d)[\w\"])"
)
_LISTING = re.compile(
    r"\b(?:includes?|contains?|contained|comprises|teaches|offers) "
    r"(?!an?\b|the\b|one|two|three|four|five|six|seven|eight|nine|ten|enough|all|some|many|several|at|up|no|over|about"
    r"|around|more|approximately|nearly|almost|most|any|every|each|everything)(?=[a-zA-Z\"])"
)
_FIRST_PLURAL = re.compile(r"([A-Z][a-z]{2,}[^\Wsui]s) (?:are|were|have|had|can|use|need)\b")
_WORD = re.compile(r"[\"\w'’-]+")
_LIMITED = re.compile(r"\b(?:only|exclusively|solely|mainly|mostly|not|never|also|both)\b")


def quantifier(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with a quantity, a frequency, a rank or a modal said otherwise."""
    text = " ".join(article.sentences)
    places = [*exchanges("quantifier.txt", claim), *_narrowed(claim, text)]
    rng.shuffle(places)
    for ways in places:
        rng.shuffle(ways)
    while places:
        for ways in places:
            yield replaced("quantifier", claim, [ways.pop()])
        places = [ways for ways in places if ways]


def _narrowed(claim: str, text: str) -> Iterator[list[Replacement]]:
    """The places where `only` or `all` can be put in."""
    if _LIMITED.search(claim):
        return
    for pattern in (_BEFORE_PHRASE, _LISTING):
        for match in pattern.finditer(claim):
            following = _WORD.match(claim, match.end())
            if following:
                yield [(match.end(), following.end(), f"only {following[0]}")]
    first = _FIRST_PLURAL.match(claim)
    if first and f" {first[1].lower()}" in text:
        yield [(0, first.end(1), f"{word} {first[1].lower()}") for word in ("Only", "All")]
