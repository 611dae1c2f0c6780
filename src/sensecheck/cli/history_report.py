"""`sensecheck history report` and `picture`: a kept run as a page to look through, and as pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.history_options import LabelName, Project, RunArgument, chosen_label, opened
from sensecheck.cli.history_trend import trend_of
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.cli.written import write_whole
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.nearest import unknown

if TYPE_CHECKING:
    from sensecheck.evals.qa.agreement.with_labels import Agreement
    from sensecheck.evals.qa.pictures.sheet import Sheet
    from sensecheck.evals.qa.pictures.style import Scheme
    from sensecheck.evals.qa.report.page_data import Besides
    from sensecheck.store.eval_store import EvalStore
    from sensecheck.store.records import Run
    from sensecheck.store.run_reading import RunTable

# ruff: noqa: PLC0415 - pages and pictures bring numpy along, which `--help` does without

_KINDS = ("quadrant", "distributions", "trend", "agreement")
_FORMS = (".svg", ".png")
_LAST = 30
"""Runs of the same test, up to this one, that a trend is drawn of."""


def report(
    run: RunArgument = "latest",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.html", help="The page to write.")
    ] = Path("report.html"),
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Compare with this run: its number, `previous`, or its id.",
            show_default=False,
        ),
    ] = None,
    trend: Annotated[
        bool, typer.Option("--trend", metavar="", help="Show how the runs of this test went, up to this one.")
    ] = False,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Write a run as one page: answer by answer, every metric, and beside other runs.

    It wants a browser and fetches nothing. Agreement with labels is shown where there are some.
    """
    with extra("store"):
        from sensecheck.evals.qa.report.page import write_page

    _must_end_in(output, (".html",))
    with opened(store) as held:
        chosen = held.run(run, project=project)
        before = None if against is None else held.run(against, project=project)
        table = held.table(chosen)
        write_page(held, table, output, besides=_besides(held, table, before, trend=trend))
    _tell(output, chosen, as_json=as_json)


def picture(
    run: RunArgument = "latest",
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="quadrant, distributions, trend, agreement.")
    ] = "quadrant",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to: .svg or .png; KIND.svg unless given.",
            show_default=False,
        ),
    ] = None,
    scheme: Annotated[
        str,
        typer.Option(
            "--scheme",
            metavar="NAME",
            help="light, dark, or both: as the reader's system has it (SVG; a PNG is light then).",
        ),
    ] = "both",
    label: LabelName = None,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Draw a run as one picture; PNG wants the extra `pictures`."""
    with extra("store"):
        from sensecheck.evals.qa.pictures.style import SCHEMES

    path = Path(f"{kind}.svg") if output is None else output
    if kind not in _KINDS:
        raise SpecError(unknown("kind of picture", kind, _KINDS))
    found = next((one for one in SCHEMES if one == scheme), None)
    if found is None:
        raise SpecError(unknown("scheme", scheme, SCHEMES))
    _must_end_in(path, _FORMS)
    with opened(store) as held:
        chosen = held.run(run, project=project)
        sheet = _drawn(held, chosen, kind, label)
    _write(sheet, path, found)
    _tell(path, chosen, as_json=as_json)


def _must_end_in(path: Path, forms: tuple[str, ...]) -> None:
    if path.suffix not in forms:
        wanted = " or ".join(f"`{form}`" for form in forms)
        raise SpecError(f"`{path}` wants a name that ends in {wanted}")


def _besides(store: "EvalStore", table: "RunTable", before: "Run | None", *, trend: bool) -> "Besides":
    """What is told beside the run itself."""
    from sensecheck.evals.qa.compare.comparison import compare_runs
    from sensecheck.evals.qa.report.page_data import Besides

    run = table.run
    if before is not None and before.key == run.key:
        raise SpecError(f"`--against` names the run {run.key} itself; wanted another one")
    return Besides(
        None if before is None else compare_runs(store, before, run).to_data(),
        [point.to_data() for point in trend_of(store, _runs_until(store, run), None)] if trend else (),
        [row.to_data() for label in sorted(table.labels) for row in _agreement(store, table, label)],
    )


def _agreement(store: "EvalStore", table: "RunTable", label: str) -> "tuple[Agreement, ...]":
    from sensecheck.evals.qa.agreement.raters import said_yes_or_no
    from sensecheck.evals.qa.agreement.with_labels import agreement

    return agreement(table, label, yes_or_no=said_yes_or_no(store, [table.run], label))


def _runs_until(store: "EvalStore", run: "Run") -> "list[Run]":
    """The runs of the same test, the oldest first, and this one last."""
    runs = store.runs(project=run.test.project, test=run.test.name)
    held = [one for one in runs if one.done and (one.started_at, one.key) <= (run.started_at, run.key)]
    return sorted(held, key=lambda one: (one.started_at, one.key))[-_LAST:]


def _drawn(store: "EvalStore", run: "Run", kind: str, label: str | None) -> "Sheet":
    from sensecheck.evals.qa.pictures.agreed import draw_agreement
    from sensecheck.evals.qa.pictures.distributions import draw_distributions
    from sensecheck.evals.qa.pictures.quadrant import draw_quadrant
    from sensecheck.evals.qa.pictures.sheet import named
    from sensecheck.evals.qa.pictures.trends import draw_trend

    if label is not None and kind != "agreement":
        raise SpecError(f"`--label` belongs to `--kind agreement`; found `--kind {kind}`")
    if kind == "trend":
        points = trend_of(store, _runs_until(store, run), None)
        return draw_trend(points, of=f"{run.test.project}, {run.test.name}")
    table = store.table(run)
    if kind == "agreement":
        rows = _agreement(store, table, chosen_label(tuple(sorted(table.labels)), label))
        return draw_agreement(rows, of=named(run))
    return draw_quadrant(table) if kind == "quadrant" else draw_distributions(table)


def _write(sheet: "Sheet", path: Path, scheme: "Scheme") -> None:
    from sensecheck.core.whole_file import whole_binary_file
    from sensecheck.evals.qa.pictures.png import png_of

    if path.suffix == ".svg":
        write_whole(path, sheet.svg(scheme))
        return
    pixels = png_of(sheet.svg(scheme))
    with whole_binary_file(path) as file:
        file.write(pixels)


def _tell(path: Path, run: "Run", *, as_json: bool) -> None:
    if as_json:
        write_json({"run": run.key, "written": str(path)})
    else:
        Paper().say(f"run {run.key} written to ", (safe(str(path)), "bold"))
