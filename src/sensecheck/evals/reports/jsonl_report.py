"""A run as it is kept: a line that says what was run, then a line for each result."""

from collections.abc import Iterator

from sensecheck.evals.run_file import RunFile, result_line


def jsonl_pieces(run: RunFile) -> Iterator[str]:
    """The lines of the run; each is read before it is written, so that a torn one is found."""
    yield run.header.to_line()
    for result in run.results():
        yield result_line(result)
