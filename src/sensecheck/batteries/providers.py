"""The sources that a battery's file describes, which of them a test names, and how often it is run."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sensecheck.batteries.battery import PromptTemplate, Repeat
from sensecheck.batteries.features import PROVIDER, REPEAT
from sensecheck.batteries.files import Files
from sensecheck.core.serialization import did_you_mean
from sensecheck.documents.node import Node
from sensecheck.documents.reading import SCHEME
from sensecheck.sources import http
from sensecheck.sources.http_request import shown_address
from sensecheck.sources.loading import require_known_source
from sensecheck.sources.source import SourceSpec

_DESCRIPTIONS = (".yaml", ".yml", ".json")


def read_sources(
    node: Node, files: Files, prompts: tuple[PromptTemplate, ...] = ()
) -> tuple[SourceSpec, ...]:
    """The sources, each under a label of its own; those that are asked some prompts only name these."""
    sources: dict[str, SourceSpec] = {}
    for written in _each_source(node, files, prompts):
        require_known_source(written)
        spec = _with_distinct_label(written, sources)
        if spec.label in sources:
            raise spec.config.error(
                f"two providers are called `{spec.label}`; give each a `label` of its own"
            )
        sources[spec.label] = spec
        _meet(spec.id, files)
    if not sources:
        raise node.error("`providers` must name at least one source of answers; got none")
    return tuple(sources.values())


def named_sources(node: Node, sources: tuple[SourceSpec, ...]) -> tuple[str, ...]:
    """The labels of the sources that are named by label or id."""
    return _named_labels(node, "provider", {spec.label: (spec.label, spec.id) for spec in sources})


def named_prompts(node: Node, prompts: tuple[PromptTemplate, ...]) -> tuple[str, ...]:
    """The labels of the prompts that are named by label or by their text."""
    return _named_labels(node, "prompt", {prompt.label: (prompt.label, prompt.raw) for prompt in prompts})


def read_repeat(node: Node) -> Repeat:
    """A number of runs that must all pass, or `{runs: 5, pass: 4}`."""
    if isinstance(node.value, int):
        runs = node.whole("`repeat`", least=1)
        return Repeat(runs, runs)
    keys = REPEAT.of(node, "`repeat`")
    if "runs" not in keys:
        raise node.error("`repeat` must have `runs`, such as `{runs: 5, pass: 4}`")
    runs = keys["runs"].whole("`runs`", least=1)
    passes = keys["pass"].whole("`pass`", least=1) if "pass" in keys else runs
    if passes > runs:
        raise keys["pass"].error(f"`pass` must be from 1 to {runs} of the runs; got {passes}")
    return Repeat(runs, passes)


def named_provider(node: Node) -> tuple[str | None, Node]:
    """The id that stands before the entries of a provider, if it does, and the entries."""
    entries = node.mapping("a provider")
    if len(entries) == 1 and not entries.keys() & PROVIDER.read.keys():
        return next(iter(entries.items()))
    return None, node


def _each_source(node: Node, files: Files, prompts: tuple[PromptTemplate, ...]) -> Iterator[SourceSpec]:
    for entry in node.value if isinstance(node.value, tuple) else (node,):
        if isinstance(entry.value, str):
            yield from _of_text(entry, files, prompts)
        else:
            yield _of_mapping(entry, prompts)


def _of_text(node: Node, files: Files, prompts: tuple[PromptTemplate, ...]) -> Iterator[SourceSpec]:
    name = node.text("a provider")
    if name.startswith(SCHEME) and name.endswith(_DESCRIPTIONS):
        for path in files.matching(name, node):
            yield from _each_source(files.document(path, node), files, prompts)
    else:
        yield SourceSpec(name, _usual_label(name), Node({}, node.place))


def _usual_label(source_id: str) -> str:
    """The id; an address without what may be a password or a key, because reports show labels."""
    return shown_address(source_id) if http.fits(source_id) else source_id


def _of_mapping(node: Node, prompts: tuple[PromptTemplate, ...]) -> SourceSpec:
    """A source with its `id` alongside the rest, or before it: `openai:chat:MODEL: {config: …}`."""
    name, node = named_provider(node)
    keys = PROVIDER.of(node, "a provider")
    if name is None and "id" not in keys:
        raise node.error("a provider must have an `id`, such as `openai:chat:MODEL` or `file://answers.py`")
    source_id = keys["id"].text("`id`") if "id" in keys else str(name)
    label = keys["label"].text("`label`") if "label" in keys else _usual_label(source_id)
    config = keys.get("config", Node({}, node.place))
    config.mapping("`config`")
    prompt_labels = named_prompts(keys["prompts"], prompts) if "prompts" in keys else None
    return SourceSpec(source_id, label, config, prompt_labels)


def _with_distinct_label(spec: SourceSpec, others: Mapping[str, SourceSpec]) -> SourceSpec:
    """The same under a number, where addresses differ only in what labels do not show."""
    if spec.label not in others or spec.label != _usual_label(spec.id):
        return spec
    alike = [other for other in others.values() if _usual_label(other.id) == spec.label]
    if any(other.id == spec.id for other in alike):
        return spec
    return replace(spec, label=f"{spec.label} ({len(alike) + 1})")


def _meet(source_id: str, files: Files) -> None:
    for scheme in (SCHEME, "python:", "recorded:"):
        if source_id.startswith(scheme):
            files.meet(source_id.removeprefix(scheme))


def _named_labels(node: Node, what: str, names_by_label: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    chosen: dict[str, None] = {}
    for reference in node.texts(f"`{what}s`"):
        matching = [
            label for label, names in names_by_label.items() if any(_fits(reference, name) for name in names)
        ]
        if not matching and names_by_label:
            raise node.error(did_you_mean(what, reference, names_by_label))
        if not matching:
            raise node.error(f"the test names the {what} `{reference}`; the battery has no `{what}s`")
        chosen |= dict.fromkeys(matching)
    return tuple(chosen)


def _fits(reference: str, name: str) -> bool:
    """As promptfoo does it: whole, up to a colon, or up to a star."""
    if reference.endswith("*") and name.startswith(reference[:-1]):
        return True
    return name == reference or name.startswith(f"{reference}:")
