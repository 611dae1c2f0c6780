"""Importing is light: nothing heavy comes along before it is needed."""

import subprocess
import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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

ENTRIES = {
    "battery": ("sensecheck.batteries", "sensecheck.cli.main"),
    "eval": ("sensecheck.evaluation", "sensecheck.cli.main"),
    "mcp": ("sensecheck.mcp.server",),
    "server": ("sensecheck.server.app", "sensecheck.server.serve", "sensecheck.server.startup"),
    "worker": ("sensecheck.server.maintenance_worker",),
}
"""What must be there with an extra and `local` alone, and nothing of other extras."""


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


def brought_by(name: str, extras: tuple[str, ...]) -> set[str]:
    """A package and all that comes with it, by the names that pip knows."""
    brought, waiting = set[tuple[str, tuple[str, ...]]](), [(name, extras)]
    while waiting:
        package, wanted = waiting.pop()
        brought.add((canonicalize_name(package), wanted))
        for needed in map(Requirement, metadata.requires(package) or ()):
            marker, further = needed.marker, (canonicalize_name(needed.name), tuple(sorted(needed.extras)))
            active = marker is None or any(marker.evaluate({"extra": one}) for one in ("", *wanted))
            if active and further not in brought:
                waiting.append(further)
    return {package for package, _ in brought}


@pytest.mark.core
@pytest.mark.slow
@pytest.mark.parametrize(("extra", "modules"), ENTRIES.items())
def test_an_extra_brings_all_that_its_part_needs(extra: str, modules: tuple[str, ...]) -> None:
    needed = ("local", "server", extra) if extra == "worker" else ("local", extra)
    brought = brought_by("sensecheck", needed)
    absent = [
        module
        for module, packages in metadata.packages_distributions().items()
        if not brought & {canonicalize_name(package) for package in packages}
    ]
    script = f"import sys\nsys.modules.update(dict.fromkeys({absent!r}))\nimport {', '.join(modules)}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert "procrastinate" in absent or extra == "worker"
    assert done.returncode == 0, done.stderr
