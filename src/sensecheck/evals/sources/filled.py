"""Texts of a source's `config` with what they name put in."""

from collections.abc import Mapping
from typing import Any

from sensecheck.evals.node import Place
from sensecheck.evals.sources.source import Question
from sensecheck.evals.templates import render


def with_environment(text: str, environment: Mapping[str, str], place: Place) -> str:
    """The text with the variables of the environment that it names: `{{ env.TOKEN }}`."""
    return render(text, {"env": environment}, place)


def variables_of(question: Question, environment: Mapping[str, str]) -> dict[str, Any]:
    """What a text may name for one question: its variables, `prompt`, and `env`."""
    return {**question.vars, "prompt": question.prompt, "env": environment}
