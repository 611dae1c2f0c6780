"""Guards over queries with what a retriever found for them: what is kept, and what single guards change.

The guards of a request are a chain in a file, one that is made already, or single guards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sensecheck.config import LateEncoder, Settings, chain_parts
from sensecheck.core.backends import Backends, Embedding
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.unicode import canonical
from sensecheck.encoders.memory import remembering
from sensecheck.encoders.wrappers import EncoderWrapper
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.dataset import RetrievalRow, Rising, one_alone, rows_from, rows_of
from sensecheck.retrieval.effects import effects_of
from sensecheck.retrieval.effects_report import EffectsReport, ScoredEffects
from sensecheck.retrieval.flags import ChainFlags, block_of, chosen_chain
from sensecheck.retrieval.guard import CACHE_SIZE, GuardedQuery, GuardTally, guard_each
from sensecheck.retrieval.labels import LabelledRow, labelled_rows, measured_rows, scored_arms
from sensecheck.retrieval.match import Scale
from sensecheck.retrieval.prompt import Empty
from sensecheck.retrieval.selection import Selection


@dataclass(frozen=True, kw_only=True)
class ChainRequest:
    """A chain, or single guards in their fixed order, and the settings under which they work."""

    chain: str | Path | Chain | None = None
    """A chain, or the file that describes one; its guards are all there are."""
    min_similarity: float | str | None = None
    """Keep references at least this close to the query: a number, or the name of a card."""
    dedupe: float | None = None
    """Keep one of those at least this close to each other."""
    top_k: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    """Tokens of the block in the prompt, its tags included."""
    tokenizer: str | None = None
    """Who counts `max_tokens`: `minilm`, `onnx:FOLDER` or `tokenizer:FILE.json`; None is `minilm`."""
    scale: Scale | None = None
    """What the `score` of references is; None where they have none."""
    settings: Settings = field(default_factory=Settings.from_environment)

    def single_guards(self, empty: Empty | None = None) -> ChainFlags:
        """Those that are named one by one."""
        min_similarity = None if self.min_similarity is None else str(self.min_similarity)
        limits = (self.top_k, self.max_chars, self.max_tokens, self.tokenizer)
        return ChainFlags(min_similarity, self.dedupe, *limits, empty)

    def guards(self, empty: Empty | None = None) -> Chain:
        """The chain; what it names is loaded, and what does not go together is `SpecError`."""
        single = self.single_guards(empty)
        if isinstance(self.chain, Chain):
            if single != ChainFlags():
                raise SpecError(
                    "`chain` is a chain already; single guards and `empty` are for none, or a file"
                )
            return self.chain
        file = None if self.chain is None else Path(self.chain)
        return chosen_chain(file, single, chain_parts(self.settings), self.settings.cards_folder())


@dataclass(frozen=True, kw_only=True)
class GuardRequest(ChainRequest):
    """What was retrieved, and the guards that it is to pass."""

    retrieved: str | Iterable[Mapping[str, Any]]
    """A file with one query per line, `-` for standard input; or rows: `{"query": …, "references": […]}`."""
    empty: Empty | None = None
    """The block of a prompt where nothing is left: `omit` it, as None does, or `say` so."""
    one_query: bool = False
    """Refuse a second query, as where one bare prompt is to be written."""


class GuardedQueries:
    """The queries as they are guarded, once through; what is counted is complete at the end."""

    def __init__(self, request: GuardRequest) -> None:
        self._request = request
        self._rising = Rising()
        self._encoder = LateEncoder(request.settings)
        self.chain = request.guards(request.empty)
        self._block = block_of(self.chain, request.single_guards(request.empty))
        self.tally = GuardTally([stage.name for stage in self.chain.stages])

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know, as far as it is known by now."""
        unguarded = () if self.chain.stages else ("no guard is set: all is kept, by similarity",)
        doubt = self._rising.doubt(self._request.scale)
        return unguarded if doubt is None else (*unguarded, doubt)

    def prompt(self, selection: Selection) -> str:
        """The block that goes into the prompt for a selection; it may be empty."""
        return self._block(selection.kept)

    def __iter__(self) -> Iterator[GuardedQuery]:
        for guarded in guard_each(self._rows(), self.chain, self._encoder):
            self.tally.count(guarded)
            self._rising.count(guarded.row)
            yield guarded
        if not self.tally.queries:
            name = self._request.retrieved if isinstance(self._request.retrieved, str) else "retrieved"
            raise SampleError(f"`{name}` holds no query; nothing was guarded")

    def _rows(self) -> Iterator[RetrievalRow]:
        retrieved, scale = self._request.retrieved, self._request.scale
        rows = rows_from(retrieved, scale) if isinstance(retrieved, str) else rows_of(retrieved, scale)
        return one_alone(rows) if self._request.one_query else rows


def guard(request: GuardRequest) -> GuardedQueries:
    """Guard what was retrieved, query by query, as the result is iterated.

    A query that cannot be judged has an error for its result; rows that are wrong raise.
    """
    return GuardedQueries(request)


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
            batch = texts[start : start + BATCH_SIZE]
            embedded += self._inner.encode(batch, tokens=tokens)
            self._done += len(batch)
            self._report(self._done, self._total)
        return embedded


def _texts_to_encode(rows: Sequence[LabelledRow]) -> int | None:
    """How many texts the encoder gets; None where rows bring similarities, since then the guards decide."""
    if any(row.is_measured for row in rows):
        return None
    return len(
        {
            canonical(text)
            for row in rows
            for text in (row.query, *(reference.text for reference in row.references))
        }
    )
