"""Numbers that were computed by an embedding model or elsewhere, as readings of a run."""

import logging
import math
from collections.abc import Iterator, Mapping
from typing import SupportsFloat

from sensecheck.core.errors import SpecError
from sensecheck.core.run import KeptReading, Run
from sensecheck.measures.metrics import KNOWN
from sensecheck.rag_eval.record import SEMANTIC

LOGGER = logging.getLogger("sensecheck.rag_eval")


def similar_reading(run: Run, found: float | str | None) -> tuple[KeptReading, ...]:
    """The reading; none where there is nothing to compare with."""
    if found is None:
        return ()
    if isinstance(found, str):
        LOGGER.error("no semantic similarity in the test run %s; the reason is kept with it", run.id)
        return (KeptReading(SEMANTIC, None, None, found, *_mark(run)),)
    return (KeptReading(SEMANTIC, found, None, None, *_mark(run)),)


def _mark(run: Run) -> tuple[str, str]:
    encoders = run.conditions.get("encoders") or [[run.encoder, run.encoder]]
    return str(encoders[0][0]), run.encoder


def given_readings(
    run: Run,
    held: Mapping[str, float | None],
    reasoning: Mapping[str, str],
    errors: Mapping[str, str],
) -> Iterator[KeptReading]:
    """The numbers that somebody computed, with why they are so, or why there are none."""
    if strange := [name for name in (*reasoning, *errors) if name not in held]:
        raise SpecError(f"there is a reason for `{strange[0]}`, which is none of the metrics")
    for name, given in held.items():
        value = _number(name, given)
        because, error = reasoning.get(name), errors.get(name)
        if value is None and because is None and error is None:
            continue
        by_encoder = name in KNOWN and KNOWN[name].kind in ("semantic", "combined", "context")
        yield KeptReading(name, value, because, error, *(_mark(run) if by_encoder else ("", "")))


def _number(name: str, given: SupportsFloat | None) -> float | None:
    """A number as it is kept; also one of numpy's, and no text that looks like one."""
    if given is None:
        return None
    wanted = "a number from 0 to 1" if name == SEMANTIC else "a finite number"
    if not isinstance(given, SupportsFloat):
        raise SpecError(f"`{name}` wants {wanted}, or None; found {type(given).__name__}")
    value = float(given)
    if not math.isfinite(value) or (name == SEMANTIC and not 0 <= value <= 1):
        raise SpecError(f"`{name}` wants {wanted}, or None; found {value}")
    return value
