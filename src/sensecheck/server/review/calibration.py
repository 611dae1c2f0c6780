"""Policies of a project: fitted on the labels of its reviewers, stored, and shown.

Reviewers are given accepted and rejected answers in equal numbers, however many there are of each. A
threshold that was fitted on all labels would promise something of such a mixture, and not of what really
comes. So only what was drawn at random counts, and of the stratum that was labelled more, some labels are
left out; the reply says which, and why.
"""

import json
import re
from asyncio import Lock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Literal

from sqlalchemy import Connection

from sensecheck import __version__
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.fit import fit, what_to_promise
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.sample_size import NotCertifiable, shortage
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Target
from sensecheck.checks.policies import POLICIES, Policy
from sensecheck.core.cutoff import Cutoff, GoodSide
from sensecheck.core.errors import MissingExtra, SpecError
from sensecheck.core.registry import measure_to_data
from sensecheck.server.database import AsyncStore
from sensecheck.server.problems import NOT_CERTIFIABLE, NOT_HERE, OVERLOADED, Problem
from sensecheck.server.review.dashboard import Strata, Stratum, strata_of
from sensecheck.server.review.process import in_one_process
from sensecheck.server.schemas.review import PolicyReply
from sensecheck.store.columns import now
from sensecheck.store.service.figures import Days, figures_of, together
from sensecheck.store.service.policies import PATTERN, NewPolicy, add_policy, each_policy, find_policy
from sensecheck.store.service.records import FittedPolicy
from sensecheck.store.service.reviews import LabelledMessage, labelled_messages, newest_encoder
from sensecheck.store.service.store import ServiceStore

_TO_DO: dict[Stratum, str] = {
    "accepted": "`GET /v1/reviews/next` gives accepted answers to label.",
    "rejected": "`GET /v1/reviews/next` gives rejected answers to label, for keys made with `--review`.",
}
HELD_OUT = 0.3
SECONDS = 120.0
"""As long as a fit may take."""


@dataclass(frozen=True, slots=True)
class FitRequest:
    """The policy that is to be made."""

    project: int
    name: str
    base: Literal["default", "strict", "fast"]
    targets: tuple[Target, ...]
    days: Days


async def new_policy(database: AsyncStore, turn: Lock, wanted: FitRequest) -> FittedPolicy:
    """The policy that is wanted, fitted and stored; raises the problem where labels do not suffice for it.

    Whoever comes while somebody else has the `turn` is sent away.
    """
    labels = await database.read(
        lambda connection: rows_to_fit(connection, wanted.project, wanted.days, base=wanted.base)
    )
    if turn.locked():
        raise Problem(OVERLOADED, "another cutoff is being fitted; wait until it is done", retry_after=10)
    async with turn:
        new = await fitted(labels, wanted)
    if isinstance(new, NotCertifiable):
        raise _not_certifiable(new, labels)
    return await database.write(lambda connection: add_policy(connection, new))


@dataclass(frozen=True, slots=True)
class NotCounted:
    """Labelled messages that a threshold is not fitted on, by the first reason that holds."""

    not_at_random: int = 0
    without_words: int = 0
    """Their policy reads no words, or there was nothing to read."""
    other_encoder: int = 0
    in_larger_stratum: int = 0
    """Of the stratum that was labelled more than its share."""
    bare_stratum: Stratum | None = None
    """One that has messages, but no label that would count: then none of the other counts either."""

    def describe(self, counted: int) -> str:
        """`Of 12 labelled messages 5 count; not counted: …`; empty where all of them count."""
        reasons = [f"{count} {why}" for count, why in self._reasons() if count > 0]
        if not reasons:
            return ""
        words = (
            f"Of {counted + self.count} labelled messages {counted} count; not counted: {', '.join(reasons)}."
        )
        return words if self.bare_stratum is None else f"{words} {_TO_DO[self.bare_stratum]}"

    @property
    def count(self) -> int:
        """All of them."""
        return sum(count for count, _ in self._reasons())

    def _reasons(self) -> tuple[tuple[int, str], ...]:
        beyond = "beyond the share of their stratum"
        if self.bare_stratum is not None:
            beyond = f"since no {self.bare_stratum} answer has a label that counts"
        return (
            (self.not_at_random, "not drawn at random"),
            (self.without_words, "without a reading of words"),
            (self.other_encoder, "judged with another encoder"),
            (self.in_larger_stratum, beyond),
        )


@dataclass(frozen=True, slots=True)
class RowsToFit:
    """Labelled readings of one encoder."""

    rows: tuple[Labelled, ...]
    encoder: str | None
    not_counted: NotCounted


async def fitted(found: RowsToFit, wanted: FitRequest) -> NewPolicy | NotCertifiable:
    """The policy, or how many labels it lacks."""
    lacking = lacking_for(found, wanted)
    if lacking is not None:
        return lacking
    card = await _fit_in_process(_fit_call(found, wanted))
    if isinstance(card, NotCertifiable):
        return card
    data = json.loads(card.to_json())
    return NewPolicy(wanted.project, wanted.name, wanted.base, card.cutoff().to_data(), data)


def lacking_for(found: RowsToFit, wanted: FitRequest) -> NotCertifiable | None:
    """What it takes besides what there is; None where there is enough."""
    promised = what_to_promise(
        name=wanted.name, date=_today(), method="exact", targets=wanted.targets, share_held_out=HELD_OUT
    )
    return shortage(found.rows, method="exact", targets=promised, share_held_out=HELD_OUT)


def rows_to_fit(connection: Connection, project: int, days: Days, *, base: str) -> RowsToFit:
    """Labels of these days, of readings by who is in use, under policies that read what `base` reads."""
    newest = newest_encoder(connection, project, days.end)
    marks = _policies_that_read_alike(connection, project, base)
    by_day = figures_of(connection, project, days)
    whole = together(figures for day in by_day.values() for mark, figures in day.items() if mark in marks)
    messages = labelled_messages(connection, project, days)
    drawn = [message for message in messages if message.at_random]
    with_words = [message for message in drawn if message.support is not None and message.policy in marks]
    by_reader = POLICIES[base].reads_pairs
    labelled = [
        message
        for message in with_words
        if newest is not None and _read_alike(message.encoder, newest, by_reader)
    ]
    strata = strata_of(whole, labelled)
    chosen = in_proportion(labelled, strata)
    rows = tuple(
        Labelled(message.support, message.grounded, message.passage)
        for message in chosen
        if message.support is not None
    )
    not_counted = NotCounted(
        not_at_random=len(messages) - len(drawn),
        without_words=len(drawn) - len(with_words),
        other_encoder=len(with_words) - len(labelled),
        in_larger_stratum=len(labelled) - len(chosen),
        bare_stratum=_bare_stratum(strata) if labelled else None,
    )
    return RowsToFit(rows, None if newest is None else _reader_of(newest, by_reader), not_counted)


def in_proportion(labelled: list[LabelledMessage], strata: Strata) -> list[LabelledMessage]:
    """As many of each stratum as make the sample like all messages; the random ends of names choose."""
    drawn = {True: strata.accepted, False: strata.rejected}
    shares = [stratum.labels / stratum.messages for stratum in drawn.values() if stratum.messages > 0]
    share = min(shares, default=0.0)
    chosen: list[LabelledMessage] = []
    for accepted, stratum in drawn.items():
        in_stratum = sorted(
            (one for one in labelled if one.accepted == accepted), key=lambda one: one.message[-12:-1]
        )
        chosen += in_stratum[: round(share * stratum.messages)]
    return chosen


@dataclass(frozen=True, slots=True)
class ServicePolicies:
    """The policies of projects, as the Studio applies cards to them that were fitted on runs."""

    store: ServiceStore

    def base_of(self, measure: Mapping[str, Any]) -> str | None:
        """The first of our policies that decides by this measure."""
        policies = (policy for policy in POLICIES.values() if policy.reads != "similarity-or-keywords")
        return next((policy.name for policy in policies if measure_to_data(policy.measure) == measure), None)

    def newest_card(self, project: str, name: str) -> Card | None:
        """The card of the newest version of a policy of the project."""
        with self.store.reading() as connection:
            policy = find_policy(connection, self.store.project(project), name)
        return None if policy is None else Card.from_json(json.dumps(policy.card))

    def require_place(
        self, project: str, name: str, measure: Mapping[str, Any], encoder: str | None, good: GoodSide
    ) -> str:
        """The policy that such a card would be based on; refused where it could be none of the project's."""
        base = self.base_of(measure)
        if base is None or good != "above":
            raise SpecError("no policy of the service decides by this score; download the card instead")
        if name in POLICIES or not re.fullmatch(PATTERN, name):
            raise SpecError(
                f"`{name}` cannot be the name of a policy of yours; use small letters, digits, `-` and "
                f"`_`, and none of {', '.join(f'`{one}`' for one in POLICIES)}"
            )
        with self.store.reading() as connection:
            newest = newest_encoder(connection, self.store.project(project), now())
        in_use = None if newest is None else _reader_of(newest, POLICIES[base].reads_pairs)
        if in_use is not None and in_use != encoder:
            raise SpecError(
                f"the scores of this run are by `{encoder}`, and the service judges by `{in_use}`; "
                "evaluate with the same model, and fit again"
            )
        return base

    def apply(self, project: str, card: Card) -> str:
        """Store a card as the next version of the policy of its name, unless it would decide nothing."""
        base = self.require_place(project, card.name, card.measure, card.encoder, card.good)
        if card.broken or not card.targets:
            raise SpecError("a policy must keep a promise, and this card promises nothing that holds")
        new = NewPolicy(
            self.store.project(project), card.name, base, card.cutoff().to_data(), json.loads(card.to_json())
        )
        with self.store.writing() as connection:
            return add_policy(connection, new).mark


def ours(policy: Policy) -> PolicyReply:
    """One that comes with the service."""
    cutoff = our_cutoff(policy)
    return PolicyReply(
        name=policy.name,
        version=policy.version,
        mark=policy.mark,
        reads=policy.reads,
        ours=True,
        base=policy.name,
        promise=None if cutoff is None or cutoff.certificate is None else cutoff.certificate.promise,
        cutoff=None if cutoff is None else cutoff.to_data(),
        created_at=None,
    )


def theirs(policy: FittedPolicy, *, with_card: bool = False) -> PolicyReply:
    """One of a project, with the card of its fit where that is wanted."""
    return PolicyReply(
        name=policy.name,
        version=policy.version,
        mark=policy.mark,
        reads=POLICIES[policy.base].reads,
        ours=False,
        base=policy.base,
        promise=policy.card["promise"],
        cutoff=policy.cutoff,
        created_at=policy.created_at,
        card=policy.card if with_card else None,
    )


def lines_of(connection: Connection, project: int) -> dict[str, float]:
    """Where the readings of messages turn from bad to good, by the mark of their policy."""
    our_cutoffs = {policy.mark: our_cutoff(policy) for policy in POLICIES.values()}
    our_values = {mark: cutoff.value for mark, cutoff in our_cutoffs.items() if cutoff is not None}
    their_values = {
        policy.mark: Cutoff.from_data(policy.cutoff).value for policy in each_policy(connection, project)
    }
    return {**our_values, **their_values}


def our_cutoff(policy: Policy) -> Cutoff | None:
    """The threshold that decides under a policy of ours; None for one that has two."""
    return (
        None if policy.reads == "similarity-or-keywords" else CardLibrary.shipped().card(policy.card).cutoff()
    )


def _not_certifiable(lacking: NotCertifiable, labels: RowsToFit) -> Problem:
    """How many more labels it takes, and why some that are there do not count."""
    counted = len(labels.rows)
    more = {
        "missing": dict(lacking.missing),
        "found": dict(lacking.found),
        "labels": counted + labels.not_counted.count,
        "not_counted": asdict(labels.not_counted),
    }
    words = (lacking.describe(), labels.not_counted.describe(counted))
    return Problem(NOT_CERTIFIABLE, ". ".join(word for word in words if word), more=more)


async def _fit_in_process(work: Callable[[], Card | NotCertifiable]) -> Card | NotCertifiable:
    """Fit in a separate process: what a fit imports would stop all other requests for seconds."""
    try:
        return await in_one_process(work, seconds=SECONDS)
    except MissingExtra as missing:
        raise Problem(NOT_HERE, "a fit needs the extra `train`, which is not installed here") from missing
    except TimeoutError as slow:
        too_long = f"the fit took more than {SECONDS:g} s and was ended; labels of fewer `days` take less"
        raise Problem(OVERLOADED, too_long, retry_after=SECONDS) from slow


def _fit_call(labels: RowsToFit, request: FitRequest) -> Callable[[], Card | NotCertifiable]:
    """The fit as a call, for the process that does it."""
    return partial(
        fit,
        labels.rows,
        name=request.name,
        measure=measure_to_data(POLICIES[request.base].measure),
        encoder=labels.encoder,
        good="above",
        method="exact",
        targets=request.targets,
        data=DataMark("reviews", _digest(labels.rows), len(labels.rows), "grounded", "passage"),
        date=_today(),
        version=__version__,
        share_held_out=HELD_OUT,
        warnings=_warnings(labels),
    )


def _digest(rows: Sequence[Labelled]) -> str:
    """What distinguishes this data from other data; the texts themselves are not in it."""
    values = sorted([row.value, row.good, row.group or ""] for row in rows)
    return sha256(json.dumps(values).encode()).hexdigest()


def _today() -> str:
    return now().date().isoformat()


def _warnings(labels: RowsToFit) -> list[str]:
    left_out = labels.not_counted.in_larger_stratum
    if left_out == 0:
        return []
    return [f"{left_out} labels were left out: they would have made one stratum too large"]


def _policies_that_read_alike(connection: Connection, project: int, base: str) -> frozenset[str]:
    """The marks of the policies whose readings are of the same kind as those of `base`."""
    reads = POLICIES[base].reads
    our_marks = (policy.mark for policy in POLICIES.values() if policy.reads == reads)
    their_marks = (
        policy.mark for policy in each_policy(connection, project) if POLICIES[policy.base].reads == reads
    )
    return frozenset((*our_marks, *their_marks))


def _read_alike(mark: str | None, newest: str, by_reader: bool) -> bool:
    """Whether a message was read as the newest one; where all was verbatim, no cross-encoder was used."""
    if mark is None:
        return False
    verbatim = by_reader and mark == newest.partition("+")[0]
    return verbatim or _reader_of(mark, by_reader) == _reader_of(newest, by_reader)


def _reader_of(mark: str, by_reader: bool) -> str:
    """Whose reading it is: the encoder's, or that of the cross-encoder behind it."""
    encoder, _, reader = mark.partition("+")
    return (reader or encoder) if by_reader else encoder


def _bare_stratum(strata: Strata) -> Stratum | None:
    if strata.accepted.messages > 0 and strata.accepted.labels == 0:
        return "accepted"
    return "rejected" if strata.rejected.messages > 0 and strata.rejected.labels == 0 else None
