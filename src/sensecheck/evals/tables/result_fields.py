"""The columns that are appended to a table, with their types."""

from collections import Counter
from collections.abc import Iterable

import pyarrow as pa

from sensecheck.checks.spec import check_from_data
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.evals.tables.order import TableOrder

STATUS = "status"
"""The column that is `ok` or `error`."""
REASON = "reason"
"""The column that says why a row is an error."""
OK, ERROR = "ok", "error"


def value_column(check: str) -> str:
    """The column of the number that a check decided by."""
    return f"{check}_value"


def checks_of(order: TableOrder) -> tuple[Check, ...]:
    """The checks that an order describes."""
    return tuple(check_from_data(data, at=f"checks[{i}]") for i, data in enumerate(order.checks))


def result_fields(order: TableOrder) -> list[pa.Field]:
    """A number a metric; an outcome and a number a check; then whether the row could be read, or why not."""
    fields = [pa.field(name, pa.float64()) for name in dict.fromkeys(order.metrics)]
    for check in checks_of(order):
        fields += [pa.field(check.name, pa.string()), pa.field(value_column(check.name), pa.float64())]
    fields += [pa.field(STATUS, pa.string(), nullable=False), pa.field(REASON, pa.string())]
    _must_differ([field.name for field in fields])
    return fields


def must_be_free(fields: Iterable[pa.Field], columns: Iterable[str]) -> None:
    """Raise `SpecError` where a column of the input is called as one that would be appended."""
    there = set(columns)
    if taken := [field.name for field in fields if field.name in there]:
        raise SpecError(
            f"the input has a column `{taken[0]}` already, and results would have another one of that name; "
            "rename it, or leave it out"
        )


def _must_differ(names: list[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise SpecError(
            f"two columns of the results would be called `{twice[0]}`; give the check a `label` of its own"
        )
