"""What is promised, the tests behind it, and the last figure."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures.tables import Results, share, table

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "evals_killed",
    "everyday",
    "fuzz",
    "promise",
    "scale_identical",
    "scale_killed",
    "serving_faults",
    "walk",
    "weight",
)
"""The results that figures are read from."""
Measured = Mapping[str, Results]
_TEST = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Promise:
    """What users may rely on."""

    says: str
    tests: tuple[str, ...]
    """Files of tests, each with `::` and a test where not all of it is meant."""
    figure: Callable[[Measured], str] | None = None
    """What was measured; the number of tests where nothing is."""
    first: bool = False
    """Whether the README names it."""


def named_tests(name: str) -> list[str]:
    """The tests that a promise means by a name."""
    path, _, one = name.partition("::")
    found = _TEST.findall((ROOT / path).read_text("utf-8"))
    return [test for test in found if not one or test == one]


def promises(measured: Measured) -> str:
    """All of them."""
    rows = [
        (one.says, "<br>".join(f"`{name}`" for name in one.tests), last_figure(one, measured))
        for one in PROMISES
    ]
    return table(("promise", "tests", "last figure"), rows)


def promises_short(measured: Measured) -> str:
    """Those of the README, each with a link to its tests."""
    rows = [(one.says, ", ".join(_links(one)), last_figure(one, measured)) for one in PROMISES if one.first]
    return table(("promise", "shown by", "last figure"), rows)


def last_figure(promise: Promise, measured: Measured) -> str:
    """What was measured last, or how many tests there are."""
    if promise.figure is not None:
        return promise.figure(measured)
    count = sum(len(named_tests(name)) for name in promise.tests)
    return f"{count} test{'s' if count > 1 else ''}"


def _links(promise: Promise) -> list[str]:
    """Each file once, by its folder and what it is about."""
    files = dict.fromkeys(Path(name.partition("::")[0]) for name in promise.tests)
    return [f"[{file.parent.name}/{file.stem.removeprefix('test_')}]({file.as_posix()})" for file in files]


def _kept_rate(measured: Measured) -> str:
    found = next(
        one
        for one in measured["promise"]["measured"]
        if one["method"] == "exact" and one["population"] != "simulated"
    )
    wanted = measured["promise"]["wanted"]
    most = f"promised: at most {1 - wanted['confidence']:.0%}"
    return f"broken by {share(found['broken'])} of {found['fits']:,} fits; {most}"


def _nothing_lost(measured: Measured) -> str:
    scenes = list(_kept(measured["serving_faults"]))
    lost, said = sum(one["lost"] for one in scenes), sum(one["acknowledged"] for one in scenes)
    return f"{lost} of {said:,} lost, {measured['serving_faults']['killed']['kills']} kills"


def _kept(data: object) -> list[Results]:
    """The counts of every scene, however deep they stand."""
    if not isinstance(data, Mapping):
        return []
    own = [data["kept"]] if "kept" in data else []
    return own + [one for key, value in data.items() if key != "kept" for one in _kept(value)]


def _resumed(measured: Measured) -> str:
    stores = list(measured["evals_killed"].values())
    questions, there = (sum(one[key] for one in stores) for key in ("questions", "answers"))
    return f"{there:,} of {questions:,} answers there once, {sum(one['kills'] for one in stores)} kills"


def _identical(measured: Measured) -> str:
    found = measured["scale_identical"]
    same = "the same bytes" if found["same"] else "other bytes"
    return f"{same} by {len(found['digests'])} executors, {found['rows']:,} rows"


def _cluster(measured: Measured) -> str:
    found = measured["scale_killed"]
    kills = found["nodes"] + found["actors"] + found["drivers"]
    return f"{found['other_tables']} of {found['shards']} shards differ, {kills} kills"


def _light(measured: Measured) -> str:
    found = measured["weight"]
    return f"{found['distributions']} distributions, {found['megabytes']:g} MB without the weights"


def _fuzzed(measured: Measured) -> str:
    found = measured["fuzz"]
    errors = sum(count for status, count in found["statuses"].items() if status.startswith("5"))
    return f"{errors} server errors in {found['cases']:,} requests"


def _refusals(measured: Measured) -> str:
    tables = {(one["task"], one["rule"]): one for one in measured["everyday"]["measured"]}
    return (
        f"{share(tables['refusals: English', 'not_a_refusal']['right_of_decided'])} right of what is decided"
    )


def _walked(measured: Measured) -> str:
    return f"{len(measured['walk']['steps'])} steps, from an empty environment to a report"


PROMISES = (
    Promise(
        "the same texts give the same verdict, whatever is judged beside them",
        ("tests/encoders/test_invariance.py::test_the_default_encoder_is_invariant",),
        first=True,
    ),
    Promise(
        "what could not be judged is an `error`, never a pass or a fail",
        (
            "tests/checks/test_combine.py::test_what_was_not_judged_is_an_error_of_the_whole",
            "tests/checks/test_combine.py::test_no_combination_turns_an_error_into_a_pass_or_a_fail",
            "tests/checks/test_assess.py::test_a_need_that_nobody_answers_is_an_error_that_says_so",
        ),
        first=True,
    ),
    Promise(
        "a key or a test that would be ignored is refused",
        (
            "tests/batteries/test_header.py::test_what_would_be_ignored_is_an_error",
            "tests/checks/test_spec.py::test_what_is_not_understood_is_an_error_that_says_where_and_what",
        ),
        first=True,
    ),
    Promise(
        "a cutoff that was fitted for one model is an `error` with another",
        (
            "tests/core/test_cutoff.py::test_a_fitted_line_does_not_fit_another_encoder",
            "tests/core/test_verdict.py::test_a_cutoff_for_another_encoder_is_an_error_and_keeps_the_reading",
            "tests/calibration/test_card.py::test_a_card_for_another_encoder_judges_nothing",
        ),
        first=True,
    ),
    Promise(
        "a fitted cutoff keeps its error rate on new answers of the same kind",
        ("tests/calibration/test_promise.py",),
        _kept_rate,
        first=True,
    ),
    Promise(
        "the same labels give the same card, byte for byte",
        ("tests/calibration/test_card.py::test_the_same_labels_give_the_same_bytes",),
    ),
    Promise(
        "a number, date or name that is found to differ never passes",
        ("tests/checks/test_grounded.py::test_a_fact_that_is_said_otherwise_never_passes",),
    ),
    Promise("a refusal is distinguished from an answer", ("tests/test_sense.py::test_refusals",), _refusals),
    Promise(
        "nothing that the service acknowledged is lost",
        ("tests/walks/test_service_faults.py",),
        _nothing_lost,
        first=True,
    ),
    Promise(
        "no character of an unchecked claim leaves the service, unless a secret key asks for it",
        (
            "tests/server/answers/test_stream.py::test_each_claim_is_told_once_all_up_to_it_passed",
            "tests/server/answers/test_stream.py::test_the_whole_answer_can_be_held_back",
        ),
    ),
    Promise("a key sees its own project only", ("tests/security/test_isolation.py",)),
    Promise("no text of users and no secret is in the logs", ("tests/security/test_logs.py",)),
    Promise("no request is a server error", ("tests/server/test_hostile.py",), _fuzzed),
    Promise(
        "an evaluation that was killed resumes, and every answer is there once",
        (
            "tests/walks/test_cli_eval_killed.py::"
            "test_a_run_that_is_killed_again_and_again_has_every_question_once",
        ),
        _resumed,
    ),
    Promise(
        "one process, many processes and a cluster give the same results",
        (
            "tests/execution/test_driver.py::test_processes_give_the_same_results_to_the_bit_as_one_process",
            "tests/execution/test_ray.py::test_a_run_on_ray_gives_the_same_results_to_the_bit_as_one_process",
        ),
        _identical,
    ),
    Promise(
        "whatever dies on a cluster, every row is there once",
        ("tests/execution/test_ray_killed.py",),
        _cluster,
    ),
    Promise(
        "no telemetry, and no download at run time with the packaged models",
        ("tests/encoders/test_silence.py", "tests/bare/test_first_minute.py"),
        first=True,
    ),
    Promise(
        "the install is light",
        ("tests/bare/test_first_minute.py::test_the_install_is_light",),
        _light,
    ),
    Promise(
        "the contracts of commands, routes and files do not change by accident",
        ("tests/golden/test_contracts.py", "tests/golden/test_help.py", "tests/golden/test_json.py"),
    ),
    Promise(
        "every code block of the docs runs, and every link leads somewhere",
        ("tests/docs/test_pages.py", "tests/docs/test_links.py"),
    ),
    Promise(
        "all parts work together",
        ("tests/walks/test_whole_walk.py",),
        _walked,
        first=True,
    ),
)
