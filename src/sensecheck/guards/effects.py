"""What guards did to retrieval, and to answers that were scored with them and without."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sensecheck.config import LateEncoder
from sensecheck.core.backends import Backends, Embedding
from sensecheck.core.errors import SpecError
from sensecheck.core.unicode import canonical
from sensecheck.encoders.memory import remembering
from sensecheck.encoders.wrappers import EncoderWrapper
from sensecheck.guards.request import ChainRequest
from sensecheck.retrieval.effects import effects_of
from sensecheck.retrieval.effects_report import EffectsReport, ScoredEffects
from sensecheck.retrieval.flags import ChainFlags
from sensecheck.retrieval.guard import CACHE_SIZE
from sensecheck.retrieval.labels import LabelledRow, labelled_rows, measured_rows, scored_arms

OnEncoded = Callable[[int, int | None], None]
"""Called with how many texts were encoded by now, and how many there are, if that is known."""
BATCH_SIZE = 256
"""Texts that are encoded from one report of progress to the next."""


@dataclass(frozen=True, kw_only=True)
class EffectsRequest(ChainRequest):
    """Labelled retrievals, and the guards whose effects are measured."""

    labelled: str | Sequence[LabelledRow]
    """A file with one query per line, its references labelled; `-` for standard input; or the rows."""
    scored: tuple[str, ...] = ()
    """Files with the outputs of both arms, `bare` and `guarded`."""
    seed: int = 0


def measure_effects(request: EffectsRequest, on_encoded: OnEncoded | None = None) -> EffectsReport:
    """What the guards did; all files are read first, and the encoder is loaded only if it is needed."""
    if request.chain is None and request.single_guards() == ChainFlags():
        raise SpecError(
            "no guard is set, so there is nothing to measure; name a `--chain`, or guards such as "
            "`--min-similarity`"
        )
    guards, loaded = request.guards(), LateEncoder(request.settings)
    if isinstance(request.labelled, str):
        name, rows = labelled_rows(request.labelled, request.scale)
    else:
        name, rows = "labelled", list(request.labelled)
    scored = ScoredEffects.of(*scored_arms(request.scored), seed=request.seed) if request.scored else None
    reporting = (
        loaded if on_encoded is None else _ReportingEncoder(loaded, on_encoded, _texts_to_encode(rows))
    )
    encoder = remembering(reporting, CACHE_SIZE)
    effects = effects_of(measured_rows(rows, encoder), guards, Backends(encoder), seed=request.seed)
    return EffectsReport(name, effects, scored, loaded.fingerprint if loaded.is_loaded else None)


class _ReportingEncoder(EncoderWrapper):
    """The same vectors, a few texts at a time; each time it is reported how many are done."""

    def __init__(self, inner: LateEncoder, report: OnEncoded, total: int | None) -> None:
        super().__init__(inner)
        self._report = report
        self._total = total
        self._done = 0

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        embedded: list[Embedding] = []
        for start in range(0, len(texts), BATCH_SIZE):
            some = texts[start : start + BATCH_SIZE]
            embedded += self._inner.encode(some, tokens=tokens)
            self._done += len(some)
            self._report(self._done, self._total)
        return embedded


def _texts_to_encode(rows: Sequence[LabelledRow]) -> int | None:
    """How many texts the encoder is given; where similarity came along, only the guards know."""
    if any(row.is_measured for row in rows):
        return None
    return len(
        {canonical(text) for row in rows for text in (row.query, *(one.text for one in row.references))}
    )
