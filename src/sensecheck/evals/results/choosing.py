"""Which rows of a run are shown one by one, where there are more than a page can hold."""

from duckdb import DuckDBPyConnection

from sensecheck.evals.results.rows import name_in_sql

CHOSEN = "chosen"
_ERRORS, _WORST = 0.1, 0.3
"""Of what is shown: at most this share for each reason to look closer."""
_BY_CHANCE = "hash(_input, _row), _input, _row"
"""An order that has nothing to do with what the rows say, and is the same every time."""


def choose(
    connection: DuckDBPyConnection, table: str, rows: int, metric: str | None, most: int
) -> dict[str, int]:
    """Make the table `chosen` of the places of all rows, or of as many as fit; how many for which reason.

    Errors first, then the worst by a metric, then a sample of the rest; no reasons where all are shown.
    """
    connection.execute(f"CREATE TEMP TABLE {CHOSEN} (_input INTEGER, _row BIGINT)")
    if rows <= most:
        _take(connection, table, "true", "_input, _row", most)
        return {}
    taken = {"errors": _take(connection, table, "status = 'error'", _BY_CHANCE, int(most * _ERRORS))}
    if metric is not None:
        name = name_in_sql(metric)
        worst = _take(connection, table, f"{name} IS NOT NULL", f"{name}, {_BY_CHANCE}", int(most * _WORST))
        taken[f"worst by {metric}"] = worst
    taken["drawn at random"] = _take(connection, table, "true", _BY_CHANCE, most - sum(taken.values()))
    return {reason: count for reason, count in taken.items() if count}


def _take(connection: DuckDBPyConnection, table: str, where: str, order: str, most: int) -> int:
    """Choose the first of the rows that are not chosen yet; how many that were."""
    row = connection.execute(
        f"INSERT INTO {CHOSEN} SELECT _input, _row FROM {name_in_sql(table)} "
        f"ANTI JOIN {CHOSEN} USING (_input, _row) WHERE {where} ORDER BY {order} LIMIT {most}"
    ).fetchone()
    return int(row[0]) if row else 0
