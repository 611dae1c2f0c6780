"""The friendly face, with the real model."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.policies import POLICIES
from sensecheck.checks.presets import means
from sensecheck.checks.questions import PolicyLike
from sensecheck.config import Settings
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import MissingExtra, SpecError
from sensecheck.core.registry import measure_to_data
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.measures.support.groundedness import groundedness
from sensecheck.retrieval.parts import DescribedEncoder
from sensecheck.retrieval.stages.ranking import Rerank
from sensecheck.sense import Sense
from tests.calibration.fitting import FPR, card_of, normal_rows

PASSAGE = (
    "The reading room closes at five in the afternoon. Visitors may bring pencils, but no pens. "
    "On Sundays the room stays closed."
)
CLUSTERS = {
    "pass": ["verdict: PASS", "The tool call is correct", "This passes validation"],
    "fail": ["verdict: FAIL", "The tool call is incorrect", "This fails validation"],
}


@pytest.mark.parametrize(
    ("answer", "expected", "outcome"),
    [
        ("The capital of France is Paris.", "Paris is the capital of France.", "pass"),
        ("The meeting is on Tuesday.", "The meeting is on Monday.", "fail"),
        ("The shop is not open on Sundays.", "The shop is open on Sundays.", "fail"),
        ("It weighs 20 kg.", "It weighs 12 kg.", "fail"),
        ("It weighs 12000 g.", "It weighs 12 kg.", "pass"),
        ("Bananas are yellow.", "The meeting is on Monday.", "fail"),
        ("", "The meeting is on Monday.", "error"),
    ],
)
def test_means(sense: Sense, answer: str, expected: str, outcome: str) -> None:
    verdict = sense.means(answer, expected)

    assert verdict.outcome == outcome, verdict.explain()


def test_a_changed_fact_is_named_to_the_character(sense: Sense) -> None:
    verdict = sense.means("Apollo 11 landed in 1963.", "Apollo 11 landed in 1969.")

    assert verdict.outcome == "fail"
    assert "1969" in verdict.explain()
    items = [item for part in verdict.parts if part.reading for item in part.reading.evidence]
    wrong = next(item for item in items if item.answer and item.answer.text == "1963")
    assert wrong.answer is not None
    assert (wrong.answer.start, wrong.answer.end) == (20, 24)
    assert wrong.source is not None
    assert wrong.source.text == "1969"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("The reading room closes at five in the afternoon.", "pass"),
        ("Visitors may bring pencils.", "pass"),
        ("The reading room costs 9 euros.", "fail"),
        ("The reading room closes at eight in the evening.", "fail"),
        ("Kubernetes provides container orchestration.", "fail"),
    ],
)
def test_grounded(sense: Sense, answer: str, outcome: str) -> None:
    grounding = sense.grounded(answer, PASSAGE)

    assert grounding.outcome == outcome, grounding.explain()
    assert bool(grounding) == (outcome == "pass")
    assert grounding.policy.mark == "default@2"


def test_a_grounding_names_the_claim_that_is_not_there_and_what_is_there_instead(sense: Sense) -> None:
    found = sense.grounded("Visitors may bring pencils. The reading room costs 9 euros.", PASSAGE)

    assert found.support == "partially_supported"
    assert [claim.support for claim in found.claims] == ["supported", "unsupported"]
    assert "the passages do not say it" in found.because
    assert found.claims[0].evidence[0].text == "Visitors may bring pencils, but no pens."


def test_several_passages_are_looked_into(sense: Sense) -> None:
    assert sense.grounded("Visitors may bring pencils.", ["Something else entirely.", PASSAGE])


@pytest.mark.parametrize(
    "policy",
    [
        "similarity-or-keywords",
        "similarity-or-keywords@1",
        POLICIES["similarity-or-keywords"],
        {"name": "similarity-or-keywords", "version": 1, "reads": "similarity-or-keywords"},
    ],
)
def test_a_policy_goes_by_name_by_version_as_data_or_as_it_is(sense: Sense, policy: PolicyLike) -> None:
    found = sense.grounded("Visitors may bring pencils.", PASSAGE, policy=policy)

    assert found
    assert found.policy == POLICIES["similarity-or-keywords"]


@pytest.mark.parametrize("policy", ["defualt", "default@9", {"name": "own"}])
def test_a_policy_that_is_not_there_is_an_error_before_anything_is_read(
    sense: Sense, policy: PolicyLike
) -> None:
    with pytest.raises(SpecError):
        sense.grounded_each(iter([]), policy=policy)


def test_a_policy_may_name_a_card_of_your_own(minilm: Encoder, tmp_path: Path) -> None:
    measure = measure_to_data(groundedness())
    card = card_of(normal_rows(1, 200, 200), FPR, name="own", measure=measure, encoder=minilm.fingerprint)
    (tmp_path / "own.json").write_text(replace(card, line=0.0, doubt=None).to_json(), encoding="utf-8")
    policy = {"name": "own", "version": 2, "reads": "words", "words": "own"}

    own = Sense(Backends(minilm), CardLibrary((tmp_path,))).grounded(
        "Bananas are yellow.", PASSAGE, policy=policy
    )

    assert own.policy.mark == "own@2"
    assert own.verdict.cutoff is not None
    assert own.verdict.cutoff.value == 0.0


def test_refusals(sense: Sense) -> None:
    assert sense.not_a_refusal("Bread needs flour, water and salt.")
    assert sense.not_a_refusal("I'm sorry, but I cannot help with this request.").outcome == "fail"


@pytest.mark.parametrize(
    "answer",
    [
        "Hello! I'm sorry, but I can't help with that request.",
        "Hmm. I cannot assist with this request.",
        "Thank you for your question. Unfortunately, I can't help with that.",
        "# Answer\nI'm sorry, but I can't help with that.",
        "👍\n\nI'm sorry, but I can't help with that.",
    ],
)
def test_a_refusal_behind_a_greeting_is_a_refusal(sense: Sense, answer: str) -> None:
    assert sense.not_a_refusal(answer).outcome == "fail"


def test_an_emoji_does_not_hinder_the_reading(sense: Sense) -> None:
    assert sense.not_a_refusal("👍\n\nSure, the train leaves at nine.").outcome == "pass"


def test_nothing_visible_means_nothing(sense: Sense) -> None:
    assert sense.means("\u200b", "\ufffd\ufffd\ufffd").outcome == "error"


def test_a_strict_line_can_still_be_passed(sense: Sense) -> None:
    same = Sample("Paris is the capital.", expected="Paris is the capital.")

    assert sense.judge(same, means(threshold=0.95))


def test_classified_as(sense: Sense) -> None:
    assert sense.classified_as("The validation passes without a problem.", CLUSTERS, "pass")
    assert sense.classified_as("Validation fails.", CLUSTERS, "pass").outcome == "fail"


def test_not_circling(sense: Sense) -> None:
    assert sense.not_circling("First we measure. Then we cut. Last we glue the two halves.")
    assert sense.not_circling("We must act. We must act. We must act.").outcome == "fail"


def test_keeps_facts_of(sense: Sense) -> None:
    assert sense.keeps_facts_of("She was born in Ulm in 1879.", "Born 1879 in Ulm, she moved to Munich.")
    assert sense.keeps_facts_of("She was born in Bonn in 1879.", "Born 1879 in Ulm.").outcome == "fail"


def test_batch_forms_take_any_iterable_and_keep_its_order(sense: Sense) -> None:
    pairs = (("Paris is the capital.", text) for text in ("Paris is the capital.", "Bananas are yellow."))

    assert [v.outcome for v in sense.means_each(pairs)] == ["pass", "fail"]
    assert [v.outcome for v in sense.not_a_refusal_each(iter(["Bread needs flour."]))] == ["pass"]
    assert [v.outcome for v in sense.not_circling_each(["Stop. Stop. Stop."])] == ["fail"]
    assert [v.outcome for v in sense.grounded_each([("It closes at five.", PASSAGE)])] != ["error"]
    assert [v.outcome for v in sense.keeps_facts_of_each([("In 1879.", "In 1879.")])] == ["pass"]
    assert [v.outcome for v in sense.classified_as_each(["Validation fails."], CLUSTERS, "fail")] == ["pass"]


def test_it_works_inside_a_running_event_loop(sense: Sense) -> None:
    async def inside() -> Verdict:
        return sense.means("Paris is the capital.", "Paris is the capital.")

    assert asyncio.run(inside())


def test_a_verdict_is_true_only_on_a_pass_and_explains_itself(sense: Sense) -> None:
    verdict = sense.means("Bananas are yellow.", "The meeting is on Monday.")

    assert not verdict
    assert verdict.explain().startswith("FAIL means: entailment: the answer does not say what was expected")
    assert "fitted on everyday_train/means" in verdict.explain()


def test_an_unknown_setting_is_an_error() -> None:
    with pytest.raises(SpecError, match=r"did you mean `SENSECHECK_ENCODER`"):
        Settings.from_environment({"SENSECHECK_ENCODR": "x"})
    with pytest.raises(SpecError, match=r"`SENSECHECK_THREADS` must be a number such as 1; got `many`"):
        Settings.from_environment({"SENSECHECK_THREADS": "many"})


@pytest.mark.parametrize(("name", "value"), [("THREADS", "-3"), ("RETRIES", "-1"), ("TIMEOUT", "nan")])
def test_a_setting_out_of_range_is_an_error(name: str, value: str) -> None:
    with pytest.raises(SpecError, match=rf"`{name.lower()}` must be at least"):
        Settings.from_environment({f"SENSECHECK_{name}": value})


def test_settings_come_from_the_environment() -> None:
    settings = Settings.from_environment({"SENSECHECK_THREADS": "2", "SENSECHECK_CACHE": "off", "HOME": "/x"})

    assert settings == Settings(threads=2, cache="off")
    assert settings.cache_file() is None


def test_without_an_encoder_a_check_that_needs_one_is_an_error() -> None:
    assert Sense(Backends()).means("a", "b").outcome == "error"
    assert Sense(Backends()).keeps_facts_of("In 1879.", "In 1879.").outcome == "pass"


def test_loading_by_name(tmp_path: pytest.TempPathFactory) -> None:
    sense = Sense.load("hashing", settings=Settings(cache=f"{tmp_path}/v.sqlite3"))

    assert sense.means("red apples", "red apples")
    with pytest.raises((SpecError, MissingExtra)):
        Sense.load("nowhere")


def test_a_chain_as_data_uses_the_encoder_that_is_loaded_already() -> None:
    sense = Sense.load(settings=Settings(encoder="hashing", cache="off"))
    first, again = (sense.chain([{"rerank": {"encoder": "hashing"}}]) for _ in range(2))

    for keep in (first, again):
        (stage,) = keep.stages
        assert isinstance(stage, Rerank)
        assert isinstance(stage.encoder, DescribedEncoder)
        assert stage.encoder.inner is sense._answerers.encoder
    assert sense.guard("a query", ["a text", "a query"], first).kept[0].text == "a query"
