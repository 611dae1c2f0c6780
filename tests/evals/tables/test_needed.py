import pytest

from sensecheck.tables.order import TableOrder, needed_by


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
