"""A chain: stages one after the other, and what each of them did."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sensecheck.checks.assess import Staircase, validate_sizes
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import BackendError, CannotJudge, SampleError, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.encoders.memory import remembering, remembering_pairs
from sensecheck.retrieval.match import Match, NotSelected, Retrieved
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.stage import AskingStage, Stage, StageContext

NOBODY = Backends()
_NOTHING = Space()
_NO_NEEDS = Needs()

Found = Selection | NotSelected
_Answered = tuple[Stage, Backends]


@dataclass(frozen=True, slots=True)
class Chain:
    """Stages in their order; without any, the selection is what the retriever gave, by similarity."""

    stages: tuple[Stage, ...] = ()

    def __call__(
        self, matches: Iterable[Match], *, query: str | None = None, encoder: Encoder | None = None
    ) -> Selection:
        """What the stages leave of these matches; the encoder is for stages that compare texts.

        Raises `CannotJudge` where there is no selection.
        """
        before = Selection(by_closeness(matches), query=query)
        (result,) = _run_stages(self._answered(Backends(encoder)), [before])
        if isinstance(result, NotSelected):
            raise result.error
        return result

    def each(
        self,
        retrieved: Iterable[Retrieved | NotSelected],
        answerers: Backends = NOBODY,
        *,
        batch_size: int = 256,
        cache_size: int = 8192,
    ) -> Iterator[Selection | NotSelected]:
        """One selection per query, in order; or why there is none, which does not hold up the others.

        Queries are taken `batch_size` at a time, and each distinct text that stages ask for is encoded once;
        the `cache_size` texts used last stay encoded. Memory is flat in the number of queries.
        """
        validate_sizes(batch_size, cache_size)
        answered = self._answered(_remembering(answerers, cache_size))
        stages = [(stage, _remembering(backends, cache_size)) for stage, backends in answered]
        stream = iter(retrieved)
        while batch := list(islice(stream, batch_size)):
            yield from _run_stages(stages, [_initial(one) for one in batch])

    def _answered(self, answerers: Backends) -> "list[_Answered]":
        """Each stage with its backends: its own, or those of the chain."""
        overrides = (stage.answerers if isinstance(stage, AskingStage) else None for stage in self.stages)
        return [
            (stage, override or answerers) for stage, override in zip(self.stages, overrides, strict=True)
        ]


def chain(*stages: Stage) -> Chain:
    """A chain of these stages: `chain(above(0.6), top(4), within_chars(800))`."""
    for at, stage in enumerate(stages):
        if not callable(stage) or not isinstance(getattr(stage, "name", None), str):
            raise SpecError(
                f"stage {at} of `chain` must be callable and have a name, such as `top(4)`; "
                f"got {type(stage).__name__}"
            )
    return Chain(stages)


def by_closeness(matches: Iterable[Match]) -> tuple[Match, ...]:
    """The closest first; those that are equally close stay in their order."""
    matches = tuple(matches)
    for match in matches:
        if not isinstance(match, Match):
            raise SampleError(
                f"a chain takes matches; got {type(match).__name__}; the similarity of texts is measured by "
                "`matched(query, texts, encoder)`, or by `Sense.guard`"
            )
    return tuple(sorted(matches, key=lambda match: match.closeness, reverse=True))


def _initial(retrieved: Retrieved | NotSelected) -> Found:
    if isinstance(retrieved, NotSelected):
        return retrieved
    return Selection(by_closeness(retrieved.matches), query=retrieved.query, unread=retrieved.unread)


def _remembering(answerers: Backends, cache_size: int) -> Backends:
    encoder, pairs = answerers.encoder, answerers.pairs
    return replace(
        answerers,
        encoder=None if encoder is None else remembering(encoder, cache_size),
        pairs=None if pairs is None else remembering_pairs(pairs, cache_size),
    )


def _run_stages(stages: Sequence[_Answered], results: list[Found]) -> list[Found]:
    """Stage by stage over all queries, so that what one stage needs is answered in one go."""
    for stage, answerers in stages:
        requests = [_needs_of(stage, result) for result in results]
        needs = Needs.union(needs for _, needs in requests)
        if (needs.texts or needs.tokens) and answerers.encoder is None:
            raise BackendError(
                f"the stage `{stage.name}` compares texts, and no encoder is set up to place them; "
                "pass `encoder=`, or use `sense.guard`"
            )
        space = Staircase(answerers, strict=True).answer(needs) if needs else _NOTHING
        results = [_apply_stage(stage, result, space) for result, _ in requests]
    return results


def _needs_of(stage: Stage, before: Found) -> tuple[Found, Needs]:
    if isinstance(before, NotSelected) or not isinstance(stage, AskingStage):
        return before, _NO_NEEDS
    try:
        return before, stage.needs(before.kept, before.query)
    except CannotJudge as reason:
        return NotSelected(before.query, reason), _NO_NEEDS


def _apply_stage(stage: Stage, before: Found, space: Space) -> Found:
    if isinstance(before, NotSelected):
        return before
    try:
        step = stage(before.kept, StageContext(before.query, space))
    except CannotJudge as reason:
        return NotSelected(before.query, reason)
    if len(step.kept) + len(step.dropped) != len(before.kept):
        raise SpecError(
            f"the stage `{stage.name}` was given {len(before.kept)} matches, and kept {len(step.kept)} and "
            f"dropped {len(step.dropped)}; wanted each of them in one of the two"
        )
    return Selection(
        step.kept,
        before.dropped + step.dropped,
        before.cut + step.cut,
        before.spent if step.spent is None else (*before.spent, step.spent),
        before.query,
        before.unread,
    )
