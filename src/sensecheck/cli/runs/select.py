"""The options that name runs, and the runs, labels and limits that they stand for."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sensecheck.cli.console import note
from sensecheck.cli.options import Verb, argument, option, settings_with
from sensecheck.cli.store import no_store_yet, opened_store, store_needed
from sensecheck.core.errors import MissingExtra, NoSuchRun, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import did_you_mean

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.jsonl import RunFile
    from sensecheck.runs.parquet import QueryLimits
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.run_list import RunKind

# ruff: noqa: PLC0415 - the store brings SQLAlchemy, and results DuckDB and Arrow along, which `--help` does without

_RUN = "its number, `latest`, `previous`, its name, how its id begins, its file, folder or URL"
_WORDS = ("latest", "previous")
RunArgument = Annotated[str, argument("RUN", f"The run: {_RUN}.", default=True)]
RequiredRun = Annotated[str, argument("RUN", f"The run: {_RUN}.")]
Runs = Annotated[list[str] | None, argument("RUN…", f"The runs: each by {_RUN}. The latest unless given.")]
Project = Annotated[str | None, option("--project NAME", "Only runs of this project.")]
TestName = Annotated[str | None, option("--test NAME", "Only runs of this test.")]
Alpha = Annotated[
    float,
    option(
        "--alpha P",
        "The probability that any difference is claimed falsely; intervals hold with 1 - P.",
        default=True,
    ),
]
LabelName = Annotated[
    str | None,
    option("--label NAME", "What people said of the answers; need not be named where there is one label."),
]
Memory = Annotated[
    int,
    option("--memory-limit MB", "What reading a large run may take; more is done on the disk.", default=True),
]
Threads = Annotated[
    int | None, option("--threads N", "For reading a large run; all cores unless given.", min=1)
]


def why_none(names: "Sequence[tuple[str, str]]", project: str | None, test: str | None) -> str:
    """What to say where no run was found: that there is none, or none of the project or the test.

    `names` are the projects and tests of all runs that there are.
    """
    if not names:
        return "no run is stored; make one with `sensecheck run SUITE` or `sensecheck eval QUESTIONS`"
    for kind, wanted, known in (
        ("project", project, {name for name, _ in names}),
        ("test", test, {name for _, name in names}),
    ):
        if wanted is not None and wanted not in known:
            return f"no run was found: {did_you_mean(kind, wanted, known)}"
    return f"no run of the project `{project}` is of the test `{test}`"


class FoundRun(NamedTuple):
    """A run, and the place that it is in."""

    place: "RunPlace"
    run: "Run"

    @property
    def kind(self) -> "RunKind":
        """Of what it is a run."""
        from sensecheck.runs.run_list import kind_of

        return kind_of(self.place)

    @property
    def file(self) -> "RunFile":
        """The file of a run of a suite."""
        from sensecheck.runs.jsonl import RunFile
        from sensecheck.runs.suite import SuiteRuns

        assert isinstance(self.place, SuiteRuns)
        return RunFile.open(self.place.file_of(self.run))


class EarlierVerb(Verb):
    """An earlier name of a verb of `sensecheck runs`, which finds runs of one kind alone."""

    kind: "RunKind" = "evaluation"
    today = ""
    """The verb of `sensecheck runs` that it is now."""

    @classmethod
    def of(cls, kind: "RunKind", today: str) -> "type[EarlierVerb]":
        """The class of such a name."""
        return type(cls.__name__, (cls,), {"kind": kind, "today": today})

    def invoke(self, ctx: Any) -> object:
        """Do as today's verb does; unless it fails or prints JSON, say what it is called now."""
        try:
            result: object = super().invoke(ctx)
        except typer.Exit:
            self._say_name(ctx)
            raise
        self._say_name(ctx)
        return result

    def _say_name(self, ctx: typer.Context) -> None:
        if ctx.params.get("as_json"):
            return
        words = [ctx.info_name]
        if ctx.parent is not None and ctx.parent.parent is not None:
            words.insert(0, ctx.parent.info_name)
        note(f'"{" ".join(map(str, words))}" is now "runs {self.today}"', as_json=False)


def kind_meant(context: typer.Context) -> "RunKind | None":
    """The kind of runs that an earlier name of a verb finds; None for `sensecheck runs`."""
    return context.command.kind if isinstance(context.command, EarlierVerb) else None


@contextmanager
def find_run(
    reference: str,
    store: str | None,
    project: str | None = None,
    *,
    kind: "RunKind | None" = None,
    limits: tuple[int, int | None] | None = None,
) -> Iterator[FoundRun]:
    """The run that is meant; its place is closed at the end. `limits` are the memory and threads to use."""
    with find_runs([reference], store, project, kind=kind) as (found_run,):
        if limits is not None and found_run.kind == "large":
            from sensecheck.runs.large_place import LargeRunPlace

            assert isinstance(found_run.place, LargeRunPlace)
            found_run.place.limits = limits_of(*limits)
        yield found_run


@contextmanager
def find_runs(
    references: Sequence[str], store: str | None, project: str | None = None, *, kind: "RunKind | None" = None
) -> Iterator[list[FoundRun]]:
    """The runs that are meant, each once, in the order of their places and numbers.

    An address or a path says by itself where a run is. Any other name is looked for in `store`; where none
    is named, among the runs of suites and in the store of the settings.
    """
    with ExitStack() as places:
        search = _Search(store, project, kind, places)
        found_runs = [search.find(reference) for reference in references]
        by_place = {(found_run.place.address, found_run.run.key): found_run for found_run in found_runs}
        yield [by_place[name] for name in sorted(by_place)]


@dataclass(slots=True)
class _Search:
    """Where runs are looked for; a place is opened once, and closed with `places`."""

    store: str | None
    project: str | None
    kind: "RunKind | None"
    places: ExitStack
    _stored_in: "RunPlace | None" = None

    def find(self, reference: str) -> FoundRun:
        """The run that is meant."""
        if self.kind == "large":
            return _large_run(reference)
        if self.kind == "suite":
            return _suite_run(settings_with(None).runs_folder(), reference)
        if not _is_word(reference) and (elsewhere := self._elsewhere(reference)):
            return elsewhere
        if self.store is None and self.kind is None:
            return self._suite_or_stored(reference)
        return self._stored(reference)

    def _elsewhere(self, reference: str) -> FoundRun | None:
        """The run at an address or a path; None where it is the name of a run."""
        from sensecheck.runs.find import find_run, is_place

        if Path(reference).suffix == ".jsonl" and Path(reference).is_file():
            return _suite_run(Path(reference).parent, reference)
        if not is_place(reference.rpartition("#")[0] or reference):
            return None
        place, run = find_run(reference, "", project=self.project)
        self.places.enter_context(place.session())
        return FoundRun(place, run)

    def _stored(self, reference: str) -> FoundRun:
        """A run of the place that is named, or of that of the settings, which must be there."""
        from sensecheck.runs.suite import SuiteRuns

        if self._stored_in is None:
            self._stored_in = self.places.enter_context(opened_store(self.store))
        place = self._stored_in
        if isinstance(place, SuiteRuns):
            return _suite_run(place.folder.path, reference, self.project)
        return FoundRun(place, place.run(reference, project=self.project))

    def _suite_or_stored(self, reference: str) -> FoundRun:
        """Of a suite or of the store; of both `latest` is the newer one, other names must be clear."""
        settings, found_runs, errors = settings_with(None), list[FoundRun](), list[Exception]()
        suites = partial(_suite_run, settings.runs_folder(), project=self.project)
        for search in (suites, self._stored):
            try:
                found_runs.append(search(reference))
            except (NoSuchRun, MissingExtra) as error:
                if isinstance(error, MissingExtra) and not no_store_yet():
                    raise  # a store that is there is not passed over
                errors.append(error)
        if not found_runs:
            raise NoSuchRun(_in_neither(*map(str, errors)))
        if len(found_runs) > 1 and reference not in _WORDS:
            from sensecheck.store.address import store_option

            address = found_runs[1].place.address
            store_flag = store_option(address).strip() or f"--store {address}"
            raise SpecError(
                f"`{reference}` is a run of a battery as well as an evaluation; name the former by "
                f"`--store suites:{settings.runs_folder()}`, the latter by `{store_flag}`"
            )
        return max(found_runs, key=lambda found_run: found_run.run.started_at)


def _in_neither(battery: str, stored: str) -> str:
    """Why the run is neither of a battery nor in the store; how runs are named is said once."""
    from sensecheck.runs.run_names import HOW_TO_NAME

    first = battery.partition(HOW_TO_NAME)[0].rstrip("; ") if HOW_TO_NAME in stored else battery
    if stored.startswith(f"{first};"):
        return f"{first} of a battery or an evaluation{stored.removeprefix(first)}"
    return f"{first}; among evaluations: {stored}"


def _is_word(reference: str) -> bool:
    """Whether it cannot be a path, though there may be a folder of this name."""
    return reference in _WORDS or (reference.isascii() and reference.isdigit())


def _large_run(address: str) -> FoundRun:
    with extra("scale"):
        from sensecheck.runs.large_place import KEY, LargeRunPlace
        from sensecheck.runs.parquet import finished_run

    place = LargeRunPlace(finished_run(address))
    return FoundRun(place, place.run_by_key(KEY))


def _suite_run(folder: Path, reference: str, project: str | None = None) -> FoundRun:
    """A run of the suites of a folder: by its number, `latest`, `previous`, its file, its name or its id."""
    from sensecheck.runs.jsonl import RunFolder
    from sensecheck.runs.suite import SuiteRuns

    is_file = not _is_word(reference) and Path(reference).is_file()
    place = SuiteRuns(RunFolder(Path(reference).parent if is_file else folder))
    if project is None and (is_file or _is_word(reference) or not place.folder.numbers()):
        return FoundRun(place, place.run_in(place.folder.find(reference)))
    return FoundRun(place, place.run(reference, project=project))


def chosen_label(known: tuple[str, ...], label: str | None, found: Sequence[FoundRun]) -> str:
    """The label that is named; where there is only one, it need not be named."""
    if label is not None:
        return label
    if len(known) == 1:
        return known[0]
    if not known:
        numbers = ", ".join(str(found_run.run.key) for found_run in found)
        last = found[-1]
        add = f"sensecheck runs label {last.run.key} FILE{store_needed(last.run.key, last.place.address)}"
        which = "run" if len(found) == 1 else "runs"
        raise SpecError(f"no answer of the {which} {numbers} has a label; add some with `{add}`")
    raise SpecError(f"there are several labels; say which with `--label`: {', '.join(known)}")


def limits_of(memory: int, threads: int | None) -> "QueryLimits":
    """How much reading may take, as the options say."""
    with extra("scale"):
        from sensecheck.runs.parquet import QueryLimits

    return QueryLimits(memory, threads)
