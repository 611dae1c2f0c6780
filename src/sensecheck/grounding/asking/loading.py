"""Writers by how settings describe them: `extractive`, `openai:URL#MODEL`, `recorded:FILE`."""

from pathlib import Path

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.grounding.asking.extractive_writer import ExtractiveWriter, Find
from sensecheck.grounding.asking.writer import Writer

# ruff: noqa: PLC0415 - who wants no model need not have a client for one

_KNOWN = ("extractive", "openai", "recorded")


def load_writer(described: str, find: Find, *, key: str | None = None, timeout: float = 30.0) -> Writer:
    """The writer that is described; `find` is for the extractive one, `key` for an endpoint."""
    kind, _, argument = described.partition(":")
    if kind == "extractive":
        if argument:
            raise SpecError("the writer `extractive` wants nothing after its name")
        return ExtractiveWriter(find)
    if kind == "openai":
        return _openai(argument, key, timeout)
    if kind == "recorded":
        return _recorded(argument)
    raise SpecError(unknown("writer", kind, _KNOWN))


def _openai(argument: str, key: str | None, timeout: float) -> Writer:
    from sensecheck.grounding.asking.listening import Patience
    from sensecheck.grounding.asking.openai_writer import openai_writer
    from sensecheck.judges.openai import Sampling

    url, _, served = argument.partition("#")
    model, _, sampling = served.partition("?")
    return openai_writer(
        url, model, api_key=key, patience=Patience(whole=timeout), sampling=Sampling.from_text(sampling)
    )


def _recorded(argument: str) -> Writer:
    from sensecheck.grounding.asking.recorded_writer import RecordedWriter

    if not argument:
        raise SpecError("the writer `recorded` wants a file: `recorded:FILE.jsonl`")
    return RecordedWriter.from_file(Path(argument).expanduser())
