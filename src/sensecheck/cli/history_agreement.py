"""`sensecheck history agreement` and `weight`: what metrics are worth, by what people said."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.history_options import LabelName, Project, Runs, chosen_label, opened, runs_named
from sensecheck.cli.history_table import interval, metric_name, number, sparkline
from sensecheck.cli.options import Json, Store
from sensecheck.cli.outcomes import NOT_CERTIFIABLE, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe, show_table
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sensecheck.evals.qa.agreement.with_labels import Agreement
    from sensecheck.evals.qa.weighing import WeightSuggestion
    from sensecheck.store.run_reading import RunTable

# ruff: noqa: PLC0415 - statistics bring numpy along, which `--help` does without

EXIT_CODES_OF_WEIGHT = "\n".join(
    (
        "Exit codes:",
        "0  a weight is recommended",
        "2  the command is wrong, or there are no labels",
        "4  no weight can be recommended: too few labels, or a gain within chance",
    )
)
FEWEST = 10
"""Labels below which agreement is next to nothing but chance."""


def agreement(
    run: Runs = None,
    label: LabelName = None,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Show how well each metric agrees with what people said, over one run or several together."""
    with extra("store"):
        from sensecheck.evals.qa.agreement.with_labels import agreement as rows_of

    tables, chosen, yes_or_no = _labelled(run, label, store, project)
    rows = rows_of(tables, chosen, yes_or_no=yes_or_no)
    if as_json:
        write_json([row.to_data() for row in rows])
        return
    said = _said(tables, chosen)
    if len(set(said)) == 1:
        _say_that_all_are_alike(Paper(), chosen, said)
        return
    _show_agreement(Paper(), rows)
    if len(said) < FEWEST:
        Paper().say((f"{len(said):,} labels are too few to go by; wanted at least {FEWEST}", "yellow"))


def weight(
    run: Runs = None,
    label: LabelName = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="NAME",
            help="Whose similarity is weighed, where several have read it.",
            show_default=False,
        ),
    ] = None,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Suggest how much semantic similarity should weigh in the aggregate, if labels support it."""
    with extra("store"):
        from sensecheck.evals.qa.weighing import suggest_weight

    tables, chosen, yes_or_no = _labelled(run, label, store, project)
    found = suggest_weight(tables, chosen, encoder=encoder, yes_or_no=yes_or_no)
    if as_json:
        write_json(found.to_data())
    else:
        _show_weight(Paper(), found)
    raise typer.Exit(NOT_CERTIFIABLE if found.weight is None else PASSED)


def _labelled(
    named: list[str] | None, label: str | None, store: str | None, project: str | None
) -> "tuple[list[RunTable], str, bool]":
    """The numbers, the label that is meant, and whether everybody said 0 or 1."""
    from sensecheck.evals.qa.agreement.labelled import labels_of
    from sensecheck.evals.qa.agreement.raters import said_yes_or_no

    with opened(store) as held:
        runs = runs_named(held, named, project)
        tables = [held.table(run) for run in runs]
        chosen = chosen_label(labels_of(tables), label, runs=runs, store=held)
        return tables, chosen, said_yes_or_no(held, runs, chosen)


def _said(tables: "Sequence[RunTable]", label: str) -> list[float]:
    """What people said of all answers that have this label."""
    each = (table.labels[label].tolist() for table in tables if label in table.labels)
    return [value for values in each for value in values if value == value]  # NaN where nobody said it


def _say_that_all_are_alike(paper: Paper, label: str, said: list[float]) -> None:
    """In the place of a table in which everything is n/a."""
    who = (
        f"all {len(said):,} labels {safe(label)} say"
        if len(said) > 1
        else f"the only label {safe(label)} says"
    )
    paper.say((f"{who} {said[0]:g}: no metric can agree with that; label answers that differ", "yellow"))


def _show_agreement(paper: Paper, rows: "Sequence[Agreement]") -> None:
    several = len({row.encoder for row in rows if row.encoder}) > 1
    with_area = any(row.auroc is not None for row in rows)
    head = ["metric", "n", "n/a", *(["AUROC", "95 %"] if with_area else []), "Spearman", "95 %"]
    lines = []
    for row in rows:
        area = [number(row.auroc), interval(row.auroc_low, row.auroc_high)] if with_area else []
        name = metric_name(row.metric, row.encoder, several=several)
        ranks = [number(row.spearman), interval(row.spearman_low, row.spearman_high)]
        lines.append([name, f"{row.n:,}", f"{row.na:,}" if row.na else "", *area, *ranks])
    show_table(paper, head, lines)
    if rows:
        most = max(row.questions for row in rows)
        paper.say((f"beside the label {safe(rows[0].label)}; intervals by question, of {most:,}", "dim"))
    _tell_what_is_left_out(paper, rows)


def _tell_what_is_left_out(paper: Paper, rows: "Sequence[Agreement]") -> None:
    split = max((row.split for row in rows), default=0)
    if split:
        paper.say((f"{split:,} left out of AUROC: as many raters said 0 as 1", "yellow"))
    reasons = {row.no_auroc for row in rows}
    if len(reasons) == 1 and all(reasons):
        paper.say((f"no AUROC: {reasons.pop()}", "yellow"))
        return
    for row in rows:
        if row.no_auroc:
            paper.say((f"{safe(row.metric)} has no AUROC: {row.no_auroc}", "yellow"))


def _show_weight(paper: Paper, found: "WeightSuggestion") -> None:
    by = {"auroc": "AUROC", "spearman": "Spearman"}[found.by]
    if found.curve:
        line = sparkline(paper, [value for _, value in found.curve])
        if line:
            paper.say(line, label=("weight 0 to 1  ", "dim"))
        some = [(f"{weight:.2f}", number(value)) for weight, value in found.curve[::2]]
        show_table(paper, ("weight", by), some)
    about = f"{found.n:,} answers to {found.questions:,} questions, by the label {safe(found.label)}"
    paper.say((about + (f" and {safe(found.encoder)}" if found.encoder else ""), "dim"))
    if found.split:
        paper.say((f"{found.split:,} left out: as many raters said 0 as 1", "yellow"))
    if found.weight is None:
        paper.say((safe(found.because), "bold yellow"))
    else:
        paper.say((f"weight {found.weight:.2f}", "bold green"), f": {safe(found.because)}")
