"""Who reads the answers of an evaluation: metrics, encoders, and whoever else these need."""

from dataclasses import replace

from sensecheck.cli.eval_order import Order
from sensecheck.cli.eval_shown import shown_encoder
from sensecheck.core.backends import Judge
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.evals.qa.panel import NEVER_ANSWERED, NamedEncoder, Panel
from sensecheck.measures.metrics import Metric, metrics_named, standard_for
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
    if "lexical" in kinds:
        with extra("eval"):  # told now, and not in the middle of a run
            import rapidfuzz  # noqa: F401, PLC0415
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
    found = [NamedEncoder(shown_encoder(first), encoder(order.settings))]
    for named in others:
        loaded = encoder(replace(order.settings, encoder=named, prefix="", api_key=None))
        found.append(NamedEncoder(shown_encoder(named), loaded))
    _must_differ(found)
    return tuple(one.settled() for one in found)


def _must_differ(found: list[NamedEncoder]) -> None:
    """Of those that do not answer, nobody can say."""
    seen: dict[str, str] = {}
    for name, fingerprint in (one.mark for one in found) if len(found) > 1 else ():
        if fingerprint in seen:
            raise SpecError(f"`--encoder {name}` is the same as `{seen[fingerprint]}`; leave one of them out")
        if not fingerprint.startswith(NEVER_ANSWERED):
            seen[fingerprint] = name


def _judge(order: Order, metrics: tuple[Metric, ...]) -> Judge:
    found = judge(order.settings)
    if found is None:
        named = ", ".join(f"`{metric.name}`" for metric in metrics if metric.kind == "judged")
        raise SpecError(f"nobody is there to judge {named}; name a judge in SENSECHECK_JUDGE")
    return found
