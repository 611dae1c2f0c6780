"""From labelled samples to a card: each is read without a line, and a line is fitted on the readings."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.fit import fit, what_to_promise
from sensecheck.calibration.labelled import Labelled
from sensecheck.calibration.recheck import Recheck, Seen, recheck
from sensecheck.calibration.shortage import NotCertifiable
from sensecheck.calibration.target import Method, Target
from sensecheck.checks.assess import assess
from sensecheck.checks.deciding import OpenCheck
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.labelled import LabelledSample
from sensecheck.checks.leaks import Leaks
from sensecheck.checks.staircase import Case
from sensecheck.checks.unread import must_be_read, unread_in_words
from sensecheck.core.canonical import text_key
from sensecheck.core.described import measure_to_data
from sensecheck.core.encoder import Answerers
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict

ReadSample = tuple[LabelledSample, Verdict]


def read_each(
    rows: Iterable[LabelledSample], asked: Measure | OpenCheck, answerers: Answerers, *, at_once: int = 64
) -> Iterator[ReadSample]:
    """Each row with what the measure, or the whole check, reads off it, as far as somebody asks for."""
    waiting: deque[LabelledSample] = deque()
    check = asked.reader if isinstance(asked, OpenCheck) else Gate(asked)

    def cases() -> Iterator[Case]:
        for row in rows:
            waiting.append(row)
            yield row.sample, check

    for verdict in assess(cases(), answerers, at_once=at_once):
        yield waiting.popleft(), verdict


def calibrate(
    read: Iterable[ReadSample],
    measure: Measure | OpenCheck,
    *,
    name: str,
    good: Literal["above", "below"] | None = None,
    method: Method,
    targets: Sequence[Target],
    data: DataMark,
    date: str,
    version: str,
    share_held_out: float = 0.3,
    seed: int = 0,
    licence: str = "",
    leave_out_unread: bool = False,
) -> Card | NotCertifiable:
    """A card for a check, or for a measure alone, fitted on what was read; or how many labels are missing.

    Of a check (`open_check("means")`), line and rates are those of its verdicts; its good side is known.
    A row that could not be read is an error, for nobody knows on which side of the line it would lie. Such
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
    gathered.must_be_read(leave_out_unread=leave_out_unread)
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
    leave_out_unread: bool = False,
) -> Recheck:
    """A card held against what its check, or its measure, reads off new rows, labelled or not.

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
    gathered.must_be_read(leave_out_unread=leave_out_unread)
    if gathered.seen:
        card.cutoff().must_fit(gathered.encoder())
    found = recheck(card, gathered.rows())
    said = " ".join((found.verdict, *(f"{warning}." for warning in gathered.warnings())))
    return replace(found, verdict=said)


@dataclass(slots=True)
class _Gathered:
    """What was read so far, without the texts."""

    check: OpenCheck | None = None
    seen: list[Seen] = field(default_factory=list)
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
        self.seen.append(Seen(read.reading.value, row.good, row.group, row.slices, decided))
        self.contents.append(_content(row.sample))
        self.marks.update(dict.fromkeys(self._marks(read)))
        return True

    def _marks(self, read: Verdict) -> Iterator[str]:
        """Who the line depends on: the cross-encoder where it decides about claims, and else who read."""
        if self.check is not None and isinstance(self.check.probe, Grounded) and self.check.probe.reader:
            who = [second.fingerprint for part in read.parts for second in part.parts]
        else:
            who = [read.fingerprint]
        return filter(None, who)

    def must_be_read(self, *, leave_out_unread: bool) -> None:
        """Raise `CannotJudge` for rows that could not be read, unless they may be left out and some stay."""
        must_be_read(self.unread, len(self.seen), self.reason, leave_out_unread=leave_out_unread)

    def rows(self) -> list[Seen]:
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
        found = [
            Labelled(s.value, s.good, s.group, s.slices, s.decided) for s in self.rows() if s.good is not None
        ]
        if len(found) < len(self.seen):
            raise SpecError(
                f"{len(self.seen) - len(found)} of {len(self.seen)} rows have no label; a line is fitted on "
                "labelled rows alone"
            )
        return found

    def encoder(self) -> str | None:
        """Who answered what the measure needed; None when nobody had to."""
        if len(self.marks) > 1:
            found = " and ".join(f"`{mark}`" for mark in self.marks)
            raise SpecError(f"the rows were read with {found}; a line holds for one encoder alone")
        return next(iter(self.marks), None)

    def warnings(self) -> list[str]:
        """What a reader should know of the rows that are not there."""
        told = unread_in_words(self.unread, len(self.seen), self.reason)
        return [f"{told}; they were left out"] if self.unread else []


def _content(sample: Sample) -> bytes:
    """What tells a sample from others, without its name."""
    return text_key(json.dumps([sample.answer, sample.question, sample.expected, sample.passages]))


def _common(content: bytes, groups: list[str | None]) -> str | None:
    """The group of all rows of one sample: the first by name that any of them has, or one of their own."""
    if len(groups) == 1:
        return groups[0]
    return min((group for group in groups if group is not None), default=f"copies of {content.hex()}")
