"""One loader for each kind of judge; what a kind needs is imported only inside its loader."""

from pathlib import Path

from sensecheck.core.backends import Judge
from sensecheck.core.errors import SpecError
from sensecheck.core.loading import JudgeOptions

# ruff: noqa: PLC0415 - importing inside the loader is what this file is for


def openai(argument: str, options: JudgeOptions) -> Judge:
    """`openai:BASE_URL#MODEL`, with `?temperature=…&seed=…&max_tokens=…`: any `/v1/chat/completions`."""
    from sensecheck.judges.openai import Sampling, openai_judge

    url, _, served = argument.partition("#")
    model, _, sampling = served.partition("?")
    return openai_judge(
        url,
        model,
        sampling=Sampling.from_text(sampling),
        api_key=options.api_key,
        concurrency=options.concurrency,
        timeout=options.timeout,
        retries=options.retries,
    )


def recorded(argument: str, options: JudgeOptions) -> Judge:
    """`recorded:FILE`: replies that were recorded before, and no others."""
    from sensecheck.judges.recording import Recorded

    if not argument:
        raise SpecError("the judge `recorded` needs a file: `recorded:FILE.jsonl`")
    return Recorded.from_file(Path(argument).expanduser())
