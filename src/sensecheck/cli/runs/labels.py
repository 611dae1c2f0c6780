"""`sensecheck runs label`, `agreement` and `weight`: what people said of answers, alongside the metrics."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, safe, show_table, sparkline, write_json
from sensecheck.cli.exit_codes import NOT_CERTIFIABLE, PASSED
from sensecheck.cli.options import Json, Store, argument, option
from sensecheck.cli.runs.select import (
    LabelName,
    Project,
    RequiredRun,
    Runs,
    chosen_label,
    find_run,
    find_runs,
    kind_meant,
)
from sensecheck.core.errors import SampleError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import did_you_mean
from sensecheck.text.escaping import interval, number, with_encoder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sensecheck.datasets.rows import FileRow, LoadedRows
    from sensecheck.runs.agreement import Agreement, WeightSuggestion
    from sensecheck.runs.record import Label, RunTable

# ruff: noqa: PLC0415 - the store and statistics bring numpy along, which `--help` does without

MIN_LABELS = 10
"""Labels below which agreement is next to nothing but chance."""
_COLUMNS = ("id", "label", "value", "rater")


def label(
    context: typer.Context,
    run: RequiredRun,
    file: Annotated[
        str,
        argument(
            "FILE",
            "Rows with the columns id (of the question), label (its name), value (0/1, true/false, a number) "
            "and, where there are several, rater: .csv, or one JSON object a line.",
        ),
    ],
    name: Annotated[
        str | None, option("--label NAME", "The name of the label, for a file without that column.")
    ] = None,
    rater: Annotated[
        str, option("--rater NAME", "Who gave the labels, for a file without that column.")
    ] = "",
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Add what people said of the answers of a run; what is there already is skipped, and never changed."""
    from sensecheck.datasets.rows import LoadedRows

    labels = _labels_in(LoadedRows.of(file), name, rater)
    with find_run(run, store, project, kind=kind_meant(context)) as (place, stored_run):
        count = place.label(stored_run, labels)
    names, skipped = sorted({one.name for one in labels}), len(labels) - count
    if as_json:
        write_json({"run": stored_run.key, "added": count, "skipped": skipped, "labels": names})
    else:
        already = f"; {skipped:,} {'was' if skipped == 1 else 'were'} there already" if skipped else ""
        Console().line(f"{count:,} added to run {stored_run.key}: {', '.join(map(safe, names))}{already}")


def agreement(
    context: typer.Context,
    run: Runs = None,
    label: LabelName = None,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Show how well each metric agrees with what people said, over one run or several together."""
    with extra("store"):
        from sensecheck.runs.agreement import agreement as agreement_of

    tables, chosen, yes_or_no = _labelled_tables(context, run, label, store, project)
    rows = agreement_of(tables, chosen, yes_or_no=yes_or_no)
    if as_json:
        write_json([row.to_data() for row in rows])
        return
    columns = (table.labels[chosen].tolist() for table in tables if chosen in table.labels)
    values = [value for column in columns for value in column if value == value]  # NaN: not labelled
    if len(set(values)) == 1:
        _say_all_are_alike(Console(), chosen, values)
        return
    _show_agreement(Console(), rows)
    if len(values) < MIN_LABELS:
        Console().line(
            (f"{len(values):,} labels are too few to go by; wanted at least {MIN_LABELS}", "yellow")
        )


def weight(
    context: typer.Context,
    run: Runs = None,
    label: LabelName = None,
    encoder: Annotated[
        str | None, option("--encoder NAME", "Whose similarity is weighed, where several have read it.")
    ] = None,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Suggest how much semantic similarity should weigh in the aggregate, if labels support it."""
    with extra("store"):
        from sensecheck.runs.agreement import suggest_weight

    tables, chosen, yes_or_no = _labelled_tables(context, run, label, store, project)
    suggestion = suggest_weight(tables, chosen, encoder=encoder, yes_or_no=yes_or_no)
    if as_json:
        write_json(suggestion.to_data())
    else:
        _show_weight(Console(), suggestion)
    raise typer.Exit(NOT_CERTIFIABLE if suggestion.weight is None else PASSED)


def _labels_in(rows: "LoadedRows", name: str | None, rater: str) -> "list[Label]":
    """The labels of a file; a column that is not known is an error, and so is one that is missing."""
    columns = rows.columns()
    for column in columns:
        if column not in _COLUMNS:
            raise SampleError(f"`{rows.name}`: {did_you_mean('column', column, _COLUMNS)}")
    for column, value, flag in (("label", name, "--label"), ("rater", rater, "--rater")):
        if column in columns and value:
            raise SampleError(f"`{rows.name}` has a column `{column}`; leave out `{flag}`")
    return [_label_in(row, name, rater) for row in rows.rows]


def _label_in(row: "FileRow", name: str | None, rater: str) -> "Label":
    from sensecheck.datasets.values import label_in, word_in
    from sensecheck.runs.record import Label

    values = row.values
    question = word_in(values.get("id"), row.where, "id")
    label_name = word_in(values.get("label", name), row.where, "label")
    value = label_in(values.get("value"), row.where, "value")
    by = word_in(values.get("rater", rater), row.where, "rater")
    if question is None or label_name is None or value is None:
        missing = "id" if question is None else "value" if value is None else "label"
        hint = "; or name it with `--label`" if missing == "label" else ""
        raise SampleError(f"{row.where} lacks the column `{missing}`{hint}")
    return Label(question, label_name, value, by or "")


def _labelled_tables(
    context: typer.Context,
    runs: list[str] | None,
    label: str | None,
    store: str | None,
    project: str | None,
) -> "tuple[list[RunTable], str, bool]":
    """The numbers, the chosen label, and whether all its values are 0 or 1."""
    from sensecheck.runs.agreement import is_binary, labels_of

    with find_runs(runs or ["latest"], store, project, kind=kind_meant(context)) as found_runs:
        tables = [place.table(run) for place, run in found_runs]
        chosen = chosen_label(labels_of(tables), label, found_runs)
        return tables, chosen, all(is_binary(place, [run], chosen) for place, run in found_runs)


def _say_all_are_alike(console: Console, label: str, values: list[float]) -> None:
    """In the place of a table in which everything is n/a."""
    subject = (
        f"all {len(values):,} labels {safe(label)} say"
        if len(values) > 1
        else f"the only label {safe(label)} says"
    )
    console.line(
        (f"{subject} {values[0]:g}: no metric can agree with that; label answers that differ", "yellow")
    )


def _show_agreement(console: Console, rows: "Sequence[Agreement]") -> None:
    several = len({row.encoder for row in rows if row.encoder}) > 1
    with_area = any(row.auroc is not None for row in rows)
    head = ["metric", "n", "n/a", *(["AUROC", "95 %"] if with_area else []), "Spearman", "95 %"]
    lines = []
    for row in rows:
        area = [number(row.auroc), interval(row.auroc_low, row.auroc_high)] if with_area else []
        name = safe(with_encoder(row.metric, row.encoder, several=several))
        ranks = [number(row.spearman), interval(row.spearman_low, row.spearman_high)]
        lines.append([name, f"{row.n:,}", f"{row.na:,}" if row.na else "", *area, *ranks])
    show_table(console, head, lines)
    if rows:
        most = max(row.questions for row in rows)
        console.line((f"beside the label {safe(rows[0].label)}; intervals by question, of {most:,}", "dim"))
    _say_what_is_left_out(console, rows)


def _say_what_is_left_out(console: Console, rows: "Sequence[Agreement]") -> None:
    split = max((row.split for row in rows), default=0)
    if split:
        console.line((f"{split:,} left out of AUROC: as many raters said 0 as 1", "yellow"))
    reasons = {row.no_auroc for row in rows}
    if len(reasons) == 1 and all(reasons):
        console.line((f"no AUROC: {reasons.pop()}", "yellow"))
        return
    for row in rows:
        if row.no_auroc:
            console.line((f"{safe(row.metric)} has no AUROC: {row.no_auroc}", "yellow"))


def _show_weight(console: Console, suggestion: "WeightSuggestion") -> None:
    by = {"auroc": "AUROC", "spearman": "Spearman"}[suggestion.by]
    if suggestion.curve:
        line = sparkline(console, [value for _, value in suggestion.curve])
        if line:
            console.line(line, label=("weight 0 to 1  ", "dim"))
        rows = [(f"{weight:.2f}", number(value)) for weight, value in suggestion.curve[::2]]
        show_table(console, ("weight", by), rows)
    counts = f"{suggestion.n:,} answers to {suggestion.questions:,} questions"
    about = f"{counts}, by the label {safe(suggestion.label)}"
    console.line((about + (f" and {safe(suggestion.encoder)}" if suggestion.encoder else ""), "dim"))
    if suggestion.split:
        console.line((f"{suggestion.split:,} left out: as many raters said 0 as 1", "yellow"))
    if suggestion.weight is None:
        console.line((safe(suggestion.because), "bold yellow"))
    else:
        console.line((f"weight {suggestion.weight:.2f}", "bold green"), f": {safe(suggestion.because)}")
