"""The answers in the results of a run: of ours, or of promptfoo."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import read_json
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.sources.output import text_of
from sensecheck.evals.sources.recording import VARS, Recording, as_text
from sensecheck.evals.sources.source import Answer, NoAnswer

VERSION = 3
"""Of the files of results that promptfoo writes."""


def own_run(path: Path) -> Iterator[Recording]:
    """The answers of a run of ours; where there was none, why there was none."""
    for line, result in enumerate(RunFile.open(path).results(), 2):
        told = {"key": result.key, "prompt": result.prompt, "repeat": str(result.repeat)}
        if result.answer is None:
            yield Recording(line, told, NoAnswer(result.verdict.because), result.source)
        else:
            answer = Answer(result.answer, result.latency_ms, result.cost)
            yield Recording(line, told, answer, result.source)


def promptfoo_results(path: Path) -> Iterator[Recording]:
    """The answers in a file of results of promptfoo; equal questions in it are repeats of one."""
    rows = _rows(path)
    times: Counter[tuple[str, ...]] = Counter()
    kinds: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for place, row in enumerate(rows, 1):
        at = f"{path.name}, result {place}"
        source, told = _source(row, at), _told(row, at)
        question = (source, *sorted(f"{name} {value}" for name, value in told.items()))
        times[question] += 1
        kinds[question].add(json.dumps(row.get("testCase", {}), sort_keys=True))
        if len(kinds[question]) > 1:
            mend = "give both a `description`, and run them again"
            raise SpecError(f"`{at}` answers the same question as another test; {mend}")
        yield Recording(place, {**told, "repeat": str(times[question])}, _answer(row, at), source)


def _rows(path: Path) -> list[Mapping[str, Any]]:
    held = read_json(path.read_text(encoding="utf-8"), at=path.name)
    results = held.get("results") if isinstance(held, dict) else None
    if not isinstance(results, dict) or not isinstance(results.get("results"), list):
        raise SpecError(
            f"`{path.name}` is no file of results of promptfoo, which is all that `.json` may be here"
        )
    if results.get("version") != VERSION:
        raise SpecError(
            f"`{path.name}` has version {results.get('version')} of results; this reads {VERSION}"
        )
    for place, row in enumerate(results["results"], 1):
        if not isinstance(row, dict):
            raise SpecError(f"`{path.name}, result {place}` wants an object; found {type(row).__name__}")
    return list(results["results"])


def _source(row: Mapping[str, Any], at: str) -> str:
    provider = row.get("provider")
    named = (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else None
    if not isinstance(named, str):
        raise SpecError(f"`{at}` does not tell its provider")
    return named


def _told(row: Mapping[str, Any], at: str) -> dict[str, str]:
    prompt, variables = row.get("prompt"), row.get("vars")
    if not (isinstance(prompt, dict) and isinstance(prompt.get("raw"), str) and isinstance(variables, dict)):
        raise SpecError(f"`{at}` does not tell its prompt and its variables")
    told = {f"{VARS}{name}": as_text(value) for name, value in variables.items() if not name.startswith("_")}
    case = row.get("testCase")
    described = case.get("description") if isinstance(case, dict) else None
    return told | {"prompt": prompt["raw"]} | ({"description": described} if described else {})


def _answer(row: Mapping[str, Any], at: str) -> Answer | NoAnswer:
    response = row.get("response")
    output = text_of(response.get("output")) if isinstance(response, dict) else None
    if output is None:
        return NoAnswer(f"promptfoo had no answer either, in `{at}`")
    return Answer(output, row.get("latencyMs"), row.get("cost"))
