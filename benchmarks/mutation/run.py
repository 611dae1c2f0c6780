"""Mutation testing of the packages that decide: `python benchmarks/mutation/run.py`.

Every mutant of `core`, `checks` and `calibration` is made in a process of its own, forked from one that has
collected the tests, and there the tests run that reach the changed line, the quickest first, until one fails.
What runs while modules are imported is changed in a process that has imported none of ours yet.
A mutant that exceeds its CPU time is killed as well. Only tests without a marker are run: they need no model.
`--sample 500` takes some of all mutants, by a fixed seed; `--only checks/gate.py` those of one module.
The figures go to `benchmarks/results/mutation.json`, and the survivors to `.cache/mutation.json`.
"""

import argparse
import ast
import gc
import hashlib
import json
import os
import pickle
import random
import re
import resource
import signal
import sys
import time
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from itertools import accumulate
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import pytest
from benchmarks.coverage_core import GOLDEN, PACKAGES, ROOT, TESTS
from benchmarks.mutation.mutants import Mutant, mutants_of, mutated
from coverage import Coverage

RESULTS = ROOT / "benchmarks" / "results" / "mutation.json"
EQUIVALENT = Path(__file__).parent / "equivalent.json"
"""Mutants that no test can tell from the code, by name, each with the reason."""
REACHED = ROOT / ".cache" / "mutation-reached.pickle"
DETAILS = ROOT / ".cache" / "mutation.json"
PYTEST = [
    *("-q", "-q", "-n0", "-x", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-W", "ignore"),
    "--assert=plain",  # pytest would make other code of our modules, too: they belong to a plugin
]
MOST_SECONDS = 8
"""Of what its tests take unchanged, so much of the quickest is spent on a mutant; three at least are run."""
LEAST_SECONDS, TIMES_SLOWER = 4, 6
"""What a mutant may spend: so many times what its tests take unchanged, and at least this."""
MEMORY_BYTES = 4 << 30
KINDS = ("comparison", "boolean", "condition", "arithmetic", "constant", "return", "call")
CONTROLS = 40
"""So many mutants are tried without their change first; each must survive."""


@dataclass
class Reached:
    """Which tests run which lines."""

    tests: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    """By module and line; the test without a name is the import."""
    seconds: dict[str, float] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    """Everything that was imported and is not ours."""


class Measure:
    """A plugin of pytest that notes which lines each test runs, and for how long."""

    def __init__(self, coverage: Coverage) -> None:
        self.seconds: dict[str, float] = {}
        self._coverage = coverage

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        """One test is one context."""
        self._coverage.switch_context(item.nodeid)
        begun = time.process_time()
        done = yield
        self.seconds[item.nodeid] = time.process_time() - begun
        self._coverage.switch_context("")
        return done


class Warm:
    """A plugin of pytest that collects all tests, and then runs some of them for each mutant."""

    def __init__(self, work: Callable[["Warm"], None]) -> None:
        self._work = work
        self.items: dict[str, pytest.Item] = {}
        self.functions: dict[str, list[types.FunctionType]] = defaultdict(list)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of running what was collected."""
        _be_repeatable()
        self.items = {item.nodeid: item for item in session.items}
        gc.unfreeze()
        for one in gc.get_objects():
            if isinstance(one, types.FunctionType):
                self.functions[one.__code__.co_filename].append(one)
        gc.freeze()
        session.config.pluginmanager.unregister(name="terminalreporter")
        self._work(self)
        return True

    def survives(self, mutant: Mutant | None, tests: Sequence[str]) -> bool | None:
        """Whether no test fails; None where no function would change. In a process of its own."""
        if mutant is not None and not self._change(mutant):
            return None
        failed: list[str] = []
        session = next(iter(self.items.values())).session
        session.config.pluginmanager.register(Failures(failed))
        for at, name in enumerate(tests):
            following = self.items[tests[at + 1]] if at + 1 < len(tests) else None
            item = self.items[name]
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if failed:
                return False
        return True

    def _change(self, mutant: Mutant) -> bool:
        """Give each function of the module the code that it has in the changed one."""
        path = ROOT / mutant.module
        source = path.read_text("utf-8")
        before, after = (
            list(_codes(compile(tree, str(path), "exec")))
            for tree in (ast.parse(source), mutated(source, mutant))
        )
        if len(before) != len(after):
            return False
        changed = {old: new for old, new in zip(before, after, strict=True) if old != new}
        some = [one for one in self.functions[str(path)] if one.__code__ in changed]
        for function in some:
            function.__code__ = changed[function.__code__]
        return bool(some)


class Failures:
    """A plugin of pytest that notes what failed."""

    def __init__(self, failed: list[str]) -> None:
        self._failed = failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One report for each phase of a test."""
        if report.failed:
            self._failed.append(report.nodeid)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield inner
            yield from _codes(inner)


def _be_repeatable() -> None:
    """Properties draw the same examples each time; how long a test takes is no failure."""
    from hypothesis import settings
    from tests import markers

    settings.register_profile(
        "mutation", settings.get_profile("check"), derandomize=True, database=None, print_blob=False
    )
    settings.load_profile("mutation")
    markers.SECONDS = float("inf")


def reached() -> Reached:
    """Which lines each test reaches; all of them are run once for it, unless nothing has changed since."""
    folders = [ROOT / part / name for part in ("src/sensecheck", "tests") for name in (*PACKAGES, "golden")]
    files = sorted(
        path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".jsonl")
    )
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    if REACHED.is_file():
        known, held = pickle.loads(REACHED.read_bytes())
        if known == digest:
            return Reached(*held)
    found: Reached = _in_child(_reached)
    REACHED.parent.mkdir(exist_ok=True)
    REACHED.write_bytes(pickle.dumps((digest, (found.tests, found.seconds, found.modules))))
    return found


def _reached() -> Reached:
    sources = [str(ROOT / "src" / "sensecheck" / name) for name in PACKAGES]
    coverage = Coverage(data_file=None, source=sources, config_file=False)
    coverage.start()
    measure = Measure(coverage)
    code = pytest.main([*PYTEST, *TESTS], plugins=[measure])
    coverage.stop()
    if code != 0:
        sys.exit("the tests fail without any change")
    found = Reached(seconds=measure.seconds)
    data = coverage.get_data()
    for path in data.measured_files():
        lines = data.contexts_by_lineno(path)
        found.tests[Path(path).relative_to(ROOT).as_posix()] = {
            line: set(tests) for line, tests in lines.items()
        }
    ours = ("sensecheck", "tests", "benchmarks", "__main__", "conftest")
    found.modules = {name for name in sys.modules if name.partition(".")[0] not in ours}
    return found


def _in_child(work: Callable[[], Any]) -> Any:
    """What a function returns in a forked process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as out:
            pickle.dump(work(), out)
            out.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as received:
        data = received.read()
    os.waitpid(child, 0)
    if not data:
        sys.exit("the tests could not be run")
    return pickle.loads(data)


class Plan:
    """Which tests a mutant is given."""

    def __init__(self, found: Reached) -> None:
        self._found = found
        self._sources = {
            module: (ROOT / module).read_text("utf-8").splitlines() for module in sorted(found.tests)
        }
        files = {test.partition("::")[0] for test in found.seconds}
        self._files = {file: (ROOT / file).read_text("utf-8") for file in sorted(files)}

    def is_cold(self, mutant: Mutant) -> bool:
        """Whether the changed line runs while its module is imported."""
        lines = self._found.tests.get(mutant.module, {})
        return any("" in lines.get(line, ()) for line in range(mutant.line, mutant.last + 1))

    def tests(self, mutant: Mutant) -> list[str]:
        """Those that reach the line, the quickest first; of what is imported, those that may know of it."""
        lines = self._found.tests.get(mutant.module, {})
        found = {test for line in range(mutant.line, mutant.last + 1) for test in lines.get(line, ())}
        if self.is_cold(mutant):
            found |= self._that_import(mutant.module)
            for name in {mutant.scope.rpartition(".")[2], mutant.scope.partition(".")[0]}:
                found |= self._of_name(name)
        seconds = self._found.seconds
        quickest = sorted(found - {""}, key=lambda test: (seconds[test], test))
        spent = accumulate(seconds[test] for test in quickest)
        return [
            test
            for at, (test, sum_) in enumerate(zip(quickest, spent, strict=True))
            if at < 3 or sum_ <= MOST_SECONDS
        ]

    def _that_import(self, module: str) -> set[str]:
        """The tests of files that import the module, and those that pin texts and numbers."""
        dotted = module.removeprefix("src/").removesuffix(".py").replace("/", ".")
        importing = {file for file, text in self._files.items() if f"from {dotted} import" in text}
        return {test for test in self._found.seconds if test.partition("::")[0] in {*importing, *GOLDEN}}

    def _of_name(self, name: str) -> set[str]:
        """The tests that reach a line with this name."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        return {
            test
            for module, source in self._sources.items()
            for line, tests in self._found.tests[module].items()
            if line <= len(source) and word.search(source[line - 1])
            for test in tests
        }

    def seconds(self, tests: Sequence[str]) -> int:
        """What a mutant may spend on them."""
        return int(LEAST_SECONDS + TIMES_SLOWER * sum(self._found.seconds[test] for test in tests))


def fate(work: Callable[[], bool | None], seconds: int) -> str:
    """What becomes of a mutant in a process of its own: `killed`, `timeout`, `survived` or `not made`."""
    child = os.fork()
    if child == 0:
        code = 1
        with suppress(BaseException):  # what breaks everything is noticed, too
            _limit(seconds)
            code = {True: 0, False: 1, None: 3}[work()]
        os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM, signal.SIGKILL):
        return "timeout"
    return {0: "survived", 3: "not made"}.get(os.waitstatus_to_exitcode(status), "killed")


def _limit(seconds: int) -> None:
    """Bound what a mutant takes; what it prints goes nowhere."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    spent = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, spent + seconds + 2))
    own = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (own + MEMORY_BYTES, own + MEMORY_BYTES))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(20 * seconds)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _cold(mutant: Mutant, tests: Sequence[str]) -> bool:
    """Import the changed module, and run the tests; in a process that has imported nothing of ours."""
    path = ROOT / mutant.module
    code = compile(mutated(path.read_text("utf-8"), mutant), str(path), "exec")
    usual = SourceFileLoader.get_code

    def changed(loader: SourceFileLoader, fullname: str) -> types.CodeType | None:
        return code if Path(loader.path) == path else usual(loader, fullname)

    SourceFileLoader.get_code = changed  # type: ignore[method-assign, assignment]
    wanted = set(tests)

    class Some:
        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            _be_repeatable()
            items[:] = [item for item in items if item.nodeid in wanted]
            items.sort(key=lambda item: tests.index(item.nodeid))

    files = sorted({test.partition("::")[0] for test in tests})
    return pytest.main([*PYTEST, *files], plugins=[Some()]) == 0


def judged(mutants: Sequence[Mutant], found: Reached) -> list[tuple[Mutant, str]]:
    """What becomes of each mutant."""
    plan = Plan(found)
    tests = {mutant: plan.tests(mutant) for mutant in mutants}
    reached = [mutant for mutant in mutants if tests[mutant]]

    def work() -> dict[Mutant, str]:
        results: dict[Mutant, str] = {}
        pytest.main(
            [*PYTEST, *TESTS],
            plugins=[Warm(lambda those: results.update(_warm(those, reached, tests, plan)))],
        )
        return results

    fates: dict[Mutant, str] = _in_child(work) if reached else {}
    for name in sorted(found.modules):
        with suppress(Exception):
            __import__(name)
    again = [
        mutant
        for mutant in reached
        if fates[mutant] == "not made" or (fates[mutant] == "survived" and plan.is_cold(mutant))
    ]
    for at, mutant in enumerate(again):
        given = tests[mutant]
        fates[mutant] = fate(lambda mutant=mutant, given=given: _cold(mutant, given), plan.seconds(given) + 8)  # type: ignore[misc]
        _tell(at, len(again), mutant, fates[mutant])
    return [(mutant, fates.get(mutant, "not reached")) for mutant in mutants]


def _warm(
    warm: Warm, mutants: Sequence[Mutant], tests: Mapping[Mutant, Sequence[str]], plan: Plan
) -> dict[Mutant, str]:
    for mutant in random.Random(0).sample(mutants, min(CONTROLS, len(mutants))):
        given = tests[mutant]
        if fate(lambda given=given: warm.survives(None, given), plan.seconds(given)) != "survived":  # type: ignore[misc]
            sys.exit(f"without a change, the tests of this mutant fail when run alone: {mutant.name}")
    fates = {}
    for at, mutant in enumerate(mutants):
        given = tests[mutant]
        fates[mutant] = fate(
            lambda mutant=mutant, given=given: warm.survives(mutant, given),  # type: ignore[misc]
            plan.seconds(given),
        )
        _tell(at, len(mutants), mutant, fates[mutant])
    return fates


def _tell(at: int, count: int, mutant: Mutant, result: str) -> None:
    if result not in ("killed", "not made") or at % 100 == 0:
        print(f"{at + 1}/{count} {result}: {mutant.line}: {mutant.name}", file=sys.stderr, flush=True)


def summary(fates: Sequence[tuple[Mutant, str]], of: int) -> dict[str, Any]:
    """The figures: what became of the mutants by package and by kind, and of how many they are a sample."""
    from sensecheck.stats.binomial import rate  # only now: nothing of ours may be imported before

    known = json.loads(EQUIVALENT.read_bytes())

    def counted(name: str, some: Sequence[tuple[Mutant, str]]) -> dict[str, Any]:
        ends = Counter(end for _, end in some)
        killed = ends["killed"] + ends["timeout"]
        share = rate(killed, len(some))
        same = sum(end == "survived" and mutant.name in known for mutant, end in some)
        found = {"share": share.value, "low": share.low, "high": share.high}
        return {
            "name": name,
            "mutants": len(some),
            "killed": killed,
            "not_reached": ends["not reached"],
            "equivalent": same,
            "found": found,
        }

    packages = {name: [one for one in fates if f"/{name}/" in one[0].module] for name in PACKAGES}
    kinds = {kind: [one for one in fates if one[0].operator == kind] for kind in KINDS}
    return {
        "of": of,
        "all": counted("all", fates),
        "packages": [counted(name, some) for name, some in packages.items() if some],
        "kinds": [counted(name, some) for name, some in kinds.items() if some],
    }


def main() -> None:
    """Measure, and write the figures down; those of some modules alone are only shown."""
    parser = argparse.ArgumentParser(description="Mutation testing of core, checks and calibration.")
    parser.add_argument("--sample", type=int, help="how many of the mutants, drawn with a seed")
    parser.add_argument("--seed", type=int, default=28, help="of the sample")
    parser.add_argument("--only", action="append", default=[], help="mutants whose name begins so")
    options = parser.parse_args()
    os.chdir(ROOT)
    files = [path for name in PACKAGES for path in sorted((ROOT / "src/sensecheck" / name).glob("*.py"))]
    mutants = [one for path in files for one in mutants_of(path, ROOT)]
    of = len(mutants)
    if options.only:
        mutants = [one for one in mutants if one.name.startswith(tuple(options.only))]
    if options.sample and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    fates = judged(mutants, reached())
    told = [{"line": one.line, "end": end, "mutant": one.name} for one, end in fates]
    DETAILS.write_text(json.dumps(told, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    found = summary(fates, of)
    if not options.only:
        RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found["all"]))


if __name__ == "__main__":
    main()
