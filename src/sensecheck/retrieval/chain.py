"""A chain: stages one after the other, and what each of them did."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sensecheck.checks.staircase import Staircase
from sensecheck.core.encoder import Answerers, Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.encoders.remembered import remembering
from sensecheck.retrieval.match import Match, Retrieved
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.stage import Asked, AskingStage, Stage

NOBODY = Answerers()
_NOTHING = Space()


@dataclass(frozen=True, slots=True)
class Chain:
    """Stages in their order; without any, the selection is what the retriever gave, by closeness."""

    stages: tuple[Stage, ...] = ()

    def __call__(
        self, matches: Iterable[Match], *, query: str | None = None, encoder: Encoder | None = None
    ) -> Selection:
        """What the stages leave of these matches; the encoder is for stages that compare texts."""
        return next(_through(self.stages, [(query, tuple(matches))], Answerers(encoder)))

    def each(
        self,
        retrieved: Iterable[Retrieved],
        answerers: Answerers = NOBODY,
        *,
        at_once: int = 256,
        remember: int = 8192,
    ) -> Iterator[Selection]:
        """One selection a query, in order.

        Queries are taken `at_once` at a time, and each distinct text that stages ask for is placed once;
        the `remember` texts used last stay placed. Memory is flat in the number of queries.
        """
        if at_once < 1 or remember < 0:
            raise SpecError(f"`at_once` wants at least 1, `remember` at least 0; found {at_once}, {remember}")
        if answerers.encoder is not None:
            answerers = replace(answerers, encoder=remembering(answerers.encoder, remember))
        stream = iter(retrieved)
        while some := list(islice(stream, at_once)):
            yield from _through(self.stages, some, answerers)


def chain(*stages: Stage) -> Chain:
    """A chain of these stages: `chain(above(0.6), top(4), within_chars(800))`."""
    return Chain(stages)


def by_closeness(matches: Iterable[Match]) -> tuple[Match, ...]:
    """The closest first; those that are equally close stay in their order."""
    return tuple(sorted(matches, key=lambda match: match.closeness, reverse=True))


def _through(
    stages: Sequence[Stage], queries: Sequence[tuple[str | None, Sequence[Match]]], answerers: Answerers
) -> Iterator[Selection]:
    """Stage by stage over all queries, so that what one stage needs is answered in one go."""
    found = [Selection(by_closeness(matches), query=query) for query, matches in queries]
    for stage in stages:
        space = _space(stage, found, answerers)
        found = [_after(stage, one, space) for one in found]
    return iter(found)


def _space(stage: Stage, before: Sequence[Selection], answerers: Answerers) -> Space:
    if not isinstance(stage, AskingStage):
        return _NOTHING
    needs = Needs.union(stage.needs(one.kept, one.query) for one in before)
    return Staircase(stage.answerers or answerers, strict=True).answer(needs) if needs else _NOTHING


def _after(stage: Stage, before: Selection, space: Space) -> Selection:
    step = stage(before.kept, Asked(before.query, space))
    return Selection(
        step.kept,
        before.dropped + step.dropped,
        before.cut + step.cut,
        before.spent if step.spent is None else (*before.spent, step.spent),
        before.query,
    )
