"""`calibrate`.

What is calibrated: the verdicts of a preset, or a measure by name or from a file.

A card that is to be made: everything that `calibrate` was told.

`sensecheck calibrate`: from labelled answers to a line that keeps a promise.
"""

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
    settings_with,
)
from sensecheck.cli.progress import must_be_able_to_fit, read_with_bar
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import encode
from sensecheck.datasets.labelled import Columns, labelled
from sensecheck.datasets.rows import Rows
from sensecheck.datasets.streams import data_from
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.calibration.card import Card
    from sensecheck.calibration.sample_size import NotCertifiable
    from sensecheck.calibration.target import Method, Target
    from sensecheck.checks.deciding import OpenCheck
    from sensecheck.config import Settings
    from sensecheck.core.protocols import Measure


# ruff: noqa: PLC0415 - measures bring numpy along, which `--help` does without

Side = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class Measured:
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
    ) -> "Measured":
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
    def asked(self) -> "OpenCheck | Measure":
        """What rows are read by."""
        return self.measure if self.check is None else self.check

    @classmethod
    def _of_preset(cls, preset: str, given: dict[str, Any]) -> "Measured":
        from sensecheck.checks.thresholds import open_check

        check = open_check(preset, given)
        decision = check.decision
        return cls(check.measure, check.good, dict(decision.use), decision.key, check)

    @classmethod
    def _of_measure(cls, measure: str, good: Side) -> "Measured":
        from sensecheck.core.registry import measure_from_data, measure_to_data

        data = data_from(measure) if measure.endswith(".json") else {"kind": measure}
        found = measure_from_data(data, at=measure)
        return cls(found, good, {"kind": "gate", "measure": measure_to_data(found)}, "cutoff")


# ruff: noqa: PLC0415 - the parts that judge and fit bring numpy along, which `--help` does without


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is wanted, and where it is to lie."""

    name: str
    folder: Path
    asked: Measured
    method: "Method"
    targets: "tuple[Target, ...]"
    columns: Columns
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

        rows = Rows.of(file)
        samples = labelled(rows, self.columns, must_be_labelled=True)
        return calibrate(
            read_with_bar(samples, self.asked.asked, settings, as_json=as_json),
            self.asked.asked,
            name=self.name,
            good=self.asked.good,
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
        """Put the card in its place."""
        self._must_be_free()
        write_whole(self.path, card.to_json())

    def _must_be_free(self) -> None:
        """Raise unless the name is free; of two cards of one name, neither could be found."""
        from sensecheck.calibration.library import Shelf

        if self.name in Shelf.shipped().names():
            raise SpecError(f"a card `{self.name}` comes with sensecheck; give yours another name")
        if self.path.exists() and not self.force:
            raise SpecError(f"`{self.path}` is already there; `--force` writes over it")


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


# ruff: noqa: PLC0415 - the parts that judge and fit bring numpy along, which `--help` does without

_WHAT = "What is calibrated"
_PROMISE = "The promise"
_CARD = "The card"


def _option(flag: str, about: str, panel: str, metavar: str, *, default: bool = False) -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=panel, show_default=default)


def calibrate(
    file: Annotated[
        str, typer.Argument(help="Labelled samples, one a line; or a .csv.", metavar="LABELLED.jsonl")
    ],
    name: Annotated[str, _option("--name", "What the card is called.", _CARD, "NAME")],
    preset: Annotated[
        str | None, _option("--preset", "One of our checks; its verdicts count.", _WHAT, "NAME")
    ] = None,
    policy: Annotated[
        str | None, _option("--policy", "How `grounded`, or `means`, decides.", _WHAT, "NAME")
    ] = None,
    measure: Annotated[
        str | None,
        _option(
            "--measure", "A measure, by its name or as data; its reading alone.", _WHAT, "NAME|FILE.json"
        ),
    ] = None,
    good: Annotated[
        Literal["above", "below"] | None,
        _option("--good", "Which readings of --measure are good; above unless given.", _WHAT, "SIDE"),
    ] = None,
    fpr: Annotated[
        float | None, _option("--fpr", "Of bad answers, at most this share passes.", _PROMISE, "SHARE")
    ] = None,
    fnr: Annotated[
        float | None, _option("--fnr", "Of good answers, at most this share fails.", _PROMISE, "SHARE")
    ] = None,
    confidence: Annotated[
        float | None, _option("--confidence", "How surely; 0.95 unless given.", _PROMISE, "SHARE")
    ] = None,
    method: Annotated[
        Literal["exact", "conformal", "best-f1"],
        _option(
            "--method", "exact, conformal (on average) or best-f1 (promises nothing).", _PROMISE, "METHOD"
        ),
    ] = "exact",
    out: Annotated[
        Path | None, _option("--out", "Its folder; that of SENSECHECK_CARDS unless given.", _CARD, "FOLDER")
    ] = None,
    held_out: Annotated[
        float,
        _option("--held-out", "The share of rows that errors are counted on.", _CARD, "SHARE", default=True),
    ] = 0.3,
    seed: Annotated[int, _option("--seed", "Which rows those are.", _CARD, "NUMBER", default=True)] = 0,
    licence: Annotated[
        str, _option("--licence", "Of the data, for a card that travels.", _CARD, "TEXT")
    ] = "",
    force: Annotated[bool, _option("--force", "Write over a card of this name.", _CARD, "")] = False,
    keep_broken: Annotated[
        bool, _option("--keep-broken", "Write the card even if held-out rows break its promise.", _CARD, "")
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
    order = Order(
        name=name,
        folder=settings.cards_folder() if out is None else out,
        asked=Measured.of(preset, measure, good, policy),
        method="best_f1" if method == "best-f1" else method,
        targets=_targets(fpr, fnr, confidence),
        columns=Columns.of(label, group, parts=parts, slices=slices, ignored=ignored),
        held_out=held_out,
        seed=seed,
        licence=licence,
        leave_out_unread=leave_out_unread,
        force=force,
        keep_broken=keep_broken,
    )
    order.must_be_possible()
    _tell(order.fit(file, settings, as_json=as_json), order, settings, as_json=as_json)


def _targets(fpr: float | None, fnr: float | None, confidence: float | None) -> "tuple[Target, ...]":
    from sensecheck.calibration.target import Target

    if confidence is not None and fpr is None and fnr is None:
        raise SpecError("`--confidence` is that of `--fpr` and `--fnr`; neither was given")
    accepts = () if fpr is None else (Target("false_accepts", fpr, confidence),)
    rejects = () if fnr is None else (Target("false_rejects", fnr, confidence),)
    return accepts + rejects


def _tell(found: "Card | NotCertifiable", order: Order, settings: "Settings", *, as_json: bool) -> None:
    """Write the card and say so; or say what it lacks."""
    from sensecheck.calibration.card import Card

    if not isinstance(found, Card):
        if as_json:
            write_json({"not_certifiable": encode(found), "because": found.in_words()})
        else:
            Paper().say((found.in_words(), "bold yellow"))
        raise typer.Exit(NOT_CERTIFIABLE)
    written = not found.broken or order.keep_broken
    if written:
        order.write(found)
    if as_json:
        path = str(order.path) if written else None
        write_json({"path": path, "card": card_data(found), "broken": list(found.broken)})
    else:
        _show(found, order, settings, written=written)
    if found.broken:
        raise typer.Exit(FAILED)


def _show(card: "Card", order: Order, settings: "Settings", *, written: bool) -> None:
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
    paper.say("written to ", (safe(str(order.path)), "bold"))
    paper.say("look at it: ", (f"sensecheck card show {safe(str(order.path))}", "bold cyan"))
    if (guards := order.asked.guards(card.name)) is not None:
        chain, command = guards
        paper.say("use it in a chain: ", (chain, "bold cyan"), ", or: ", (command, "bold cyan"))
    else:
        paper.say("use it in a check: ", (safe(order.asked.used(card.name)), "bold cyan"))
    if order.folder.resolve() != settings.cards_folder().resolve():
        paper.say("with ", (f"SENSECHECK_CARDS={safe(str(order.folder))}", "bold cyan"))
