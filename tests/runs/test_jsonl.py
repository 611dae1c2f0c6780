"""Runs on disk: counted up, resumed, and never mixed up."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from sensecheck.core.errors import SpecError, StorageError
from sensecheck.runs.jsonl import RunFile, RunFolder, RunHeader, State, result_line
from tests.runs.kept_runs import result

HEADER = RunHeader("bot.battery.yaml", "d1", "0.1.0", "hashing", ("echo",), (), 3, 3, chosen={"seed": 1})


def begun(folder: RunFolder, results: int, header: RunHeader = HEADER) -> int:
    """A run with so many results, which ended before it was whole."""
    with suppress(KeyboardInterrupt), folder.begin(header, "token") as writing:
        for number in range(1, results + 1):
            writing.add(result(number))
        raise KeyboardInterrupt
    return writing.number


def test_runs_are_counted_up(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "runs")

    assert [begun(folder, 0), begun(folder, 1), begun(folder, 2)] == [1, 2, 3]
    assert folder.numbers() == [1, 2, 3]
    assert [State.of(folder.file(number)).done for number in (1, 2, 3)] == [0, 1, 2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="it takes a disk that is always full")
def test_a_result_for_which_there_is_no_room_is_told_and_the_run_can_go_on(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    number = begun(folder, 2)
    with folder.resume(number, HEADER) as writing, Path("/dev/full").open("ab", buffering=0) as full:
        with pytest.raises(StorageError, match=r"test 3 .*1\.jsonl`: No space .*resume with `--resume 1`"):
            replace(writing, _file=full).add(result(3))
        writing.add(result(3))

    assert State.of(folder.file(number)).whole


def test_runs_that_begin_at_once_take_numbers_of_their_own(tmp_path: Path) -> None:
    folder, taken = RunFolder(tmp_path), list[int]()
    threads = [Thread(target=lambda: taken.append(begun(folder, 1))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(taken) == list(range(1, 21))


@pytest.mark.parametrize("torn", ["", '{"test":3,"key":"k', '{"test":3,"key":"ä'])
def test_a_run_goes_on_where_it_stopped(tmp_path: Path, torn: str) -> None:
    folder = RunFolder(tmp_path)
    number = begun(folder, 2)
    with folder.file(number).open("ab") as file:
        file.write(torn.encode()[: len(torn)])

    with folder.resume(number, HEADER) as writing:
        assert writing.done == 2
        writing.add(result(3))

    lines = folder.file(number).read_text(encoding="utf-8").splitlines(keepends=True)
    assert lines == [HEADER.to_line(), *(result_line(result(test)) for test in (1, 2, 3))]
    assert State.of(folder.file(number)).whole
    assert [one.test for one in RunFile.open(folder.file(number)).results()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("digest", "d2", "the battery, or a file that it names, has changed, from `d1` to `d2`"),
        ("encoder", "minilm", "the encoder has changed, from `hashing` to `minilm`"),
        ("sensecheck", "0.2.0", "the version of sensecheck has changed"),
        ("chosen", {"seed": 2}, "the choice of tests has changed"),
        ("sources", ("echo", "other"), "its `sources` has changed, from `echo` to `echo, other`"),
        ("answers", "f2", "where its answers come from has changed"),
    ],
)
def test_a_run_that_is_not_the_same_does_not_go_on(
    tmp_path: Path, name: str, value: object, said: str
) -> None:
    folder = RunFolder(tmp_path)
    number = begun(folder, 2)
    before = folder.file(number).read_bytes()
    other = RunHeader(**{**{key: getattr(HEADER, key) for key in HEADER.__slots__}, name: value})

    with pytest.raises(SpecError, match=f"the run 1 cannot go on: {said}"), folder.resume(number, other):
        pass

    assert folder.file(number).read_bytes() == before


def test_one_process_at_a_time_writes_a_run(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)

    with folder.begin(HEADER, "token") as writing, pytest.raises(SpecError, match="another process"):
        folder.resume(writing.number, HEADER).__enter__()


def test_the_newest_interrupted_run_of_a_battery_is_resumed(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    other = RunHeader("other.yaml", "d1", "0.1.0", "hashing", ("echo",), (), 3, 3)
    for results, header in ((1, HEADER), (2, HEADER), (3, HEADER), (1, other)):
        begun(folder, results, header)

    assert folder.resumable("latest", "bot.battery.yaml") == 2
    assert folder.resumable("1", "bot.battery.yaml") == 1
    with pytest.raises(SpecError, match="the run 3 is whole; there is nothing to resume"):
        folder.resumable("3", "bot.battery.yaml")
    with pytest.raises(SpecError, match=r"no run of `third.yaml` in .* was interrupted"):
        folder.resumable("latest", "third.yaml")


def test_answers_of_an_interrupted_run_are_found_under_its_token_and_of_no_other(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    number = begun(folder, 1)

    assert folder.token(number) == "token"
    with folder.resume(number, HEADER):
        pass
    assert folder.token(number) != "token"


def test_a_run_that_never_began_is_not_resumed(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.file(1).write_bytes(HEADER.to_line().encode()[:20])

    assert State.of(folder.file(1)) == State(None, 0)
    with pytest.raises(SpecError, match="was interrupted before it began"), folder.resume(1, HEADER):
        pass


def test_a_run_is_found_by_what_people_call_it(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "runs")
    for _ in range(2):
        begun(folder, 1)

    assert folder.find("latest") == folder.find("2") == folder.find(str(tmp_path / "runs" / "2.jsonl"))
    assert folder.find("previous") == folder.file(1)
    for named, said in (
        ("7", "no run `7` in .*; it holds 1, 2"),
        ("nowhere.jsonl", "is no run: wanted a number"),
    ):
        with pytest.raises(SpecError, match=said):
            folder.find(named)
    with pytest.raises(SpecError, match="no `latest` run"):
        RunFolder(tmp_path / "empty").find("latest")
