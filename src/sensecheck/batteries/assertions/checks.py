"""Our checks, latency and cost.

Assertions of our own: our checks, by the names that a battery has for them.

Assertions on what the answer took: time and money.
"""

from collections.abc import Callable, Mapping
from typing import get_args

from sensecheck.batteries.assertions.base import (
    CHANCE,
    CLOSENESS,
    CLUSTERS,
    COUNT,
    LINE,
    PORTION,
    REPEATED,
    SHARE,
    TEXT,
    TEXTS,
    Asked,
    Kind,
    Readings,
    must_name_no_file,
    preset,
)
from sensecheck.batteries.assertions.similarity import loaded_clusters
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.policies import POLICIES
from sensecheck.checks.presets import MeansPolicy
from sensecheck.checks.spec import check_from_data
from sensecheck.core.cutoff import at_most
from sensecheck.core.protocols import Check
from sensecheck.documents.node import Node
from sensecheck.measures.usage import Cost, Latency


def _preset(asked: Asked, kind: str, *keys: str, readings: Readings = CHANCE, **named: Node) -> Check:
    """The preset, with those of its arguments that stand in the file."""
    asked.line(0.0, readings)  # its bounds
    given = {key: asked.held[key] for key in keys if key in asked.held}
    return preset(kind, {**given, **named}, asked.node, asked.about)


def _means(asked: Asked) -> Check:
    policy = asked.held.get("policy")
    readings = CLOSENESS if policy is not None and policy.held == "similarity" else PORTION
    same = _preset(asked, "means", "threshold", "doubt", "policy", readings=readings)
    question = asked.given("question") or _variable(asked, "question")
    return Against(
        same,
        question=None if question is None else question.text("`question` of `means`"),
        expected=asked.expected(),
    )


def _keeps_facts(asked: Asked) -> Check:
    return Against(_preset(asked, "keeps_facts"), expected=asked.expected())


def _not_refusal(asked: Asked) -> Check:
    return _preset(asked, "not_a_refusal", "threshold", "doubt")


def _not_circling(asked: Asked) -> Check:
    return _preset(asked, "not_circling", "threshold", readings=REPEATED)


def _cluster(asked: Asked) -> Check:
    wanted = [key for key in ("expected", "wanted") if key in asked.held]
    if len(wanted) != 1 or "clusters" not in asked.held:
        raise asked.node.wrong("`cluster` wants `clusters`, and one of them as `expected`")
    clusters = loaded_clusters(asked.held["clusters"], asked.about)
    one = asked.held[wanted[0]]
    return _preset(asked, "classified_as", "by", "doubt", clusters=clusters, wanted=one)


def _verdict(asked: Asked) -> Check:
    """The value, or else the variable `expected_verdict`."""
    held = asked.given("value") or Node(asked.about.vars.get("expected_verdict"), asked.node.place)
    wanted = Node(held.text("`value` of `verdict`, or the variable `expected_verdict`,").lower(), held.place)
    wanted.one_of("verdict", ("pass", "fail"))
    return _preset(asked, "verdict_is", "threshold", wanted=wanted)


def _grounded(asked: Asked) -> Check:
    question = asked.given("question") or _variable(asked, "question")
    passages = asked.given("passages") or _variable(asked, "context") or _variable(asked, "passages")
    if passages is None:
        raise asked.node.wrong("`grounded` lacks `passages`; wanted the key, or the variable `context`")
    return Against(
        _preset(asked, "grounded", "policy", "threshold", readings=PORTION),
        question=None if question is None else question.text("`question` of `grounded`"),
        passages=passages.texts("`passages` of `grounded`"),
    )


def _variable(asked: Asked, name: str) -> Node | None:
    found = asked.about.vars.get(name)
    return None if found is None else Node.of(found, asked.node.place)


def _check(asked: Asked) -> Check:
    must_name_no_file(asked.held["check"])
    return check_from_data(asked.held["check"].plain(), shelf=asked.about.shelf)


_LINE = {"threshold": LINE}
_REFUSAL = Kind("The answer is a refusal.", _not_refusal, {**_LINE, "doubt": SHARE}, denies=True)
OWN_KINDS: Mapping[str, Kind] = {
    "means": Kind(
        "The answer means what this text, or the variable `expected`, says, and changes none of its facts.",
        _means,
        {
            "value": TEXT,
            "question": TEXT,
            "policy": {"enum": list(get_args(MeansPolicy))},
            **_LINE,
            "doubt": SHARE,
        },
    ),
    "keeps-facts": Kind(
        "The answer states no number, date, name or negation that this text, or the variable `expected`, "
        "has otherwise or has not.",
        _keeps_facts,
        {"value": TEXT},
    ),
    "cluster": Kind(
        "The answer lies nearer to the examples of this cluster than to any other's.",
        _cluster,
        {"clusters": CLUSTERS, "expected": TEXT, "wanted": TEXT, "by": TEXT, "doubt": SHARE},
        ("clusters",),
    ),
    "refusal": _REFUSAL,
    "is-refusal": _REFUSAL,
    "reasoning-loop": Kind(
        "The answer says again and again what it has said.", _not_circling, _LINE, denies=True
    ),
    "grounded": Kind(
        "Every claim of the answer is supported by the passages, or by the variable `context` or `passages`.",
        _grounded,
        {"passages": TEXTS, "question": TEXT, "policy": {"enum": [*POLICIES]}, **_LINE},
    ),
    "verdict": Kind(
        "The answer, the text of a judge, gives this verdict, or that of the variable `expected_verdict`.",
        _verdict,
        {"value": {"type": "string", "pattern": "^(?:[Pp][Aa][Ss][Ss]|[Ff][Aa][Ii][Ll])$"}, **_LINE},
    ),
    "check": Kind(
        "A check as data passes: any preset, or any combination of gates.",
        _check,
        {"check": {"type": "object", "required": ["kind"]}},
        ("check",),
    ),
}


def _spent(measure: Latency | Cost) -> Callable[[Asked], Check]:
    def build(asked: Asked) -> Check:
        return Gate(measure, at_most(asked.number("threshold", least=0.0, most=float("inf"))), asked.type)

    return build


SPENT_KINDS: Mapping[str, Kind] = {
    "latency": Kind(
        "The answer came within so many milliseconds.",
        _spent(Latency()),
        {"threshold": COUNT},
        ("threshold",),
    ),
    "cost": Kind("The answer cost so much or less.", _spent(Cost()), {"threshold": COUNT}, ("threshold",)),
}
