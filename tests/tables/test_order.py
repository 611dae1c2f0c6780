"""What is read off a table where nobody says it, and the friendly face over tables."""

import pyarrow as pa
import pytest

from sensecheck.checks.presets import means
from sensecheck.config import Settings, table_assessor
from sensecheck.core.backends import Backends
from sensecheck.core.errors import SpecError
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.metrics import STANDARD
from sensecheck.sense import Sense
from sensecheck.tables.order import TableOrder, needed_by, order_for

TABLE = pa.table({"response": ["In 1932."], "gold": ["It opened in 1932."], "topic": ["bridges"]})
COLUMNS = {"answer": "response", "expected": "gold"}


def test_without_any_wish_all_metrics_that_apply_are_read() -> None:
    assert order_for(TABLE.column_names) == TableOrder(
        STANDARD, (), {"expected": "gold", "answer": "response"}
    )


def test_a_named_column_comes_before_one_with_a_known_name() -> None:
    order = order_for(["answer", "response", "gold"], columns={"answer": "response"})

    assert order.columns == COLUMNS


def test_where_nothing_applies_that_is_told() -> None:
    with pytest.raises(SpecError, match="no metric applies to a table without `expected` answers"):
        order_for(["answer", "topic"])


def test_sense_reads_metrics_and_checks_off_a_table(sense: Sense) -> None:
    found = sense.assess_table(TABLE, metrics=["bleu"], checks=[means(), {"kind": "keeps_facts"}])

    assert found.column_names == [
        *TABLE.column_names,
        *("bleu", "means", "means_value", "keeps_facts", "keeps_facts_value", "status", "reason"),
    ]
    assert found.column("means").to_pylist() == [sense.means("In 1932.", "It opened in 1932.").outcome]
    assert found.column("status").to_pylist() == ["ok"]


def test_sense_reads_all_that_applies_where_nothing_is_named() -> None:
    table = pa.table({"reply": ["In 1932."], "gold": ["It opened in 1932."]})
    found = Sense(Backends(HashingEncoder())).assess_table(table, columns={"answer": "reply"})

    assert found.column_names == ["reply", "gold", *STANDARD, "status", "reason"]


def test_the_settings_make_an_assessor() -> None:
    settings = Settings(encoder="hashing", cache="off")
    assess = table_assessor(settings, TableOrder(("semantic_similarity",), (), COLUMNS))

    assert assess(TABLE).column("status").to_pylist() == ["ok"]
    assert table_assessor(settings, TableOrder(("bleu",), (), COLUMNS)).answerers == Backends()


@pytest.mark.parametrize(
    ("order", "needed"),
    [
        (TableOrder(("bleu", "squad_em", "fact_agreement")), set()),
        (TableOrder(("bleu", "semantic_similarity")), {"encoder"}),
        (TableOrder(("grounded",)), {"encoder"}),
        (TableOrder(("answer_relevance",)), {"judge"}),
        (TableOrder((), ({"kind": "keeps_facts"},)), set()),
        (TableOrder(("entailment",)), {"verifier"}),
        (TableOrder(("bleu",), ({"kind": "means"},)), {"verifier"}),
        (TableOrder(("bleu",), ({"kind": "means", "policy": "similarity"},)), {"encoder"}),
        (
            TableOrder((), ({"kind": "cascade", "checks": [{"kind": "keeps_facts"}, {"kind": "means"}]},)),
            {"verifier"},
        ),
        (TableOrder((), ({"kind": "grounded", "policy": "fast"},)), {"encoder"}),
        (TableOrder((), ({"kind": "grounded"},)), {"encoder", "verifier"}),
        (TableOrder((), ({"kind": "grounded", "policy": "strict"},)), {"encoder", "verifier"}),
    ],
)
def test_only_those_are_needed_who_are_asked_for_anything(order: TableOrder, needed: set[str]) -> None:
    assert needed_by(order) == needed
