"""The order in which metrics are told, the same wherever a run is shown."""

from collections.abc import Iterable
from dataclasses import replace

from sensecheck.core.run import Run
from sensecheck.measures.metrics import ALL
from sensecheck.store.run_reading import Metric, RunTable

_PLACES = {name: at for at, name in enumerate(ALL)}


def in_order(run: Run, metrics: Iterable[Metric]) -> list[Metric]:
    """As the catalogue has them, kind by kind, others after; each by the encoders in the run's own order."""
    told = [name for name, _ in run.conditions.get("encoders", ())]

    def place(metric: Metric) -> tuple[int, str, int, bool, int]:
        encoder = told.index(metric.encoder) if metric.encoder in told else len(told)
        known = _PLACES.get(metric.name, len(ALL))
        return known, metric.name, encoder, metric.fingerprint != run.encoder, metric.key

    return sorted(metrics, key=place)


def ordered(table: RunTable) -> RunTable:
    """The same numbers, with their columns in that order."""
    metrics = tuple(in_order(table.run, table.metrics))
    if metrics == table.metrics:
        return table
    columns = [table.metrics.index(metric) for metric in metrics]
    unread = tuple(table.unread[at] for at in columns)
    nothing = tuple(table.nothing[at] for at in columns) if table.nothing else ()
    values = table.values[:, columns]
    return replace(table, metrics=metrics, values=values, unread=unread, nothing=nothing)
