"""All keys and types of a battery that are not known, wherever they stand: for when something is wrong.

Reading stops at the first mistake of a mapping. This goes through the rest of it, and is lenient: what has
another shape than expected is left to the reading, which says so.
"""

from collections.abc import Iterator, Mapping

from sensecheck.batteries.assertions.registry import (
    SET,
    keys_of_type,
    missing_keys_of_assertion,
    unknown_keys_of_assertion,
    unknown_type,
)
from sensecheck.batteries.assertions.similarity import RULES, unknown_keys_of_rule
from sensecheck.batteries.cases import open_tests
from sensecheck.batteries.features import (
    DEFAULT_TEST,
    OPTIONS,
    OPTIONS_OF_RUNS,
    PROMPT,
    PROVIDER,
    REPEAT,
    TEST,
    TOP,
    Keys,
)
from sensecheck.batteries.files import Files
from sensecheck.batteries.providers import named_provider
from sensecheck.core.errors import BatteryError
from sensecheck.documents.node import Node


def unknown_keys(node: Node, files: Files) -> Iterator[BatteryError]:
    """Those of a whole battery, its tests in other files included."""
    yield from unknown_keys_of_head(node)
    if "tests" not in (entries := _entries(node)):
        return
    try:
        for row in open_tests(entries["tests"], files)():
            if isinstance(row, Node):
                yield from unknown_keys_of_test(row)
    except BatteryError:
        return  # the reading says what is wrong with a file of tests


def unknown_keys_of_head(node: Node) -> Iterator[BatteryError]:
    """Those of all that stands alongside the tests."""
    entries = _entries(node)
    yield from _of_mapping(TOP, node, "a battery")
    for prompt in _mappings_in(entries.get("prompts")):
        yield from _of_mapping(PROMPT, prompt, "a prompt")
    for provider in (*_mappings_in(entries.get("providers")), *_mappings_in(entries.get("targets"))):
        yield from _of_mapping(PROVIDER, named_provider(provider)[1], "a provider")
    yield from _of_mapping(OPTIONS_OF_RUNS, entries.get("evaluateOptions"), "`evaluateOptions`")
    yield from _of_repeat(entries)
    if "defaultTest" in entries:
        yield from _of_test(entries["defaultTest"], DEFAULT_TEST, "`defaultTest`")


def unknown_keys_of_test(node: Node) -> Iterator[BatteryError]:
    """Those of one test and of all that stands in it."""
    yield from _of_test(node, TEST, "a test")


def _of_test(node: Node, keys: Keys, what: str) -> Iterator[BatteryError]:
    entries = _entries(node)
    yield from _of_mapping(keys, node, what)
    yield from _of_mapping(OPTIONS, entries.get("options"), "`options`")
    yield from _of_repeat(entries)
    for assertion in _mappings_in(entries.get("assert")):
        yield from _of_assertion(assertion)
    for rule in _mappings_in(entries.get("embedding_validation")):
        kind = _type(rule)
        if kind in RULES:
            yield from unknown_keys_of_rule(kind, rule)


def _of_assertion(node: Node) -> Iterator[BatteryError]:
    """Its type, or else the keys that this type does not know, or else those that it lacks."""
    kind = _type(node)
    if (not kind and "type" in _entries(node)) or "{" in kind:
        return  # no text, or one in which a variable stands
    if wrong := unknown_type(node):
        yield wrong
        return
    unknown = list(unknown_keys_of_assertion(kind, node, keys_of_type(kind)))
    yield from unknown or missing_keys_of_assertion(kind, node)
    if kind == SET:
        for inner in _mappings_in(_entries(node).get("assert")):
            yield from _of_assertion(inner)


def _of_repeat(entries: Mapping[str, Node]) -> Iterator[BatteryError]:
    yield from _of_mapping(REPEAT, entries.get("repeat"), "`repeat`")


def _of_mapping(keys: Keys, node: Node | None, what: str) -> Iterator[BatteryError]:
    if node is not None and isinstance(node.value, Mapping):
        yield from keys.unread(node, what)


def _entries(node: Node) -> Mapping[str, Node]:
    return node.value if isinstance(node.value, Mapping) else {}


def _mappings_in(node: Node | None) -> tuple[Node, ...]:
    """The mappings of a list, or the one that stands alone."""
    if node is None:
        return ()
    nodes = node.value if isinstance(node.value, tuple) else (node,)
    return tuple(item for item in nodes if isinstance(item.value, Mapping))


def _type(node: Node) -> str:
    type_node = _entries(node).get("type")
    return type_node.value if type_node is not None and isinstance(type_node.value, str) else ""
