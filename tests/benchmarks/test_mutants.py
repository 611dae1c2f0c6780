"""The small changes that mutation testing makes, and what it leaves alone."""

import ast
from pathlib import Path

from benchmarks.mutation.mutants import mutants_of, mutated

SOURCE = '''
"""A module."""

from typing import Literal

Kind = Literal["a", "b"]
LIMIT: int = 3


class Box:
    """A box."""

    size: "int | None" = None

    def fits(self, other: int) -> bool:
        """Whether it fits."""
        if self.size is None or other > LIMIT:
            return False
        return other + 1 <= self.size
'''


def test_each_change_is_named_and_made_alone(tmp_path: Path) -> None:
    path = tmp_path / "box.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = mutants_of(path, tmp_path)

    assert [one.name for one in found] == [
        "box.py LIMIT: 3 -> 4",
        "box.py Box.fits: if self.size is None or other > LIMIT: "
        "-> if not (self.size is None or other > LIMIT):",
        "box.py Box.fits: self.size is None or other > LIMIT -> self.size is None and other > LIMIT",
        "box.py Box.fits: self.size is None -> self.size is not None",
        "box.py Box.fits: other > LIMIT -> other >= LIMIT",
        "box.py Box.fits: other > LIMIT -> other <= LIMIT",
        "box.py Box.fits: return False -> return None",
        "box.py Box.fits: False -> True",
        "box.py Box.fits: return other + 1 <= self.size -> return None",
        "box.py Box.fits: other + 1 <= self.size -> other + 1 < self.size",
        "box.py Box.fits: other + 1 <= self.size -> other + 1 > self.size",
        "box.py Box.fits: other + 1 -> other - 1",
        "box.py Box.fits: 1 -> 2",
    ]
    plain = ast.unparse(ast.parse(SOURCE)).splitlines()
    for one in found:
        changed = ast.unparse(mutated(SOURCE, one)).splitlines()
        assert sum(a != b for a, b in zip(plain, changed, strict=True)) == 1, one.name
