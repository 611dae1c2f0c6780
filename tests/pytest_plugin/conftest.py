"""Pytest that runs pytest, on a folder of its own."""

from collections.abc import Callable
from functools import partial

import jinja2.sandbox
import jsonschema
import pytest
import yaml

import sensecheck.pytest_plugin.collection  # noqa: F401  # here, so that a run inside this process finds it loaded

KEPT = (jinja2.sandbox, jsonschema, yaml)
"""Imported here, since whatever a run inside this process imports first is forgotten after it."""
Run = Callable[..., pytest.RunResult]
OTHERS = ("-p", "no:hypothesispytest", "-p", "no:cacheprovider")
"""What other plugins would do at the end of every run takes longer than all the rest of it."""


@pytest.fixture
def alone(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pytest in a process of its own, as users have it."""
    monkeypatch.setenv("SENSECHECK_CACHE", "off")
    return partial(pytester.runpytest_subprocess, *OTHERS)


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pytest inside this process, where the model is loaded once for all tests."""
    monkeypatch.setenv("SENSECHECK_CACHE", "off")
    return partial(pytester.runpytest_inprocess, *OTHERS)
