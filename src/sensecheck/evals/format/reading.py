"""From a battery file to a battery; all of it is read once, and what is wrong is told with its place."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from sensecheck.calibration.library import Shelf
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.evals.battery import Battery, BatteryTest, Wording
from sensecheck.evals.format.cases import CaseReader
from sensecheck.evals.format.files import Files
from sensecheck.evals.format.head import Head, read_head
from sensecheck.evals.format.mistakes import Mistakes
from sensecheck.evals.format.naming import KeyBook
from sensecheck.evals.format.prompts import prompt_of
from sensecheck.evals.format.unknown_keys import unknown_keys, unknown_keys_of_head, unknown_keys_of_test
from sensecheck.evals.node import Node, Place

_UNWORDED = Wording("", "")


def read_battery(path: Path, *, environment: Mapping[str, str], shelf: Shelf | None = None) -> Battery:
    """The battery in a YAML or JSON file; `BatteryError` names every place where something is wrong."""
    files = Files(path.parent)
    node = files.document(path, Node(None, Place(str(path), 1)))
    try:
        head = read_head(node, files, environment)
        reader = CaseReader(
            files, head.environment, shelf or Shelf.shipped(), head.wordings, head.sources, head.repeat
        )
        if head.default is not None:
            reader = replace(reader, default=reader.read_default(head.default))
    except BatteryError as wrong:
        raise _with_unknown_keys(wrong, node, files) from wrong
    _must_all_be_right(head, reader, node)
    return Battery(
        path=path,
        description=head.description,
        wordings=head.wordings,
        sources=head.sources,
        read_tests=lambda: _tests(head, reader),
        digest=files.digest(),
        environment=head.environment,
        at_once=head.at_once,
    )


def _with_unknown_keys(wrong: BatteryError, node: Node, files: Files) -> BatteryError:
    """What is wrong with the head, and each unknown key of the whole battery: its tests are not read then."""
    mistakes = Mistakes()
    for key in unknown_keys(node, files):
        mistakes.add(key)
    mistakes.add(wrong)
    return mistakes.as_error()


def _tests(head: Head, reader: CaseReader) -> Iterator[BatteryTest]:
    for test in _each(head, reader):
        if isinstance(test, BatteryError):
            raise test
        yield test


def _each(head: Head, reader: CaseReader) -> Iterator[BatteryTest | BatteryError]:
    """Every test, numbered and with its key; or what is wrong where one should stand."""
    keys, number = KeyBook(), 0
    for row in head.rows():
        if isinstance(row, BatteryError):
            yield row
            continue
        try:
            for test in reader.read(row):
                number += 1
                yield replace(test, number=number, key=keys.key(test))
        except BatteryError as wrong:
            yield from unknown_keys_of_test(row)
            yield wrong
        except SpecError as wrong:
            yield BatteryError(f"{row.place}: {wrong}")


def _must_all_be_right(head: Head, reader: CaseReader, node: Node) -> None:
    """Go through all tests once, as a run will; nothing of them is kept."""
    mistakes, count = Mistakes(), 0
    try:
        for test in _each(head, reader):
            count += 1
            if isinstance(test, BatteryError):
                mistakes.add(test)
            else:
                mistakes.noting(lambda: _must_be_worded(head, test), None)  # noqa: B023 - called at once
    except BatteryError as wrong:
        mistakes.add(wrong)
    if mistakes:
        for key in unknown_keys_of_head(node):  # a default is read with each test
            mistakes.add(key)
    mistakes.must_be_none()
    if not count:
        raise node.wrong("there is no test in this battery", key="tests")


def _must_be_worded(head: Head, test: BatteryTest) -> None:
    for wording in head.wordings or (_UNWORDED,):
        if test.wordings is None or wording.label in test.wordings:
            prompt_of(wording, test, head.environment)
