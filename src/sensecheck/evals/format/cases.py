"""One test of a battery file, read into what is asked and what is asked of the answer."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sensecheck.calibration.library import Shelf
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.errors import SpecError
from sensecheck.evals.assertions.reading import About, read_assertions, read_embedding_validation
from sensecheck.evals.assertions.scores import score_of
from sensecheck.evals.battery import BatteryTest, Repeat, SourceSpec, Wording
from sensecheck.evals.documents.content import names_file
from sensecheck.evals.documents.spelling import must_be_written_so
from sensecheck.evals.format.asked import filled_in
from sensecheck.evals.format.choices import named_sources, named_wordings
from sensecheck.evals.format.features import DEFAULT_TEST, OPTIONS, TEST
from sensecheck.evals.format.files import Files
from sensecheck.evals.format.merging import merged
from sensecheck.evals.format.repeating import read_repeat
from sensecheck.evals.format.variables import each_variables, read_variables
from sensecheck.evals.node import Node


@dataclass(frozen=True, slots=True)
class CaseReader:
    """Reads tests one by one; all that they have in common is at hand."""

    files: Files
    environment: Mapping[str, str]
    shelf: Shelf
    wordings: tuple[Wording, ...] = ()
    sources: tuple[SourceSpec, ...] = ()
    repeat: Repeat | None = None
    default: Mapping[str, Node] = field(default_factory=dict)

    def read_default(self, node: Node) -> Mapping[str, Node]:
        """The entries of `defaultTest`, which may stand in a file of its own."""
        if isinstance(node.held, str):
            node = self.files.document(self.files.path(node.held), node)
        return self._entries(DEFAULT_TEST.of(node, "`defaultTest`"))

    def read(self, node: Node) -> Iterator[BatteryTest]:
        """The tests that one entry stands for; they are neither numbered nor named yet."""
        own = self._entries(TEST.of(node, "a test"))
        if "repeat" in own and "providerOutput" in own:
            raise node.wrong("an answer that stands in the file cannot be asked for again", key="repeat")
        keys = merged(self.default, own, test=node)
        options = OPTIONS.of(keys["options"], "`options`") if "options" in keys else {}
        expand = not _truth(options, "disableVarExpansion")
        variables = keys.get("vars", Node({}, node.place))
        for held in each_variables(variables, self.files, self.environment, expand=expand):
            yield self._test(node, keys, options, held)

    def _entries(self, entries: Mapping[str, Node]) -> Mapping[str, Node]:
        if "vars" not in entries:
            return entries
        return {**entries, "vars": read_variables(entries["vars"], self.files)}

    def _test(
        self, node: Node, keys: Mapping[str, Node], options: Mapping[str, Node], variables: Mapping[str, Any]
    ) -> BatteryTest:
        asked = self._asked(node, keys, variables)
        return BatteryTest(
            number=0,
            key="",
            description=_text(keys, "description"),
            vars=variables,
            check=_scored(node, keys, tuple(part for _, part in asked)),
            types=tuple(kind for kind, _ in asked),
            place=node.place,
            repeat=self._repeat(keys, options),
            recorded=self._recorded(keys.get("providerOutput")),
            sources=named_sources(keys["providers"], self.sources) if "providers" in keys else None,
            wordings=named_wordings(keys["prompts"], self.wordings) if "prompts" in keys else None,
            metadata=_metadata(keys),
            prefix=_text(options, "prefix"),
            suffix=_text(options, "suffix"),
        )

    def _asked(
        self, node: Node, keys: Mapping[str, Node], variables: Mapping[str, Any]
    ) -> tuple[tuple[str, Part], ...]:
        about = About(variables, self.files.folder, self.shelf)
        found: tuple[tuple[str, Part], ...] = ()
        for key, read in (("assert", read_assertions), ("embedding_validation", read_embedding_validation)):
            if key in keys:
                found += read(filled_in(keys[key], variables, self.environment, self.files), about)
        if not found:
            raise node.wrong("a test that asks nothing can never fail; give it `assert`, or take it out")
        return found

    def _recorded(self, node: Node | None) -> str | None:
        """The answer as it stands there or in its file: what it holds is nobody's template."""
        if node is None:
            return None
        if isinstance(node.held, Mapping):
            return json.dumps(node.plain(), ensure_ascii=False, separators=(",", ":"))
        text = node.text("`providerOutput`")
        return self.files.text(self.files.path(text), node).removesuffix("\n") if names_file(node) else text

    def _repeat(self, keys: Mapping[str, Node], options: Mapping[str, Node]) -> Repeat | None:
        node = keys.get("repeat", options.get("repeat"))
        return self.repeat if node is None else read_repeat(node)


def _scored(node: Node, keys: Mapping[str, Node], parts: tuple[Part, ...]) -> Scored:
    threshold = score_of(keys["threshold"], "a `threshold`") if "threshold" in keys else None
    try:
        return Scored(parts, threshold)
    except SpecError as wrong:
        raise node.wrong(str(wrong)) from wrong


def _metadata(keys: Mapping[str, Node]) -> dict[str, Any]:
    if "metadata" not in keys:
        return {}
    must_be_written_so(keys["metadata"])
    return {name: node.plain() for name, node in keys["metadata"].entries("`metadata`").items()}


def _text(entries: Mapping[str, Node], key: str) -> str:
    return entries[key].text(f"`{key}`") if key in entries else ""


def _truth(entries: Mapping[str, Node], key: str) -> bool:
    return key in entries and entries[key].truth(f"`{key}`")
