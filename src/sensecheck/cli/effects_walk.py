"""From files to a report of what guards did; what is wrong is told before the slow work begins."""

from collections.abc import Sequence

from sensecheck.cli.effects_labelled import labelled_rows
from sensecheck.cli.effects_rows import scored_arms
from sensecheck.cli.late_encoder import LateEncoder
from sensecheck.cli.placing import placing_shown
from sensecheck.core.backends import Answerers
from sensecheck.core.unicode import canonical
from sensecheck.encoders.memory import remembering
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.effects.effects import effects_of
from sensecheck.retrieval.effects.labelled import LabelledRow, measured_rows
from sensecheck.retrieval.effects.report import EffectsReport, ScoredEffects
from sensecheck.retrieval.scales import Scale
from sensecheck.wiring import Settings

REMEMBERED = 8192
"""Texts that stay placed, for measuring and for the guards together."""


def found_in(
    labelled: str,
    guards: Chain,
    scored: Sequence[str],
    settings: Settings,
    *,
    scale: Scale | None,
    seed: int,
    quiet: bool,
) -> EffectsReport:
    """The report; all files are read first, and the encoder is loaded if somebody asks for it."""
    late = LateEncoder(settings)
    name, rows = labelled_rows(labelled, scale)
    answered = ScoredEffects.of(*scored_arms(scored), seed=seed) if scored else None
    with placing_shown(late, _to_place(rows), hidden=quiet) as shown:
        placing = remembering(shown, REMEMBERED)
        found = effects_of(measured_rows(rows, placing), guards, Answerers(placing), seed=seed)
    return EffectsReport(name, found, answered, late.fingerprint if late.is_loaded else None)


def _to_place(rows: Sequence[LabelledRow]) -> int | None:
    """How many texts the encoder is given; where closeness came along, only the guards know."""
    if any(row.is_measured for row in rows):
        return None
    return len(
        {canonical(text) for row in rows for text in (row.query, *(one.text for one in row.references))}
    )
