"""Importing is light: nothing heavy comes along before it is needed."""

import subprocess
import sys

import pytest

HEAVY = (
    "onnxruntime",
    "tokenizers",
    "torch",
    "openvino",
    "openai",
    "typer",
    "rich",
    "sqlite3",
    "huggingface_hub",
)


def modules_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after running some code."""
    script = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_sensecheck_imports_nothing_else() -> None:
    bare = modules_after("import importlib, typing")
    added = {name for name in modules_after("import sensecheck") - bare if not name.startswith("sensecheck")}

    assert not added


@pytest.mark.parametrize(
    "code",
    [
        "from sensecheck import Sense",
        "import sensecheck.references",
        "import sensecheck.retrieval",
        "import sensecheck.validators",
        "from sensecheck import assess, Gate",
    ],
)
def test_the_faces_bring_numpy_and_nothing_heavy(code: str) -> None:
    loaded = modules_after(code)

    assert "numpy" in loaded
    assert not loaded & set(HEAVY)


def test_every_public_name_is_there() -> None:
    code = "import sensecheck\nassert all(getattr(sensecheck, name) for name in sensecheck.__all__)"

    assert "sensecheck.sense" in modules_after(code)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    script = "import sensecheck\nsensecheck.nothing"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert "AttributeError: module `sensecheck` has no attribute `nothing`" in done.stderr
