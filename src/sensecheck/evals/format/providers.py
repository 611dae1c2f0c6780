"""The sources of a battery as the file describes them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sensecheck.evals.battery import SourceSpec, Wording
from sensecheck.evals.documents.content import SCHEME
from sensecheck.evals.format.choices import named_wordings
from sensecheck.evals.format.features import PROVIDER
from sensecheck.evals.format.files import Files
from sensecheck.evals.node import Node
from sensecheck.evals.sources import http
from sensecheck.evals.sources.http_config import shown
from sensecheck.evals.sources.loading import must_be_known

_DESCRIPTIONS = (".yaml", ".yml", ".json")


def read_sources(node: Node, files: Files, wordings: tuple[Wording, ...] = ()) -> tuple[SourceSpec, ...]:
    """The sources, each under a label of its own; those that are asked some prompts only name these."""
    found: dict[str, SourceSpec] = {}
    for written in _listed(node, files, wordings):
        must_be_known(written)
        spec = _apart(written, found)
        if spec.label in found:
            raise spec.config.wrong(
                f"two providers are called `{spec.label}`; give each a `label` of its own"
            )
        found[spec.label] = spec
        _meet(spec.id, files)
    if not found:
        raise node.wrong("`providers` wants at least one source of answers; found none")
    return tuple(found.values())


def _listed(node: Node, files: Files, wordings: tuple[Wording, ...]) -> Iterator[SourceSpec]:
    for one in node.held if isinstance(node.held, tuple) else (node,):
        if isinstance(one.held, str):
            yield from _of_text(one, files, wordings)
        else:
            yield _of_mapping(one, wordings)


def _of_text(node: Node, files: Files, wordings: tuple[Wording, ...]) -> Iterator[SourceSpec]:
    name = node.text("a provider")
    if name.startswith(SCHEME) and name.endswith(_DESCRIPTIONS):
        for path in files.found(name, node):
            yield from _listed(files.document(path, node), files, wordings)
    else:
        yield SourceSpec(name, _usual_label(name), Node({}, node.place))


def _of_mapping(node: Node, wordings: tuple[Wording, ...]) -> SourceSpec:
    """A source with its `id` beside the rest, or before it: `openai:chat:MODEL: {config: …}`."""
    entries = node.mapping("a provider")
    if "id" not in entries and len(entries) == 1:
        ((name, inner),) = entries.items()
        if name not in PROVIDER.read:
            return _described(inner, name, wordings)
    return _described(node, None, wordings)


def _described(node: Node, name: str | None, wordings: tuple[Wording, ...]) -> SourceSpec:
    keys = PROVIDER.of(node, "a provider")
    if name is None and "id" not in keys:
        raise node.wrong("a provider wants an `id`, such as `openai:chat:MODEL` or `file://answers.py`")
    source_id = keys["id"].text("`id`") if "id" in keys else str(name)
    label = keys["label"].text("`label`") if "label" in keys else _usual_label(source_id)
    config = keys.get("config", Node({}, node.place))
    config.mapping("`config`")
    asked = named_wordings(keys["prompts"], wordings) if "prompts" in keys else None
    return SourceSpec(source_id, label, config, asked)


def _usual_label(source_id: str) -> str:
    """The id; an address without what may be a password or a key, because reports show labels."""
    return shown(source_id) if http.fits(source_id) else source_id


def _apart(spec: SourceSpec, others: Mapping[str, SourceSpec]) -> SourceSpec:
    """The same under a number, where addresses differ only in what labels do not show."""
    if spec.label not in others or spec.label != _usual_label(spec.id):
        return spec
    same = [other for other in others.values() if _usual_label(other.id) == spec.label]
    if any(other.id == spec.id for other in same):
        return spec
    return replace(spec, label=f"{spec.label} ({len(same) + 1})")


def _meet(source_id: str, files: Files) -> None:
    for scheme in (SCHEME, "python:", "recorded:"):
        if source_id.startswith(scheme):
            files.meet(source_id.removeprefix(scheme))
