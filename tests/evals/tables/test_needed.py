import pytest

from sensecheck.evals.tables.needed import needed_by
from sensecheck.evals.tables.order import TableOrder


@pytest.mark.parametrize(
    ("order", "needed"),
    [
        (TableOrder(("bleu", "squad_em", "fact_agreement")), set()),
        (TableOrder(("bleu", "semantic_similarity")), {"encoder"}),
        (TableOrder(("grounded",)), {"encoder"}),
        (TableOrder(("answer_relevance",)), {"judge"}),
        (TableOrder((), ({"kind": "keeps_facts"},)), set()),
        (TableOrder(("bleu",), ({"kind": "means"},)), {"encoder"}),
        (
            TableOrder((), ({"kind": "cascade", "checks": [{"kind": "keeps_facts"}, {"kind": "means"}]},)),
            {"encoder"},
        ),
        (TableOrder((), ({"kind": "grounded", "policy": "strict"},)), {"encoder", "verifier"}),
    ],
)
def test_only_those_are_needed_who_are_asked_for_anything(order: TableOrder, needed: set[str]) -> None:
    assert needed_by(order) == needed
