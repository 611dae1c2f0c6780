"""From labelled samples to a card, and from new samples to a recheck of it.

Each sample is read without a cutoff, and a cutoff is fitted on the readings. Samples that could not be read
are an error, unless they may be skipped. Answers that the measure already knows, as exemplars or
from its training data, are counted: on those a cutoff looks better than it is.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.fit import fit, what_to_promise
from sensecheck.calibration.recheck import NewReading, Recheck, recheck
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Method, Target
from sensecheck.checks.assess import Case, assess
from sensecheck.checks.decision import OpenCheck
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import GoodSide
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.registry import measure_to_data
from sensecheck.core.sample import Sample
from sensecheck.core.unicode import squeezed, text_key
from sensecheck.core.verdict import Verdict

_ANSWERS = ("exemplars", "clusters", "expected")
"""The fields of our measures that hold answers, however short."""
_MIN_WORDS = 3
"""Of a text in any other field: `pass` is the name of a class, and no answer that was seen."""


@dataclass(frozen=True, slots=True)
class LabelledSample:
    """A sample, and whether its answer is good."""

    sample: Sample
    good: bool | None
    """None for a row without a label, which can be checked against a card, but not fitted on."""
    group: str | None = None
    """The prompt or document that it shares with other rows: they stay together, and count once."""
    slices: Mapping[str, str] = field(default_factory=dict)
    """Named columns that rates are also counted by: `{"model": "small"}`."""


ReadSample = tuple[LabelledSample, Verdict]


def read_each(
    rows: Iterable[LabelledSample], asked: Measure | OpenCheck, answerers: Backends, *, batch_size: int = 64
) -> Iterator[ReadSample]:
    """Each row with what the measure, or the complete check, reads off it, one after another."""
    waiting: deque[LabelledSample] = deque()
    check = asked.reader if isinstance(asked, OpenCheck) else Gate(asked)

    def cases() -> Iterator[Case]:
        for row in rows:
            waiting.append(row)
            yield row.sample, check

    for verdict in assess(cases(), answerers, batch_size=batch_size):
        yield waiting.popleft(), verdict


def fit_card(
    read: Iterable[ReadSample],
    measure: Measure | OpenCheck,
    *,
    name: str,
    good: GoodSide | None = None,
    method: Method,
    targets: Sequence[Target],
    data: DataMark,
    date: str,
    version: str,
    share_held_out: float = 0.3,
    seed: int = 0,
    licence: str = "",
    skip_unreadable: bool = False,
) -> Card | NotCertifiable:
    """A card for a check, or for a measure alone, fitted on what was read; or how many labels are missing.

    Of a check (`open_check("means")`), cutoff and rates are those of its verdicts; its good side is known.
    A row that could not be read is an error, for no one knows on which side of the cutoff it would be. Such
    rows may be left out, and then the card says how many there were.
    """
    what_to_promise(name=name, date=date, method=method, targets=targets, share_held_out=share_held_out)
    check = measure if isinstance(measure, OpenCheck) else None
    if check is not None and good not in (None, check.good):
        raise SpecError(
            f"`good` must be `{check.good}`, the good side of `{check.decision.name}`; got `{good}`"
        )
    alone = measure.measure if isinstance(measure, OpenCheck) else measure
    leaks, gathered = Leaks(alone), _Gathered(check)
    for row, verdict in read:
        if gathered.take(row, verdict):
            leaks.see(row.sample.answer)
    gathered.require_read(skip_unreadable=skip_unreadable)
    return fit(
        gathered.labelled(),
        name=name,
        measure=measure_to_data(alone),
        encoder=gathered.encoder(),
        good=good or (check.good if check is not None else "above"),
        method=method,
        targets=targets,
        data=data,
        date=date,
        version=version,
        share_held_out=share_held_out,
        seed=seed,
        warnings=(*leaks.warnings(), *gathered.warnings()),
        licence=licence,
        decides=None if check is None else check.decision,
    )


def recheck_card(
    card: Card,
    read: Iterable[ReadSample],
    *,
    check: OpenCheck | None = None,
    skip_unreadable: bool = False,
) -> Recheck:
    """A card checked against what its check, or its measure, reads off new rows, labelled or not.

    It is for the card's own encoder alone, and for the check that the card speaks of.
    """
    if (None if check is None else check.decision) != card.decides:
        reader = "a measure alone" if check is None else f"the check `{check.decision.name}`"
        raise SpecError(
            f"the card `{card.name}` speaks of {card.speaks_of()}; the rows were read by {reader}"
        )
    gathered = _Gathered(check)
    for row, verdict in read:
        gathered.take(row, verdict)
    gathered.require_read(skip_unreadable=skip_unreadable)
    if gathered.seen:
        card.cutoff().require_encoder(gathered.encoder())
    result = recheck(card, gathered.rows())
    sentence = " ".join((result.verdict, *(f"{warning}." for warning in gathered.warnings())))
    return replace(result, verdict=sentence)


@runtime_checkable
class Learned(Protocol):
    """A measure that was trained on texts, and remembers which."""

    def was_trained_on(self, text: str) -> bool:
        """Whether this text was among them."""
        ...


@dataclass(slots=True)
class Leaks:
    """Counts the answers that a measure already knows."""

    measure: Measure
    answers: int = 0
    exemplars: int = 0
    """Answers that stand in the description of the measure, as one of its exemplars does."""
    trained: int = 0
    """Answers that the measure was trained on."""
    _known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        described = measure_to_data(self.measure)
        self._known = frozenset(map(squeezed, _texts({**described, "kind": None})))

    def see(self, answer: str) -> None:
        """Count one answer of the data."""
        self.answers += 1
        self.exemplars += squeezed(answer) in self._known
        self.trained += isinstance(self.measure, Learned) and self.measure.was_trained_on(answer)

    def warnings(self) -> list[str]:
        """What a reader of the card should know; nothing, where nothing has leaked."""
        counts = ((self.exemplars, "stand in the measure itself"), (self.trained, "are in its training data"))
        return [
            f"answers that {reason}: {count} of {self.answers}; on such answers a measure is better than on "
            "new ones, and the promise may not hold"
            for count, reason in counts
            if count
        ]


def require_read(unread: int, read: int, reason: str, *, skip_unreadable: bool) -> None:
    """Raise `CannotJudge` for rows that could not be read, unless they may be left out and some stay."""
    if unread and not (skip_unreadable and read):
        skip = "skip them: `--skip-unreadable`, in Python `skip_unreadable=True`"
        way_out = f"; fix them, or {skip}" if read else ""
        raise CannotJudge(f"{unread_in_words(unread, read, reason)}{way_out}")


def unread_in_words(unread: int, read: int, reason: str) -> str:
    """How many rows could not be read, and why the first could not be."""
    return f"{unread} of {unread + read} rows could not be read (the first because {reason})"


@dataclass(slots=True)
class _Gathered:
    """What was read so far, without the texts."""

    check: OpenCheck | None = None
    seen: list[NewReading] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    """What each of them was read off, as a digest."""
    unread: int = 0
    reason: str = ""
    """Why the first row that could not be read could not be."""
    marks: dict[str, None] = field(default_factory=dict)

    def take(self, row: LabelledSample, verdict: Verdict) -> bool:
        """One row more; whether it was read."""
        read = verdict if self.check is None else self.check.read(verdict)
        if verdict.outcome == "error" or read is None or read.reading is None:
            self.reason = self.reason or verdict.because
            self.unread += 1
            return False
        decided = None if self.check is None else self.check.decided(verdict)
        if self.check is not None and isinstance(self.check.probe, Gate) and read.reading.language is None:
            decided = None  # nothing but the reading decides
        self.seen.append(NewReading(read.reading.value, row.good, row.group, row.slices, decided))
        self.contents.append(_content(row.sample))
        self.marks.update(dict.fromkeys(self._marks(read)))
        return True

    def require_read(self, *, skip_unreadable: bool) -> None:
        """Raise `CannotJudge` for rows that could not be read, unless they may be left out and some stay."""
        require_read(self.unread, len(self.seen), self.reason, skip_unreadable=skip_unreadable)

    def rows(self) -> list[NewReading]:
        """What was read; rows of one and the same sample are a group, for a copy tells nothing new."""
        groups: dict[bytes, list[str | None]] = {}
        for content, seen in zip(self.contents, self.seen, strict=True):
            groups.setdefault(content, []).append(seen.group)
        return [
            replace(seen, group=_common(content, groups[content]))
            for content, seen in zip(self.contents, self.seen, strict=True)
        ]

    def labelled(self) -> list[Labelled]:
        """The rows to fit on, each with its label."""
        rows = [
            Labelled(row.value, row.good, row.group, row.slices, row.decided)
            for row in self.rows()
            if row.good is not None
        ]
        if len(rows) < len(self.seen):
            raise SpecError(
                f"{len(self.seen) - len(rows)} of {len(self.seen)} rows have no label; a cutoff is fitted "
                "on labelled rows alone"
            )
        return rows

    def encoder(self) -> str | None:
        """Who answered what the measure needed; None when no one had to."""
        if len(self.marks) > 1:
            names = " and ".join(f"`{mark}`" for mark in self.marks)
            raise SpecError(f"the rows were read with {names}; a cutoff holds for one encoder alone")
        return next(iter(self.marks), None)

    def warnings(self) -> list[str]:
        """What a reader should know of the rows that are not there."""
        message = unread_in_words(self.unread, len(self.seen), self.reason)
        return [f"{message}; they were left out"] if self.unread else []

    def _marks(self, read: Verdict) -> Iterator[str]:
        """Fingerprints that the cutoff depends on: the cross-encoder's where it decides, or the reading's."""
        if self.check is not None and isinstance(self.check.probe, Grounded) and self.check.probe.reader:
            fingerprints = [by_reader.fingerprint for part in read.parts for by_reader in part.parts]
        else:
            fingerprints = [read.fingerprint]
        return filter(None, fingerprints)


def _texts(data: Any, *, all_of_them: bool = False) -> Iterator[str]:
    """What may be an answer in some data, at any depth: a short text elsewhere is a name or a choice."""
    if isinstance(data, str):
        if all_of_them or len(data.split()) >= _MIN_WORDS:
            yield data
    elif isinstance(data, Mapping):
        for key, item in data.items():
            yield from _texts(item, all_of_them=all_of_them or key in _ANSWERS)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _texts(item, all_of_them=all_of_them)


def _content(sample: Sample) -> bytes:
    """What tells a sample from others, without its name."""
    return text_key(json.dumps([sample.answer, sample.question, sample.expected, sample.passages]))


def _common(content: bytes, groups: list[str | None]) -> str | None:
    """The group of all rows of one sample: the first by name that any of them has, or one of their own."""
    if len(groups) == 1:
        return groups[0]
    return min((group for group in groups if group is not None), default=f"copies of {content.hex()}")
