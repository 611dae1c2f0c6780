"""A reference that a retriever found, as a row has it: strictly, and told with its number in the row."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sensecheck.cli.guard_keys import own_keys, reference_keys
from sensecheck.core.errors import SampleError
from sensecheck.evals.node import Node
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import Scale, closeness_from


class Reference(NamedTuple):
    """A match, and what else was said of it."""

    match: Match
    measured: bool
    """Whether its closeness is known; where it is not, a 0 stands in."""
    own: Mapping[str, Any]
    """What is given back as it came: its id, and what stands under keys of the user's own."""


def read_reference(node: Node, scale: Scale | None, at: str) -> Reference:
    """The reference that is called `at` in messages; `scale` is that of a `score`."""
    if isinstance(node.held, str):
        node = Node({"text": node}, node.place)
    held = reference_keys(node, at)
    closeness = _closeness(node, held, scale, at)
    encoder = maybe(held, "encoder")
    if encoder is not None and closeness is None:
        raise node.wrong(f"`encoder` says whose closeness it is, and `{at}` has none")
    if (label := maybe(held, "relevant")) is not None:  # for `sensecheck effects`; nobody is guarded by it
        label.truth(f"`{at}.relevant`")
    if "text" not in held:
        raise node.wrong(f"`{at}` lacks the key `text`")
    more: dict[str, Any] = {}
    if (source := maybe(held, "source")) is not None:
        more["source"] = source.text(f"`{at}.source`")
    if (metadata := maybe(held, "metadata")) is not None:
        more["metadata"] = {key: one.plain() for key, one in metadata.entries(f"`{at}.metadata`").items()}
    if (given := maybe(held, "reference_score")) is not None:
        more["reference_score"] = given.number(f"`{at}.reference_score`")
    if encoder is not None:
        more["encoder"] = encoder.text(f"`{at}.encoder`")
    own = own_keys(node)
    if (name := id_in(held, f"`{at}.id`")) is not None:
        more["id"] = str(name)
        own = {"id": name, **own}
    match = Match(held["text"].text(f"`{at}.text`"), 0.0 if closeness is None else closeness, **more)
    return Reference(match, closeness is not None, own)


def id_in(held: Mapping[str, Node], what: str) -> str | int | None:
    """A text or a whole number, if there is one."""
    node = maybe(held, "id")
    if node is None:
        return None
    return node.held if type(node.held) is int else node.text(what)


def maybe(held: Mapping[str, Node], key: str) -> Node | None:
    """The value, unless it is not there, or `null`."""
    node = held.get(key)
    return None if node is None or node.held is None else node


def _closeness(node: Node, held: Mapping[str, Node], scale: Scale | None, at: str) -> float | None:
    closeness, score = maybe(held, "closeness"), maybe(held, "score")
    if closeness is not None and score is not None:
        raise node.wrong(f"`{at}` has both `closeness` and `score`; wanted one of them")
    if closeness is not None and scale is not None:
        raise node.wrong(
            f"`--scale` says what a `score` is, and `{at}` has a `closeness`, which is a cosine already; "
            "wanted a `score`, or no `--scale`"
        )
    if closeness is not None:
        return _cosine(closeness, f"`{at}.closeness`")
    if score is None and scale is None:
        return None
    if score is None:
        raise node.wrong(f"`--scale` was given, and `{at}` has no `score`")
    if scale is None:
        raise node.wrong(f"`{at}` has a `score`; `--scale` must say what the store means by it")
    try:
        return closeness_from(score.number(f"`{at}.score`"), scale)
    except SampleError as wrong:
        raise node.wrong(f"in `{at}`: {wrong}") from wrong


def _cosine(node: Node, what: str) -> float:
    found = node.number(what)
    if not -1 <= found <= 1:
        raise node.wrong(
            f"{what} wants a cosine, from -1 to 1; found {found}; what a store gives instead is called "
            "`score`, and `--scale` says what it is"
        )
    return found
