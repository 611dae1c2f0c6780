"""The record of an evaluation: a dictionary with the names that services give the columns."""

from typing import TYPE_CHECKING, Any

from sensecheck.core.extras import extra
from sensecheck.core.run import Run

with extra("eval"):
    from sensecheck.store.evals_view import JUDGED, LEXICAL, REASONED, evals
    from sensecheck.store.evals_view import SEMANTIC as BY_ENCODER

if TYPE_CHECKING:
    from sensecheck.store.run_reading import AnsweredPair

Record = dict[str, Any]
(SEMANTIC,) = BY_ENCODER
COLUMNS = tuple(evals.c.keys())
"""Those of the view `evals`."""


def full_record(run: Run, found: "AnsweredPair") -> Record:
    """All there is of one evaluation but the moment; None is what was not, or could not be, computed."""
    told = found.told
    read = {one.metric: one for one in told.readings if one.fingerprint in ("", run.encoder)}
    values = {name: one.value for name, one in read.items()}
    return {
        "id": told.id or f"{run.id}-{found.position}",
        "test_run_id": run.id,
        "qa_pair_id": found.pair.name,
        **{name: values.get(name) for name in (*LEXICAL, *JUDGED, SEMANTIC)},
        "answer": told.answer,
        **{f"{name}_reasoning": read[name].because if name in read else None for name in REASONED},
        "error": told.error,
        "latency_ms": told.latency_ms,
        "cost": told.cost,
        "question": found.pair.question,
        "reference_answer": found.pair.expected,
        "passages": list(found.pair.passages if told.passages is None else told.passages),
        "metrics": values,
        "errors": {name: one.error for name, one in read.items() if one.error is not None},
    }
