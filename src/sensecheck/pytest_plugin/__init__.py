"""What pytest gains: the fixture `sense`, batteries as tests, and assertions that explain themselves."""

from sensecheck.pytest_plugin.hooks import (
    pytest_addoption,
    pytest_assertrepr_compare,
    pytest_collect_file,
    pytest_runtest_call,
    sense,
)

__all__ = [
    "pytest_addoption",
    "pytest_assertrepr_compare",
    "pytest_collect_file",
    "pytest_runtest_call",
    "sense",
]
