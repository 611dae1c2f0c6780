"""Deciding by a card needs numpy alone; fitting says which packages it lacks."""

import subprocess
import sys

import pytest

from sensecheck.calibration.recheck import NewReading, recheck
from sensecheck.core.errors import MissingExtra
from tests.calibration.fitting import FPR, card_of, fitted, normal_rows

ROWS = normal_rows(1, 100, 100)


def test_nothing_of_calibration_imports_what_only_fitting_needs() -> None:
    code = (
        "import sys, pkgutil, importlib, sensecheck.calibration as room\n"
        "names = [found.name for found in pkgutil.iter_modules(room.__path__)]\n"
        "assert names\n"
        "for name in names: importlib.import_module(f'sensecheck.calibration.{name}')\n"
        "assert not {'scipy', 'sklearn'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


def test_fitting_names_the_extra_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)

    with pytest.raises(MissingExtra, match=r"pip install 'sensecheck\[train\]'"):
        fitted(ROWS, FPR)


def test_checking_a_card_names_the_extra_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    card = card_of(ROWS, FPR)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)

    with pytest.raises(MissingExtra, match=r"pip install 'sensecheck\[train\]'"):
        recheck(card, [NewReading(0.5, False)])
