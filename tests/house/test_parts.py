"""Every test is in a part of `just check-full`, and what never leaves `just check` is in it."""

import itertools
import re
import tomllib

import pytest
from _pytest.mark.expression import Expression  # what `-m` is read with; there is no public way

from tests.markers import BY_FIXTURE, BY_FOLDER, BY_PARAMETER, CORE, KINDS, TESTS

ROOT = TESTS.parent
JUSTFILE = (ROOT / "justfile").read_text()
PARTS = dict(re.findall(r'^(full-\w+).*\n    .* -m "([^"]*)"', JUSTFILE, re.MULTILINE))
IN_CHECK = re.findall(r'^in-check := "(.*)"$', JUSTFILE, re.MULTILINE)[0]
MARKED = [
    set(some) for count in range(len(KINDS) + 2) for some in itertools.combinations((*KINDS, "core"), count)
]
"""Every way in which a test may be marked."""


def selects(expression: str, markers: set[str]) -> bool:
    def is_marked(name: str, /, **_: str | int | bool | None) -> bool:
        return name in markers

    return Expression.compile(expression).evaluate(is_marked)


def test_a_test_is_in_some_part_however_it_is_marked() -> None:
    assert len(PARTS) == 7
    assert [sorted(one) for one in MARKED if not any(selects(part, one) for part in PARTS.values())] == []


def test_check_needs_no_service_of_others_and_keeps_what_is_core() -> None:
    elsewhere = {"database", "browser", "cluster", "fault", "adapter"}

    assert [one for one in MARKED if selects(IN_CHECK, one) and one & elsewhere] == []
    assert [
        one for one in MARKED if "core" in one and not one & elsewhere and not selects(IN_CHECK, one)
    ] == []
    assert selects(IN_CHECK, set())
    assert [kind for kind in KINDS if selects(IN_CHECK, {kind})] == []


def test_folders_that_check_does_not_collect_hold_nothing_that_it_would_run() -> None:
    skipped = re.findall(r"--ignore tests/(\w+)", re.findall(r"^only-full := .*$", JUSTFILE, re.MULTILINE)[0])

    assert [name for name in skipped if selects(IN_CHECK, set(BY_FOLDER[name]))] == []


def test_markers_are_described_and_what_is_core_is_there() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    described = [line.partition(":")[0] for line in options["markers"]]
    given = {
        kind for table in (BY_FIXTURE, BY_FOLDER, BY_PARAMETER) for kinds in table.values() for kind in kinds
    }

    assert described == [*KINDS, "core"]
    assert given <= set(KINDS)
    assert [path for path in CORE if not (TESTS / path).exists()] == []


@pytest.mark.parametrize("folder", sorted(BY_FOLDER))
def test_a_folder_of_one_kind_is_there(folder: str) -> None:
    assert (TESTS / folder).is_dir()
