"""What is wrong with an assertion is told with its place; nothing is ignored."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.batteries.assertions.registry import KINDS, read_assertions
from sensecheck.batteries.assertions.similarity import read_embedding_validation
from sensecheck.batteries.features import PRESET_TYPES, TYPES
from sensecheck.core.errors import BatteryError
from sensecheck.documents.node import Node, Place
from tests.batteries.assertions.asserted import PLACE, about, decided, read
from tests.corpus import each_of, each_row


@each_of("kind", sorted({*TYPES, "not-ruby", "promptfoo:redteam:policy"}))
def test_a_type_of_promptfoo_that_we_lack_is_told_by_name(kind: str) -> None:
    with pytest.raises(
        BatteryError, match=f"`{kind}` is a type of promptfoo that sensecheck does not support"
    ):
        read({"type": kind, "value": "x"})


@each_of("preset", sorted(PRESET_TYPES))
def test_a_check_that_is_named_as_in_python_is_told_its_type(preset: str) -> None:
    for spelled in (preset, preset.replace("_", "-")):
        if spelled not in KINDS:
            with pytest.raises(BatteryError, match=f"in a battery its type is `{PRESET_TYPES[preset]}`"):
                read({"type": spelled})
    assert PRESET_TYPES[preset].removeprefix("not-") in KINDS


def test_the_nearest_of_ours_is_named() -> None:
    with pytest.raises(BatteryError, match="the nearest of ours: `llm-rubric`"):
        read({"type": "search-rubric"})


@each_row
def test_what_is_wrong_is_told_with_its_place(assertion: dict[str, Any], said: str) -> None:
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: ") as wrong:
        read(assertion)

    assert said in str(wrong.value)


def test_the_place_is_that_of_the_key() -> None:
    node = Node(
        {"type": Node("contains", Place("b.yaml", 3, 9)), "valeu": Node("x", Place("b.yaml", 4, 10))},
        Place("b.yaml", 3, 3),
        {"type": Place("b.yaml", 3, 3), "valeu": Place("b.yaml", 4, 3)},
    )

    with pytest.raises(BatteryError, match=r"^b\.yaml:4:3: `valeu`"):
        read_assertions(Node((node,), Place("b.yaml", 3, 1)), about())


def test_keys_of_the_users_own_are_let_be() -> None:
    ((kind, part),) = read({"type": "contains", "value": "x", "x-owner": "me", "weight": 0, "metric": "m"})

    assert (kind, part.weight, part.metric) == ("contains", 0, "m")


def test_a_set_counts_as_one_and_its_mean_is_its_score() -> None:
    ((kind, part),) = read(
        {
            "type": "assert-set",
            "threshold": 0.5,
            "weight": 3,
            "assert": [{"type": "contains", "value": "a"}, {"type": "contains", "value": "b"}],
        }
    )
    verdict = decided("only a", part)

    assert (kind, part.weight, verdict.check, verdict.outcome) == ("assert-set", 3, "assert-set", "pass")
    assert part.score(verdict) == 0.5


def test_a_rubric_with_a_threshold_asks_for_a_score() -> None:
    ((_, yes), (_, score)) = read(
        {"type": "llm-rubric", "value": "Polite."},
        {"type": "llm-rubric", "value": "Polite.", "threshold": 0.7, "reads": ["question"]},
    )

    assert yes.check.measure.scale is None  # type: ignore[attr-defined]  # a gate on what a judge says
    assert score.check.measure.scale == (0, 10)  # type: ignore[attr-defined]
    assert score.check.measure.reads == ("question",)  # type: ignore[attr-defined]


def test_every_type_says_what_it_wants_in_a_sentence() -> None:
    assert all(kind.about.endswith(".") for kind in KINDS.values())


@pytest.mark.parametrize(
    ("assertion", "line"),
    [
        ({"type": "similar", "value": "x"}, -1),
        ({"type": "rouge-n", "value": "x"}, 0),
        ({"type": "bleu", "value": "x"}, 0),
        ({"type": "llm-rubric", "value": "x"}, 0),
        ({"type": "means", "value": "x"}, 0),
        ({"type": "means", "value": "x", "policy": "similarity"}, -1),
        ({"type": "refusal"}, 0),
        ({"type": "not-refusal"}, 1),
        ({"type": "not-reasoning-loop"}, 1),
        ({"type": "grounded", "passages": "x"}, 0),
        ({"type": "verdict", "value": "pass"}, 0),
        ({"type": "assert-set", "assert": [{"type": "contains", "value": "x"}]}, 0),
    ],
)
def test_a_line_that_accepts_everything_is_refused(assertion: dict[str, Any], line: float) -> None:
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: .*(could never fail|come out alike)"):
        read({**assertion, "threshold": line})
    assert read({**assertion, "threshold": 0.5})


@pytest.mark.parametrize("line", [-0.5, 1.5])
def test_the_line_of_a_set_is_a_share(line: float) -> None:
    with pytest.raises(BatteryError, match="from 0 to 1"):
        read({"type": "assert-set", "assert": [{"type": "contains", "value": "x"}], "threshold": line})


@pytest.mark.parametrize(
    ("kind", "line", "said"),
    [
        ("not-rouge-n", 0, "must be more than 0: no reading is less, so it could never pass"),
        ("not-rouge-n", 1, "must be less than 1: nothing but a reading of exactly 1 could fail"),
        ("not-bleu", 1, "must be less than 1: nothing but a reading of exactly 1 could fail"),
        ("not-similar", -1, "must be more than -1: no reading is less, so it could never pass"),
        ("not-similar", 1, "must be less than 1: nothing but a reading of exactly 1 could fail"),
        ("not-means", 1, "must be less than 1: nothing but a reading of exactly 1 could fail"),
        ("not-llm-rubric", 1, "must be less than 1: nothing but a reading of exactly 1 could fail"),
        ("reasoning-loop", 1, "must be less than 1: no reading is more, so it could never pass"),
        ("reasoning-loop", 0, "must be more than 0: nothing but a reading of exactly 0 could fail"),
    ],
)
def test_the_opposite_of_a_type_has_its_idle_lines_at_the_other_end(
    kind: str, line: float, said: str
) -> None:
    assertion = {"type": kind} if kind == "reasoning-loop" else {"type": kind, "value": "x"}

    with pytest.raises(BatteryError) as wrong:
        read({**assertion, "threshold": line})
    assert str(wrong.value) == f"here.yaml:7:3: `threshold` of `{kind}` {said}"
    assert read({**assertion, "threshold": 0.5})


def test_the_strictest_line_is_no_idle_one() -> None:
    assert read({"type": "rouge-n", "value": "x", "threshold": 1})
    assert read({"type": "not-reasoning-loop", "threshold": 0})


def test_what_is_shown_beside_the_answer_is_what_the_file_holds(tmp_path: Path) -> None:
    (tmp_path / "wanted.txt").write_text("It opens at nine.\n")
    (tmp_path / "asked.py").write_text("def get_assert(output, context):\n    return True\n")
    parts = read(
        {"type": "similar", "value": "file://wanted.txt", "doubt": 0.1},
        {"type": "llm-rubric", "value": "file://wanted.txt", "when": "unsure"},
        {"type": "contains-any", "value": ["nine", "file://wanted.txt"]},
        {"type": "not-python", "value": "file://asked.py"},
        around=about(tmp_path),
    )
    rule = Node.of({"type": "drift_threshold", "expected": "file://wanted.txt"}, PLACE)
    ((_, drift),) = read_embedding_validation(rule, about(tmp_path))

    assert [part.wanted for _, part in parts] == [
        "It opens at nine.\nIt opens at nine.",
        '["nine", "It opens at nine."]',
        "file://asked.py",
    ]
    assert drift.wanted == "It opens at nine."
