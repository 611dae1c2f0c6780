"""The tests of a battery, wherever they are written: in the file itself, in others, in tables.

A test is merged with `defaultTest`, its variables are put in, and it is read into what is asked and what is
asked of the answer. Its key is the same from run to run, as long as it asks the same.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from sensecheck.batteries.assertions.base import About
from sensecheck.batteries.assertions.javascript import transform_of
from sensecheck.batteries.assertions.registry import read_assertions, score_of
from sensecheck.batteries.assertions.similarity import read_embedding_validation
from sensecheck.batteries.battery import BatteryTest, PromptTemplate, Repeat
from sensecheck.batteries.features import DEFAULT_TEST, OPTIONS, TEST
from sensecheck.batteries.files import Files
from sensecheck.batteries.providers import named_prompts, named_sources, read_repeat
from sensecheck.batteries.table import read_table
from sensecheck.batteries.variables import each_variables, read_variables
from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.gate import Against
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.documents.json import read_json_line
from sensecheck.documents.node import Mistakes, Node, Place
from sensecheck.documents.reading import SCHEME, names_file
from sensecheck.documents.templates import render
from sensecheck.documents.yaml import require_plain_style
from sensecheck.sources.source import SourceSpec

_ONE_NAME: Final = re.compile(r"\{\{\s*(\w+)\s*\}\}")

_JOINED: Final = ("vars", "options", "metadata")
"""Mappings: the test's own entries stand over those of the default."""
_APPENDED: Final = ("assert", "embedding_validation")
"""Lists: those of the default come first."""

Row: TypeAlias = Node | BatteryError
"""A test, or what is wrong with the row where one should stand."""
_FOREIGN: Final = ("huggingface://", "http://", "https://", "az://", "sharepoint://")
_GENERATED: Final = (".py", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".xlsx", ".xls")

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class BatteryHeader:
    """What all tests have in common, and where they stand."""

    description: str
    environment: Mapping[str, str]
    prompts: tuple[PromptTemplate, ...]
    sources: tuple[SourceSpec, ...]
    repeat: Repeat | None
    concurrency: int | None
    reports: tuple[Path, ...]
    default: Node | None
    rows: Callable[[], Iterator[Row]]
    """The tests as they are written, from the first, as often as wanted."""


@dataclass(frozen=True, slots=True)
class CaseReader:
    """Reads tests one by one; all that they have in common is at hand."""

    files: Files
    library: CardLibrary
    head: BatteryHeader
    default: Mapping[str, Node] = field(default_factory=dict)

    def read_default(self, node: Node) -> Mapping[str, Node]:
        """The entries of `defaultTest`, which may stand in a file of its own."""
        if isinstance(node.value, str):
            node = self.files.document(self.files.path(node.value), node)
        return self._entries(DEFAULT_TEST.of(node, "`defaultTest`"))

    def read(self, node: Node) -> Iterator[BatteryTest]:
        """The tests that one entry stands for; they are neither numbered nor named yet.

        A wrong key of `options` does not keep the rest of the test from being read, and is reported with it.
        """
        entries = self._entries(TEST.of(node, "a test"))
        if "repeat" in entries and "providerOutput" in entries:
            raise node.error("an answer that stands in the file cannot be asked for again", key="repeat")
        keys = _merged(self.default, entries, test=node)
        mistakes = Mistakes()
        options: Mapping[str, Node] = {}
        if "options" in keys:
            options = OPTIONS.known(keys["options"], "`options`")
            for wrong in OPTIONS.unread(keys["options"], "`options`"):
                mistakes.add(wrong)
        expand = not _truth(options, "disableVarExpansion")
        variables = keys.get("vars", Node({}, node.place))
        for values in each_variables(variables, self.files, self.head.environment, expand=expand):
            test = mistakes.noting(lambda: self._test(node, keys, options, values), None)  # noqa: B023 - at once
            if mistakes:
                break  # the next values would find the same, and there may be many
            if test is not None:
                yield test
        mistakes.raise_if_any()

    def _entries(self, entries: Mapping[str, Node]) -> Mapping[str, Node]:
        if "vars" not in entries:
            return entries
        return {**entries, "vars": read_variables(entries["vars"], self.files)}

    def _test(
        self, node: Node, keys: Mapping[str, Node], options: Mapping[str, Node], variables: Mapping[str, Any]
    ) -> BatteryTest:
        assertions = self._assertions(node, keys, variables, options)
        return BatteryTest(
            number=0,
            key="",
            description=_text(keys, "description"),
            vars=variables,
            check=_scored(node, keys, tuple(part for _, part in assertions)),
            types=tuple(kind for kind, _ in assertions),
            place=node.place,
            repeat=self._repeat(keys, options),
            recorded=self._recorded(keys.get("providerOutput")),
            sources=named_sources(keys["providers"], self.head.sources) if "providers" in keys else None,
            prompts=named_prompts(keys["prompts"], self.head.prompts) if "prompts" in keys else None,
            metadata=_metadata(keys),
            prefix=_text(options, "prefix"),
            suffix=_text(options, "suffix"),
        )

    def _assertions(
        self,
        node: Node,
        keys: Mapping[str, Node],
        variables: Mapping[str, Any],
        options: Mapping[str, Node],
    ) -> tuple[tuple[str, Part], ...]:
        about = About(variables, self.files.folder, self.library)
        parts: tuple[tuple[str, Part], ...] = ()
        for key, read in (("assert", read_assertions), ("embedding_validation", read_embedding_validation)):
            if key in keys:
                parts += read(_filled_in(keys[key], variables, self.head.environment, self.files), about)
        if "transform" in options:
            transform = transform_of(options["transform"], about)
            parts = tuple(
                (kind, replace(part, check=Against(part.check, transform=transform))) for kind, part in parts
            )
        if not parts:
            raise node.error("a test that asks nothing can never fail; give it `assert`, or take it out")
        return parts

    def _recorded(self, node: Node | None) -> str | None:
        """The answer as it stands there or in its file: what it holds is no template."""
        if node is None:
            return None
        if isinstance(node.value, Mapping):
            return json.dumps(node.plain(), ensure_ascii=False, separators=(",", ":"))
        text = node.text("`providerOutput`")
        return self.files.text(self.files.path(text), node).removesuffix("\n") if names_file(node) else text

    def _repeat(self, keys: Mapping[str, Node], options: Mapping[str, Node]) -> Repeat | None:
        node = keys.get("repeat", options.get("repeat"))
        return self.head.repeat if node is None else read_repeat(node)


def open_tests(node: Node, files: Files) -> Callable[[], Iterator[Row]]:
    """How to go through the tests, from the first, as often as wanted; large files are read row by row."""
    entries = (node,) if isinstance(node.value, str) else node.items("`tests`")
    if not entries:
        raise node.error("`tests` must have at least one test; got an empty list")
    parts = [part for entry in entries for part in _parts(entry, files)]
    return lambda: chain.from_iterable(part() for part in parts)


class KeyBook:
    """Gives each test of a battery its key; a test that stands there again is told apart by a number."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def key(self, test: BatteryTest) -> str:
        """The key of the next test."""
        written = json.dumps(_identity(test), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        digest = hashlib.sha256(written.encode()).hexdigest()[:_DIGITS]
        count = self._counts.get(int(digest, 16), 0) + 1
        self._counts[int(digest, 16)] = count
        return digest if count == 1 else f"{digest}~{count}"


def _merged(default: Mapping[str, Node], entries: Mapping[str, Node], *, test: Node) -> dict[str, Node]:
    """The entries of a test together with those of the default."""
    merged = {**default, **entries}
    for key in _JOINED:
        if key in default and key in entries:
            below, above = default[key], entries[key]
            joined = {**below.entries(f"`{key}`"), **above.entries(f"`{key}`")}
            merged[key] = Node(joined, above.place, {**below.keys, **above.keys})
    silent = "options" in merged and _truth(merged["options"].mapping("`options`"), "disableDefaultAsserts")
    for key in _APPENDED:
        if silent and key in default and key not in entries:
            del merged[key]
        elif key in default and key in entries and not silent:
            merged[key] = Node((*_items(default[key], key), *_items(entries[key], key)), test.place)
    return merged


def _items(node: Node, key: str) -> tuple[Node, ...]:
    """The entries of a list; a rule on embeddings may also stand alone."""
    alone = key == "embedding_validation" and not isinstance(node.value, tuple)
    return (node,) if alone else node.items(f"`{key}`")


def _truth(entries: Mapping[str, Node], key: str) -> bool:
    return key in entries and entries[key].truth(f"`{key}`")


def _text(entries: Mapping[str, Node], key: str) -> str:
    return entries[key].text(f"`{key}`") if key in entries else ""


def _scored(node: Node, keys: Mapping[str, Node], parts: tuple[Part, ...]) -> Scored:
    threshold = score_of(keys["threshold"], "a `threshold`") if "threshold" in keys else None
    try:
        return Scored(parts, threshold)
    except SpecError as error:
        raise node.error(str(error)) from error


def _metadata(keys: Mapping[str, Node]) -> dict[str, Any]:
    if "metadata" not in keys:
        return {}
    require_plain_style(keys["metadata"])
    return {name: node.plain() for name, node in keys["metadata"].entries("`metadata`").items()}


def _filled_in(
    node: Node, variables: Mapping[str, Any], environment: Mapping[str, str], files: Files
) -> Node:
    """The same node with every text filled in; a text that is one variable becomes its list or mapping."""
    context = {**variables, "env": environment}

    def fill_in(text: str, place: Place) -> Any:
        whole = _ONE_NAME.fullmatch(text)
        if whole and isinstance(variables.get(whole[1]), list | dict):
            _reject_file(variables[whole[1]], place)
            return variables[whole[1]]
        rendered = render(text, context, place)
        if not text.startswith(SCHEME):
            _reject_file(rendered, place)
        elif rendered.startswith(SCHEME):
            files.meet(rendered)
        return rendered

    return node.rendered(fill_in)


def _reject_file(value: Any, place: Place) -> None:
    """Raise for the name of a file that a variable brings along, alone or among others."""
    if isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            _reject_file(item, place)
    elif isinstance(value, str) and value.startswith(SCHEME):
        raise BatteryError(f"{place}: a variable must not name the file that is read; write `file://…`")


def _parts(node: Node, files: Files) -> Iterator[Callable[[], Iterator[Row]]]:
    if not isinstance(node.value, str):
        yield lambda: iter(_mapping(node))
        return
    name = node.value
    if name.startswith(_FOREIGN):
        raise node.error(f"tests from `{name}` are a feature of promptfoo that sensecheck does not support")
    for path in files.matching(name, node):
        yield _of_file(path, node, files)


def _mapping(node: Node) -> tuple[Row]:
    if isinstance(node.value, dict) and "path" in node.value and "vars" not in node.value:
        return (
            node.error(
                "tests that a program makes are a feature of promptfoo that sensecheck does not support"
            ),
        )
    return (node,)


def _of_file(path: Path, node: Node, files: Files) -> Callable[[], Iterator[Row]]:
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return lambda: read_table(path, node, files)
    if suffix == ".jsonl":
        return lambda: _json_lines(path, node, files)
    if suffix in (".yaml", ".yml", ".json"):
        document = files.document(path, node)
        tests = document.value if isinstance(document.value, tuple) else (document,)
        return lambda: chain.from_iterable(_mapping(test) for test in tests)
    if path.name.partition(":")[0].endswith(_GENERATED):
        raise node.error(
            f"tests in `{path.name}` are a feature of promptfoo that sensecheck does not support"
        )
    raise node.error(f"`{path.name}` is no file of tests; wanted one of .yaml, .json, .jsonl, .csv")


def _json_lines(path: Path, node: Node, files: Files) -> Iterator[Row]:
    for number, line in enumerate(files.lines(path, node), 1):
        if line.strip():
            try:
                yield read_json_line(line, Place(str(path), number))
            except BatteryError as error:
                yield error


def _identity(test: BatteryTest) -> list[Any]:
    """What a test is known by; one without a name and without variables, by what it asks of which answer."""
    if test.description or test.vars:
        return [test.description, dict(test.vars)]
    return [test.recorded, test.types, [part.wanted for part in test.check.parts]]
