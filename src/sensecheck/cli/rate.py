"""How fast it goes, beside a bar."""

from rich.progress import ProgressColumn, Task
from rich.text import Text

_MANY = 10
"""From so many a second on, parts of one are no news."""


class Rate(ProgressColumn):
    """How many a second."""

    def render(self, task: Task) -> Text:
        """The speed of the last half minute, as far as it is known."""
        return Text("" if task.speed is None else f"{spoken(task.speed)} a second", "dim")


def spoken(speed: float) -> str:
    """A number that can be read at a glance."""
    return f"{speed:,.0f}" if speed >= _MANY else f"{speed:.2g}"
