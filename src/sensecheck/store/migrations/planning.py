"""Which steps lead from where a database is to where it should be."""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import URL

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown
from sensecheck.store.address import shown
from sensecheck.store.migrations.found import Found
from sensecheck.store.migrations.revisions import VERSION_TABLE

Way = Literal["up", "down"]
HEAD_WORD, BASE_WORD = "head", "base"
VIEW = "evals"


def planned(url: URL, found: Found, known: Sequence[str], way: Way, to: str) -> tuple[str, ...]:
    """The steps to make, or to undo, in their order; `SpecError` where there is no such way."""
    must_be_known(url, found, known)
    wanted = _place(to, known)
    there = 0 if found.revision is None else known.index(found.revision) + 1
    if way == "up" and wanted < there:
        raise SpecError(
            f"`{shown(url)}` is at `{found.revision}`, beyond `{to}`; `sensecheck db downgrade` goes back"
        )
    if way == "down" and wanted > there:
        raise SpecError(
            f"`{shown(url)}` is at `{found.revision or BASE_WORD}`, before `{to}`; "
            "`sensecheck db upgrade` goes on"
        )
    return tuple(known[there:wanted]) if way == "up" else tuple(reversed(known[wanted:there]))


def must_be_known(url: URL, found: Found, known: Sequence[str]) -> None:
    """Raise `SpecError` for the tables of somebody else, or of a later version."""
    if found.revision is not None and found.revision not in known:
        raise SpecError(
            f"`{shown(url)}` is at the revision `{found.revision}`, which this version does not know "
            f"(it knows up to `{known[-1]}`): a later one made it; upgrade sensecheck itself"
        )


def must_be_ours(url: URL, found: Found, ours: frozenset[str]) -> None:
    """Raise `SpecError` for tables of somebody else that stand where ours would."""
    others = found.names - {VERSION_TABLE}
    in_the_way = others if url.get_backend_name() == "sqlite" else others & (ours | {VIEW})
    if found.revision is None and in_the_way:
        named = ", ".join(f"`{name}`" for name in sorted(in_the_way)[:5])
        raise SpecError(
            f"`{shown(url)}` holds tables that sensecheck did not make: {named}; name another database; "
            "`sensecheck db import` brings evaluations over"
        )


def _place(to: str, known: Sequence[str]) -> int:
    if to in (HEAD_WORD, BASE_WORD):
        return len(known) if to == HEAD_WORD else 0
    if to not in known:
        raise SpecError(unknown("revision", to, (*known, HEAD_WORD, BASE_WORD)))
    return known.index(to) + 1
