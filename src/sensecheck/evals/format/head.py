"""All that a battery file says beside its tests."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sensecheck.evals.battery import Repeat, SourceSpec, Wording
from sensecheck.evals.documents.spelling import text_of
from sensecheck.evals.format.features import OPTIONS_OF_RUNS, TOP
from sensecheck.evals.format.files import Files
from sensecheck.evals.format.mistakes import Mistakes
from sensecheck.evals.format.providers import read_sources
from sensecheck.evals.format.repeating import read_repeat
from sensecheck.evals.format.rows import Row, open_tests
from sensecheck.evals.format.wordings import read_wordings
from sensecheck.evals.node import Node

_NO_WORDINGS: tuple[Wording, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """What all tests have in common, and where they stand."""

    description: str
    environment: Mapping[str, str]
    wordings: tuple[Wording, ...]
    sources: tuple[SourceSpec, ...]
    repeat: Repeat | None
    at_once: int | None
    default: Node | None
    rows: Callable[[], Iterator[Row]]
    """The tests as they are written, from the first, as often as wanted."""


def read_head(node: Node, files: Files, environment: Mapping[str, str]) -> Head:
    """The head of a battery; what is wrong in any of its parts is told at once."""
    keys = TOP.of(node, "a battery")
    mistakes = Mistakes()
    wordings: tuple[Wording, ...] = mistakes.noting(lambda: _wordings(keys, files), _NO_WORDINGS)
    head = Head(
        description=mistakes.noting(lambda: _description(keys), ""),
        environment=mistakes.noting(lambda: {**environment, **_environment(keys)}, {}),
        wordings=wordings,
        sources=mistakes.noting(lambda: _sources(keys, files, wordings), ()),
        repeat=mistakes.noting(lambda: _repeat(keys), None),
        at_once=mistakes.noting(lambda: _at_once(keys), None),
        default=keys.get("defaultTest"),
        rows=mistakes.noting(lambda: open_tests(_tests(node, keys), files), _no_rows),
    )
    mistakes.must_be_none()
    return head


def _description(keys: Mapping[str, Node]) -> str:
    return keys["description"].text("`description`") if "description" in keys else ""


def _environment(keys: Mapping[str, Node]) -> dict[str, str]:
    if "env" not in keys:
        return {}
    return {name: _as_text(name, node) for name, node in keys["env"].entries("`env`").items()}


def _as_text(name: str, node: Node) -> str:
    if isinstance(node.held, bool):
        return str(node.held).lower()
    return text_of(node, f"`{name}`")


def _wordings(keys: Mapping[str, Node], files: Files) -> tuple[Wording, ...]:
    return read_wordings(keys["prompts"], files) if "prompts" in keys else ()


def _sources(keys: Mapping[str, Node], files: Files, wordings: tuple[Wording, ...]) -> tuple[SourceSpec, ...]:
    if "providers" in keys and "targets" in keys:
        raise keys["targets"].wrong("`targets` is another name of `providers`; a battery wants one of them")
    node = keys.get("providers", keys.get("targets"))
    return () if node is None else read_sources(node, files, wordings)


def _options(keys: Mapping[str, Node]) -> Mapping[str, Node]:
    if "evaluateOptions" not in keys:
        return {}
    options = OPTIONS_OF_RUNS.of(keys["evaluateOptions"], "`evaluateOptions`")
    if "cache" in options and not options["cache"].truth("`cache`"):
        raise options["cache"].wrong(
            "to ask anew, say `--no-cache` on the command line; found `cache: false`"
        )
    return options


def _repeat(keys: Mapping[str, Node]) -> Repeat | None:
    options = _options(keys)
    if "repeat" in keys and "repeat" in options:
        raise options["repeat"].wrong("`repeat` stands there twice; see also at the top of the file")
    node = keys.get("repeat", options.get("repeat"))
    return None if node is None else read_repeat(node)


def _at_once(keys: Mapping[str, Node]) -> int | None:
    if "evaluateOptions" not in keys:
        return None
    node = keys["evaluateOptions"].mapping("`evaluateOptions`").get("maxConcurrency")
    return None if node is None else node.whole("`maxConcurrency`", least=1)


def _tests(node: Node, keys: Mapping[str, Node]) -> Node:
    """Without tests, the default is the one test."""
    if "tests" in keys:
        return keys["tests"]
    if "defaultTest" in keys:
        return Node((Node({}, keys["defaultTest"].place),), node.place)
    raise node.wrong("a battery wants `tests`; found none")


def _no_rows() -> Iterator[Row]:
    return iter(())
