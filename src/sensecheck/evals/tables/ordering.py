"""An order from what a caller has at hand: a table's columns, and what is to be read off them."""

from collections.abc import Collection, Iterable, Mapping

from sensecheck.checks.spec import check_to_data
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.evals.qa.files.columns import NAMES, Columns
from sensecheck.evals.tables.order import TableOrder
from sensecheck.measures.metrics import standard_for


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
    unnamed = [part for part in NAMES if part not in named]
    parts = {**Columns(named).meant(found, unnamed, "the table").parts, **named}
    described = tuple(check_to_data(check) for check in checks)
    wanted = tuple(metrics) or (() if described else standard_for(parts, judge=judge))
    if not wanted and not described:
        raise SpecError(
            "no metric applies to a table without `expected` answers and `passages`; name their columns, "
            "or a metric, or a check"
        )
    return TableOrder(tuple(dict.fromkeys(wanted)), described, parts)
