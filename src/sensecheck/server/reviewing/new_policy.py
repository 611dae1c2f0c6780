"""A policy of a project's own: from the labels that there are to the version that is kept."""

from asyncio import Lock
from dataclasses import asdict

from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.server.problems import NOT_CERTIFIABLE, OVERLOADED, Problem
from sensecheck.server.reviewing.calibrating import Wanted, fitted
from sensecheck.server.reviewing.fitting_rows import RowsToFit, rows_to_fit
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.store.service.policies import NewPolicy, add_policy
from sensecheck.store.service.records import FittedPolicy
from sensecheck.store.service.service_store import ServiceStore


async def new_policy(desk: StoreDesk, turn: Lock, wanted: Wanted) -> FittedPolicy:
    """The policy that is wanted, fitted and kept; raises the problem where labels do not suffice for it.

    Whoever comes while somebody else has the `turn` is sent away.
    """
    found = await desk.ask(lambda store: _rows(store, wanted))
    if turn.locked():
        raise Problem(OVERLOADED, "another line is being fitted; they are one at a time", retry_after=10)
    async with turn:
        new = await fitted(found, wanted)
    if isinstance(new, NotCertifiable):
        raise _not_certifiable(new, found)
    return await desk.ask(lambda store: _kept(store, new))


def _not_certifiable(lacking: NotCertifiable, found: RowsToFit) -> Problem:
    """How many more labels it takes, and why some that are there do not count."""
    counted = len(found.rows)
    more = {
        "missing": dict(lacking.missing),
        "found": dict(lacking.found),
        "labels": counted + found.not_counted.count,
        "not_counted": asdict(found.not_counted),
    }
    words = (lacking.in_words(), found.not_counted.in_words(counted))
    return Problem(NOT_CERTIFIABLE, ". ".join(word for word in words if word), more=more)


def _rows(store: ServiceStore, wanted: Wanted) -> RowsToFit:
    with store.reading() as connection:
        return rows_to_fit(connection, wanted.project, wanted.days, base=wanted.base)


def _kept(store: ServiceStore, new: NewPolicy) -> FittedPolicy:
    with store.writing() as connection:
        return add_policy(connection, new)
