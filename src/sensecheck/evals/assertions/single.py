"""One assertion: its type, and the check that it becomes."""

from collections.abc import Iterable, Iterator, Mapping

from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.serialization import unknown
from sensecheck.evals.assertions.about import About
from sensecheck.evals.assertions.asked import Asked
from sensecheck.evals.assertions.kinds import KINDS, SET
from sensecheck.evals.assertions.unsupported import no_key_of_ours, no_type_of_ours
from sensecheck.evals.node import Node

SHARED = ("type", "weight", "metric")
WHEN = "when"


def type_of(node: Node, held: Mapping[str, Node]) -> str:
    """The type as the file has it; one that is not known is an error."""
    if "type" not in held:
        raise node.wrong("an assertion lacks the key `type`")
    named = held["type"].text("`type`")
    if named == SET or named.removeprefix("not-") in KINDS:
        return named
    turned = "not-" if named.startswith("not-") else ""
    known = [f"{turned}{kind}" for kind in KINDS] + [SET] * (not turned)
    raise held["type"].wrong(no_type_of_ours(named) or unknown("type of assertion", named, known))


def check_of(named: str, node: Node, held: Mapping[str, Node], about: About) -> Check:
    """The check that an assertion of this type becomes."""
    base = named.removeprefix("not-")
    kind = KINDS[base]
    must_hold(named, node, held, kind.required)
    try:
        return kind.check(Asked(base, node, held, about, named, turned=(named != base) != kind.denies))
    except BatteryError:
        raise
    except SpecError as wrong:
        raise node.wrong(f"`{named}`: {wrong}", key="value") from wrong


def keys_of_type(named: str) -> tuple[str, ...]:
    """What may stand in an assertion of a known type."""
    if named == SET:
        return (*SHARED, "assert", "threshold")
    return (*KINDS[named.removeprefix("not-")].keys, *SHARED, WHEN)


def unknown_keys_of_assertion(named: str, node: Node, known: tuple[str, ...]) -> Iterator[BatteryError]:
    """What is wrong with each key that would be ignored."""
    for key in node.mapping("an assertion"):
        if key not in known:
            yield node.wrong(no_key_of_ours(key) or unknown(f"key of `{named}`", key, known), key=key)


def must_hold(named: str, node: Node, held: Mapping[str, Node], required: Iterable[str]) -> None:
    """Raise for a key that would be ignored, and for one that is missing."""
    for wrong in unknown_keys_of_assertion(named, node, keys_of_type(named)):
        raise wrong
    for key in required:
        if key not in held:
            raise node.wrong(f"`{named}` lacks the key `{key}`")
