"""Rows through a chain, many at once; one that cannot be judged does not hold up the others."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from sensecheck.cli.guard_rows import Row
from sensecheck.cli.guarded import Guarded
from sensecheck.core.backends import Answerers, Encoder
from sensecheck.core.errors import CannotJudge, StaleCutoff
from sensecheck.encoders.memory import remembering
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.retrieved import NotSelected, Retrieved

AT_ONCE = 64
"""Few enough for a bar that moves, and for memory to stay flat."""
REMEMBERED = 8192


def guard_each(rows: Iterable[Row], chain: Chain, encoder: Encoder) -> Iterator[Guarded]:
    """What the chain leaves of each row, in order."""
    answerers = Answerers(remembering(encoder, REMEMBERED))
    waiting: deque[Row] = deque()

    def retrieved() -> Iterator[Retrieved | NotSelected]:
        stream = iter(rows)
        while some := list(islice(stream, AT_ONCE)):
            waiting.extend(some)
            yield from _retrieved(some, answerers)

    for found in chain.each(retrieved(), answerers, at_once=AT_ONCE):
        row = waiting.popleft()
        yield Guarded(row, _advised(row, found.error) if isinstance(found, NotSelected) else found)


def _retrieved(rows: Sequence[Row], answerers: Answerers) -> list[Retrieved | NotSelected]:
    """All of them with their closeness; where a row brought none, the encoder measures it."""
    bare = [(row.query, [match.text for match in row.matches]) for row in rows if not row.measured]
    measured = matched_each(bare, answerers.encoder)
    return [
        Retrieved(row.query, row.matches) if row.measured else _joined(row.matches, next(measured))
        for row in rows
    ]


def _joined(given: Sequence[Match], measured: Retrieved | NotSelected) -> Retrieved | NotSelected:
    """What was measured of each reference, beside what else is known of it."""
    if isinstance(measured, NotSelected):
        return measured
    unread = {one.place for one in measured.unread}
    known = (one for place, one in enumerate(given) if place not in unread)
    matches = tuple(
        replace(
            one,
            source=told.source,
            metadata=told.metadata,
            reference_score=told.reference_score,
            id=told.id,
        )
        for told, one in zip(known, measured.matches, strict=True)
    )
    return replace(measured, matches=matches)


def _advised(row: Row, error: CannotJudge) -> CannotJudge:
    """The error; where the line is that of an encoder, and references name none, with what to do."""
    unsaid = row.measured and any(match.encoder is None for match in row.matches)
    if not (unsaid and isinstance(error, StaleCutoff)):
        return error
    return StaleCutoff(
        f"{error}; put `encoder` on the references, or leave `closeness` out and it is measured"
    )
