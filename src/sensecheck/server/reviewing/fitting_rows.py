"""Which labelled messages a line is fitted on: a sample that is like all messages.

Reviewers are given accepted and rejected answers in equal numbers, however many there are of each. A line
that was fitted on all labels would promise something of such a mixture, and not of what really comes. So only
what was drawn at random counts, and of the stratum that was labelled more, some labels are left out.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from sensecheck.calibration.split import Labelled
from sensecheck.checks.policies import POLICIES
from sensecheck.server.reviewing.not_counted import NotCounted
from sensecheck.server.reviewing.rates import Strata, Stratum
from sensecheck.server.reviewing.weekly import strata_of
from sensecheck.store.service.days import Days
from sensecheck.store.service.figures import figures_of, together
from sensecheck.store.service.policies import each_policy
from sensecheck.store.service.reviews import LabelledMessage, labelled_messages, newest_encoder


@dataclass(frozen=True, slots=True)
class RowsToFit:
    """Labelled readings of one encoder."""

    rows: tuple[Labelled, ...]
    encoder: str | None
    not_counted: NotCounted


def rows_to_fit(connection: Connection, project: int, days: Days, *, base: str) -> RowsToFit:
    """Labels of these days, of readings by who is in use, under policies that read what `base` reads."""
    newest = newest_encoder(connection, project, days.end)
    read = _policies_that_read_alike(connection, project, base)
    by_day = figures_of(connection, project, days)
    whole = together(figures for day in by_day.values() for mark, figures in day.items() if mark in read)
    every = labelled_messages(connection, project, days)
    drawn = [one for one in every if one.at_random]
    with_words = [one for one in drawn if one.support is not None and one.policy in read]
    by_reader = POLICIES[base].reads_pairs
    labelled = [one for one in with_words if newest is not None and _same(one.encoder, newest, by_reader)]
    strata = strata_of(whole, labelled)
    kept = in_proportion(labelled, strata)
    rows = tuple(Labelled(one.support, one.grounded, one.passage) for one in kept if one.support is not None)
    not_counted = NotCounted(
        not_at_random=len(every) - len(drawn),
        without_words=len(drawn) - len(with_words),
        other_encoder=len(with_words) - len(labelled),
        in_larger_stratum=len(labelled) - len(kept),
        bare_stratum=_bare_stratum(strata) if labelled else None,
    )
    return RowsToFit(rows, None if newest is None else _who(newest, by_reader), not_counted)


def in_proportion(labelled: list[LabelledMessage], strata: Strata) -> list[LabelledMessage]:
    """As many of each stratum as make the sample like all messages; the random ends of names choose."""
    drawn = {True: strata.accepted, False: strata.rejected}
    shares = [stratum.labels / stratum.messages for stratum in drawn.values() if stratum.messages > 0]
    share = min(shares, default=0.0)
    kept: list[LabelledMessage] = []
    for accepted, stratum in drawn.items():
        ours = sorted(
            (one for one in labelled if one.accepted == accepted), key=lambda one: one.message[-12:-1]
        )
        kept += ours[: round(share * stratum.messages)]
    return kept


def _bare_stratum(strata: Strata) -> Stratum | None:
    if strata.accepted.messages > 0 and strata.accepted.labels == 0:
        return "accepted"
    return "rejected" if strata.rejected.messages > 0 and strata.rejected.labels == 0 else None


def _policies_that_read_alike(connection: Connection, project: int, base: str) -> frozenset[str]:
    """The marks of the policies whose readings are of the same kind as those of `base`."""
    reads = POLICIES[base].reads
    ours = (policy.mark for policy in POLICIES.values() if policy.reads == reads)
    theirs = (
        policy.mark for policy in each_policy(connection, project) if POLICIES[policy.base].reads == reads
    )
    return frozenset((*ours, *theirs))


def _who(mark: str, by_reader: bool) -> str:
    """Whose reading it is: the encoder's, or that of the cross-encoder behind it."""
    encoder, _, reader = mark.partition("+")
    return (reader or encoder) if by_reader else encoder


def _same(mark: str | None, newest: str, by_reader: bool) -> bool:
    """Whether a message was read as the newest one; where all was verbatim, no cross-encoder was asked."""
    if mark is None:
        return False
    verbatim = by_reader and mark == newest.partition("+")[0]
    return verbatim or _who(mark, by_reader) == _who(newest, by_reader)
