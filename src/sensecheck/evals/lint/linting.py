"""Going through a battery with every suspicion that there is."""

from collections.abc import Iterable, Iterator, Mapping

from sensecheck.core.errors import BatteryError
from sensecheck.evals.battery import Battery, BatteryTest
from sensecheck.evals.format.files import Files
from sensecheck.evals.format.head import read_head
from sensecheck.evals.lint.certain import never_fails, never_passes
from sensecheck.evals.lint.clusters import shared_exemplars
from sensecheck.evals.lint.finding import Finding
from sensecheck.evals.lint.leaked import leaked_exemplars
from sensecheck.evals.lint.twins import Twins
from sensecheck.evals.lint.unfitted import without_threshold
from sensecheck.evals.node import Node, Place


def lint(battery: Battery, answers: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    """What to look at: first in the tests as they are written, then in what they come to.

    `answers` are those of the labelled files that lines were fitted on, by `name#hash`.
    """
    twins = Twins()
    for node, is_default in _written(battery):
        yield from without_threshold(node)
        if not is_default and (twin := twins.see(node)):
            yield twin
    for test in battery.read_tests():
        yield from _certain(test)
        for says in shared_exemplars(test.check):
            yield _at(test, "exemplar-in-two-clusters", says)
        for says in leaked_exemplars(test.check, answers):
            yield _at(test, "exemplar-in-calibration-set", says)


def _written(battery: Battery) -> Iterator[tuple[Node, bool]]:
    """The default and every test, as they stand in the file; whether it is the default."""
    files = Files(battery.folder)
    document = files.document(battery.path, Node(None, Place(str(battery.path), 1)))
    head = read_head(document, files, battery.environment)
    if head.default is not None:
        yield head.default, True
    for row in head.rows():
        if isinstance(row, BatteryError):  # the battery was read before: the file has changed since
            raise row
        yield row, False


def _certain(test: BatteryTest) -> Iterator[Finding]:
    if never_fails(test.check):
        yield _at(test, "never-fails", "whatever the answer is, this test passes")
    elif never_passes(test.check):
        yield _at(test, "never-passes", "whatever the answer is, this test fails")
    else:
        for kind, part in zip(test.types, test.check.parts, strict=True):
            if part.weight > 0 and never_fails(part.check):
                yield _at(test, "never-fails", f"whatever the answer is, `{kind}` passes")


def _at(test: BatteryTest, rule: str, says: str) -> Finding:
    return Finding(str(test.place), rule, says)
