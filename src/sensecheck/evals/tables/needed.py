"""Who must be there to read what an order asks for."""

from typing import Literal

from sensecheck.checks.introspection import gates_of
from sensecheck.core.needs import Needs
from sensecheck.core.sample import Sample
from sensecheck.evals.tables.order import TableOrder
from sensecheck.evals.tables.result_fields import checks_of
from sensecheck.measures.metrics import metrics_named

Reader = Literal["encoder", "verifier", "judge"]
_PROBE = Sample("It opens at nine.", "When does it open?", "At nine.", ("The museum opens at nine.",))
"""Something to ask every measure about, to see whom it asks."""


def needed_by(order: TableOrder) -> frozenset[Reader]:
    """Who must be there; an order that only counts words needs nobody."""
    measures = [metric.measure for metric in metrics_named(order.metrics)]
    measures += [gate.measure for check in checks_of(order) for gate in gates_of(check)]
    needs = Needs.union(measure.needs(_PROBE) for measure in measures)
    asked: dict[Reader, bool] = {
        "encoder": bool(needs.texts or needs.tokens),
        "verifier": bool(needs.pairs),
        "judge": bool(needs.prompts),
    }
    return frozenset(reader for reader, wanted in asked.items() if wanted)
