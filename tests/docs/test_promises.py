"""Every promise has tests that exist, and a figure."""

import pytest
from benchmarks.figures import figures
from benchmarks.figures.promises import PROMISES, ROOT, Promise, named_tests

RESULTS = ROOT / "benchmarks" / "results"


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.says)
def test_the_tests_behind_a_promise_exist(promise: Promise) -> None:
    assert [name for name in promise.tests if not named_tests(name)] == []


def test_a_test_that_is_not_there_is_found() -> None:
    assert named_tests("tests/docs/test_promises.py::test_nobody_wrote") == []
    assert "test_a_test_that_is_not_there_is_found" in named_tests("tests/docs/test_promises.py")


def test_the_pages_show_the_promises_as_they_are_now() -> None:
    for page, name in (("docs/promises.md", "promises"), ("README.md", "promises_short")):
        assert figures(name, RESULTS) in (ROOT / page).read_text("utf-8"), f"{page}: run `just docs`"


def test_a_figure_is_read_from_what_was_measured() -> None:
    counts = {"acknowledged": 70, "lost": 2, "doubled": 0}
    scenes = {"killed": {"kills": 3, "kept": counts}, "disk": {"full": {"kept": counts}}}
    (promise,) = [one for one in PROMISES if one.says == "nothing that the service acknowledged is lost"]

    assert promise.figure is not None
    assert promise.figure({"serving_faults": scenes}) == "4 of 140 lost, 3 kills"
