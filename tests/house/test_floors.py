"""The floors hold; and each contract fails when it is broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package that lies in a folder."""
    script = (
        "import sys; sys.path.insert(0, 'src')\n"
        "from importlinter.cli import lint_imports\n"
        "sys.exit(lint_imports(config_filename='pyproject.toml', no_cache=True))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the house that may be broken."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "sensecheck", tmp_path / "src" / "sensecheck", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_house_keeps_its_contracts(copy: Path) -> None:
    done = lint(copy)

    assert done.returncode == 0, done.stdout
    assert "Contracts: 3 kept, 0 broken." in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "line", "broken"),
    [
        ("core/sample.py", "import sensecheck.checks.gate", "Floors"),
        ("encoders/hashing.py", "import sensecheck.measures.similarity", "Floors"),
        ("checks/gate.py", "import sensecheck.sense", "Floors"),
        ("config.py", "import sensecheck.validators", "Floors"),
        ("core/errors.py", "import sensecheck.core.verdict", "No circles"),
        ("text/words.py", "import sensecheck.measures.facts.agreement", "No circles"),
        ("core/sample.py", "import pydantic", "No framework"),
        ("checks/assess.py", "def late() -> None:\n    import typer", "No framework"),
        ("measures/similarity.py", "import rich.console", "No framework"),
    ],
)
def test_a_broken_contract_is_found(copy: Path, where: str, line: str, broken: str) -> None:
    file = copy / "src" / "sensecheck" / where
    file.write_text(f"{file.read_text()}\n{line}\n")
    done = lint(copy)

    assert done.returncode != 0
    assert any(broken in row and "BROKEN" in row for row in done.stdout.splitlines()), done.stdout


def test_a_room_on_no_floor_is_found(copy: Path) -> None:
    (copy / "src" / "sensecheck" / "attic.py").write_text('"""On no floor."""\n')
    done = lint(copy)

    assert done.returncode != 0
    assert "attic" in done.stdout
