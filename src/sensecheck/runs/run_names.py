"""Which of the runs of a place is meant: by number, `latest`, `previous`, name, id, or how an id begins.

Every place finds its runs by this, and says the same where there is none, or more than one.
"""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from sensecheck.core.errors import NoSuchRun, SpecError
from sensecheck.core.run import Run, storable
from sensecheck.core.serialization import did_you_mean

LATEST, PREVIOUS = "latest", "previous"
BY_NUMBER, BY_ID, BY_NAME = "number:", "id:", "name:"
"""What people write before a word that could be several of these."""
HOW_TO_NAME = f"name it by its number, `{LATEST}`, `{PREVIOUS}`, its name, or its id"
CLOSE_ENOUGH = 0.5
"""How much alike a name must be to be the one that was probably meant."""
_DIGITS = 10
"""A number of a run has fewer."""


def chosen_run(
    runs: Sequence[Run],
    named: str,
    *,
    project: str | None,
    projects: Callable[[], Iterable[str]],
    option: str,
) -> Run:
    """The run that is meant, of these runs of a project or of all.

    Digits are the number, unless they are also the id of another run, which one that was copied may have:
    `number:7`, `id:7` and `name:7` say which is meant. `option` is what a recommended command needs to read
    the same place.
    """
    candidates = _candidates(runs, storable(named)) if named else []
    if not candidates and project is not None:
        require_project(project, projects(), option)
    if len(candidates) != 1:
        why = _why_not_one(runs, named, candidates, project, option)
        raise SpecError(why) if candidates else NoSuchRun(why)
    return candidates[0]


def require_project(name: str, projects: Iterable[str], option: str) -> None:
    """Raise `SpecError`, with the name that was probably meant, unless it is one of these projects."""
    names = list(projects)
    if not names:
        raise NoSuchRun(
            f"there is no project `{name}`: no evaluation is stored yet; {_how_to_make_one(option)}"
        )
    if storable(name) not in names:
        raise NoSuchRun(did_you_mean("project", name, names))


def run_of_key(runs: Iterable[Run], key: int) -> Run:
    """The run of this number."""
    for run in runs:
        if run.key == key:
            return run
    raise NoSuchRun(f"there is no run {key}")


def _candidates(runs: Sequence[Run], named: str) -> list[Run]:
    if named in (LATEST, PREVIOUS):
        newest = _newest_first(runs)
        tests = [(run.test.project, run.test.name) for run in newest]
        of_same_test = [run for run, test in zip(newest, tests, strict=True) if test == tests[0]]
        return newest[:1] if named == LATEST else of_same_test[1:2]
    name = named.removeprefix(BY_NAME)
    exact = [run for run in runs if _has_number_or_id(run, named)]
    exact = exact or [run for run in runs if run.name == name and run.name]
    if exact or _is_number(named):
        return exact
    return [run for run in runs if run.id.startswith(named)]


def _newest_first(runs: Iterable[Run]) -> list[Run]:
    """A run that was copied may have begun before its number."""
    return sorted(runs, key=lambda run: (run.started_at, run.key), reverse=True)


def _has_number_or_id(run: Run, named: str) -> bool:
    """Whether this is its number or its id; digits may be either."""
    if named.startswith(BY_NUMBER) and _is_number(number := named.removeprefix(BY_NUMBER)):
        return run.key == int(number)
    if named.startswith(BY_ID):
        return run.id == named.removeprefix(BY_ID)
    return run.id == named or (_is_number(named) and run.key == int(named))


def _is_number(named: str) -> bool:
    return named.isascii() and named.isdigit() and len(named) < _DIGITS


def _why_not_one(
    runs: Sequence[Run], named: str, candidates: Sequence[Run], project: str | None, option: str
) -> str:
    within = "" if project is None else f" in the project `{project}`"
    if candidates:
        return _why_several(named, candidates, within)
    if not runs:
        none = "" if named in (LATEST, PREVIOUS) else f"there is no run `{named}`{within}: "
        return f"{none}no evaluation is stored yet{within}; {_how_to_make_one(option)}"
    if named == PREVIOUS:
        return _why_no_previous(runs)
    names = sorted({run.name for run in runs if run.name})
    close = get_close_matches(named, names, n=1, cutoff=CLOSE_ENOUGH)
    hint = f"did you mean `{close[0]}`? " if close else ""
    return (
        f"there is no run `{named}`{within}; {hint}{HOW_TO_NAME}; `sensecheck runs list{option}` shows them"
    )


def _why_several(named: str, candidates: Sequence[Run], within: str) -> str:
    name = named.removeprefix(BY_NAME)
    if all(run.name == name for run in candidates):
        numbers = ", ".join(str(run.key) for run in candidates)
        return f"`{name}` is the name of several runs{within}: {numbers}; name one by its number"
    if _is_number(named):
        other = next(run for run in candidates if run.id == named)
        return (
            f"`{named}` is the number of a run{within}, and the id of another, the run {other.key}; "
            f"write `{BY_NUMBER}{named}` or `{BY_ID}{named}`"
        )
    return f"`{named}` begins the ids of several runs{within}; write more of it"


def _why_no_previous(runs: Sequence[Run]) -> str:
    """Why there is no run before the latest."""
    if len(runs) == 1:
        return "there is one run only; a comparison needs two"
    latest = _newest_first(runs)[0]
    return (
        f"the run {latest.key} is the only one of the test `{latest.test.name}` of the project "
        f"`{latest.test.project}`; a comparison needs two: name the other one by its number"
    )


def _how_to_make_one(option: str) -> str:
    return f"make one with `sensecheck eval QUESTIONS{option}`"
