"""A labelled relevance set: questions, the text that answers each, and texts that do not.

The questions and their paragraphs are those of `squad2_derived`. Nobody has labelled the other paragraphs of
an article, and some of them answer a question too: a text that holds the short answer, word for word, is
therefore neither relevant nor irrelevant, and is left out. One that answers in other words still counts as
irrelevant, so that false accepts look a little more frequent than they are.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from benchmarks.quality.squad_articles import Row, articles

from sensecheck.core.backends import Encoder
from sensecheck.core.space import Space

FILE = "squad2_derived/dev.jsonl.gz"
SEED = 17
NEAREST = 10
"""Of the texts of other articles, so many are near ones."""
RETRIEVED = 20
Unit = Literal["paragraph", "sentence"]
Kind = Literal["its own", "same article", "another article, near", "another article"]
KINDS: tuple[Kind, ...] = ("same article", "another article, near", "another article")
"""Of irrelevant references, from the hardest to the easiest."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question, and what is known of its answer."""

    text: str
    answer: str
    """The words that answer it."""
    own: str
    """The reference that they stand in."""
    group: str
    """The paragraph that it was asked about, which other questions may share."""
    article: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A query and a reference, by their places, and what the one is to the other."""

    query: int
    reference: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class RelevanceSet:
    """Queries, all references that could be retrieved for them, and how close they lie."""

    unit: Unit
    queries: tuple[Query, ...]
    references: tuple[str, ...]
    same: npt.NDArray[np.bool_]
    """Whether both are of one article; here and below, a row for each query, a column for each reference."""
    answers: npt.NDArray[np.bool_]
    """Whether the reference holds the answer; its own always does."""
    closeness: npt.NDArray[np.float64]
    encoder: str

    @classmethod
    def of(cls, rows: Iterable[Row], unit: Unit, encoder: Encoder) -> "RelevanceSet":
        """The set with paragraphs as references, or with the single sentences that answer."""
        queries = tuple(queries_of(rows, unit))
        article_of = {query.own: query.article for query in queries}
        references = tuple(article_of)
        same = np.array([[article == query.article for article in article_of.values()] for query in queries])
        folded = [text.casefold() for text in references]
        answers = np.array([_holding(query.answer, folded) for query in queries])
        for at, query in enumerate(queries):
            answers[at, references.index(query.own)] = True
        near = _closeness([query.text for query in queries], references, encoder)
        return cls(unit, queries, references, same, answers, near, encoder.fingerprint)

    def drawn(self, *, seed: int = SEED) -> Iterator[Pair]:
        """For each query its own text, and one drawn at random of each kind that is irrelevant."""
        chance = random.Random(seed)
        for at in range(len(self.queries)):
            yield self._own(at)
            nearest = np.array(self.nearest(at))
            left = nearest[~self.answers[at, nearest]]
            is_same = self.same[at, left]
            same, others = left[is_same].tolist(), left[~is_same].tolist()
            for kind, choice in zip(KINDS, (same, others[:NEAREST], others), strict=True):
                if choice:
                    yield Pair(at, chance.choice(choice), kind)

    def retrieved(self, *, k: int = RETRIEVED) -> Iterator[Pair]:
        """For each query its own text, and the irrelevant ones among the `k` that lie nearest of all."""
        for at in range(len(self.queries)):
            yield self._own(at)
            for one in self.nearest(at)[:k]:
                if not self.answers[at, one]:
                    yield Pair(at, one, KINDS[0] if self.same[at, one] else KINDS[1])

    def nearest(self, at: int) -> list[int]:
        """All references, the one that lies nearest to the query first."""
        found: list[int] = np.argsort(-self.closeness[at], kind="stable").tolist()
        return found

    def _own(self, at: int) -> Pair:
        return Pair(at, self.references.index(self.queries[at].own), "its own")


def queries_of(rows: Iterable[Row], unit: Unit) -> Iterator[Query]:
    """The questions that have an answer."""
    held = list(rows)
    article_of = articles(held)
    said = {
        (row["group"], row["question"]): row["response"]
        for row in held
        if row["kind"] == "grounded_short_answer"
    }
    for row in (row for row in held if row["kind"] == "grounded_sentence"):
        own = row["context"] if unit == "paragraph" else row["response"]
        group, question = row["group"], row["question"]
        yield Query(question, said[group, question], own, group, article_of[group])


def effects_rows(found: RelevanceSet, *, k: int = RETRIEVED) -> Iterator[dict[str, Any]]:
    """What `sensecheck effects` reads: the `k` nearest of each query; an article is an item."""
    for at, query in enumerate(found.queries):
        references = [
            {
                "text": found.references[one],
                "closeness": float(found.closeness[at, one]),
                **_label(found, at, one),
                "encoder": found.encoder,
            }
            for one in found.nearest(at)[:k]
        ]
        yield {"item": f"article {query.article + 1}", "query": query.text, "references": references}


def _label(found: RelevanceSet, at: int, one: int) -> dict[str, bool]:
    """Nothing for a text that holds the answer, and is not the one that was asked about."""
    is_own = found.references[one] == found.queries[at].own
    return {} if found.answers[at, one] and not is_own else {"relevant": is_own}


def _closeness(
    queries: Sequence[str], references: Sequence[str], encoder: Encoder
) -> npt.NDArray[np.float64]:
    space = Space.of((*references, *queries), encoder)
    asked, found = (np.array([space.vector(text) for text in texts]) for texts in (queries, references))
    near: npt.NDArray[np.float64] = np.clip((asked @ found.T).astype(np.float64), -1, 1)
    return near


def _holding(answer: str, folded: Sequence[str]) -> list[bool]:
    """Which of the texts hold the words of the answer."""
    said = answer.casefold()
    words = re.compile(rf"(?<!\w){re.escape(said)}(?!\w)")
    return [said in text and words.search(text) is not None for text in folded]
