"""What is suspicious in a battery: tests that cannot fail, duplicates, leaked exemplars, default thresholds.

Also assertions that ask a judge where none is set. A leak is an exemplar among the labelled answers that its
own threshold was fitted on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from json import dumps
from math import inf
from pathlib import Path
from typing import Any

from sensecheck.batteries.battery import Battery, BatteryTest
from sensecheck.batteries.files import Files
from sensecheck.batteries.judges import count_judged, without_judge
from sensecheck.batteries.reader import read_battery, read_head
from sensecheck.checks.calibrate import Leaks
from sensecheck.checks.combine import AllOf, AnyOf, Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.introspection import gates_of
from sensecheck.checks.weighted import Scored
from sensecheck.config import Settings, card_library, variables
from sensecheck.core.errors import BatteryError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import to_data
from sensecheck.core.space import Space
from sensecheck.core.unicode import squeezed
from sensecheck.datasets.rows import LoadedRows
from sensecheck.documents.node import FREE, Node, Place
from sensecheck.measures.exemplars import ClusterMargin, NearestExemplar
from sensecheck.measures.similarity import Similarity
from sensecheck.measures.wording.text import Pattern, StartsWith

_SHARES = ("keyword_overlap", "fact_agreement", "repetition", "circling", "judged", "head")
_RANGES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("similarity", "passage_similarity", "nearest_exemplar"), (-1.0, 1.0)),
    "cluster_margin": (-2.0, 2.0),
    **dict.fromkeys((*_SHARES, "contains", "rouge_n", "bleu"), (0.0, 1.0)),
    **dict.fromkeys(("levenshtein", "latency", "cost"), (0.0, inf)),
}
"""Between which numbers a measure reads, by its name."""
_ABSURD = ("", "q", "\n", "0 x!", "Ö\tß 日本", "word " * 40)
"""What a rule on the words must not accept altogether, if it is to mean something."""

_NAMES = ("description", "metadata")
"""What a test is called, and not what it asks."""

_WITH_THRESHOLD = ("similar", "rouge-n", "bleu", "levenshtein", "drift_threshold", "refusal_cluster")
_THRESHOLD_KEYS = {**dict.fromkeys(_WITH_THRESHOLD, "threshold"), "trajectory": "max_heller_score"}
"""Types whose default was picked by hand, and the key that would set it."""
_LISTS = ("assert", "embedding_validation")

Answers = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class LintFinding:
    """Where it is, which rule found it, and what it says."""

    place: str
    rule: str
    says: str

    def to_data(self) -> dict[str, Any]:
        """The finding as plain data."""
        return to_data(self)


def lint_battery(
    path: Path | str, *, labelled: Sequence[Path | str] = (), settings: Settings | None = None
) -> list[LintFinding]:
    """What to look at in a battery, before anything is run; one that cannot be read is a `BatteryError`.

    `labelled` are files of labelled answers that cards were fitted on, where they are elsewhere.
    """
    settings = settings or Settings.from_environment()
    battery = read_battery(Path(path), environment=variables(), library=card_library(settings))
    answers, missing = answers_behind(battery, [Path(file) for file in labelled])
    return [*([] if settings.judge else _missing_judge(battery)), *missing, *lint(battery, answers)]


def lint(battery: Battery, answers: Mapping[str, Iterable[str]]) -> Iterator[LintFinding]:
    """What to look at: first in the tests as they are written, then in what they come to.

    `answers` are those of the labelled files that thresholds were fitted on, by `name#hash`.
    """
    duplicates = DuplicateTests()
    for node, is_default in _written(battery):
        yield from _without_threshold(node)
        if not is_default and (duplicate := duplicates.see(node)):
            yield duplicate
    for test in battery.read_tests():
        yield from _certain_outcomes(test)
        for says in _shared_exemplars(test.check):
            yield _finding(test, "exemplar-in-two-clusters", says)
        for says in _leaked_exemplars(test.check, answers):
            yield _finding(test, "exemplar-in-calibration-set", says)


def _missing_judge(battery: Battery) -> list[LintFinding]:
    """That assertions ask a judge, at the first test that has one."""
    judged = [
        (str(test.place), count) for test in battery.read_tests() if (count := count_judged(test.check))
    ]
    if not judged:
        return []
    return [LintFinding(judged[0][0], "no-judge", without_judge(sum(count for _, count in judged)))]


def answers_behind(battery: Battery, named: Sequence[Path]) -> tuple[Answers, list[LintFinding]]:
    """The answers of each file that a threshold with exemplars was fitted on; and which are not here."""
    answers: Answers = {}
    missing: list[LintFinding] = []
    for test in battery.read_tests():
        for data in map(_fitted_on, gates_of(test.check)):
            if not data or data in answers:
                continue
            name = data.partition("#")[0]
            places = [path for path in (*named, battery.folder / name, Path(name)) if path.name == name]
            answers[data] = next(_answers_in(places, data), ())
            if not answers[data]:
                says = (
                    f"a threshold was fitted on `{data}`, which is not here, so its exemplars could not be "
                    "compared with it; name the file as labelled (`--labelled`)"
                )
                missing.append(LintFinding(str(test.place), "calibration-set-not-found", says))
    return answers, missing


class DuplicateTests:
    """Remembers the tests that it has seen, as they are written."""

    def __init__(self) -> None:
        self._places: dict[bytes, str] = {}

    def see(self, test: Node) -> LintFinding | None:
        """What is to be said of a test that was seen before."""
        place, digest = str(test.place), _digest(test)
        if digest not in self._places:
            self._places[digest] = place
            return None
        return LintFinding(place, "duplicate-test", f"the test at {self._places[digest]} asks the same")


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


def _without_threshold(test: Node) -> Iterator[LintFinding]:
    """The assertions of a test, as it is written, whose threshold is a default that was never fitted."""
    for node in _assertions(test):
        keys = node.value if isinstance(node.value, Mapping) else {}
        kind = keys["type"].value if "type" in keys else None
        key = _THRESHOLD_KEYS.get(str(kind).removeprefix("not-"))
        if key is not None and key not in keys:
            says = (
                f"`{kind}` says no `{key}`; the default was not fitted on your answers; "
                "`sensecheck calibrate` gives a card to name here"
            )
            yield LintFinding(str(keys["type"].place), "no-threshold", says)


def _assertions(node: Node) -> Iterator[Node]:
    if not isinstance(node.value, Mapping):
        return
    for key in _LISTS:
        if key in node.value:
            listed = node.value[key]
            for item in listed.value if isinstance(listed.value, tuple) else (listed,):
                yield item
                yield from _assertions(item)


def _certain_outcomes(test: BatteryTest) -> Iterator[LintFinding]:
    if _is_certain(test.check, passes=True):
        yield _finding(test, "never-fails", "whatever the answer is, this test passes")
    elif _is_certain(test.check, passes=False):
        yield _finding(test, "never-passes", "whatever the answer is, this test fails")
    else:
        for kind, part in zip(test.types, test.check.parts, strict=True):
            if part.weight > 0 and _is_certain(part.check, passes=True):
                yield _finding(test, "never-fails", f"whatever the answer is, `{kind}` passes")


def _is_certain(check: Check, *, passes: bool) -> bool:
    """Whether it passes, or fails, whatever the answer is."""
    if isinstance(check, Against):
        return _is_certain(check.check, passes=passes)
    if isinstance(check, Not):
        return _is_certain(check.check, passes=not passes)
    if isinstance(check, AllOf | AnyOf):
        needs_all = isinstance(check, AllOf) == passes
        return (all if needs_all else any)(_is_certain(part, passes=passes) for part in check.checks)
    if isinstance(check, Scored):
        return _is_scored_certain(check, passes=passes)
    if not isinstance(check, Gate) or check.cutoff is None:
        return False
    side = "pass" if passes else "fail"
    return all(check.cutoff.side(value) == side for value in _range(check.measure))


def _is_scored_certain(check: Scored, *, passes: bool) -> bool:
    if check.threshold is not None:
        return check.threshold <= 0 if passes else check.threshold > 1
    counted = (part.check for part in check.parts if part.weight > 0)
    return (all if passes else any)(_is_certain(part, passes=passes) for part in counted)


def _range(measure: Measure) -> tuple[float, float]:
    if isinstance(measure, Pattern | StartsWith):
        values = [measure.read(Sample(answer), Space()).value for answer in _ABSURD]
        return min(values), 1.0
    return _RANGES.get(measure.name, (-inf, inf))


def _finding(test: BatteryTest, rule: str, says: str) -> LintFinding:
    return LintFinding(str(test.place), rule, says)


def _shared_exemplars(check: Check) -> Iterator[str]:
    """What is said of each exemplar that two clusters have."""
    for gate in gates_of(check):
        if isinstance(gate.measure, ClusterMargin):
            exemplars = {label: set(map(squeezed, texts)) for label, texts in gate.measure.clusters.items()}
            for name, other in combinations(exemplars, 2):
                for text in sorted(exemplars[name] & exemplars[other]):
                    yield f"“{text[:80]}” is an exemplar of `{name}` and of `{other}`; it speaks for neither"


def _leaked_exemplars(check: Check, answers: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """What is said of thresholds that were fitted on the exemplars they are compared with."""
    for gate in gates_of(check):
        data = _fitted_on(gate)
        leaks = Leaks(gate.measure)
        for answer in answers.get(data, ()):
            leaks.see(answer)
        if leaks.exemplars:
            yield (
                f"{leaks.exemplars} of the {leaks.answers} answers in `{data.partition('#')[0]}`, on which "
                f"the threshold of `{gate.name}` was fitted, are among its own exemplars; its promise may "
                "not hold"
            )


def _fitted_on(gate: Gate) -> str:
    """What its threshold was fitted on; nothing where it was not, or for a measure without exemplars."""
    if gate.cutoff is None or gate.cutoff.certificate is None:
        return ""
    holds = isinstance(gate.measure, ClusterMargin | NearestExemplar | Similarity)
    return gate.cutoff.certificate.fitted_on.partition(" ")[0] if holds else ""


def _answers_in(places: Sequence[Path], data: str) -> Iterator[tuple[str, ...]]:
    for path in places:
        if path.is_file():
            rows = LoadedRows.of(str(path))
            if rows.sha256.startswith(data.partition("#")[2]):
                yield tuple(str(row.values["answer"]) for row in rows.rows if "answer" in row.values)


def _digest(test: Node) -> bytes:
    entries = test.value if isinstance(test.value, Mapping) else {}
    content = {
        key: node.plain() for key, node in entries.items() if key not in _NAMES and not key.startswith(FREE)
    }
    return sha256(dumps(content, sort_keys=True).encode()).digest()[:12]
