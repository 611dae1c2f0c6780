"""One assertion of a file, read strictly: what it wants, and by which line."""

from collections.abc import Mapping
from dataclasses import dataclass

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.threshold import Threshold, cutoff_of
from sensecheck.evals.assertions.about import About
from sensecheck.evals.assertions.commas import parted
from sensecheck.evals.assertions.files import loaded
from sensecheck.evals.assertions.readings import Readings
from sensecheck.evals.assertions.thresholds import threshold_of
from sensecheck.evals.documents.spelling import text_of
from sensecheck.evals.node import Node


@dataclass(frozen=True, slots=True)
class Asked:
    """An assertion with its texts filled in, and the test around it."""

    type: str
    """Without the `not-` before it."""
    node: Node
    held: Mapping[str, Node]
    about: About
    named: str
    """As the file has it."""
    turned: bool = False
    """Whether answers pass where the check that is built fails."""

    def value(self) -> Node:
        """What stands under `value`, or in the file that it names."""
        value = self.given("value")
        if value is None:
            raise self.node.wrong(f"`{self.named}` lacks the key `value`")
        return value

    def given(self, key: str) -> Node | None:
        """What stands under a key that holds texts, or in the files that it names; None when nothing does."""
        return loaded(self.held[key], self.about) if key in self.held else None

    def text(self) -> str:
        """The value as a text; a number is written out."""
        return text_of(self.value(), f"`value` of `{self.named}`")

    def texts(self) -> tuple[str, ...]:
        """The value as texts: a list, or one text with commas between them."""
        value = self.value()
        if isinstance(value.held, str):
            return parted(value)
        what = f"`value` of `{self.named}`"
        found = tuple(text_of(node, f"each entry of {what}") for node in value.items(what))
        if not found:
            raise value.wrong(f"{what} wants at least one text; found an empty list")
        return found

    def expected(self) -> str:
        """The value, or else the variable `expected`."""
        if "value" in self.held:
            return self.text()
        found = self.about.vars.get("expected")
        if not isinstance(found, str):
            raise self.node.wrong(
                f"`{self.named}` has nothing to compare with; wanted a `value`, or the variable `expected`"
            )
        return found

    def number(self, key: str, default: float | None = None, *, least: float, most: float) -> float:
        """A number within bounds."""
        if key in self.held:
            return self.held[key].number(f"`{key}` of `{self.named}`", least=least, most=most)
        if default is None:
            raise self.node.wrong(f"`{self.named}` lacks the key `{key}`")
        return default

    def line(self, default: float, readings: Readings) -> Threshold:
        """The threshold: a number among the readings that decides something, or a line that was fitted."""
        if "threshold" not in self.held:
            return default
        node = self.held["threshold"]
        if isinstance(node.held, str | Mapping):
            return threshold_of(node, self.about)
        return readings.line(node, f"`threshold` of `{self.named}`", turned=self.turned)

    def cutoff(self, measure: Measure, default: float, readings: Readings, *, doubt: float = 0.0) -> Cutoff:
        """The line on a measure from whose high side answers pass; one that was fitted has its own doubt."""
        line = self.line(default, readings)
        try:
            return cutoff_of(line, measure, "above", doubt=doubt, within=(-1.0, 1.0))
        except SpecError as wrong:
            raise self.wrong(str(wrong), key="threshold") from wrong

    def wrong(self, message: str, *, key: str = "value") -> BatteryError:
        """The error that says what is wrong with the assertion."""
        return self.node.wrong(f"`{self.named}`: {message}", key=key)
