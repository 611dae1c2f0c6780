"""Calibration cards: fitted on labelled answers, found, listed, and checked against new answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sensecheck
from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.fit import what_to_promise
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.recheck import Recheck
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.target import Method, Target
from sensecheck.checks.calibrate import LabelledSample, ReadSample, fit_card, read_each, recheck_card
from sensecheck.checks.decision import OpenCheck
from sensecheck.checks.gate import Gate
from sensecheck.checks.thresholds import open_again, open_check
from sensecheck.config import Settings, answerers, card_library
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import GoodSide
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.extras import require_packages
from sensecheck.core.protocols import Measure
from sensecheck.core.registry import measure_from_data, measure_to_data
from sensecheck.core.space import Space
from sensecheck.datasets.labels import LabelledColumns, labelled
from sensecheck.datasets.rows import LoadedRows
from sensecheck.datasets.streams import Texts, data_from
from sensecheck.io.atomic import write_whole

OnProgress = Callable[[str, int, int], None]
"""Called with what is being done, how many rows are done, and how many there are."""
FIT_PACKAGES = ("scipy", "sklearn")
_WITH_POLICY = ("grounded", "means")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRequest:
    """The card to fit: the labelled rows, what is calibrated, and what it is to promise."""

    data: str | Path
    """Labelled samples, one per line; or a .csv; `-` is standard input."""
    name: str
    preset: str | None = None
    """One of our checks: promise and rates are about its verdicts. Either this or `measure`."""
    policy: str | None = None
    """How the preset `grounded`, or `means`, decides."""
    measure: str | Path | Mapping[str, Any] | Measure | None = None
    """A measure, by its name, from a file, as data or itself: promise and rates are about its reading."""
    higher_is_better: bool | None = None
    """Which readings of `measure` are good; None is True. A preset knows its good side."""
    fpr: float | None = None
    """Of bad answers, at most this share passes."""
    fnr: float | None = None
    """Of good answers, at most this share fails."""
    confidence: float | None = None
    method: Method = "exact"
    label: str = "label"
    group: str | None = None
    """The column with the prompt or document that rows share; those of one count once."""
    slices: Sequence[str] = ()
    ignored: Sequence[str] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    """Parts of the sample whose column is called otherwise: `{"question": "query"}`."""
    holdout: float = 0.3
    """The share of rows that errors are counted on."""
    seed: int = 0
    licence: str = ""
    skip_unreadable: bool = False
    folder: Path | None = None
    """Where the card is written; the folder of the settings unless given."""
    force: bool = False
    """Whether a card of this name is overwritten."""
    keep_broken: bool = False
    """Whether a card whose promise the held-out rows break is written all the same."""
    settings: Settings = field(default_factory=Settings.from_environment)

    @property
    def path(self) -> Path:
        """The card's file."""
        return (self.settings.cards_folder() if self.folder is None else self.folder) / f"{self.name}.json"

    @property
    def columns(self) -> LabelledColumns:
        """Which column means what."""
        return LabelledColumns(self.label, self.group, tuple(self.slices), tuple(self.ignored), self.parts)

    @property
    def targets(self) -> tuple[Target, ...]:
        """What the card is to promise."""
        if self.confidence is not None and self.fpr is None and self.fnr is None:
            raise SpecError("`confidence` is that of `fpr` and `fnr`; neither was given")
        accepts = () if self.fpr is None else (Target("false_accepts", self.fpr, self.confidence),)
        rejects = () if self.fnr is None else (Target("false_rejects", self.fnr, self.confidence),)
        return accepts + rejects

    def validate(self) -> None:
        """Raise for what can be known before anything is read."""
        CalibrationSubject.of(self)
        if not 0 <= self.holdout < 1:
            raise SpecError(f"`holdout` must be a share from 0 to less than 1; got {self.holdout}")
        what_to_promise(
            name=self.name,
            date=_today(),
            method=self.method,
            targets=self.targets,
            share_held_out=self.holdout,
        )
        _ = self.columns
        self.require_free_name()
        require_packages("train", *FIT_PACKAGES)

    def require_free_name(self) -> None:
        """Raise unless the name is free; of two cards of one name, neither could be found."""
        if self.name in CardLibrary.shipped().names():
            raise SpecError(f"a card `{self.name}` comes with sensecheck; give yours another name")
        if self.path.exists() and not self.force:
            raise SpecError(f"`{self.path}` is already there; `--force` (`force=True`) overwrites it")


@dataclass(frozen=True, slots=True)
class CalibrationSubject:
    """A measure, the side of its cutoff that is good, and where the cutoff will be used."""

    measure: Measure
    good: GoodSide
    use: Mapping[str, Any]
    """A check in which only the card's name is missing."""
    key: str
    """Where in that check the name is to stand."""
    check: OpenCheck | None = None
    """The check whose verdicts count; None where the reading alone does."""

    @classmethod
    def of(cls, request: CalibrationRequest) -> "CalibrationSubject":
        """What a request names; it names one thing."""
        preset, measure = request.preset, request.measure
        if (preset is None) == (measure is None):
            raise SpecError("name what to calibrate: either `preset` or `measure`")
        if request.policy is not None and preset not in _WITH_POLICY:
            raise SpecError(f"`policy` is for the presets `grounded` and `means`; got `{preset or measure}`")
        if measure is not None:
            loaded = _measure(measure)
            use = {"kind": "gate", "measure": measure_to_data(loaded)}
            return cls(loaded, "below" if request.higher_is_better is False else "above", use, "cutoff")
        if request.higher_is_better is not None:
            raise SpecError(f"`higher_is_better` is for `measure`; the preset `{preset}` knows its good side")
        check = open_check(preset or "", {} if request.policy is None else {"policy": request.policy})
        return cls(check.measure, check.good, check.decision.use, check.decision.key, check)

    @property
    def reader(self) -> OpenCheck | Measure:
        """What rows are read by."""
        return self.measure if self.check is None else self.check


@dataclass(frozen=True, slots=True)
class Calibration:
    """What became of a request: a card, or the labels that it lacks."""

    card: Card | None
    not_certifiable: NotCertifiable | None
    """Why there is no card."""
    path: Path | None
    """The card's file; None where nothing was written."""
    check: Mapping[str, Any]
    """A check with the card's cutoff, as data."""


def calibrate(request: CalibrationRequest, *, on_progress: OnProgress | None = None) -> Calibration:
    """Find the cutoff under which a check keeps a promise, from labelled answers, and write it on a card.

    A card whose promise is broken on the held-out rows is returned, and not written unless `keep_broken`.
    """
    request.validate()
    subject = CalibrationSubject.of(request)
    rows = LoadedRows.of(str(request.data))
    samples = labelled(rows, request.columns, require_label=True)
    fitted = fit_card(
        _read(samples, subject.reader, request.settings, on_progress),
        subject.reader,
        name=request.name,
        good=subject.good,
        method=request.method,
        targets=request.targets,
        data=DataMark(rows.name, rows.sha256, len(samples), request.label, request.group),
        date=_today(),
        version=sensecheck.__version__,
        share_held_out=request.holdout,
        seed=request.seed,
        licence=request.licence,
        skip_unreadable=request.skip_unreadable,
    )
    check = {**subject.use, subject.key: request.name}
    if not isinstance(fitted, Card):
        return Calibration(None, fitted, None, check)
    if fitted.broken and not request.keep_broken:
        return Calibration(fitted, None, None, check)
    request.require_free_name()
    write_whole(request.path, fitted.to_json())
    return Calibration(fitted, None, request.path, check)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCheckRequest:
    """A card, and new rows to check it against; those without a label serve too."""

    card: str | Path | Card
    """By its name, from its file, or itself."""
    data: str | Path
    label: str | None = None
    """The column that the card's rows had it in, unless given."""
    group: str | None = None
    """The card's column, unless given."""
    slices: Sequence[str] = ()
    ignored: Sequence[str] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    skip_unreadable: bool = False
    settings: Settings = field(default_factory=Settings.from_environment)


def check_card(request: CardCheckRequest, *, on_progress: OnProgress | None = None) -> Recheck:
    """Whether a card's promise holds on new rows, and whether the readings have moved."""
    card = find_card(request.card, request.settings)
    check = None
    if card.decides is not None:
        check = open_again(card.decides, library=card_library(request.settings))
    reader = measure_from_data(card.measure, at=f"{card.name}.measure") if check is None else check
    require_packages("train", *FIT_PACKAGES)
    rows = _rows_new_to(card, str(request.data))
    columns = LabelledColumns(
        request.label or _label_of(card, rows),
        request.group or _group_of(card, rows),
        tuple(request.slices),
        tuple(request.ignored),
        request.parts,
    )
    samples = labelled(rows, columns, require_label=False)
    read = _read(samples, reader, request.settings, on_progress)
    return recheck_card(card, read, check=check, skip_unreadable=request.skip_unreadable)


def find_card(card: str | Path | Card, settings: Settings | None = None) -> Card:
    """The card in a file, or the one of this name among yours and ours."""
    if isinstance(card, Card):
        return card
    if str(card).endswith(".json"):
        return Card.from_json(Texts().file(str(card)), at=str(card))
    return card_library(settings or Settings.from_environment()).card(str(card))


def list_cards(settings: Settings | None = None) -> list[Card]:
    """Your cards and ours, by name."""
    return list(card_library(settings or Settings.from_environment()).cards())


def _measure(measure: str | Path | Mapping[str, Any] | Measure) -> Measure:
    if isinstance(measure, str | Path):
        is_file = str(measure).endswith(".json")
        return measure_from_data(
            data_from(str(measure)) if is_file else {"kind": str(measure)}, at=str(measure)
        )
    return measure_from_data(measure, at="measure") if isinstance(measure, Mapping) else measure


def _read(
    rows: Sequence[LabelledSample],
    reader: OpenCheck | Measure,
    settings: Settings,
    on_progress: OnProgress | None,
) -> Iterator[ReadSample]:
    """Each row with what the measure, or the complete check, reads off it; no model is loaded for nothing."""
    check = reader.reader if isinstance(reader, OpenCheck) else Gate(reader)
    is_needed = any(check.needs(row.sample, Space()) for row in rows)
    backends = answerers(settings) if is_needed else Backends()
    for done, read in enumerate(read_each(rows, reader, backends), 1):
        yield read
        if on_progress is not None:
            on_progress("reading", done, len(rows))


def _rows_new_to(card: Card, path: str) -> LoadedRows:
    """The rows of a file that the card was not fitted on."""
    rows = LoadedRows.of(path)
    if rows.sha256 == card.data.sha256:
        raise SampleError(
            f"`{rows.name}` is the file that the card `{card.name}` was made from; its cutoff was chosen "
            "on these rows, and only rows that it has not seen show whether its promise holds"
        )
    return rows


def _label_of(card: Card, rows: LoadedRows) -> str:
    """The card's own column; or the usual one, since new rows may be without a label."""
    return card.data.label if card.data.label in rows.columns() else "label"


def _group_of(card: Card, rows: LoadedRows) -> str | None:
    """The card's own column: a promise about groups says nothing of rows that are counted one by one."""
    group = card.data.group
    if group is not None and group not in rows.columns():
        raise SampleError(
            f"the card `{card.name}` counts rows of one `{group}` once, and no row of `{rows.name}` has that "
            "column; name the one that shows which rows belong together with `--group`"
        )
    return group


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
