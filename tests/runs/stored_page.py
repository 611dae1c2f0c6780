"""Runs that are kept in a file, with readings that are written by hand."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sensecheck.core.run import Item, MetricScore, Run, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from tests.ready_tables import make_tables

HOSTILE = '</script><img src=x onerror=alert(1)>\u202e & "quoted" `ticked`'
MARK = "mark-1"


def read(
    semantic: float | None, lexical: float | None, facts: float | None = None, *, why: str = "it broke"
) -> tuple[MetricScore, ...]:
    """What three metrics read off an answer; None could not be read."""
    one = MetricScore(
        "semantic_similarity", semantic, None, why if semantic is None else None, "minilm", MARK
    )
    other = MetricScore("lexical_aggregate", lexical, None, why if lexical is None else None)
    told = () if facts is None else (MetricScore("fact_agreement", facts, "what was compared"),)
    return (one, other, *told)


FIVE = (
    (
        Item("When did it open?", "It opened in 1937.", ("It opened in 1937.",), {"topic": "dates"}, "open"),
        ScoredAnswer("It opened in 1937.", read(1.0, 1.0, 1.0), labels={"correct": 1.0}),
    ),
    (
        Item("How does one get in?", "Entry is free for all.", (), {"topic": "money"}, "entry"),
        ScoredAnswer("Nobody has to pay anything.", read(0.8, 0.1, 1.0), labels={"correct": 1.0}),
    ),
    (
        Item("When does it close?", "It closes at 18:00.", (), {"topic": "dates"}, "close"),
        ScoredAnswer("It closes at 19:00.", read(0.96, 0.8, 0.5), labels={"correct": 0.0}),
    ),
    (
        Item(HOSTILE, f"expected {HOSTILE}", (HOSTILE,), {"topic": HOSTILE}, "hostile"),
        ScoredAnswer(f"answer {HOSTILE}", read(0.2, 0.1, 1.0), labels={"correct": 0.0}),
    ),
    (
        Item("Who built it?", "A bridge company.", (), {}, "builder"),
        ScoredAnswer(None, error="the endpoint did not answer"),
    ),
)
"""Good, a paraphrase, copied with a changed fact, bad, and one that nobody answered."""


@contextmanager
def a_store(folder: Path) -> Iterator[EvalStore]:
    """An empty store in a folder."""
    address = f"sqlite:///{folder / 'evals.sqlite3'}"
    make_tables(address)
    store = EvalStore.open(address)
    yield store
    store.close()


def keep(store: EvalStore, rows: Sequence[tuple[Item, ScoredAnswer]] = FIVE, *, name: str = "nightly") -> Run:
    """A whole run of these answers."""
    chosen = store.keep_set("bridge", [pair for pair, _ in rows])
    test = store.test("bridge", "visitors", embedding={"encoder": "minilm"}, generation={"model": "small"})
    run = store.begin(test, chosen, name=name, encoder=MARK, conditions={"sensecheck": "0.1.0"})
    told = [answer for _, answer in rows]
    store.writer(run).add([(placed, told[placed.position]) for placed in store.questions(chosen)])
    store.finish(run)
    return store.run(str(run.key))
