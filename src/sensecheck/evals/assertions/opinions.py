"""A second opinion: an assertion that is asked only where the one before it is unsure."""

from collections.abc import Mapping

from sensecheck.checks.combine import Cascade
from sensecheck.checks.introspection import may_be_unsure
from sensecheck.checks.weighted import Part
from sensecheck.evals.assertions.about import About
from sensecheck.evals.assertions.kinds import SET
from sensecheck.evals.assertions.single import WHEN, check_of, type_of
from sensecheck.evals.assertions.wanted import wanted
from sensecheck.evals.node import Node

Named = tuple[str, Part]
THEN = ", then "


def second_opinion(node: Node, held: Mapping[str, Node], about: About, first: Named | None) -> Named:
    """The assertion before this one, and this one, as a single one with the weight of the first."""
    held[WHEN].one_of("value of `when`", ("unsure",))
    if first is None:
        raise node.wrong("`when: unsure` wants an assertion before it; this is the first", key=WHEN)
    named = type_of(node, held)
    _must_fit(named, node, held, first)
    kind, part = first
    before = part.check.checks if isinstance(part.check, Cascade) and THEN in kind else (part.check,)
    checks = (*before, check_of(named, node, held, about))
    shown = "\n".join(text for text in (part.wanted, wanted(named, held, about)) if text)
    whole = Cascade(checks, "-then-".join(check.name for check in checks))
    return f"{kind}{THEN}{named}", Part(whole, part.weight, part.metric, wanted=shown)


def _must_fit(named: str, node: Node, held: Mapping[str, Node], first: Named) -> None:
    """Raise for what would be ignored: a second weight, an opinion that nobody would ever ask for."""
    for key in ("weight", "metric"):
        if key in held:
            raise node.wrong(f"`{key}` stands with the first of the two that `when` makes one", key=key)
    if named == SET:
        raise node.wrong(f"`when` is for a single assertion; found `{SET}`", key=WHEN)
    if not may_be_unsure(first[1].check):
        never = f"`{first[0]}` is never unsure, so `{named}` would never be asked"
        raise node.wrong(f"{never}; give it a `doubt`, or a card that has one", key=WHEN)
