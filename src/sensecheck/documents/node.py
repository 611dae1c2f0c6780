"""A value of a document that knows its line and column, so that whatever is wrong can be pointed at.

All that is wrong with a document is collected, and reported at once.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from sensecheck.core.errors import BatteryError
from sensecheck.core.serialization import did_you_mean

FREE = "x-"
"""Among keys of ours, those that begin so are the user's own: they mean nothing to us."""
DEEPEST: Final = 100
"""How deep a document may be nested: a battery never is, and deeper ones would exhaust the stack."""
MAX_MISTAKES = 20
"""How many are reported; the others are counted."""
NodeValue: TypeAlias = "str | int | float | bool | tuple[Node, ...] | Mapping[str, Node] | None"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column of a file, both counted from one."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar, a list of nodes or a mapping to nodes; each reading of it is strict."""

    value: NodeValue
    place: Place
    keys: Mapping[str, Place] = field(default_factory=dict)
    """Where each key of a mapping stands."""
    spelling: str = ""
    """How a number is written, where it would be written back otherwise: `007`, `3.10`."""

    @classmethod
    def of(cls, data: Any, place: Place) -> "Node":
        """Plain data, all of which stands at one place: the row of a table, say."""
        if isinstance(data, str):
            return cls(data, place)
        if isinstance(data, Mapping):
            return cls({str(key): cls.of(item, place) for key, item in data.items()}, place)
        if isinstance(data, list | tuple):
            return cls(tuple(cls.of(item, place) for item in data), place)
        return cls(data, place)

    def error(self, message: str, *, key: str | None = None) -> BatteryError:
        """The error that says what is wrong here, or at one of the keys."""
        place = self.keys.get(key, self.place) if key is not None else self.place
        return BatteryError(f"{place}: {message}")

    def plain(self) -> Any:
        """The value as plain data."""
        if isinstance(self.value, Mapping):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, tuple):
            return [node.plain() for node in self.value]
        return self.value

    def rendered(self, render: Callable[[str, Place], Any]) -> "Node":
        """The same with every text put through `render`; keys stay as they are."""
        if isinstance(self.value, str):
            return Node.of(render(self.value, self.place), self.place)
        if isinstance(self.value, tuple):
            return Node(tuple(node.rendered(render) for node in self.value), self.place)
        if isinstance(self.value, Mapping):
            return Node({k: node.rendered(render) for k, node in self.value.items()}, self.place, self.keys)
        return self

    def entries(self, what: str) -> Mapping[str, "Node"]:
        """All entries of a mapping whose keys are names that the user gives: variables, headers, …"""
        if not isinstance(self.value, Mapping):
            raise self.error(f"{what} must be a mapping; got {self.kind}")
        return self.value

    def mapping(self, what: str, known: Iterable[str] | None = None) -> Mapping[str, "Node"]:
        """The entries of a mapping whose keys are words of ours, without those that are the user's own.

        An unknown key is an error.
        """
        entries = {key: node for key, node in self.entries(what).items() if not key.startswith(FREE)}
        if known is not None:
            names = tuple(known)
            for key in entries:
                if key not in names:
                    raise self.error(did_you_mean(f"key of {what}", key, names), key=key)
        return entries

    def items(self, what: str) -> tuple["Node", ...]:
        """The nodes of a list."""
        if not isinstance(self.value, tuple):
            raise self.error(f"{what} must be a list; got {self.kind}")
        return self.value

    def text(self, what: str) -> str:
        """A text; a number or a boolean is not silently turned into one."""
        if not isinstance(self.value, str):
            raise self.error(f"{what} must be a string; got {self.kind}")
        return self.value

    def texts(self, what: str) -> tuple[str, ...]:
        """One text, or a list of them with at least one."""
        if isinstance(self.value, str):
            return (self.value,)
        texts = tuple(node.text(f"each entry of {what}") for node in self.items(what))
        if not texts:
            raise self.error(f"{what} must have at least one string; got an empty list")
        return texts

    def number(self, what: str, *, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number within bounds."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"{what} must be a number; got {self.kind}")
        if not (math.isfinite(_as_float(value)) and least <= value <= most):
            bounds = f"from {least:g} to {most:g}" if math.isfinite(most) else f"of {least:g} or more"
            number = f"number {bounds}" if math.isfinite(least) else "finite number"
            raise self.error(f"{what} must be a {number}; got {value}")
        return float(value)

    def whole(self, what: str, *, least: int = 0) -> int:
        """A whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < least:
            actual = self.value if isinstance(self.value, int | float) else self.kind
            raise self.error(f"{what} must be a whole number of {least} or more; got {actual}")
        return self.value

    def truth(self, what: str) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.error(f"{what} must be true or false; got {self.kind}")
        return self.value

    def one_of(self, what: str, known: Iterable[str]) -> str:
        """One of some words."""
        names, word = tuple(known), self.text(what)
        if word not in names:
            raise self.error(did_you_mean(what, word, names))
        return word

    @property
    def kind(self) -> str:
        """What the value is, in the words of messages."""
        if self.value is None:
            return "nothing"
        names = {str: "a string", bool: "true or false", int: "a number", float: "a number", tuple: "a list"}
        return names.get(type(self.value), "a mapping")


def too_deep(place: Place) -> BatteryError:
    """The error that says where it is too much."""
    return BatteryError(f"{place}: this is nested more than {DEEPEST} levels deep")


_MORE = re.compile(r"and (\d+) more")


class Mistakes:
    """Collects what is wrong, so that one reading of a file reports all of it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._seen: set[str] = set()
        self._more = 0

    def add(self, wrong: BatteryError) -> None:
        """Add what is wrong, a line each, once; beyond the first few they are only counted."""
        for line in str(wrong).splitlines():
            if counted := _MORE.fullmatch(line):
                self._more += int(counted[1])
                continue
            if line in self._seen:
                continue
            self._seen.add(line)
            if len(self._lines) < MAX_MISTAKES:
                self._lines.append(line)
            else:
                self._more += 1

    def noting(self, read: Callable[[], T], otherwise: T) -> T:
        """What `read` gives; when that is wrong, it is added, and `otherwise` stands in meanwhile."""
        try:
            return read()
        except BatteryError as error:
            self.add(error)
            return otherwise

    def __bool__(self) -> bool:
        return bool(self._lines)

    def raise_if_any(self) -> None:
        """Raise all of them as one error."""
        if self._lines:
            raise self.as_error()

    def as_error(self) -> BatteryError:
        """All of them as one error, a line each."""
        more = [f"and {self._more} more"] if self._more else []
        return BatteryError("\n".join([*self._lines, *more]))


def _as_float(number: float) -> float:
    """The number; a whole one that no float can hold is endless."""
    try:
        return float(number)
    except OverflowError:
        return math.inf
