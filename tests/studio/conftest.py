"""Runs of all stores, to look at."""

from collections.abc import Iterator

import pytest

from sensecheck.runs.jsonl import result_line
from tests.runs import kept_runs, stores
from tests.studio.served import Served, served

PASSED = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0]
SIMILAR = [0.9, 0.8, 0.4, 0.7, 0.2, 0.95]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two runs of a suite, one that is damaged, and evaluations in a database and in a folder."""
    tmp_path = tmp_path_factory.mktemp("places")
    suites = tmp_path / "runs"
    before = [
        kept_runs.result(1, "pass"),
        kept_runs.result(2, "pass"),
        kept_runs.result(3, "fail", answer="It (really) costs 12 euros."),
        kept_runs.result(4, "unsure", metadata={"topic": "prices"}),
        kept_runs.no_answer(5),
    ]
    after = [
        kept_runs.result(1, "pass"),
        kept_runs.result(2, "fail", answer="The answer is not 2."),
        kept_runs.result(3, "pass"),
        kept_runs.result(4, "unsure", metadata={"topic": "prices"}),
    ]
    kept_runs.kept(suites / "1.jsonl", before)
    kept_runs.kept(suites / "2.jsonl", after, cells=6)
    (suites / "3.jsonl").write_text("no run at all\n", "utf-8")
    with (suites / "2.jsonl").open("a", encoding="utf-8") as file:  # half a line: it is being written
        file.write(result_line(kept_runs.result(5))[:40])
    database = tmp_path / "evals.sqlite3"
    for name, shift in (("first", 0.0), ("second", -0.1)):
        readings = {"semantic_similarity@minilm": [one + shift for one in SIMILAR], "polite": PASSED}
        stores.kept(database, readings, name=name, labels={"correct": PASSED} if name == "first" else None)
    folder = f"folder:{tmp_path / 'folder'}"
    stores.kept(folder, {"rouge_l": SIMILAR}, project="borealis", name="in a folder")
    return [f"suites:{suites}", str(database), folder]


@pytest.fixture(scope="module")
def studio(places: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A Studio of all of them."""
    with served(places, cache=tmp_path_factory.mktemp("cache") / "studio.sqlite3") as found:
        yield found
