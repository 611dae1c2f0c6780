"""Assertions that compare the answer with a reference, by meaning, by letters or by words.

Also the rules on embeddings that a test may have alongside its assertions: `embedding_validation`.
"""

from collections.abc import Iterator, Mapping

from sensecheck.batteries.assertions.base import (
    CLOSENESS,
    CLUSTERS,
    COUNT,
    DRIFT,
    LINE,
    NEARNESS,
    PORTION,
    REPEATED,
    SCORE,
    SHARE,
    TEXT,
    TEXTS,
    About,
    AssertionInput,
    AssertionType,
    Readings,
    Schema,
    expected_text,
    loaded,
    preset,
)
from sensecheck.batteries.features import Keys
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.weighted import Part
from sensecheck.core.cutoff import Cutoff, at_least, at_most
from sensecheck.core.errors import BatteryError
from sensecheck.core.protocols import Check
from sensecheck.documents.node import Node
from sensecheck.documents.reading import names_file
from sensecheck.measures.exemplars import NearestExemplar
from sensecheck.measures.lexical.bleu import Bleu
from sensecheck.measures.lexical.content import Levenshtein
from sensecheck.measures.lexical.rouge import RougeN
from sensecheck.measures.similarity import Similarity

_INFINITE = float("inf")

RULES: Mapping[str, Mapping[str, Schema]] = {
    "drift_threshold": {"expected": TEXT, "threshold": LINE},
    "cluster_classification": {"clusters": CLUSTERS, "expected_cluster": TEXT},
    "refusal_cluster": {"threshold": LINE},
    "trajectory": {"max_heller_score": LINE},
}
"""What each rule takes; the presets of these names decide."""
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "drift_threshold": ("expected",),
    "cluster_classification": ("clusters", "expected_cluster"),
}
_THRESHOLDS: Mapping[str, tuple[str, Readings]] = {
    "drift_threshold": ("threshold", DRIFT),
    "refusal_cluster": ("threshold", NEARNESS),
    "trajectory": ("max_heller_score", REPEATED),
}
"""The key of each rule's threshold, and the readings that it is compared with."""


def loaded_clusters(node: Node, about: About) -> Node:
    """Lists of texts by label; each list, each text or the whole may come from a file."""
    whole = loaded(node, about) if names_file(node) else node
    clusters = {
        label: _exemplars(label, texts, about) for label, texts in whole.entries("`clusters`").items()
    }
    return Node(clusters, whole.place, whole.keys)


def read_embedding_validation(node: Node, about: About) -> tuple[tuple[str, Part], ...]:
    """The parts of a test's check: one rule, or a list of them."""
    rules = node.items("`embedding_validation`") if isinstance(node.value, tuple) else (node,)
    if not rules:
        raise node.error("`embedding_validation` must have at least one rule; got an empty list")
    return tuple(_rule(rule, about) for rule in rules)


def unknown_keys_of_rule(kind: str, node: Node) -> Iterator[BatteryError]:
    """What is wrong with each key that a rule does not take."""
    return Keys({"type": {}, **RULES[kind]}).unread(node, f"`{kind}`")


def _exemplars(label: str, node: Node, about: About) -> Node:
    """A list of texts; a file with a single text is one of a single entry."""
    texts, what = loaded(node, about), f"`{label}` of `clusters`"
    if names_file(node) and isinstance(texts.value, str):
        return Node((texts,), node.place)
    if not isinstance(texts.value, tuple):
        raise texts.error(f"{what} must be a list of strings; got {texts.kind}")
    for text in texts.value:
        text.text(f"each entry of {what}")
    return texts


def _rule(node: Node, about: About) -> tuple[str, Part]:
    arguments = dict(node.mapping("`embedding_validation`"))
    if "type" not in arguments:
        raise node.error(f"`embedding_validation` lacks the key `type`; known: {', '.join(RULES)}")
    kind = arguments.pop("type").one_of("type of `embedding_validation`", RULES)
    for wrong in unknown_keys_of_rule(kind, node):
        raise wrong
    for required in REQUIRED.get(kind, ()):
        if required not in arguments:
            raise node.error(f"`{kind}` lacks the key `{required}`")
    key, readings = _THRESHOLDS.get(kind, ("", DRIFT))
    if key in arguments and not isinstance(arguments[key].value, str | Mapping):
        readings.line(arguments[key], f"`{key}` of `{kind}`")  # raises where every answer would be alike
    reference = expected_text(kind, arguments, about)
    expected = arguments.pop("expected", None)
    if "clusters" in arguments:
        arguments["clusters"] = loaded_clusters(arguments["clusters"], about)
    check = preset(kind, arguments, node, about)
    if expected is not None:
        check = Against(check, expected=loaded(expected, about).text(f"`expected` of `{kind}`"))
    return kind, Part(check, wanted=reference)


def _similar(assertion: AssertionInput) -> Check:
    """Near one text, or near any of several; a threshold that is a number may be given an unsure band."""
    texts = assertion.value().texts("`value` of `similar`")
    measure = Similarity() if len(texts) == 1 else NearestExemplar(texts)
    doubt = assertion.number("doubt", 0.0, least=0.0, most=1.0)
    if "doubt" in assertion.entries and not isinstance(assertion.line(0.75, CLOSENESS), int | float):
        raise assertion.error("`doubt` is for a threshold that is a number; a card has its own", key="doubt")
    gate = Gate(measure, assertion.cutoff(measure, 0.75, CLOSENESS, doubt=doubt), assertion.type)
    return Against(gate, expected=texts[0]) if len(texts) == 1 else gate


_SIMILAR = AssertionType(
    "The answer lies near this text, or near one of these: a similarity of 0.75 or more.",
    _similar,
    {"value": TEXTS, "threshold": LINE, "doubt": SHARE},
    ("value",),
    graded=True,
)


def _levenshtein(assertion: AssertionInput) -> Check:
    cutoff = at_most(assertion.number("threshold", 5.0, least=0.0, most=_INFINITE))
    return Gate(Levenshtein(assertion.expected()), cutoff, assertion.type)


def _rouge_n(assertion: AssertionInput) -> Check:
    return Gate(RougeN(assertion.expected()), _shared(assertion, 0.75), assertion.type)


def _bleu(assertion: AssertionInput) -> Check:
    references = (
        assertion.value().texts("`value` of `bleu`")
        if "value" in assertion.entries
        else (assertion.expected(),)
    )
    return Gate(Bleu(references), _shared(assertion, 0.5), assertion.type)


KINDS: Mapping[str, AssertionType] = {
    "similar": _SIMILAR,
    "similar:cosine": _SIMILAR,
    "levenshtein": AssertionType(
        "Few changes of letters, 5 or fewer, make the answer this text.",
        _levenshtein,
        {"value": TEXT, "threshold": COUNT},
    ),
    "rouge-n": AssertionType(
        "The answer shares words with this text: a ROUGE-1 of 0.75 or more.",
        _rouge_n,
        {"value": TEXT, "threshold": SCORE},
        graded=True,
    ),
    "bleu": AssertionType(
        "The answer shares runs of words with these texts: a BLEU of 0.5 or more.",
        _bleu,
        {"value": TEXTS, "threshold": SCORE},
        graded=True,
    ),
}


def _shared(assertion: AssertionInput, default: float) -> Cutoff:
    what = f"`threshold` of `{assertion.named}`"
    node = assertion.entries.get("threshold")
    return at_least(default if node is None else PORTION.line(node, what, turned=assertion.turned))
