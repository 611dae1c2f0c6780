"""The order of tests: those that start a Ray cluster come first."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Together at the head of the queue, where no other worker steals some of them and starts one too."""
    items.sort(key=lambda item: not item.path.name.startswith("test_ray"))
