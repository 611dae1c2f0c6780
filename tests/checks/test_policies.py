"""Policies: data with a version, and what each of them decides."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.library import CardLibrary, shipped_card
from sensecheck.checks.combine import AnyOf
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.policies import POLICIES, Policy, may_read_pairs, named, similarity_or_keywords
from sensecheck.checks.presets import grounded
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import SpecError
from sensecheck.core.registry import measure_to_data
from sensecheck.core.sample import Sample
from sensecheck.measures.entailment import Entailment
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import PassageSimilarity
from sensecheck.measures.support.groundedness import groundedness
from sensecheck.sense import Sense

OWN = {"name": "own", "version": 3, "reads": "words", "words": "mine", "fail_mode": "open"}
SPEC = Path(__file__).parents[1] / "grounding" / "contrast" / "spec.jsonl"
CASES = [json.loads(line) for line in SPEC.read_text(encoding="utf-8").splitlines()]
PASSAGE = "The library lends tablets for three weeks. Dogs stay outside."
ANSWERS = (
    "Tablets are lent for three weeks.",
    "Tablets are lent for two years.",
    "Cats swim.",
    "42",
    "The passage does not say.",
    "",
)


def lying(folder: Path, *cards: Card) -> CardLibrary:
    """A library of one's own with these cards."""
    for card in cards:
        (folder / f"{card.name}.json").write_text(card.to_json(), encoding="utf-8")
    return CardLibrary((folder,))


def mine() -> Card:
    """A card like ours under another name, with another line."""
    return replace(shipped_card("grounded"), name="mine", line=0.25, doubt=None)


@pytest.mark.parametrize(
    "policy", [*POLICIES.values(), Policy.from_data(OWN)], ids=lambda policy: policy.mark
)
def test_a_policy_is_data_and_comes_back_from_it(policy: Policy) -> None:
    stored = json.loads(json.dumps(policy.to_data()))

    assert Policy.from_data(stored) == policy


def test_a_policy_of_ones_own_says_what_it_was_told() -> None:
    own = Policy.from_data(OWN)

    assert own.to_data() == OWN
    assert own.mark == "own@3"


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_goes_by_its_name_and_by_its_version(name: str) -> None:
    policy = POLICIES[name]

    assert named(name) == named(policy.mark) == Policy.from_data(name) == policy
    with pytest.raises(SpecError, match=f"has the version {policy.version}; wanted {policy.version + 1}"):
        named(f"{name}@{policy.version + 1}")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("strikt", "`strikt` is not a known policy; did you mean `strict`?"),
        ("default@one", "has the version 2; wanted one"),
        ({**OWN, "fail_mod": "open"}, "`fail_mod` is not a known key; did you mean `fail_mode`?"),
        ({**OWN, "reads": "word"}, "did you mean `words`?"),
        ({**OWN, "fail_mode": "opened"}, "did you mean `open`?"),
        ({**OWN, "version": "3"}, "version"),
        ({"name": "own", "version": 3}, "lacks the key `reads`"),
    ],
)
def test_what_is_not_known_is_an_error_that_names_the_nearest(data: Any, complaint: str) -> None:
    with pytest.raises(SpecError) as wrong:
        Policy.from_data(data)

    assert complaint in str(wrong.value)


def test_the_common_rule_as_a_policy_decides_exactly_as_the_preset(sense: Sense) -> None:
    policy = POLICIES["similarity-or-keywords"]
    preset = check_from_data({"kind": "similarity_or_keywords"})
    samples = [Sample.of(answer, passages=PASSAGE) for answer in ANSWERS]

    wanted = list(sense.judge_each((sample, preset) for sample in samples))
    found = sense.grounded_each(((answer, PASSAGE) for answer in ANSWERS), policy=policy)

    assert [one.verdict for one in found] == wanted
    assert {verdict.outcome for verdict in wanted} == {"pass", "fail", "error"}
    assert grounded("similarity-or-keywords") == policy.check() == preset


@pytest.mark.parametrize(
    ("fail_mode", "accepted"),
    [("closed", ["pass"]), ("open", ["pass", "unsure", "measured", "error"])],
)
def test_the_fail_mode_says_what_becomes_of_what_stays_open(fail_mode: str, accepted: list[str]) -> None:
    policy = Policy.from_data({**OWN, "fail_mode": fail_mode})

    outcomes = ("pass", "fail", "unsure", "measured", "error")
    assert [outcome for outcome in outcomes if policy.accepts(outcome)] == accepted


def test_an_abstention_is_held_back_or_let_through_as_the_fail_mode_says(sense: Sense) -> None:
    answer = "The passage does not say who pays."
    data = POLICIES["default"].to_data()

    closed = sense.grounded(answer, PASSAGE)
    opened = sense.grounded(answer, PASSAGE, policy={**data, "name": "lenient", "fail_mode": "open"})

    assert closed.outcome == opened.outcome == "unsure"
    assert (closed.accepted, opened.accepted) == (False, True)


def test_the_line_comes_from_the_card_that_the_policy_names(tmp_path: Path) -> None:
    check = Policy.from_data(OWN).check(lying(tmp_path, mine()))

    assert isinstance(check, Grounded)
    assert (check.words.value, check.words.calibrated, check.reader) == (0.25, True, None)


def test_a_card_that_is_not_in_the_library_is_an_error() -> None:
    with pytest.raises(SpecError, match="`mine` is not a known card"):
        Policy.from_data(OWN).check()


def test_a_card_for_another_measure_is_an_error() -> None:
    with pytest.raises(SpecError, match="refusal"):
        Policy.from_data({**OWN, "words": "refusal"}).check()


def test_a_policy_with_a_reader_takes_two_cards(tmp_path: Path) -> None:
    fitted = replace(mine(), name="fitted", measure=measure_to_data(Entailment("passages")), line=0.6)
    policy = Policy("own", 1, "reader", words="mine", reader="fitted")

    check = policy.check(lying(tmp_path, mine(), fitted))

    assert isinstance(check, Grounded)
    assert check.reader is not None
    assert (check.reader.value, check.reader.good, check.reader.calibrated) == (0.6, "above", True)
    assert check.words.value == 0.25


def test_a_threshold_takes_the_place_of_the_card() -> None:
    by_words, read = (POLICIES[name].check(threshold=0.9) for name in ("fast", "default"))

    assert isinstance(by_words, Grounded)
    assert (by_words.words.value, by_words.words.calibrated, by_words.reader) == (0.9, False, None)
    assert isinstance(read, Grounded)
    assert read.reader is not None
    assert (read.reader.value, read.reader.calibrated, read.words.calibrated) == (0.9, False, True)
    assert check_from_data(check_to_data(read)) == read
    with pytest.raises(SpecError, match="has two cutoffs of its own"):
        POLICIES["similarity-or-keywords"].check(threshold=0.9)
    for policy in ("fast", "default"):
        with pytest.raises(SpecError, match=r"`threshold` must be between 0 and 1; got 1\.5"):
            POLICIES[policy].check(threshold=1.5)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_the_first_description_asked_for_is_right_by_its_words(sense: Sense, case: Any) -> None:
    found = sense.grounded(case["answer"], case["passages"], question=case["question"], policy="fast")

    assert found.support == case["wanted"], found.explain()


def test_the_common_rule_is_either_of_two_gates() -> None:
    near, words = PassageSimilarity(), KeywordOverlap("long")
    gates = (Gate(near, at_least(0.7)), Gate(words, at_least(0.5)))

    assert similarity_or_keywords() == AnyOf(gates, "similarity_or_keywords")
    assert named("similarity-or-keywords").check() == similarity_or_keywords()
    assert similarity_or_keywords(0.3, 0.2) == AnyOf(
        (Gate(near, at_least(0.3)), Gate(words, at_least(0.2))), "similarity_or_keywords"
    )


@pytest.mark.parametrize("name", ["", "own@2"])
def test_a_policy_has_a_name_without_a_version(name: str) -> None:
    with pytest.raises(SpecError) as refused:
        Policy(name, 1, "words")
    assert str(refused.value) == f"a policy must be a name without `@`; got `{name}`"


def test_a_policy_that_takes_the_name_of_ours_is_refused() -> None:
    with pytest.raises(SpecError) as refused:
        Policy.from_data({"name": "fast", "version": 2, "reads": "words"})
    assert str(refused.value) == "`fast` is a policy of ours, and this is another; give it another name"


def test_a_version_that_there_is_not_is_refused() -> None:
    assert named("fast@1") is named("fast") is POLICIES["fast"]
    for version in ("2", ""):
        with pytest.raises(SpecError) as refused:
            named(f"fast@{version}")
        assert str(refused.value) == f"the policy `fast` has the version 1; wanted {version}"


def test_a_policy_says_what_it_reads_and_by_which_card() -> None:
    fast, default = POLICIES["fast"], POLICIES["default"]

    assert (fast.mark, fast.card, fast.measure, fast.reads_pairs) == (
        "fast@1",
        "grounded",
        groundedness(),
        False,
    )
    assert (default.mark, default.card, default.reads_pairs) == ("default@2", "read", True)
    assert default.measure == Entailment("passages")
    assert POLICIES["strict"].card == "read-strict"
    assert [may_read_pairs(name) for name in ("fast@1", "default", "strict@2", "own")] == [
        False,
        True,
        True,
        True,
    ]
    assert not may_read_pairs("similarity-or-keywords")


def test_two_cutoffs_of_its_own_leave_no_place_for_a_threshold() -> None:
    with pytest.raises(SpecError) as refused:
        named("similarity-or-keywords").check(threshold=0.5)
    assert str(refused.value) == (
        "the policy `similarity-or-keywords` has two cutoffs of its own; got a threshold"
    )


def test_a_key_that_no_policy_has_is_refused_with_its_place() -> None:
    with pytest.raises(SpecError) as refused:
        Policy.from_data({**OWN, "word": "x"})
    assert str(refused.value).startswith(
        "in `policy`: `word` is not a known key; did you mean `words`? known: "
    )
