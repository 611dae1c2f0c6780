"""All types of assertions by name, and what a test asks of its answer, read into weighted checks.

An assertion may be asked only where the one before it is unsure: that is a second opinion.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from sensecheck.batteries.assertions import checks, javascript, rubric, script, similarity, text
from sensecheck.batteries.assertions.base import About, AssertionInput, AssertionType, expected_text
from sensecheck.batteries.features import no_key_of_ours, no_type_of_ours
from sensecheck.checks.combine import Cascade
from sensecheck.checks.gate import Against
from sensecheck.checks.introspection import may_be_unsure
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.serialization import did_you_mean
from sensecheck.documents.node import Mistakes, Node

KINDS: Mapping[str, AssertionType] = {
    **text.KINDS,
    **similarity.KINDS,
    **checks.SPENT_KINDS,
    **script.KINDS,
    **javascript.KINDS,
    **rubric.KINDS,
    **checks.OWN_KINDS,
}
SET = "assert-set"
"""Several assertions that count as one."""

_SHARED = ("type", "weight", "metric")
_TRANSFORM = "transform"
_WHEN = "when"

Named = tuple[str, Part]
_THEN = ", then "

HEAVIEST: Final = 1_000_000
"""The most that an assertion may be worth alongside the others."""


def read_assertions(node: Node, about: About) -> tuple[Named, ...]:
    """The parts of a test's check, each with its type as the file has it; the texts are filled in already.

    What is wrong with any of them is reported together.
    """
    assertions: list[Named | None] = []
    mistakes = Mistakes()
    for item in node.items("`assert`"):
        try:
            keys = item.mapping("an assertion")
            if _WHEN not in keys:
                assertions.append(_assertion(item, keys, about))
            elif assertions and assertions[-1] is None:
                continue  # the assertion that it belongs to is wrong itself
            else:
                first = assertions[-1] if assertions else None
                assertions[-1:] = [_second_opinion(item, keys, about, first)]
        except BatteryError as error:
            mistakes.add(error)
            assertions.append(None)
    mistakes.raise_if_any()
    return tuple(assertion for assertion in assertions if assertion is not None)


def score_of(node: Node, what: str) -> float:
    """The score that must be reached: more than 0, or nothing could fall short of it."""
    score = node.number(what, least=0.0, most=1.0)
    if score == 0:
        raise node.error(f"with {what} of 0 it could never fail; take it out")
    return score


def keys_of_type(named: str) -> tuple[str, ...]:
    """What may stand in an assertion of a known type."""
    if named == SET:
        return (*_SHARED, "assert", "threshold")
    return (*KINDS[named.removeprefix("not-")].keys, *_SHARED, _WHEN, _TRANSFORM)


def unknown_keys_of_assertion(named: str, node: Node, known: tuple[str, ...]) -> Iterator[BatteryError]:
    """What is wrong with each key that would be ignored."""
    for key, item in node.mapping("an assertion").items():
        if key not in known:
            message = no_key_of_ours(key, item, named) or did_you_mean(f"key of `{named}`", key, known)
            yield node.error(message, key=key)


def missing_keys_of_assertion(named: str, node: Node) -> Iterator[BatteryError]:
    """What is said of each key that an assertion of a known type lacks."""
    required = ("assert",) if named == SET else KINDS[named.removeprefix("not-")].required
    keys = node.mapping("an assertion")
    return (node.error(f"`{named}` lacks the key `{key}`") for key in required if key not in keys)


def unknown_type(node: Node) -> BatteryError | None:
    """What is wrong with the type of an assertion, or that it has none; None for one that is known."""
    keys = node.mapping("an assertion")
    if "type" not in keys:
        return node.error("an assertion lacks the key `type`")
    named = keys["type"].text("`type`")
    if named == SET or named.removeprefix("not-") in KINDS:
        return None
    turned = "not-" if named.startswith("not-") else ""
    allowed = [f"{turned}{kind}" for kind in KINDS] + [SET] * (not turned)
    return keys["type"].error(no_type_of_ours(named) or did_you_mean("type of assertion", named, allowed))


def _second_opinion(node: Node, keys: Mapping[str, Node], about: About, first: Named | None) -> Named:
    """The assertion before this one, and this one, as a single one with the weight of the first."""
    keys[_WHEN].one_of("value of `when`", ("unsure",))
    if first is None:
        raise node.error("`when: unsure` must have an assertion before it; this is the first", key=_WHEN)
    named = _type_of(node, keys)
    _validate_keys(named, node, keys, first)
    kind, part = first
    before = part.check.checks if isinstance(part.check, Cascade) and _THEN in kind else (part.check,)
    checks = (*before, _check_of(named, node, keys, about))
    expected = "\n".join(text for text in (part.wanted, expected_text(named, keys, about)) if text)
    cascade = Cascade(checks, "-then-".join(check.name for check in checks))
    return f"{kind}{_THEN}{named}", Part(cascade, part.weight, part.metric, wanted=expected)


def _type_of(node: Node, keys: Mapping[str, Node]) -> str:
    """The type as the file has it; one that is not known is an error."""
    if wrong := unknown_type(node):
        raise wrong
    return keys["type"].text("`type`")


def _validate_keys(named: str, node: Node, keys: Mapping[str, Node], first: Named) -> None:
    """Raise for what would be ignored: a second weight, an opinion that would never be asked for."""
    for key in ("weight", "metric"):
        if key in keys:
            raise node.error(f"`{key}` stands with the first of the two that `when` makes one", key=key)
    if named == SET:
        raise node.error(f"`when` is for a single assertion; got `{SET}`", key=_WHEN)
    if not may_be_unsure(first[1].check):
        never = f"`{first[0]}` is never unsure, so `{named}` would never be asked"
        raise node.error(f"{never}; give it a `doubt`, or a card that has one", key=_WHEN)


def _check_of(named: str, node: Node, keys: Mapping[str, Node], about: About) -> Check:
    """The check that an assertion of this type becomes."""
    base = named.removeprefix("not-")
    kind = KINDS[base]
    _require_keys(named, node)
    try:
        check = kind.check(
            AssertionInput(base, node, keys, about, named, turned=(named != base) != kind.denies)
        )
        if _TRANSFORM not in keys:
            return check
        return Against(check, transform=javascript.transform_of(keys[_TRANSFORM], about))
    except BatteryError:
        raise
    except SpecError as error:
        raise node.error(f"`{named}`: {error}", key="value") from error


def _require_keys(named: str, node: Node) -> None:
    """Raise for the keys that would be ignored, or else for those that are missing."""
    mistakes = Mistakes()
    for wrong in unknown_keys_of_assertion(named, node, keys_of_type(named)):
        mistakes.add(wrong)
    mistakes.raise_if_any()
    for wrong in missing_keys_of_assertion(named, node):
        raise wrong


def _assertion(node: Node, keys: Mapping[str, Node], about: About) -> Named:
    named = _type_of(node, keys)
    weight = keys["weight"].number("`weight`", least=0.0, most=HEAVIEST) if "weight" in keys else 1.0
    metric = keys["metric"].text("`metric`") if "metric" in keys else ""
    if named == SET:
        return named, Part(_set(node, keys, about), weight, metric, graded=True)
    graded = KINDS[named.removeprefix("not-")].is_graded(keys)
    return named, Part(
        _check_of(named, node, keys, about), weight, metric, graded, expected_text(named, keys, about)
    )


def _set(node: Node, keys: Mapping[str, Node], about: About) -> Scored:
    """Several assertions as one."""
    _require_keys(SET, node)
    parts = tuple(part for _, part in read_assertions(keys["assert"], about))
    threshold = score_of(keys["threshold"], f"a `threshold` of `{SET}`") if "threshold" in keys else None
    try:
        return Scored(parts, threshold, SET)
    except SpecError as error:
        raise node.error(str(error), key="assert") from error
