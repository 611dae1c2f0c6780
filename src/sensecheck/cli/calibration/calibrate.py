"""`sensecheck calibrate`: from labelled answers to a cutoff that keeps a promise."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from sensecheck.cli.console import Console
from sensecheck.cli.exit_codes import FAILED, NOT_CERTIFIABLE
from sensecheck.cli.options import (
    COLUMNS,
    Encoder,
    Group,
    Ignored,
    Json,
    Parts,
    SkipUnreadable,
    Slices,
    argument,
    option,
    settings_with,
)
from sensecheck.cli.progress import stage_progress
from sensecheck.core.cutoff import GoodSide
from sensecheck.datasets.labels import sample_columns

# ruff: noqa: PLC0415 - the parts that judge and fit bring numpy along, which `--help` does without

_WHAT = "What is calibrated"
_PROMISE = "The promise"
_CARD = "The card"


def calibrate(
    file: Annotated[str, argument("LABELLED.jsonl", "Labelled samples, one per line; or a .csv.")],
    name: Annotated[str, option("--name NAME", "What the card is called.", _CARD)],
    preset: Annotated[
        str | None, option("--preset NAME", "One of our checks; its verdicts count.", _WHAT)
    ] = None,
    policy: Annotated[
        str | None, option("--policy NAME", "How `grounded`, or `means`, decides.", _WHAT)
    ] = None,
    measure: Annotated[
        str | None,
        option("--measure NAME|FILE.json", "A measure, by its name or as data; its reading alone.", _WHAT),
    ] = None,
    higher_is_better: Annotated[
        bool | None,
        option(
            "--higher-is-better/--lower-is-better",
            "Which readings of --measure are good; higher ones unless given.",
            _WHAT,
        ),
    ] = None,
    good: Annotated[GoodSide | None, typer.Option("--good", hidden=True)] = None,
    fpr: Annotated[
        float | None, option("--fpr SHARE", "Of bad answers, at most this share passes.", _PROMISE)
    ] = None,
    fnr: Annotated[
        float | None, option("--fnr SHARE", "Of good answers, at most this share fails.", _PROMISE)
    ] = None,
    confidence: Annotated[
        float | None, option("--confidence SHARE", "How surely; 0.95 unless given.", _PROMISE)
    ] = None,
    method: Annotated[
        Literal["exact", "conformal", "best-f1"],
        option("--method METHOD", "exact, conformal (on average) or best-f1 (promises nothing).", _PROMISE),
    ] = "exact",
    out: Annotated[
        Path | None, option("--out FOLDER", "Its folder; that of SENSECHECK_CARDS unless given.", _CARD)
    ] = None,
    holdout: Annotated[
        float, option("--holdout SHARE", "The share of rows that errors are counted on.", _CARD, default=True)
    ] = 0.3,
    seed: Annotated[int, option("--seed NUMBER", "Which rows those are.", _CARD, default=True)] = 0,
    licence: Annotated[str, option("--licence TEXT", "Of the data, for a card that travels.", _CARD)] = "",
    force: Annotated[bool, option("--force", "Overwrite a card of this name.", _CARD)] = False,
    keep_broken: Annotated[
        bool, option("--keep-broken", "Write the card even if held-out rows break its promise.", _CARD)
    ] = False,
    label: Annotated[
        str,
        option(
            "--label COLUMN",
            "Whether the answer is good: true/false, 1/0, good/bad, pass/fail or yes/no.",
            COLUMNS,
        ),
    ] = "label",
    parts: Parts = None,
    group: Group = None,
    slices: Slices = None,
    ignored: Ignored = None,
    skip_unreadable: SkipUnreadable = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Find the cutoff under which a check keeps a promise, from labelled answers, and write it on a card.

    A row holds the sample: `answer`, and `question`, `expected`, `passages` or `id` where there are any;
    and its `label`. Name what each other column is: `--column question=query`, for example.
    """
    from sensecheck.cli.calibration.view import show_calibration, write_calibration
    from sensecheck.training import CalibrationRequest
    from sensecheck.training import calibrate as calibrate_

    if higher_is_better is None and good is not None:
        higher_is_better = good == "above"
    request = CalibrationRequest(
        data=file,
        name=name,
        preset=preset,
        policy=policy,
        measure=measure,
        higher_is_better=higher_is_better,
        fpr=fpr,
        fnr=fnr,
        confidence=confidence,
        method="best_f1" if method == "best-f1" else method,
        label=label,
        group=group,
        slices=slices or (),
        ignored=ignored or (),
        parts=sample_columns(parts or ()),
        holdout=holdout,
        seed=seed,
        licence=licence,
        skip_unreadable=skip_unreadable,
        folder=out,
        force=force,
        keep_broken=keep_broken,
        settings=settings_with(encoder),
    )
    with stage_progress(as_json=as_json) as report:
        calibration = calibrate_(request, on_progress=report)
    if as_json:
        write_calibration(calibration)
    elif calibration.card is not None:
        show_calibration(calibration.card, calibration, request)
    elif calibration.not_certifiable is not None:
        Console().line((calibration.not_certifiable.describe(), "bold yellow"))
    if calibration.card is None:
        raise typer.Exit(NOT_CERTIFIABLE)
    if calibration.card.broken:
        raise typer.Exit(FAILED)
