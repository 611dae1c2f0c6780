"""Questions that a passage answers, and questions that it does not, from `squad2_derived`.

A question about another paragraph of the article, or about another article, has no answer here; one whose
answer the passage holds all the same is left out. `another name` is made here: in a question that the passage
answers, a name or a date becomes another one of the article, which the passage does not hold.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from benchmarks.quality.squad_articles import Row, articles

from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.parsing import Parsed

SEED = 29
Kind = Literal["answered", "another name", "same article", "another article"]
_KINDS: Mapping[str, Kind] = {
    "grounded_sentence": "answered",
    "other_paragraph_same_article": "same article",
    "other_article": "another article",
}
_SHORT = ("grounded_short_answer", "short_answer_other_paragraph_same_article")
_Pool = Mapping[tuple[int, str], list[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and a passage, and the sentence that answers, if one does."""

    question: str
    passage: str
    answer: tuple[int, int] | None
    kind: Kind
    article: int


def asked_of(rows: Iterable[Row], *, seed: int = SEED) -> list[Asked]:
    """All questions, those that the passage answers first."""
    held = list(rows)
    article_of = articles(held)
    short = {(row["group"], row["question"]): row["response"] for row in held if row["kind"] in _SHORT}
    found = [
        Asked(row["question"], row["context"], _answer(row), _KINDS[row["kind"]], article_of[row["group"]])
        for row in held
        if row["kind"] in _KINDS and not _holds_anyway(row, short)
    ]
    answered = [one for one in found if one.answer is not None]
    others = [one for one in found if one.kind != "answered"]
    return [*answered, *_renamed(answered, random.Random(seed)), *others]


def _answer(row: Row) -> tuple[int, int] | None:
    if row["kind"] != "grounded_sentence":
        return None
    start = row["context"].find(row["response"])
    return (start, start + len(row["response"])) if start >= 0 else None


def _holds_anyway(row: Row, short: Mapping[tuple[str, str], str]) -> bool:
    said = short.get((row["group"], row["question"]))
    other = row["kind"] != "grounded_sentence"
    return other and said is not None and said.casefold() in row["context"].casefold()


def _renamed(answered: Iterable[Asked], chance: random.Random) -> Iterator[Asked]:
    held = list(answered)
    pool = _pool(held)
    for one in held:
        facts = _facts(one.question)
        if not facts:
            continue
        fact = chance.choice(facts)
        known = (one.passage + one.question).casefold()
        others = [name for name in pool[one.article, fact.kind] if name.casefold() not in known]
        if others:
            asked = one.question[: fact.start] + chance.choice(others) + one.question[fact.end :]
            yield replace(one, question=asked, answer=None, kind="another name")


def _pool(held: Iterable[Asked]) -> _Pool:
    """The names and the dates of each article."""
    found: dict[tuple[int, str], set[str]] = {}
    for one in held:
        for kind in ("name", "date"):
            found.setdefault((one.article, kind), set())
        for fact in _facts(one.passage):
            found[one.article, fact.kind].add(one.passage[fact.start : fact.end])
    return {key: sorted(names) for key, names in found.items()}


def _facts(text: str) -> list[Fact]:
    return [fact for fact in Parsed.of(text).facts if fact.kind in ("name", "date") and not fact.weak]
