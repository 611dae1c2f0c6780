"""Our checks as a Python assertion of promptfoo, and our encoder as its provider of embeddings.

A file next to the config makes both known to promptfoo:

    from sensecheck.adapters.promptfoo import call_embedding_api, get_assert
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sensecheck.adapters.check_runner import SCORES, CheckRunner
from sensecheck.config import Settings, encoder
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space

KEYS = ("check", "question", "expected", "passages")
"""What may stand under `config` of the assertion."""


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Whether the check under `config` passes the output; what could not be judged raises.

    What the check reads next to the output stands under `config`, or is the variable of the same name.
    """
    config = _config(context)
    runner = CheckRunner(config.get("check", "means"))
    verdict = runner.verdict(_sample(output, {**context.get("vars", {}), **config}))
    return {
        "pass": verdict.outcome == "pass",
        "score": SCORES[verdict.outcome],
        "reason": f"{verdict.outcome}: {verdict.because}",
    }


def call_embedding_api(text: str, options: Mapping[str, Any], context: Any = None) -> dict[str, Any]:
    """Where a text is, read whole; for promptfoo's `similar`."""
    space = Space.of([text], _encoder(Settings.from_environment()))
    return {"embedding": space.embedding(text).vector.tolist()}


@cache
def _encoder(settings: Settings) -> Encoder:
    """Loaded once in a process; promptfoo keeps that of a provider when it is named with `--grader`."""
    return encoder(settings)


def _config(context: Mapping[str, Any]) -> Mapping[str, Any]:
    config: Mapping[str, Any] = context.get("config") or {}
    for key in config:
        if key not in KEYS:
            raise SpecError(did_you_mean("key of the assertion's `config`", key, KEYS))
    return config


def _sample(output: str, variables: Mapping[str, Any]) -> Sample:
    return Sample.of(
        output,
        question=variables.get("question"),
        expected=variables.get("expected"),
        passages=variables.get("passages") or (),
    )
