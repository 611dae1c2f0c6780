"""Word lists that come with the package."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files


def read_lines(name: str, package: str = __package__) -> Iterator[str]:
    """The lines of a bundled list; empty lines and lines that start with `#` are left out."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def read_words(name: str, package: str = __package__) -> Iterator[str]:
    """The words of a bundled list, however they are spread over its lines."""
    return (word for line in read_lines(name, package) for word in line.split())


@cache
def read_groups(
    name: str, package: str = __package__, *, separator: str | None = None
) -> dict[str, frozenset[str]]:
    """The named groups of a bundled list: lines such as `group: word word`, where a name may come again.

    With a separator they hold phrases: `group: some words; other words`.
    """
    groups: dict[str, frozenset[str]] = {}
    for line in read_lines(name, package):
        group, _, rest = line.partition(":")
        groups[group] = groups.get(group, frozenset()) | frozenset(map(str.strip, rest.split(separator)))
    return groups
