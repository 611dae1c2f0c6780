"""What engines are given, without an engine."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest

from sensecheck.adapters.tables import Assessing
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.tables.order import TableOrder
from tests.adapters.table_rows import ORDER, SETTINGS, assert_same, rows


def test_a_copy_reads_batches_in_several_threads_as_the_whole_is_read(minilm: Encoder) -> None:
    sent = pickle.loads(pickle.dumps(Assessing(ORDER, SETTINGS)))
    batches = [rows().slice(start, 50) for start in range(0, 200, 50)]
    with ThreadPoolExecutor(4) as threads:
        found = pa.concat_tables(threads.map(sent, batches))

    assert_same(found, minilm)


@pytest.mark.parametrize(
    "order",
    [
        TableOrder(metrics=("semantic_similarty",), columns=ORDER.columns),
        TableOrder(checks=({"kind": "meens"},), columns=ORDER.columns),
    ],
)
def test_a_slip_in_the_order_is_told_before_anything_is_sent(order: TableOrder) -> None:
    with pytest.raises(SpecError, match="did you mean"):
        Assessing(order, SETTINGS)
