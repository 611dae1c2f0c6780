"""The tool that moves and merges modules by a table, in a small package of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "move_modules.py"
TABLE = """\
### shop/

| module | holds | lines | made of |
|---|---|---|---|
| `prices.py` | what things cost, and what is taken off | 10 | `shop.price`, `shop.discount` |
"""
PRICE = '"""What a thing costs."""\n\nLIMIT = 3\n\n\ndef price() -> int:\n    return 4\n'
DISCOUNT = (
    '"""What is taken off."""\n\nfrom sensecheck.shop.price import price\n\n\n'
    "def discounted() -> int:\n    return price() - 1\n"
)
USER = (
    "from sensecheck.shop.discount import discounted\nfrom sensecheck.shop.price import price\n\n"
    "BOTH = price() + discounted()\n"
)


def moved(root: Path, **modules: str) -> subprocess.CompletedProcess[str]:
    """A package of these modules after the tool was run."""
    package = root / "src" / "sensecheck"
    (package / "shop").mkdir(parents=True)
    (root / "tools").mkdir()
    shutil.copy(TOOL, root / "tools")
    (root / "table.md").write_text(TABLE, "utf-8")
    (root / "notes.md").write_text("See `sensecheck.shop.discount`.\n", "utf-8")
    (package / "__init__.py").write_text("", "utf-8")
    (package / "shop" / "__init__.py").write_text("", "utf-8")
    (package / "user.py").write_text(USER, "utf-8")
    for name, text in modules.items():
        (package / "shop" / f"{name}.py").write_text(text, "utf-8")
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=root, check=True, timeout=60)
    return subprocess.run(
        [sys.executable, "tools/move_modules.py", "table.md", "shop"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_modules_become_one_and_everything_that_names_them_follows(tmp_path: Path) -> None:
    done = moved(tmp_path, price=PRICE, discount=DISCOUNT)

    assert done.returncode == 0, done.stderr
    shop = tmp_path / "src" / "sensecheck" / "shop"
    assert sorted(path.name for path in shop.glob("*.py")) == ["__init__.py", "prices.py"]
    assert "sensecheck.shop.prices" in (tmp_path / "notes.md").read_text("utf-8")
    used = subprocess.run(
        [sys.executable, "-c", "from sensecheck.user import BOTH; print(BOTH)"],
        cwd=tmp_path / "src",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={"PYTHONPATH": str(tmp_path / "src")},
    )
    assert used.stdout == "7\n", used.stderr


@pytest.mark.parametrize("other", ["LIMIT = 5\n", "def price() -> int:\n    return 9\n"])
def test_two_things_of_one_name_are_refused_and_nothing_is_changed(tmp_path: Path, other: str) -> None:
    done = moved(
        tmp_path,
        price=PRICE,
        discount=DISCOUNT.replace("from sensecheck.shop.price import price\n", "") + other,
    )

    assert done.returncode == 1
    assert (tmp_path / "src" / "sensecheck" / "shop" / "price.py").read_text("utf-8") == PRICE


def test_a_module_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = moved(tmp_path, price=PRICE)

    assert done.returncode == 1
    assert "there is no shop.discount" in done.stderr
