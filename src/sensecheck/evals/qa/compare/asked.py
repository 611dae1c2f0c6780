"""By what the questions of a run are known in another run."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select

from sensecheck.core.run import Pair, Run, digest_of
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.tables import pairs, set_pairs

AT_ONCE = 1000
_Words = tuple[str, str | None, str | None]
"""A question's id, what it asks, and its reference answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a set by their position."""

    names: tuple[str, ...]
    wordings: tuple[str, ...]
    """Changes with the words of the question or of its reference answer."""

    @classmethod
    def of(cls, questions: Iterable[Pair]) -> "Asked":
        """How these questions are known; without an id, by their question and reference answer alone."""
        return cls._of_words((pair.name, pair.question, pair.expected) for pair in questions)

    @classmethod
    def in_run(cls, store: EvalStore, run: Run) -> "Asked":
        """The questions of a run's set; what was retrieved for them is not even read."""
        query = (
            select(pairs.c.id, pairs.c.question, pairs.c.expected)
            .join(set_pairs, set_pairs.c.pair == pairs.c.key)
            .where(set_pairs.c.set == run.set.key)
            .order_by(set_pairs.c.position)
            .execution_options(yield_per=AT_ONCE)
        )

        def read() -> Asked:
            with store.engine.connect() as connection:
                return cls._of_words((row[0], row[1], row[2]) for row in connection.execute(query))

        return store.patience.until_done(read)

    @classmethod
    def _of_words(cls, told: Iterable[_Words]) -> "Asked":
        known = [(name, digest_of([question, expected])) for name, question, expected in told]
        return cls(tuple(name for name, _ in known), tuple(wording for _, wording in known))

    def first(self, count: int) -> "Asked":
        """The first so many: a run need not have come to all of them."""
        return Asked(self.names[:count], self.wordings[:count])
