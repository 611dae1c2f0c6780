"""A line of a project's own, fitted on what its reviewers said."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Literal

from sensecheck import __version__
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.fit import fit, what_to_promise
from sensecheck.calibration.sample_size import NotCertifiable, shortage
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Target
from sensecheck.checks.policies import POLICIES
from sensecheck.core.errors import MissingExtra
from sensecheck.core.registry import measure_to_data
from sensecheck.server.problems import NOT_HERE, OVERLOADED, Problem
from sensecheck.server.reviewing.fitting_rows import RowsToFit
from sensecheck.server.reviewing.one_process import in_one_process
from sensecheck.store.moments import now
from sensecheck.store.service.days import Days
from sensecheck.store.service.policies import NewPolicy

HELD_OUT = 0.3
SECONDS = 120.0
"""As long as a fit may take."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The policy that is to be made."""

    project: int
    name: str
    base: Literal["default", "strict", "fast"]
    targets: tuple[Target, ...]
    days: Days


async def fitted(found: RowsToFit, wanted: Wanted) -> NewPolicy | NotCertifiable:
    """The policy, or how many labels it lacks."""
    lacking = lacking_for(found, wanted)
    if lacking is not None:
        return lacking
    card = await _beside(_fit(found, wanted))
    if isinstance(card, NotCertifiable):
        return card
    data = json.loads(card.to_json())
    return NewPolicy(wanted.project, wanted.name, wanted.base, card.cutoff().to_data(), data)


def lacking_for(found: RowsToFit, wanted: Wanted) -> NotCertifiable | None:
    """What it takes besides what there is; None where there is enough."""
    promised = what_to_promise(
        name=wanted.name, date=_today(), method="exact", targets=wanted.targets, share_held_out=HELD_OUT
    )
    return shortage(found.rows, method="exact", targets=promised, share_held_out=HELD_OUT)


def _fit(found: RowsToFit, wanted: Wanted) -> Callable[[], Card | NotCertifiable]:
    """The fit, for whoever does it."""
    return partial(
        fit,
        found.rows,
        name=wanted.name,
        measure=measure_to_data(POLICIES[wanted.base].measure),
        encoder=found.encoder,
        good="above",
        method="exact",
        targets=wanted.targets,
        data=DataMark("reviews", _digest(found.rows), len(found.rows), "grounded", "passage"),
        date=_today(),
        version=__version__,
        share_held_out=HELD_OUT,
        warnings=_warnings(found),
    )


async def _beside(work: Callable[[], Card | NotCertifiable]) -> Card | NotCertifiable:
    """Do it in a process of its own: what a fit imports would stop all other requests for seconds."""
    try:
        return await in_one_process(work, seconds=SECONDS)
    except MissingExtra as missing:
        raise Problem(NOT_HERE, "a fit needs the extra `train`, which is not installed here") from missing
    except TimeoutError as slow:
        too_long = f"the fit took more than {SECONDS:g} s and was ended; labels of fewer `days` take less"
        raise Problem(OVERLOADED, too_long, retry_after=SECONDS) from slow


def _today() -> str:
    return now().date().isoformat()


def _warnings(found: RowsToFit) -> list[str]:
    left_out = found.not_counted.in_larger_stratum
    if left_out == 0:
        return []
    return [f"{left_out} labels were left out: they would have made one stratum too large"]


def _digest(rows: Sequence[Labelled]) -> str:
    """What tells this data from other data; the texts themselves are not in it."""
    told = sorted([row.value, row.good, row.group or ""] for row in rows)
    return sha256(json.dumps(told).encode()).hexdigest()
