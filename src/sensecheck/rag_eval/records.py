"""Evaluations as records, with the names that services give the columns; and the test runs behind them."""

import logging
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, SupportsFloat

from sensecheck.core.errors import SpecError, StorageError
from sensecheck.core.extras import extra
from sensecheck.core.run import Item, MetricScore, PlacedItem, Run
from sensecheck.measures.metrics import KNOWN

if TYPE_CHECKING:
    from sensecheck.runs.record import AnsweredItem

with extra("eval"):
    from sqlalchemy import select

    from sensecheck.runs.place import Answered
    from sensecheck.runs.sql import EvalStore
    from sensecheck.runs.sql_items import pair_of
    from sensecheck.store.tables import JUDGED, LEXICAL, REASONED, answers, evals, pairs, runs, set_pairs
    from sensecheck.store.tables import SEMANTIC as BY_ENCODER

Record = dict[str, Any]
(SEMANTIC,) = BY_ENCODER
COLUMNS = tuple(evals.c.keys())
"""Those of the view `evals`."""

LOGGER = logging.getLogger("sensecheck.rag_eval")

_KEYS = ("id", "question", "reference_answer", "passages")


def full_record(run: Run, found: "AnsweredItem") -> Record:
    """All there is of one evaluation but the moment; None is what was not, or could not be, computed."""
    scored = found.scored
    readings = {
        reading.metric: reading for reading in scored.readings if reading.fingerprint in ("", run.encoder)
    }
    values = {name: reading.value for name, reading in readings.items()}
    return {
        "id": scored.id or f"{run.id}-{found.position}",
        "test_run_id": run.id,
        "qa_pair_id": found.item.name,
        **{name: values.get(name) for name in (*LEXICAL, *JUDGED, SEMANTIC)},
        "answer": scored.answer,
        **{f"{name}_reasoning": readings[name].because if name in readings else None for name in REASONED},
        "error": scored.error,
        "latency_ms": scored.latency_ms,
        "cost": scored.cost,
        "question": found.item.question,
        "reference_answer": found.item.expected,
        "passages": list(found.item.passages if scored.passages is None else scored.passages),
        "metrics": values,
        "errors": {name: reading.error for name, reading in readings.items() if reading.error is not None},
    }


def run_of(store: EvalStore, test_run_id: str) -> Run:
    """The run that has exactly this id."""
    with store.engine.connect() as connection:
        key = connection.execute(select(runs.c.key).where(runs.c.id == test_run_id)).scalar_one_or_none()
    if key is None:
        raise SpecError(f"there is no test run `{test_run_id}`; begin one with `start_test_run`")
    return store.run_by_key(key)


def question_of(store: EvalStore, run: Run, qa_pair_id: str) -> PlacedItem:
    """The question of a run that has this id, which must be unanswered: history is not overwritten."""
    query = (
        select(set_pairs.c.position, pairs)
        .join(pairs, pairs.c.key == set_pairs.c.pair)
        .where(set_pairs.c.set == run.set.key, pairs.c.id == qa_pair_id)
    )
    with store.engine.connect() as connection:
        row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise SpecError(f"the test run `{run.id}` has no pair `{qa_pair_id}`")
    if row["position"] in answered(store, run, row["position"]):
        raise evaluated_before(run, qa_pair_id)
    return PlacedItem(row["position"], row["key"], pair_of(row))


def questions_left(store: EvalStore, run: Run) -> Iterator[PlacedItem]:
    """The questions of a run that have not been evaluated, in their order."""
    done = answered(store, run)
    return (placed for placed in store.questions(run.set) if placed.position not in done)


def answered(store: EvalStore, run: Run, position: int | None = None) -> set[int]:
    """The positions of a run that have an answer; or whether one of them has."""
    query = select(answers.c.position).where(answers.c.run == run.key)
    if position is not None:
        query = query.where(answers.c.position == position)
    with store.engine.connect() as connection:
        return set(connection.execute(query).scalars())


def keep_unanswered(store: EvalStore, run: Run, batch: Answered) -> list[int]:
    """Keep the answers of a batch but those that someone else has given meanwhile; their positions."""
    while batch:
        try:
            store.writer(run).add(batch)
        except StorageError:
            done = answered(store, run)
            remaining = [one for one in batch if one[0].position not in done]
            if len(remaining) == len(batch):  # something else is wrong
                raise
            batch = remaining
        else:
            break
    return [placed.position for placed, _ in batch]


def evaluated_before(run: Run, qa_pair_id: str) -> SpecError:
    """What to tell someone who would overwrite history."""
    return SpecError(
        f"the pair `{qa_pair_id}` of the test run `{run.id}` has been evaluated, and stays as it is; "
        "begin another run to evaluate it again"
    )


def similar_reading(run: Run, found: float | str | None) -> tuple[MetricScore, ...]:
    """The reading; none where there is nothing to compare with."""
    if found is None:
        return ()
    if isinstance(found, str):
        LOGGER.error("no semantic similarity in the test run %s; the reason is stored with it", run.id)
        return (MetricScore(SEMANTIC, None, None, found, *_mark(run)),)
    return (MetricScore(SEMANTIC, found, None, None, *_mark(run)),)


def metric_scores(
    run: Run,
    held: Mapping[str, float | None],
    reasoning: Mapping[str, str],
    errors: Mapping[str, str],
) -> Iterator[MetricScore]:
    """The numbers that someone computed, with why they are so, or why there are none."""
    if unknown := [name for name in (*reasoning, *errors) if name not in held]:
        raise SpecError(f"there is a reason for `{unknown[0]}`, which is none of the metrics")
    for name, number in held.items():
        value = _number(name, number)
        because, error = reasoning.get(name), errors.get(name)
        if value is None and because is None and error is None:
            continue
        by_encoder = name in KNOWN and KNOWN[name].kind in ("semantic", "combined", "context")
        yield MetricScore(name, value, because, error, *(_mark(run) if by_encoder else ("", "")))


def pair_from(given: Item | Mapping[str, object]) -> Item:
    """A question with its reference answer, also from a dictionary as services have it."""
    if isinstance(given, Item):
        return given
    if unknown := [key for key in given if key not in _KEYS]:
        raise SpecError(f"a pair has no `{unknown[0]}`; known: {', '.join(f'`{key}`' for key in _KEYS)}")
    texts = {key: given.get(key) for key in _KEYS[:3]}
    for key, text in texts.items():
        if not isinstance(text, str | None):
            raise SpecError(f"`{key}` of a pair must be a string; got {type(text).__name__}")
    passages = given.get("passages", ())
    if not isinstance(passages, list | tuple) or not all(isinstance(passage, str) for passage in passages):
        raise SpecError("`passages` of a pair must be a list of strings")
    question, expected = texts["question"], texts["reference_answer"]
    return Item(_text(question), _text(expected), tuple(passages), id=_text(texts["id"]) or "")


def _mark(run: Run) -> tuple[str, str]:
    encoders = run.conditions.get("encoders") or [[run.encoder, run.encoder]]
    return str(encoders[0][0]), run.encoder


def _number(name: str, raw: SupportsFloat | None) -> float | None:
    """A number as it is stored: also one of NumPy's, but no text that looks like a number."""
    if raw is None:
        return None
    requirement = "a number from 0 to 1" if name == SEMANTIC else "a finite number"
    if not isinstance(raw, SupportsFloat):
        raise SpecError(f"`{name}` must be {requirement}, or None; got {type(raw).__name__}")
    value = float(raw)
    if not math.isfinite(value) or (name == SEMANTIC and not 0 <= value <= 1):
        raise SpecError(f"`{name}` must be {requirement}, or None; got {value}")
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
