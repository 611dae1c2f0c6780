"""Every page tells the truth: its code runs, its commands print what it shows, its checks can be read.

`REWRITE_DOCS=1 pytest tests/docs` writes into the pages what is printed now; `git diff docs` shows what users
see.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from difflib import SequenceMatcher
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet  # the type of what `pytest.param` gives
from tests.changed_files import changed_files

import sensecheck
from sensecheck.calibration.library import shipped_card
from sensecheck.checks.presets import PRESETS
from sensecheck.cli.main import app
from sensecheck.config import PREFIX, SERVE_PREFIX, Settings
from sensecheck.core.registry import ENCODERS, MEASURES, registered
from sensecheck.server.settings import ServiceSettings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
CHANGED = {ROOT / "README.md", *(PAGES if (found := changed_files(ROOT)) is None else found)}
TOLD = [page for page in PAGES if not {"decisions", "runbook"} & set(page.parts) or page.stem == "index"]
"""Pages that open with code; a decision record need not, nor the page of an alert."""

REWRITE = bool(os.environ.get("REWRITE_DOCS"))
ALIKE = 0.5
"""A line of a page is never replaced by one that has less in common with it."""

_FENCE = re.compile(r'^```(\w*)(?: title="([^"]*)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"^<!-- (/?)figures:(\w+) -->$", re.MULTILINE)
_RUNS = ("python", "console", "json")
_RUNNER = """
import json, pathlib, sys
from sensecheck import check_from_data
page = {"__name__": "__main__"}
for where, line, language, text in json.loads(pathlib.Path(sys.argv[1]).read_text()):
    if language == "python":
        exec(compile("\\n" * line + text, where, "exec"), page)
    elif isinstance(data := json.loads(text), dict) and "kind" in data:
        check_from_data(data)
"""


@dataclass(frozen=True, slots=True)
class Block:
    """Fenced code on a page. A title names the file that it stands for, or says that it was printed."""

    line: int
    language: str
    title: str
    text: str


@dataclass(slots=True)
class Command:
    """A line that a reader types, and what the page shows below it."""

    typed: str
    shown: list[str]


def chosen(pages: Iterable[Path]) -> list[ParameterSet]:
    """Pages whose code is run: in `just check` those that changed and the README."""
    return [pytest.param(page, marks=[pytest.mark.core] if page in CHANGED else []) for page in pages]


def blocks(page: Path) -> list[Block]:
    text = page.read_text()
    return [Block(text.count("\n", 0, m.start()) + 1, m[1], m[2] or "", m[3]) for m in _FENCE.finditer(text)]


def commands(page: Path) -> list[Command]:
    """What stands after a `$`, also over several lines; `pip` is not run."""
    found: list[Command] = []
    for block in (block for block in blocks(page) if block.language == "console"):
        for line in block.text.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                found.append(Command(line.removeprefix("$ "), []))
            elif line.strip() not in ("", "…"):
                found[-1].shown.append(line.strip())
    return [command for command in found if not command.typed.startswith("pip ")]


def environment(folder: Path) -> dict[str, str]:
    """As a reader has it: our command on the path, no colours, no settings, files of the page at hand."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(PREFIX)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{own['PATH']}"
    return own | {"PATH": path, "PYTHONPATH": str(folder), "NO_COLOR": "1", "SENSECHECK_CACHE": "off"}


def lay_out(page: Path, folder: Path) -> None:
    """The page's files in a folder; a `pyproject.toml` counts as installed."""
    for block in blocks(page):
        if "." in block.title:
            (folder / block.title).write_text(block.text)
    project = folder / "pyproject.toml"
    if project.exists():
        described = tomllib.loads(project.read_text())["project"]
        about = folder / f"{described['name'].replace('-', '_')}-{described['version']}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Name: {described['name']}\nVersion: {described['version']}\n")
        groups = described["entry-points"].items()
        lines = [
            f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in named.items()) for group, named in groups
        ]
        (about / "entry_points.txt").write_text("".join(lines))


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False
    )


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def assert_printed(lines: list[str], printed: str, page: Path, where: str) -> None:
    if REWRITE:
        rewrite(lines, printed, page)
        return
    left = iter([line.strip() for line in printed.splitlines()])
    for line in lines:  # each as often as it was printed, and in that order
        assert line in left, (
            f"{name(page)}{where} shows\n  {line}\nbut this was printed, in this order:\n{printed}"
        )


def rewrite(lines: list[str], printed: str, page: Path) -> None:
    """Put the printed line that is most like it, numbers aside, in the place of each that is not printed."""
    left, text = [line.strip() for line in printed.splitlines()], page.read_text()
    for line in lines:
        likeness = [SequenceMatcher(None, plain(line), plain(one)).ratio() for one in left]
        at = left.index(line) if line in left else likeness.index(max(likeness, default=0.0))
        assert likeness[at] > ALIKE, f"nothing printed is like `{line}`:\n{printed}"
        text = re.sub(rf"^( *){re.escape(line)}$", rf"\g<1>{_escaped(left[at])}", text, flags=re.MULTILINE)
        left = left[at + 1 :]
    page.write_text(text)


def plain(line: str) -> str:
    return re.sub(r"\d+", "0", line)


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\")


@pytest.mark.slow
@pytest.mark.parametrize("page", chosen(PAGES), ids=name)
def test_the_code_of_a_page_runs_and_its_checks_can_be_read(page: Path, tmp_path: Path) -> None:
    all_blocks = blocks(page)
    program = [
        (name(page), b.line, b.language, b.text) for b in all_blocks if b.language in ("python", "json")
    ]
    if not program:
        return
    lay_out(page, tmp_path)
    (tmp_path / "blocks").write_text(json.dumps(program))
    done = run([sys.executable, "-c", _RUNNER, "blocks"], tmp_path)

    assert done.returncode == 0, done.stderr
    for block in (block for block in all_blocks if block.title == "prints"):
        shown = [line.strip() for line in block.text.splitlines() if line.strip() not in ("", "…")]
        assert_printed(shown, done.stdout, page, f", line {block.line},")


@pytest.mark.timeout(900)  # a page of many commands, on a machine that does much else
@pytest.mark.slow
@pytest.mark.parametrize("page", chosen(page for page in PAGES if commands(page)), ids=name)
def test_the_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    typed = commands(page)
    lay_out(page, tmp_path)
    steps = [
        f"{{ {command.typed}\n}} >{at}.out 2>&1; code=$?; echo $code >{at}.code; (exit $code)\n"
        for at, command in enumerate(typed)
    ]
    run(["bash", "-c", "".join(steps)], tmp_path)

    for at, command in enumerate(typed):
        printed = (tmp_path / f"{at}.out").read_text()
        assert "Traceback" not in printed, printed
        assert command.shown or (tmp_path / f"{at}.code").read_text().strip() == "0", printed
        assert_printed(command.shown, printed, page, f": `{command.typed}`")


@pytest.mark.parametrize("page", TOLD, ids=name)
def test_a_page_opens_with_code_that_runs(page: Path) -> None:
    opening = re.split(r"^## ", page.read_text(), maxsplit=1, flags=re.MULTILINE)[0]
    first = _FENCE.search(opening)

    assert first is not None, "the page has no code before its first heading"
    is_run = first[2] and any(first[2] in command.typed for command in commands(page))
    assert first[1] in _RUNS or is_run, f"the page opens with `{first[1]}`; wanted one of {_RUNS}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_measured_figures_have_a_place_that_a_script_fills(page: Path) -> None:
    marks = iter(_MARKER.findall(page.read_text()))

    for slash, figure in marks:
        assert not slash, f"`figures:{figure}` is closed but was not opened"
        assert next(marks, None) == ("/", figure), f"`figures:{figure}` is not closed"


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("settings.md", [PREFIX + field.name.upper() for field in fields(Settings)]),
        ("settings.md", [SERVE_PREFIX + field.name.upper() for field in fields(ServiceSettings)]),
        ("nouns/check.md", list(PRESETS)),
        (
            "nouns/measure.md",
            [entry for entry, at in registered(MEASURES).items() if "sensecheck" in at.value],
        ),
        ("how-to/choose-an-encoder.md", [entry for entry, at in registered(ENCODERS).items()]),
        (
            "how-to/command-line.md",
            [
                *(f"sensecheck {command.name}" for command in app.registered_commands),
                *(f"sensecheck {group.name}" for group in app.registered_groups),
            ],
        ),
    ],
)
def test_a_page_names_everything_there_is(page: str, names: list[str]) -> None:
    text = (DOCS / page).read_text()

    assert [wanted for wanted in names if not re.search(rf"`{wanted}\b|\$ {wanted}\b", text)] == []


def imports(page: Path) -> set[tuple[str, str]]:
    """Each of our modules that the code of a page imports from, with the name."""
    trees = [ast.parse(block.text) for block in blocks(page) if block.language in ("python", "py")]
    found = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {
        (node.module, alias.name)
        for node in found
        if node.module is not None and node.module.partition(".")[0] == "sensecheck"
        for alias in node.names
    }


def public_names() -> set[tuple[str, str]]:
    """By the page on versions: packages with all that they export, and modules with the names beside them."""
    rows = re.findall(
        r"^\| `(sensecheck[\w.]+)` \| (.+) \|$", (DOCS / "versions.md").read_text(), re.MULTILINE
    )
    names = {(module, name) for module, text in rows for name in re.findall(r"`(\w+)`", text)}
    packages = ["sensecheck", *(module for module, text in rows if not text.startswith("`"))]
    names |= {(module, name) for module in packages for name in import_module(module).__all__}
    return names | {("sensecheck.checks.presets", preset) for preset in PRESETS}


def test_what_pages_import_is_public_and_by_its_shortest_name() -> None:
    public, exported = public_names(), set(sensecheck.__all__)
    found = {(page, *entry) for page in PAGES for entry in imports(page)}

    assert {(name(page), *entry) for page, *entry in found if tuple(entry) not in public} == set()
    deep = {
        (page, module, name) for page, module, name in found if module != "sensecheck" and name in exported
    }
    assert deep == set()


def test_what_is_listed_as_public_is_there() -> None:
    ours = [entry for entry in public_names() if ".adapters." not in entry[0]]  # whose frameworks are not

    assert [entry for entry in ours if not hasattr(import_module(entry[0]), entry[1])] == []


def test_the_picture_of_our_refusal_card_is_that_of_the_card_that_ships() -> None:
    drawn = (DOCS / "images" / "refusal-card.png").read_bytes()
    card = sha256(shipped_card("refusal").to_json().encode()).hexdigest()

    assert f"card\0{card}".encode() in drawn, "the card has changed; draw it again: tools/picture-of-card"


def test_the_gallery_names_every_example_and_nothing_that_is_not_there() -> None:
    named = re.findall(r"\]\(([^)]+)\)", (ROOT / "examples" / "README.md").read_text())
    there = {path.name for path in (ROOT / "examples").iterdir() if path.name[0] not in "._"}

    assert set(named) == there - {"README.md"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("first_verdict.py", "FAIL means"),
        ("check_a_folder_of_answers.py", "judged"),
        ("grounded_answer.py", "The answer is held back."),
        ("guard_references.py", "kept 2 of 5"),
        ("calibrate_and_test.py", "Holds: false accepts"),
        ("mcp_client.py", "held back: On clear evenings"),
        ("evaluate-at-scale/evaluate_pairs.py", "questions  1,000, 1 not answered"),
    ],
)
def test_an_example_runs_by_one_command(typed: str, shown: str, tmp_path: Path) -> None:
    done = run([sys.executable, str(ROOT / "examples" / typed)], tmp_path)

    assert shown in done.stdout, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_an_example_of_a_battery_runs_by_one_command(tmp_path: Path) -> None:
    done = run(["sensecheck", "run", str(ROOT / "examples" / "batteries" / "museum.battery.yaml")], tmp_path)

    assert done.returncode == 1, done.stderr
    assert "10 tests (5 by 2 sources): 5 pass, 5 fail (50.0% passed)" in done.stdout
