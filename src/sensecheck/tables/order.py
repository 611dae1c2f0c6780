"""What is to be read off every row of a table, as plain data that is the same on every machine.

An order follows from a table's columns; from it follow the columns that are appended, and who must be there.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import pyarrow as pa

from sensecheck.checks.introspection import gates_of
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import from_data, to_data
from sensecheck.datasets.columns import COLUMN_NAMES, Columns
from sensecheck.measures.metrics import metrics_named, standard_for

STATUS = "status"
"""The column that is `ok` or `error`."""
REASON = "reason"
"""The column that says why a row is an error."""
OK, ERROR = "ok", "error"
ReaderName = Literal["encoder", "verifier", "judge"]
_PROBE = Sample("It opens at nine.", "When does it open?", "At nine.", ("The museum opens at nine.",))
"""Something to ask every measure about, to see whom it asks."""


@dataclass(frozen=True, slots=True)
class TableOrder:
    """Metrics and checks, and which columns hold what they read."""

    metrics: tuple[str, ...] = ()
    """Names of metrics, as `sensecheck eval --metric` takes them."""
    checks: tuple[Mapping[str, Any], ...] = ()
    """Checks as data, with all their thresholds written out: no card is looked up by a worker."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The column of each part that a row has: `{"answer": "response", "expected": "gold"}`."""
    at_once: int = 1024
    """Rows whose texts are encoded together; vectors move in the seventh digit with their neighbours, so that
    it belongs to the order."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The order that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="order")


def order_for(
    found: Collection[str],
    *,
    metrics: Iterable[str] = (),
    checks: Iterable[Check] = (),
    columns: Mapping[str, str] | None = None,
    judge: bool = False,
) -> TableOrder:
    """The order for a table with these columns; where nothing is asked for, the metrics that apply to them.

    Columns that are called as `sensecheck eval` knows them need not be named.
    """
    named = dict(columns or {})
    unnamed = [part for part in COLUMN_NAMES if part not in named]
    parts = {**Columns(named).meaning_of(found, unnamed, "the table").parts, **named}
    check_data = tuple(check_to_data(check) for check in checks)
    metric_names = tuple(metrics) or (() if check_data else standard_for(parts, judge=judge))
    if not metric_names and not check_data:
        raise SpecError(
            "no metric applies to a table without `expected` answers and `passages`; name their columns, "
            "or a metric, or a check"
        )
    return TableOrder(tuple(dict.fromkeys(metric_names)), check_data, parts)


def checks_of(order: TableOrder) -> tuple[Check, ...]:
    """The checks that an order describes."""
    return tuple(check_from_data(data, at=f"checks[{i}]") for i, data in enumerate(order.checks))


def result_fields(order: TableOrder) -> list[pa.Field]:
    """A number a metric; an outcome and a number a check; then whether the row could be read, or why not."""
    fields = [pa.field(name, pa.float64()) for name in dict.fromkeys(order.metrics)]
    for check in checks_of(order):
        fields += [pa.field(check.name, pa.string()), pa.field(value_column(check.name), pa.float64())]
    fields += [pa.field(STATUS, pa.string(), nullable=False), pa.field(REASON, pa.string())]
    _require_distinct([field.name for field in fields])
    return fields


def value_column(check: str) -> str:
    """The column of the number that a check decided by."""
    return f"{check}_value"


def require_free(fields: Iterable[pa.Field], columns: Iterable[str]) -> None:
    """Raise `SpecError` where a column of the input is called as one that would be appended."""
    existing = set(columns)
    if shared := [field.name for field in fields if field.name in existing]:
        raise SpecError(
            f"the input has a column `{shared[0]}` already, and results would have another one of that name; "
            "rename it, or leave it out"
        )


def needed_by(order: TableOrder) -> frozenset[ReaderName]:
    """Who must be there; an order that only counts words needs no one."""
    measures = [metric.measure for metric in metrics_named(order.metrics)]
    measures += [gate.measure for check in checks_of(order) for gate in gates_of(check)]
    needs = Needs.union(measure.needs(_PROBE) for measure in measures)
    needed: dict[ReaderName, bool] = {
        "encoder": bool(needs.texts or needs.tokens),
        "verifier": bool(needs.pairs),
        "judge": bool(needs.prompts),
    }
    return frozenset(reader for reader, is_needed in needed.items() if is_needed)


def _require_distinct(names: list[str]) -> None:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise SpecError(
            f"two columns of the results would be called `{repeated[0]}`; give the check a `label` of its own"
        )
