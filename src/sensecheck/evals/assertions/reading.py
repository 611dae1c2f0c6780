"""What a test asks of its answer, as the file has it, read into checks with their weights."""

from collections.abc import Mapping

from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.errors import SpecError
from sensecheck.evals.assertions.about import About
from sensecheck.evals.assertions.embedding import read_embedding_validation
from sensecheck.evals.assertions.kinds import KINDS, SET
from sensecheck.evals.assertions.opinions import Named, second_opinion
from sensecheck.evals.assertions.scores import score_of, weight_of
from sensecheck.evals.assertions.single import WHEN, check_of, must_hold, type_of
from sensecheck.evals.assertions.wanted import wanted
from sensecheck.evals.node import Node

__all__ = ["About", "read_assertions", "read_embedding_validation"]


def read_assertions(node: Node, about: About) -> tuple[Named, ...]:
    """The parts of a test's check, each with its type as the file has it; the texts are filled in already."""
    read: list[Named] = []
    for item in node.items("`assert`"):
        held = item.mapping("an assertion")
        if WHEN in held:
            read[-1:] = [second_opinion(item, held, about, read[-1] if read else None)]
        else:
            read.append(_assertion(item, held, about))
    return tuple(read)


def _assertion(node: Node, held: Mapping[str, Node], about: About) -> Named:
    named = type_of(node, held)
    weight = weight_of(held["weight"]) if "weight" in held else 1.0
    metric = held["metric"].text("`metric`") if "metric" in held else ""
    if named == SET:
        return named, Part(_set(node, held, about), weight, metric, graded=True)
    graded = KINDS[named.removeprefix("not-")].graded
    return named, Part(check_of(named, node, held, about), weight, metric, graded, wanted(named, held, about))


def _set(node: Node, held: Mapping[str, Node], about: About) -> Scored:
    """Several assertions as one."""
    must_hold(SET, node, held, ("assert",))
    parts = tuple(part for _, part in read_assertions(held["assert"], about))
    threshold = score_of(held["threshold"], f"a `threshold` of `{SET}`") if "threshold" in held else None
    try:
        return Scored(parts, threshold, SET)
    except SpecError as wrong:
        raise node.wrong(str(wrong), key="assert") from wrong
