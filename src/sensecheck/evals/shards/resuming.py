"""What an earlier try of the same run has left: work that is not done again."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from sensecheck.evals.shards.looking import looked_into
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.plan import RunPlan
from sensecheck.evals.shards.result_file import result_in
from sensecheck.evals.shards.result_name import FOLDER, named
from sensecheck.evals.shards.routing import routed_in
from sensecheck.evals.shards.tasks import Assessed, AssessShard, Routed, RoutePiece, Shard
from sensecheck.evals.shards.tries import Job

Span = tuple[int, int]


class LeftToRoute(NamedTuple):
    """Pieces that lie ready, and those that do not."""

    found: list[Routed]
    jobs: list[Job]


class LeftToAssess(NamedTuple):
    """Results that are there, and those that are not."""

    found: list[Assessed]
    jobs: Iterator[Job]
    """Made one by one: the places of all rows of a large run are too much to hold."""


def left_to_route(place: Place, plan: RunPlan) -> LeftToRoute:
    """Pieces that are routed are not read again; those that could not be read are tried anew."""
    found = routed_in(place, plan)
    missing = (number for number in range(len(plan.pieces)) if number not in found)
    return LeftToRoute(list(found.values()), [Job(RoutePiece(number)) for number in missing])


def left_to_assess(place: Place, shards: Sequence[Shard]) -> LeftToAssess:
    """Results that are kept are not made again, also where only some rows of a shard have theirs."""
    kept = _names_by_shard(place)
    names: list[str] = []
    left: list[tuple[int, Span | None]] = []
    for number, shard in enumerate(shards):
        there = {rows or (0, shard.rows): name for rows, name in kept.get(shard.id, {}).items()}
        chosen, missing = cover(shard.rows, there)
        names.extend(there[span] for span in chosen)
        left.extend((number, span if there else None) for span in missing)
    jobs = (Job(AssessShard(shards[number], rows)) for number, rows in left)
    return LeftToAssess(looked_into(partial(result_in, place), names), jobs)


def cover(rows: int, spans: Iterable[Span]) -> tuple[list[Span], list[Span]]:
    """Spans that share no row, from the first row on and the longest first, and what they leave open."""
    chosen: list[Span] = []
    missing: list[Span] = []
    at = 0
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < at:
            continue
        if start > at:
            missing.append((at, start))
        chosen.append((start, stop))
        at = stop
    return chosen, [*missing, (at, rows)] if at < rows else missing


def _names_by_shard(place: Place) -> dict[str, dict[Span | None, str]]:
    """Of two files for the same rows, which only a store without conditions keeps, the first one counts."""
    kept: dict[str, dict[Span | None, str]] = {}
    for name in place.names(FOLDER):
        about = named(name)
        if about is not None:
            kept.setdefault(about.shard, {}).setdefault(about.rows, name)
    return kept
