"""Pages of `squad2_derived`: paragraphs of one article, and a question that one of them answers, or none."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.quality.squad_articles import Row, articles

SEED = 31
SECTIONS = 24
"""So many paragraphs make a page; of a shorter article, all."""
_Articles = Mapping[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Page:
    """A question, and the paragraphs among which its answer is looked for."""

    question: str
    sections: tuple[str, ...]
    right: int | None
    """The paragraph that answers, by its place; None on a page of another article."""
    said_elsewhere: bool
    """Whether another paragraph holds the words of the answer, so that it may answer as well."""
    article: int
    """The article of the paragraphs; that of the question is of the same half."""


def pages_of(rows: Iterable[Row], *, seed: int = SEED) -> list[Page]:
    """For every question a page that answers it and a page of another article, by the article of the page."""
    held, chance = list(rows), random.Random(seed)
    article_of = articles(held)
    paragraphs: dict[int, list[str]] = {}
    for row in sorted(held, key=lambda row: int(row["group"])):
        found = paragraphs.setdefault(article_of[row["group"]], [])
        if row["context"] not in found:
            found.append(row["context"])
    short = {_key(row): row["response"] for row in held if row["kind"] == "grounded_short_answer"}
    pages = [
        page
        for row in held
        if row["kind"] == "grounded_sentence"
        for page in _pages(row, article_of[row["group"]], paragraphs, short[_key(row)], chance)
    ]
    return sorted(pages, key=lambda page: page.article)


def _pages(
    row: Row, article: int, paragraphs: _Articles, short: str, chance: random.Random
) -> Iterator[Page]:
    own = row["context"]
    others = _drawn([one for one in paragraphs[article] if one != own], SECTIONS - 1, chance)
    sections = tuple(one for one in paragraphs[article] if one == own or one in others)
    yield Page(row["question"], sections, sections.index(own), _holds(others, short), article)
    another = chance.choice([one for one in paragraphs if one != article and one % 2 == article % 2])
    strange = _drawn(paragraphs[another], SECTIONS, chance)
    yield Page(row["question"], tuple(strange), None, _holds(strange, short), another)


def _drawn(paragraphs: Sequence[str], most: int, chance: random.Random) -> list[str]:
    return chance.sample(paragraphs, min(most, len(paragraphs)))


def _holds(paragraphs: Iterable[str], short: str) -> bool:
    return any(short.casefold() in one.casefold() for one in paragraphs)


def _key(row: Row) -> tuple[str, str]:
    return row["group"], row["question"]
