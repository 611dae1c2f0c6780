"""Cards travel with the package."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from sensecheck.calibration.library import CardLibrary
from tests.calibration.fitting import FPR, card_of, normal_rows

ROOT = Path(__file__).parents[2]
CARDS = "src/sensecheck/calibration/cards"


@pytest.mark.slow
def test_the_wheel_brings_every_card(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / CARDS / "words.json").write_text(card_of(normal_rows(1, 100, 100), FPR).to_json())
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")

    with zipfile.ZipFile(wheel) as packed:
        inside = packed.namelist()
    for name in ("words", *CardLibrary.shipped().names()):
        assert f"sensecheck/calibration/cards/{name}.json" in inside
