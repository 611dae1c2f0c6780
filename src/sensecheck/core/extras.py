"""Parts that are not always there, or not at once: optional packages, and names that are loaded on use."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from sensecheck.core.errors import MissingExtra


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports inside this block come from the optional extra `name`."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "sensecheck":
            raise
        raise MissingExtra(
            f"`{missing.name}` is not installed; it comes with: pip install 'sensecheck[{name}]'",
            name=missing.name,
        ) from missing


def loaded_on_use(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """A `__getattr__` for a package whose names are in these modules of it: heavy ones are imported late."""

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module `{package}` has no attribute `{name}`")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return load


def require_packages(name: str, *packages: str) -> None:
    """Raise for a missing package of the extra `name` now, rather than after slow work."""
    for package in packages:
        if find_spec(package) is None:
            with extra(name):
                raise ModuleNotFoundError(name=package)
