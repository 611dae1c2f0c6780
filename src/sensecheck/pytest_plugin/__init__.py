"""What pytest gains: the fixture `sense`, and batteries that are collected as tests."""

from sensecheck.pytest_plugin.hooks import pytest_addoption, pytest_collect_file, sense

__all__ = ["pytest_addoption", "pytest_collect_file", "sense"]
