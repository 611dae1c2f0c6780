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
    kept_answer = found.scored
    read = {one.metric: one for one in kept_answer.readings if one.fingerprint in ("", run.encoder)}
    values = {name: one.value for name, one in read.items()}
    return {
        "id": kept_answer.id or f"{run.id}-{found.position}",
        "test_run_id": run.id,
        "qa_pair_id": found.item.name,
        **{name: values.get(name) for name in (*LEXICAL, *JUDGED, SEMANTIC)},
        "answer": kept_answer.answer,
        **{f"{name}_reasoning": read[name].because if name in read else None for name in REASONED},
        "error": kept_answer.error,
        "latency_ms": kept_answer.latency_ms,
        "cost": kept_answer.cost,
        "question": found.item.question,
        "reference_answer": found.item.expected,
        "passages": list(found.item.passages if kept_answer.passages is None else kept_answer.passages),
        "metrics": values,
        "errors": {name: one.error for name, one in read.items() if one.error is not None},
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
            left = [one for one in batch if one[0].position not in done]
            if len(left) == len(batch):  # something else is wrong
                raise
            batch = left
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
    if strange := [name for name in (*reasoning, *errors) if name not in held]:
        raise SpecError(f"there is a reason for `{strange[0]}`, which is none of the metrics")
    for name, given in held.items():
        value = _number(name, given)
        because, error = reasoning.get(name), errors.get(name)
        if value is None and because is None and error is None:
            continue
        by_encoder = name in KNOWN and KNOWN[name].kind in ("semantic", "combined", "context")
        yield MetricScore(name, value, because, error, *(_mark(run) if by_encoder else ("", "")))


def pair_from(given: Item | Mapping[str, object]) -> Item:
    """A question with its reference answer, also from a dictionary as services have it."""
    if isinstance(given, Item):
        return given
    if strange := [key for key in given if key not in _KEYS]:
        raise SpecError(f"a pair has no `{strange[0]}`; known: {', '.join(f'`{key}`' for key in _KEYS)}")
    texts = {key: given.get(key) for key in _KEYS[:3]}
    for key, text in texts.items():
        if not isinstance(text, str | None):
            raise SpecError(f"`{key}` of a pair must be a string; got {type(text).__name__}")
    passages = given.get("passages", ())
    if not isinstance(passages, list | tuple) or not all(isinstance(one, str) for one in passages):
        raise SpecError("`passages` of a pair must be a list of strings")
    question, expected = texts["question"], texts["reference_answer"]
    return Item(_text(question), _text(expected), tuple(passages), id=_text(texts["id"]) or "")


def _mark(run: Run) -> tuple[str, str]:
    encoders = run.conditions.get("encoders") or [[run.encoder, run.encoder]]
    return str(encoders[0][0]), run.encoder


def _number(name: str, given: SupportsFloat | None) -> float | None:
    """A number as it is kept; also one of numpy's, and no text that looks like one."""
    if given is None:
        return None
    wanted = "a number from 0 to 1" if name == SEMANTIC else "a finite number"
    if not isinstance(given, SupportsFloat):
        raise SpecError(f"`{name}` must be {wanted}, or None; got {type(given).__name__}")
    value = float(given)
    if not math.isfinite(value) or (name == SEMANTIC and not 0 <= value <= 1):
        raise SpecError(f"`{name}` must be {wanted}, or None; got {value}")
    return value


def _text(given: object) -> str | None:
    return given if isinstance(given, str) else None
