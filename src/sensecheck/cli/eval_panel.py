"""Who reads the answers of an evaluation: metrics, encoders, and whoever else these need."""

from dataclasses import replace

from sensecheck.cli.eval_order import Order
from sensecheck.core.encoder import Encoder, Judge
from sensecheck.core.errors import SpecError
from sensecheck.evals.qa.catalogue import metrics_named, standard_for
from sensecheck.evals.qa.metric import Metric
from sensecheck.evals.qa.panel import NamedEncoder, Panel
from sensecheck.wiring import encoder, judge, verifier

_WITHOUT_ENCODER = ("lexical", "facts", "judged")


def panel_of(order: Order, parts: frozenset[str], *, guarded: bool) -> Panel:
    """The metrics that were named, or those that apply to what questions have; guards need an encoder too."""
    names = order.metrics or standard_for(parts, judge=bool(order.settings.judge))
    metrics = metrics_named(names)
    if not metrics:
        raise SpecError(
            "no metric applies to questions without `expected` answers and `passages`; "
            "name one with `--metric`"
        )
    kinds = {metric.kind for metric in metrics}
    compares = guarded or not kinds <= set(_WITHOUT_ENCODER)
    if order.encoders and not compares:
        raise SpecError("`--encoder` is for metrics that compare meaning, and none of these does")
    return Panel(
        metrics,
        _encoders(order) if compares else (),
        verifier(order.settings) if "context" in kinds else None,
        _judge(order, metrics) if "judged" in kinds else None,
    )


def _encoders(order: Order) -> tuple[NamedEncoder, ...]:
    """Each by its name; the prefix and the key of the settings are those of the first, and of nobody else."""
    first, *others = order.encoders or (order.settings.encoder,)
    found = [NamedEncoder(first, encoder(order.settings))]
    for named in others:
        loaded = encoder(replace(order.settings, encoder=named, prefix="", api_key=None))
        _must_differ(found, named, loaded)
        found.append(NamedEncoder(named, loaded))
    return tuple(found)


def _must_differ(found: list[NamedEncoder], named: str, loaded: Encoder) -> None:
    for one in found:
        if one.encoder.fingerprint == loaded.fingerprint:
            raise SpecError(f"`--encoder {named}` is the same as `{one.name}`; leave one of them out")


def _judge(order: Order, metrics: tuple[Metric, ...]) -> Judge:
    found = judge(order.settings)
    if found is None:
        named = ", ".join(f"`{metric.name}`" for metric in metrics if metric.kind == "judged")
        raise SpecError(f"nobody is there to judge {named}; name a judge in SENSECHECK_JUDGE")
    return found
