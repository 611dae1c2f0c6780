"""From a battery file to a battery: read once, and all that is wrong reported with its place."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from sensecheck.batteries.assertions.registry import (
    SET,
    keys_of_type,
    missing_keys_of_assertion,
    unknown_keys_of_assertion,
    unknown_type,
)
from sensecheck.batteries.assertions.similarity import RULES, unknown_keys_of_rule
from sensecheck.batteries.battery import OWN_PROMPT, Battery, BatteryTest, PromptTemplate, Repeat
from sensecheck.batteries.cases import BatteryHeader, CaseReader, KeyBook, Row, open_tests
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
from sensecheck.batteries.prompts import read_prompts, render_prompt
from sensecheck.batteries.providers import named_provider, read_repeat, read_sources
from sensecheck.calibration.library import CardLibrary
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.documents.node import Mistakes, Node, Place
from sensecheck.documents.yaml import text_of
from sensecheck.runs.export import suffix_of
from sensecheck.sources.source import SourceSpec

_NO_PROMPTS: tuple[PromptTemplate, ...] = ()


def read_battery(
    path: Path, *, environment: Mapping[str, str], library: CardLibrary | None = None
) -> Battery:
    """The battery in a YAML or JSON file; `BatteryError` names every place where something is wrong."""
    files = Files(path.parent)
    node = files.document(path, Node(None, Place(str(path), 1)))
    try:
        head = read_head(node, files, environment)
        reader = CaseReader(files, library or CardLibrary.shipped(), head)
        if head.default is not None:
            reader = replace(reader, default=reader.read_default(head.default))
    except BatteryError as error:
        raise _with_unknown_keys(error, node, files) from error
    _require_valid_tests(reader, node)
    return Battery(
        path=path,
        description=head.description,
        prompts=head.prompts,
        sources=head.sources,
        read_tests=lambda: _tests(reader),
        digest=files.digest(),
        environment=head.environment,
        concurrency=head.concurrency,
        reports=head.reports,
    )


def read_head(node: Node, files: Files, environment: Mapping[str, str]) -> BatteryHeader:
    """The head of a battery; what is wrong in any of its parts is reported at once."""
    keys = TOP.of(node, "a battery")
    mistakes = Mistakes()
    prompts: tuple[PromptTemplate, ...] = mistakes.noting(lambda: _prompts(keys, files), _NO_PROMPTS)
    head = BatteryHeader(
        description=mistakes.noting(lambda: _description(keys), ""),
        environment=mistakes.noting(lambda: {**environment, **_environment(keys)}, {}),
        prompts=prompts,
        sources=mistakes.noting(lambda: _sources(keys, files, prompts), ()),
        repeat=mistakes.noting(lambda: _repeat(keys), None),
        concurrency=mistakes.noting(lambda: _concurrency(keys), None),
        reports=mistakes.noting(lambda: _reports(keys, files), ()),
        default=keys.get("defaultTest"),
        rows=mistakes.noting(lambda: open_tests(_head_tests(node, keys), files), _no_rows),
    )
    mistakes.raise_if_any()
    return head


def _with_unknown_keys(error: BatteryError, node: Node, files: Files) -> BatteryError:
    """What is wrong with the head, and each unknown key of the battery: its tests are not read then."""
    mistakes = Mistakes()
    for key in _unknown_keys(node, files):
        mistakes.add(key)
    mistakes.add(error)
    return mistakes.as_error()


def _require_valid_tests(reader: CaseReader, node: Node) -> None:
    """Go through all tests once, as a run will; nothing of them is stored."""
    mistakes, count = Mistakes(), 0
    try:
        for test in _numbered_tests(reader):
            count += 1
            if isinstance(test, BatteryError):
                mistakes.add(test)
            else:
                mistakes.noting(lambda: _require_rendering(reader.head, test), None)  # noqa: B023 - called at once
    except BatteryError as error:
        mistakes.add(error)
    if mistakes:
        for key in _unknown_keys_of_head(node):  # a default is read with each test
            mistakes.add(key)
    mistakes.raise_if_any()
    if not count:
        raise node.error("there is no test in this battery", key="tests")


def _numbered_tests(reader: CaseReader) -> Iterator[BatteryTest | BatteryError]:
    """Every test, numbered and with its key; or what is wrong where one should stand."""
    keys, number = KeyBook(), 0
    for row in reader.head.rows():
        if isinstance(row, BatteryError):
            yield row
            continue
        try:
            for test in reader.read(row):
                number += 1
                yield replace(test, number=number, key=keys.key(test))
        except BatteryError as error:
            yield from _unknown_keys_of_test(row)
            yield error
        except SpecError as error:
            yield from _unknown_keys_of_test(row)
            yield BatteryError(f"{row.place}: {error}")


def _require_rendering(head: BatteryHeader, test: BatteryTest) -> None:
    for prompt in head.prompts or (OWN_PROMPT,):
        if test.prompts is None or prompt.label in test.prompts:
            render_prompt(prompt, test, head.environment)


def _tests(reader: CaseReader) -> Iterator[BatteryTest]:
    for test in _numbered_tests(reader):
        if isinstance(test, BatteryError):
            raise test
        yield test


def _prompts(keys: Mapping[str, Node], files: Files) -> tuple[PromptTemplate, ...]:
    return read_prompts(keys["prompts"], files) if "prompts" in keys else ()


def _description(keys: Mapping[str, Node]) -> str:
    return keys["description"].text("`description`") if "description" in keys else ""


def _environment(keys: Mapping[str, Node]) -> dict[str, str]:
    if "env" not in keys:
        return {}
    return {name: _as_text(name, node) for name, node in keys["env"].entries("`env`").items()}


def _as_text(name: str, node: Node) -> str:
    if isinstance(node.value, bool):
        return str(node.value).lower()
    return text_of(node, f"`{name}`")


def _sources(
    keys: Mapping[str, Node], files: Files, prompts: tuple[PromptTemplate, ...]
) -> tuple[SourceSpec, ...]:
    if "providers" in keys and "targets" in keys:
        raise keys["targets"].error(
            "`targets` is another name of `providers`; a battery must have one of them"
        )
    node = keys.get("providers", keys.get("targets"))
    return () if node is None else read_sources(node, files, prompts)


def _repeat(keys: Mapping[str, Node]) -> Repeat | None:
    options = _options(keys)
    if "repeat" in keys and "repeat" in options:
        raise options["repeat"].error("`repeat` stands there twice; see also at the top of the file")
    node = keys.get("repeat", options.get("repeat"))
    return None if node is None else read_repeat(node)


def _options(keys: Mapping[str, Node]) -> Mapping[str, Node]:
    if "evaluateOptions" not in keys:
        return {}
    options = OPTIONS_OF_RUNS.of(keys["evaluateOptions"], "`evaluateOptions`")
    if "cache" in options and not options["cache"].truth("`cache`"):
        raise options["cache"].error("to ask again, say `--no-cache` on the command line; got `cache: false`")
    return options


def _concurrency(keys: Mapping[str, Node]) -> int | None:
    if "evaluateOptions" not in keys:
        return None
    node = keys["evaluateOptions"].mapping("`evaluateOptions`").get("maxConcurrency")
    return None if node is None else node.whole("`maxConcurrency`", least=1)


def _reports(keys: Mapping[str, Node], files: Files) -> tuple[Path, ...]:
    """Where results are written to, from the folder of the battery on; by endings that are known."""
    if "outputPath" not in keys:
        return ()
    paths = []
    for name in keys["outputPath"].texts("`outputPath`"):
        try:
            suffix_of(Path(name))
        except SpecError as wrong:
            raise keys["outputPath"].error(str(wrong)) from wrong
        paths.append(files.folder / name)
    return tuple(paths)


def _head_tests(node: Node, keys: Mapping[str, Node]) -> Node:
    """Without tests, the default is the one test."""
    if "tests" in keys:
        return keys["tests"]
    if "defaultTest" in keys:
        return Node((Node({}, keys["defaultTest"].place),), node.place)
    raise node.error("a battery must have `tests`; got none")


def _no_rows() -> Iterator[Row]:
    return iter(())


def _unknown_keys(node: Node, files: Files) -> Iterator[BatteryError]:
    """All keys and types of a battery that are not known, its tests in other files included.

    Reading stops at the first mistake of a mapping. This goes through the rest of it, and is lenient: what
    has another shape than expected is left to the reading, which says so.
    """
    yield from _unknown_keys_of_head(node)
    if "tests" not in (entries := _entries(node)):
        return
    try:
        for row in open_tests(entries["tests"], files)():
            if isinstance(row, Node):
                yield from _unknown_keys_of_test(row)
    except BatteryError:
        return  # the reading says what is wrong with a file of tests


def _unknown_keys_of_head(node: Node) -> Iterator[BatteryError]:
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


def _unknown_keys_of_test(node: Node) -> Iterator[BatteryError]:
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
