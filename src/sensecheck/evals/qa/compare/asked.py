"""By what the questions of a run are known in another run."""

from collections.abc import Iterable
from dataclasses import dataclass

from sensecheck.store.eval_store import EvalStore
from sensecheck.store.records import Pair, Run, digest_of


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a set by their position."""

    names: tuple[str, ...]
    wordings: tuple[str, ...]
    """Changes with the words of the question or of its reference answer."""

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> "Asked":
        """How these questions are known; without an id, by their question and reference answer alone."""
        held = list(pairs)
        return cls(tuple(pair.name for pair in held), tuple(map(_wording, held)))

    def first(self, count: int) -> "Asked":
        """The first so many: a run need not have come to all of them."""
        return Asked(self.names[:count], self.wordings[:count])


def asked_in(store: EvalStore, run: Run) -> Asked:
    """The questions of a run's set."""
    return Asked.of(placed.pair for placed in store.questions(run.set))


def _wording(pair: Pair) -> str:
    return digest_of([pair.question, pair.expected])
