"""Our function over Arrow tables, as Ray Data, Daft and Spark take it, sent to their workers."""

import json
from functools import lru_cache
from threading import Lock

import pyarrow as pa

from sensecheck.config import Settings, table_assessor
from sensecheck.measures.metrics import metrics_named
from sensecheck.tables.assess import Assessor
from sensecheck.tables.order import TableOrder, checks_of

_AT_HAND = 4
"""Orders whose models stay loaded in one process, the latest."""
_LOADING = Lock()


class Assessing:
    """Gives each table back with what the order asks for: the class that `map_batches` of Ray Data is given.

    What travels is the order and the settings, keys among them, so that all workers read by one encoder. A
    process loads its models once, when its first table comes.
    """

    # Neither frozen nor slotted: Ray Data makes a class of its own from it, with fields of its own.
    def __init__(self, order: TableOrder, settings: Settings) -> None:
        metrics_named(order.metrics), checks_of(order)  # a slip is reported here, before anything is sent
        self._order = order
        self._settings = settings

    def __call__(self, table: pa.Table) -> pa.Table:
        """The same rows in the same order, all their columns, and what was read off them."""
        return _assessor(self._order, self._settings)(table)


def _assessor(order: TableOrder, settings: Settings) -> Assessor:
    """One of a kind in memory, also when several threads load it concurrently."""
    with _LOADING:
        return _cached_assessor(json.dumps(order.to_data(), sort_keys=True), settings)


@lru_cache(maxsize=_AT_HAND)
def _cached_assessor(described: str, settings: Settings) -> Assessor:
    return table_assessor(settings, TableOrder.from_data(json.loads(described)))
