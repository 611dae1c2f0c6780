"""Answers that somebody brings along in a file, in place of a battery's own sources."""

from pathlib import Path

from sensecheck.core.errors import SpecError
from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.cells import IN_FILE
from sensecheck.evals.node import Node, Place
from sensecheck.evals.sources.loading import must_be_known
from sensecheck.evals.sources.recorded import sources_in


def brought(path: Path, option: str) -> tuple[SourceSpec, ...]:
    """The file as a source, or as several when it tells whose answers it holds; `option` named it."""
    if not path.is_file():
        raise SpecError(f"`{option}` wants a file of answers; there is none at `{path}`")
    nothing_more = Node.of({}, Place(str(path), 1))
    labels = sources_in(path) or (IN_FILE,)
    specs = tuple(SourceSpec(f"recorded:{path.absolute()}", label, nothing_more) for label in labels)
    must_be_known(specs[0])
    return specs
