"""Where the answers lie that a page does not show, so that all can be counted."""

from duckdb import DuckDBPyConnection

from sensecheck.evals.qa.report.axes import OTHERWISE
from sensecheck.evals.qa.report.page_data import PageData
from sensecheck.evals.results.choosing import CHOSEN
from sensecheck.evals.results.rows import name_in_sql


def hidden_cells(connection: DuckDBPyConnection, table: str, page: PageData) -> list[list[int]]:
    """How many lie in each cell of a hundredth, as `PageData` counts them for runs that are held whole."""
    axes = page.axes
    if axes is None:
        return []
    names = [name_in_sql(metric.name) for metric in page.table.metrics]
    facts, correct = (None if at is None else names[at] for at in (axes.facts, axes.correct))
    differs = "0" if facts is None else f"coalesce(({facts} < 1)::INTEGER, 0)"
    lines = ((correct, OTHERWISE), (facts, 1))
    wrong = [f"({name} < {line})::INTEGER" for name, line in lines if name is not None]
    rows = connection.execute(
        f"SELECT {_cell(names[axes.across])}, {_cell(names[axes.upwards])}, {differs}, count(*), "
        f"coalesce({', '.join((*wrong, '-1'))}) "
        f"FROM {name_in_sql(table)} ANTI JOIN {CHOSEN} USING (_input, _row) GROUP BY 1, 2, 3, 5 ORDER BY ALL"
    ).fetchall()
    return [list(row) for row in rows]


def _cell(number: str) -> str:
    return f"coalesce(floor({number} * 100 + 1e-9)::INTEGER, -1)"
