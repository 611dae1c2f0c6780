"""A claim that says less, and still only what the article says."""

import re
from collections.abc import Iterator
from random import Random

from models.verifier.edits.edit import Article
from models.verifier.edits.kept_forms import bases

_TURNING = re.compile(
    r"\b(?:not?|never|nobody|nothing|none|neither|nor|without|few|fewer|fewest|little|less|least|only"
    r"|all|every|each|any"
    r"|most|if|unless|whether|until|before|than|hardly|rarely|seldom|barely|cannot|except|both|between"
    r"|either"
    r"|would|could|might|may|first|last|best|refus\w*|fail\w*|den(?:y|ied)|doubt\w*|too|so|same"
    r"|exactly)\b|n['’]t\b"
    r"|\b\w+est\b",
    re.I,
)
"""Words under which saying less may say something else."""
_CONNECTIVE = re.compile(
    r"^(?:However|Moreover|Furthermore|Additionally|In addition|Therefore|Thus|Consequently|As a"
    r" result|Meanwhile"
    r"|Nevertheless|Nonetheless|Also|In fact|Indeed|Similarly|Likewise|For example|For instance"
    r"|Finally|Overall"
    r"|In conclusion|Accordingly|Hence|Besides|Still|Instead|On the other hand|In contrast|By contrast"
    r"|Of course"
    r"|Specifically|Notably|Interestingly|Eventually|Subsequently|Afterwards|Then|And|But|So), ",
    re.I,
)
_ADVERB = re.compile(
    r"(?<=[a-z,] )(?:also|very|quickly|officially|widely|extremely|particularly|especially"
    r"|subsequently|eventually|rapidly"
    r"|heavily|greatly|strongly|publicly|formally|successfully|immediately|highly|clearly|actually"
    r"|carefully"
    r"|significantly|gradually|originally|initially|recently|currently|suddenly|steadily|repeatedly|quietly"
    r"|directly|fully|completely|further|severely|deeply|closely|properly|slowly|famously|notably|briefly"
    r"|finally|simply|easily|indeed|certainly|obviously|unfortunately|fortunately|really"
    r"|simultaneously|thus"
    r"|therefore|then|still|now|remarkably|entirely|totally) (?=[a-z])"
)
_PINNED = re.compile(
    r"\b(?:as|so|too|how|more|most|less|very|and|or|but|is|are|was|were|be|been|[a-z]+ly),? $"
)
_DESCRIBED = re.compile(r"[a-z]+(?:ed|al|ive|ous|ant|ent|ful|ic|ary|ble)\b")
_GRADES = re.compile(r"as|so|too|how|more|most|less")
_HOLDS = re.compile(
    r"(?:as|enough|after|before|than|and|or|but|in|on|at|to|from|by|with|until|because|when)\b"
)
_FINITE = f"is are was were has have had will would can could may might must did does {' '.join(bases())}"
_VERB = rf"(?:{'|'.join(_FINITE.split())}|[a-z]{{2,}}ed)\b"
_ASIDE = re.compile(
    rf"(?<=[A-Za-z]), (?:an? |the |one of |who |which |whose |where |also known as |or |formerly"
    rf" )[^,;:()\"“”]{{4,90}},"
    rf"(?= (?:also )?{_VERB})"
)
_TAIL = re.compile(
    r"(?<=\w), (?:who|which|whose|where|making|killing|becoming|leading|causing|leaving|including"
    r"|giving|allowing"
    r"|creating|resulting|according to) [^;:()\"“”]{4,160}(?=\.$)"
)
_PARENTHESIS = re.compile(r" \([^()]{1,120}\)")
_SECOND = re.compile(rf"(?:,)? and (?:also |then |later )?(?={_VERB})[^;:\"“”]+(?=\.$)")
_CLAUSE = re.compile(
    rf", (?:and|but|while|although|whereas) (?=(?:he|she|it|they|the|its|his|her|their|this|there"
    rf"|[A-Z]\w+) [^,;:\"“”]*{_VERB})[^;:\"“”]+(?=\.$)"
)
HAS_VERB = re.compile(rf"\b{_VERB}")


def said_less(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim without something that it said besides."""
    found = [*_asides(claim), *_connective(claim)]
    if not _TURNING.search(claim):
        found += [*_adverbs(claim), *_first_halves(claim)]
    rng.shuffle(found)
    yield from (text for text in found if len(text.split()) > 3)


def _asides(claim: str) -> Iterator[str]:
    for pattern in (_PARENTHESIS, _ASIDE, _TAIL):
        for match in pattern.finditer(claim):
            rest = claim[: match.start()] + claim[match.end() :]
            if pattern is not _TAIL or HAS_VERB.search(claim, 0, match.start()):
                yield rest


def _connective(claim: str) -> Iterator[str]:
    if match := _CONNECTIVE.match(claim):
        yield claim[match.end()].upper() + claim[match.end() + 1 :]


def _adverbs(claim: str) -> Iterator[str]:
    for match in _ADVERB.finditer(claim):
        after = claim[match.end() :]
        linked = _PINNED.search(claim, 0, match.start())
        if not _HOLDS.match(after) and (
            not linked or (_DESCRIBED.match(after) and not _GRADES.match(linked[0]))
        ):
            yield _joined(claim[: match.start()], after)


def _joined(head: str, tail: str) -> str:
    if article := re.search(r"\b([Aa])n? $", head):
        head = head[: article.start()] + article[1] + ("n " if tail[0] in "aeio" else " ")
    return head + tail


def _first_halves(claim: str) -> Iterator[str]:
    for pattern in (_SECOND, _CLAUSE):
        match = pattern.search(claim)
        if match and HAS_VERB.search(claim, 0, match.start()) and claim.count(",", 0, match.start()) == 0:
            yield claim[: match.start()] + "."
    head, mark, tail = claim.partition("; ")
    if mark and len(head.split()) > 3 and HAS_VERB.search(head) and HAS_VERB.search(tail):
        yield head + "."
