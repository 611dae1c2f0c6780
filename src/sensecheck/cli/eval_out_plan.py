"""The plan of a large run: what a command line says, and what stands in the inputs."""

from sensecheck import __version__
from sensecheck.cli.eval_out_order import OutOrder
from sensecheck.cli.eval_shown import shown_encoder
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import unknown
from sensecheck.encoders.caches import precision_of
from sensecheck.evals.qa.files.columns import NAMES, Meant
from sensecheck.evals.shards.inputs import inputs_of
from sensecheck.evals.shards.plan import RunPlan
from sensecheck.evals.shards.planning import plan_run
from sensecheck.evals.shards.readers import fingerprints_of
from sensecheck.evals.shards.survey import columns_of
from sensecheck.evals.tables.needed import needed_by
from sensecheck.evals.tables.order import TableOrder
from sensecheck.evals.tables.result_fields import must_be_free, result_fields
from sensecheck.measures.metrics import standard_for
from sensecheck.wiring import table_readers

_TEXTS = ("question", "expected", "answer", "passages")


def meant_by(order: OutOrder) -> Meant:
    """What the columns of the inputs are; one that somebody named, and that they lack, is a slip."""
    found = columns_of(inputs_of(order.addresses))
    for column in order.columns.named:
        if column not in found:
            raise SampleError(f"in the inputs: {unknown('column', column, found)}")
    meant = order.columns.meant(found, tuple(NAMES), "the input")
    if "answer" not in meant.parts:
        listed = ", ".join(f"`{name}`" for name in found) or "none"
        raise SampleError(
            f"no column of the inputs holds an `answer`; found {listed}; name one: `--column answer=COLUMN`"
        )
    return meant


def plan_of(order: OutOrder, meant: Meant, earlier: RunPlan | None) -> RunPlan:
    """What is to be done; `earlier` is the plan of a finished run, for which nobody is loaded again."""
    asked = _asked(order, meant)
    carried = _carried(order, meant)
    must_be_free(result_fields(asked), carried)
    return plan_run(
        asked,
        _readers(order, asked, earlier),
        order.addresses,
        shard_rows=order.shard_rows,
        carried=carried,
    )


def _asked(order: OutOrder, meant: Meant) -> TableOrder:
    parts = meant.parts.keys() & set(_TEXTS)
    checks = order.checks_as_data()
    metrics = order.metrics or standard_for(parts, judge=bool(order.settings.judge))
    if not metrics and not checks:
        raise SpecError(
            "no metric applies to inputs without `expected` answers and `passages`; name one with "
            "`--metric`, or a check with `--check`"
        )
    return TableOrder(tuple(dict.fromkeys(metrics)), checks, dict(meant.parts))


def _carried(order: OutOrder, meant: Meant) -> tuple[str, ...]:
    """What stands in the results beside the readings: which row it is, its kinds, and its texts."""
    parts = [column for part, column in meant.parts.items() if order.with_texts or part not in _TEXTS]
    return (*parts, *order.columns.slices, *order.columns.labels)


def _readers(order: OutOrder, asked: TableOrder, earlier: RunPlan | None) -> dict[str, str]:
    """Who reads, by name and by fingerprint; of a finished run, whose fingerprints it was."""
    settings, needed = order.settings, needed_by(asked)
    if order.encoders and "encoder" not in needed:
        raise SpecError("`--encoder` is for metrics and checks that compare meaning, and none of these does")
    prefix = f" after `{settings.prefix}`" if settings.prefix else ""
    described = {
        "encoder": f"{shown_encoder(settings.encoder)}{prefix}",
        "verifier": settings.verifier,
        "judge": shown_encoder(settings.judge),
    }
    named = {f"{reader}_named": described[reader] for reader in sorted(needed)}
    if "encoder" in needed:
        named["vectors"] = precision_of(settings.cache)
    if earlier is None:
        return {"sensecheck": __version__, **named, **fingerprints_of(table_readers(settings, asked))}
    known: dict[str, str] = {reader: earlier.readers.get(reader, "") for reader in needed}
    return {"sensecheck": __version__, **named, **known}
