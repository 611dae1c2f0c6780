"""`sensecheck calibrate`: from labelled answers to a line that keeps a promise."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import sensecheck
from sensecheck.cli.calibration.card import card_data, show_short
from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import FAILED, NOT_CERTIFIABLE
from sensecheck.cli.options import (
    Encoder,
    Group,
    Ignored,
    Json,
    Label,
    LeaveOutUnread,
    Parts,
    Slices,
    option,
    settings_with,
)
from sensecheck.cli.progress import must_be_able_to_fit, read_with_bar
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import encode
from sensecheck.datasets.labelled import LabelledColumns, labelled
from sensecheck.datasets.rows import LoadedRows
from sensecheck.datasets.streams import data_from
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.calibration.card import Card
    from sensecheck.calibration.sample_size import NotCertifiable
    from sensecheck.calibration.target import Method, Target
    from sensecheck.checks.deciding import OpenCheck
    from sensecheck.config import Settings
    from sensecheck.core.protocols import Measure

# ruff: noqa: PLC0415 - the parts that judge and fit bring numpy along, which `--help` does without

CALIBRATE_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  the card was written",
        "1  held-out rows break the promise; nothing was written, but under --keep-broken",
        "2  the command is wrong, or a file cannot be read",
        "3  a row could not be judged",
        "4  not certifiable: too few labels for the promise; nothing was written",
    )
)
Side = Literal["above", "below"]
_WHAT = "What is calibrated"
_PROMISE = "The promise"
_CARD = "The card"


def calibrate(
    file: Annotated[
        str, typer.Argument(help="Labelled samples, one a line; or a .csv.", metavar="LABELLED.jsonl")
    ],
    name: Annotated[str, option("--name", about="What the card is called.", panel=_CARD, metavar="NAME")],
    preset: Annotated[
        str | None,
        option("--preset", about="One of our checks; its verdicts count.", panel=_WHAT, metavar="NAME"),
    ] = None,
    policy: Annotated[
        str | None,
        option("--policy", about="How `grounded`, or `means`, decides.", panel=_WHAT, metavar="NAME"),
    ] = None,
    measure: Annotated[
        str | None,
        option(
            "--measure",
            about="A measure, by its name or as data; its reading alone.",
            panel=_WHAT,
            metavar="NAME|FILE.json",
        ),
    ] = None,
    good: Annotated[
        Side | None,
        option(
            "--good",
            about="Which readings of --measure are good; above unless given.",
            panel=_WHAT,
            metavar="SIDE",
        ),
    ] = None,
    fpr: Annotated[
        float | None,
        option("--fpr", about="Of bad answers, at most this share passes.", panel=_PROMISE, metavar="SHARE"),
    ] = None,
    fnr: Annotated[
        float | None,
        option("--fnr", about="Of good answers, at most this share fails.", panel=_PROMISE, metavar="SHARE"),
    ] = None,
    confidence: Annotated[
        float | None,
        option("--confidence", about="How surely; 0.95 unless given.", panel=_PROMISE, metavar="SHARE"),
    ] = None,
    method: Annotated[
        Literal["exact", "conformal", "best-f1"],
        option(
            "--method",
            about="exact, conformal (on average) or best-f1 (promises nothing).",
            panel=_PROMISE,
            metavar="METHOD",
        ),
    ] = "exact",
    out: Annotated[
        Path | None,
        option(
            "--out", about="Its folder; that of SENSECHECK_CARDS unless given.", panel=_CARD, metavar="FOLDER"
        ),
    ] = None,
    held_out: Annotated[
        float,
        option(
            "--held-out",
            about="The share of rows that errors are counted on.",
            panel=_CARD,
            metavar="SHARE",
            default=True,
        ),
    ] = 0.3,
    seed: Annotated[
        int, option("--seed", about="Which rows those are.", panel=_CARD, metavar="NUMBER", default=True)
    ] = 0,
    licence: Annotated[
        str, option("--licence", about="Of the data, for a card that travels.", panel=_CARD, metavar="TEXT")
    ] = "",
    force: Annotated[bool, option("--force", about="Write over a card of this name.", panel=_CARD)] = False,
    keep_broken: Annotated[
        bool,
        option("--keep-broken", about="Write the card even if held-out rows break its promise.", panel=_CARD),
    ] = False,
    label: Label = "label",
    parts: Parts = None,
    group: Group = None,
    slices: Slices = None,
    ignored: Ignored = None,
    leave_out_unread: LeaveOutUnread = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Find the line under which a check keeps a promise, from labelled answers, and write it on a card.

    A row holds the sample: `answer`, and `question`, `expected`, `passages` or `id` where there are any;
    and its `label`. Of each other column, say what it is: `--column question=query`, say.
    """
    settings = settings_with(encoder)
    request = CalibrationRequest(
        name=name,
        folder=settings.cards_folder() if out is None else out,
        subject=CalibrationSubject.of(preset, measure, good, policy),
        method="best_f1" if method == "best-f1" else method,
        targets=_targets(fpr, fnr, confidence),
        columns=LabelledColumns.of(label, group, parts=parts, slices=slices, ignored=ignored),
        held_out=held_out,
        seed=seed,
        licence=licence,
        leave_out_unread=leave_out_unread,
        force=force,
        keep_broken=keep_broken,
    )
    request.must_be_possible()
    _write_and_show(request.fit(file, settings, as_json=as_json), request, settings, as_json=as_json)


@dataclass(frozen=True, slots=True)
class CalibrationSubject:
    """A measure, the side of its line that is good, and where the line will be used."""

    measure: "Measure"
    good: Side
    use: dict[str, Any]
    """A check in which only the card's name is missing."""
    key: str
    """Where in that check the name is to stand."""
    check: "OpenCheck | None" = None
    """The check whose verdicts count; None where the reading alone does."""

    @classmethod
    def of(
        cls, preset: str | None, measure: str | None, good: Side | None, policy: str | None = None
    ) -> "CalibrationSubject":
        """What the command line names; it names one thing."""
        if (preset is None) == (measure is None):
            raise SpecError("say what to calibrate: either `--preset NAME` or `--measure NAME|FILE.json`")
        if preset is not None and good is not None:
            raise SpecError(f"`--good` is for `--measure`; the preset `{preset}` knows its good side")
        if policy is not None and preset not in ("grounded", "means"):
            raise SpecError(
                f"`--policy` is for `--preset grounded` and `--preset means`; got `{preset or measure}`"
            )
        if preset is not None:
            return cls._of_preset(preset, {} if policy is None else {"policy": policy})
        return cls._of_measure(measure or "", good or "above")

    def used(self, card: str) -> str:
        """A check with the card's line."""
        return json.dumps({**self.use, self.key: card}, ensure_ascii=False)

    def guards(self, card: str) -> tuple[str, str] | None:
        """A chain and a command with the card's line, where it is one for references and not for answers."""
        if self.use["kind"] != "relevant":
            return None
        return f"- above: {card}", f"sensecheck guard … --above {card}"

    @property
    def reader(self) -> "OpenCheck | Measure":
        """What rows are read by."""
        return self.measure if self.check is None else self.check

    @classmethod
    def _of_preset(cls, preset: str, given: dict[str, Any]) -> "CalibrationSubject":
        from sensecheck.checks.thresholds import open_check

        check = open_check(preset, given)
        decision = check.decision
        return cls(check.measure, check.good, dict(decision.use), decision.key, check)

    @classmethod
    def _of_measure(cls, measure: str, good: Side) -> "CalibrationSubject":
        from sensecheck.core.registry import measure_from_data, measure_to_data

        data = data_from(measure) if measure.endswith(".json") else {"kind": measure}
        found = measure_from_data(data, at=measure)
        return cls(found, good, {"kind": "gate", "measure": measure_to_data(found)}, "cutoff")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRequest:
    """The card that is wanted, and the folder for it."""

    name: str
    folder: Path
    subject: CalibrationSubject
    method: "Method"
    targets: "tuple[Target, ...]"
    columns: LabelledColumns
    held_out: float
    seed: int
    licence: str
    leave_out_unread: bool
    force: bool
    keep_broken: bool = False
    """Whether a card whose promise the held-out rows break is written all the same."""

    @property
    def path(self) -> Path:
        """The card's file."""
        return self.folder / f"{self.name}.json"

    def must_be_possible(self) -> None:
        """Raise for what can be known before anything is read."""
        from sensecheck.calibration.fit import what_to_promise

        what_to_promise(
            name=self.name,
            date=_today(),
            method=self.method,
            targets=self.targets,
            share_held_out=self.held_out,
        )
        self._must_be_free()
        must_be_able_to_fit()

    def fit(self, file: str, settings: "Settings", *, as_json: bool) -> "Card | NotCertifiable":
        """The card, from the rows of a file."""
        from sensecheck.calibration.card import DataMark
        from sensecheck.checks.calibrate import calibrate

        rows = LoadedRows.of(file)
        samples = labelled(rows, self.columns, must_be_labelled=True)
        return calibrate(
            read_with_bar(samples, self.subject.reader, settings, as_json=as_json),
            self.subject.reader,
            name=self.name,
            good=self.subject.good,
            method=self.method,
            targets=self.targets,
            data=DataMark(rows.name, rows.sha256, len(samples), self.columns.label, self.columns.group),
            date=_today(),
            version=sensecheck.__version__,
            share_held_out=self.held_out,
            seed=self.seed,
            licence=self.licence,
            leave_out_unread=self.leave_out_unread,
        )

    def write(self, card: "Card") -> None:
        """Write the card's file."""
        self._must_be_free()
        write_whole(self.path, card.to_json())

    def _must_be_free(self) -> None:
        """Raise unless the name is free; of two cards of one name, neither could be found."""
        from sensecheck.calibration.library import Shelf

        if self.name in Shelf.shipped().names():
            raise SpecError(f"a card `{self.name}` comes with sensecheck; give yours another name")
        if self.path.exists() and not self.force:
            raise SpecError(f"`{self.path}` is already there; `--force` writes over it")


def _targets(fpr: float | None, fnr: float | None, confidence: float | None) -> "tuple[Target, ...]":
    from sensecheck.calibration.target import Target

    if confidence is not None and fpr is None and fnr is None:
        raise SpecError("`--confidence` is that of `--fpr` and `--fnr`; neither was given")
    accepts = () if fpr is None else (Target("false_accepts", fpr, confidence),)
    rejects = () if fnr is None else (Target("false_rejects", fnr, confidence),)
    return accepts + rejects


def _write_and_show(
    found: "Card | NotCertifiable", request: CalibrationRequest, settings: "Settings", *, as_json: bool
) -> None:
    """Write the card and say so; or say what it lacks."""
    from sensecheck.calibration.card import Card

    if not isinstance(found, Card):
        if as_json:
            write_json({"not_certifiable": encode(found), "because": found.in_words()})
        else:
            Paper().say((found.in_words(), "bold yellow"))
        raise typer.Exit(NOT_CERTIFIABLE)
    written = not found.broken or request.keep_broken
    if written:
        request.write(found)
    if as_json:
        path = str(request.path) if written else None
        write_json({"path": path, "card": card_data(found), "broken": list(found.broken)})
    else:
        _show_card(found, request, settings, written=written)
    if found.broken:
        raise typer.Exit(FAILED)


def _show_card(card: "Card", request: CalibrationRequest, settings: "Settings", *, written: bool) -> None:
    from sensecheck.calibration.summary import roc_of

    paper, roc = Paper(), roc_of(card)
    show_short(paper, card)
    if roc is not None and roc.auc < 0.5:
        hint = f"bad answers read better than good ones (AUC {roc.auc:.3f}): is {card.good} the good side?"
        paper.say(hint, label=("warning: ", "yellow"), indent=2)
    if not written:
        paper.say(
            "not written: label more rows, or fit again; ", ("--keep-broken", "bold"), " writes it anyway"
        )
        return
    paper.say("written to ", (safe(str(request.path)), "bold"))
    paper.say("look at it: ", (f"sensecheck card show {safe(str(request.path))}", "bold cyan"))
    if (guards := request.subject.guards(card.name)) is not None:
        chain, command = guards
        paper.say("use it in a chain: ", (chain, "bold cyan"), ", or: ", (command, "bold cyan"))
    else:
        paper.say("use it in a check: ", (safe(request.subject.used(card.name)), "bold cyan"))
    if request.folder.resolve() != settings.cards_folder().resolve():
        paper.say("with ", (f"SENSECHECK_CARDS={safe(str(request.folder))}", "bold cyan"))


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
