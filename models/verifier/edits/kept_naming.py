"""The same person or thing by another of its names."""

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from models.verifier.edits.edit import Article

from sensecheck.measures.facts.names import is_common

_FULL = re.compile(r"\b[A-Z][a-z]+(?: [A-Z]\.)? [A-Z][a-z]{2,}\b")
_PLACES = re.compile(
    r"\b(?:New|North|South|East|West|San|Los|Las|The|In|On|At|During|After|St|Saint|Great|United|Mount"
    r"|Lake|World|River|City"
    r"|Street|University|Company|Park|County|War|Church|Island|Islands|States|Kingdom|January|February"
    r"|March"
    r"|April|May|June|July|August|September|October|November|December|House|Road|Sea|Ocean|Bay|Valley)\b"
)
_HE, _SHE = re.compile(r"\b(?:[Hh]e|[Hh]is)\b"), re.compile(r"\b(?:[Ss]he|[Hh]er)\b")


def renamed(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim with a full name shortened, a short one in full, or a name said twice as a pronoun."""
    full = {*_people(article), *_FULL.findall(claim)}
    full = {name for name in full if _personal(name)}
    found = [text for name in sorted(full) for text in _ways(claim, name, full, article)]
    rng.shuffle(found)
    yield from found


@lru_cache(maxsize=32)
def _people(article: Article) -> frozenset[str]:
    found = {name for sentence in article.sentences for name in _FULL.findall(sentence)}
    return frozenset(name for name in found if _personal(name))


def _personal(name: str) -> bool:
    return not _PLACES.search(name) and not any(map(is_common, name.lower().split()))


def _ways(claim: str, name: str, full: set[str], article: Article) -> Iterator[str]:
    last = name.split()[-1]
    if (
        last not in claim
        or sum(other.split()[-1] == last or last in other.split()[:-1] for other in full) > 1
    ):
        return
    if not _is_person(last, article):
        return
    if name in claim:
        yield claim.replace(name, last, 1)
    short = re.search(rf"(?:(?<=^)|(?<=[a-z] )){last}\b(?! [A-Z])(?![-’'])", claim)
    if name not in claim and short:
        yield claim[: short.start()] + name + claim[short.end() :]
    again = re.search(
        rf"(?<=[a-z] )(?:{name}|{last})(?= (?:was|is|had|has|said|would|could|did|[a-z]+ed)\b)", claim
    )
    pronoun = _pronoun(name, last, article)
    if again and pronoun and last in claim[: again.start()]:
        yield claim[: again.start()] + pronoun + claim[again.end() :]


def _is_person(last: str, article: Article) -> bool:
    """Whether the article calls someone by this name alone, and by a pronoun in the same sentence."""
    alone = re.compile(rf"(?:^|[a-z,] ){last}(?:['’]s)? (?=[a-z])")
    near = [sentence for sentence in article.sentences if last in sentence]
    return any(alone.search(s) for s in near) and any(_HE.search(s) or _SHE.search(s) for s in near)


def _pronoun(name: str, last: str, article: Article) -> str:
    """`he` or `she`, when the sentences that name the person use only one of them."""
    near = " ".join(sentence for sentence in article.sentences if last in sentence)
    he, she = bool(_HE.search(near)), bool(_SHE.search(near))
    return "" if he == she else "he" if he else "she"
