"""The friendly face, with the real model."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import POLICIES
from sensecheck.checks.presets import means
from sensecheck.checks.questions import PolicyLike
from sensecheck.config import Settings
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import MissingExtra, SampleError, SpecError
from sensecheck.core.registry import measure_to_data
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.repetition import Repetition
from sensecheck.measures.support.groundedness import groundedness
from sensecheck.retrieval import above, top
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


@pytest.mark.parametrize(
    ("answer", "language"),
    [("No puedo ayudarte.", "Spanish"), ("Je refuse.", "French"), ("不行。", "Chinese"), ("Нет.", "Russian")],
)
def test_a_short_refusal_in_another_language_does_not_pass_as_english(
    sense: Sense, answer: str, language: str
) -> None:
    found = sense.not_a_refusal(answer)

    assert found.outcome == "unsure"
    assert f"not verified for {language}" in str(found)


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


QUESTION = "Where does the library keep its maps?"
WORDS = Sense(Backends())
"""Enough for facts and repetition, which need no model."""
UNTYPED: Any = WORDS


def test_batch_forms_take_samples_too_and_verdicts_carry_their_ids(sense: Sense) -> None:
    facts = Sample("In 1879.", expected="In 1879.", id="year")
    stop, sure = Sample("Stop. Stop. Stop.", id="stop"), Sample("Bread needs flour.", id="bread")
    closes = Sample("The reading room closes at five in the afternoon.", passages=(PASSAGE,), id="room")

    assert [v.sample for v in sense.keeps_facts_of_each([facts, ("In 1879.", "In 1879.")])] == ["year", None]
    assert [v.sample for v in sense.means_each([facts])] == ["year"]
    assert [v.sample for v in sense.not_circling_each([stop, "Go on."])] == ["stop", None]
    assert [v.sample for v in sense.not_a_refusal_each(iter([sure]))] == ["bread"]
    assert [v.sample for v in sense.verdict_is_each([Sample("PASS", id="judge")])] == ["judge"]
    assert [v.sample for v in sense.classified_as_each([sure], CLUSTERS, "pass")] == ["bread"]
    assert [(v.verdict.sample, v.outcome) for v in sense.grounded_each([closes])] == [("room", "pass")]


def test_a_row_may_bring_its_question_as_its_third_part(sense: Sense) -> None:
    passages = ["The library keeps its maps in the reading room."]
    one = sense.means("In the reading room.", "The reading room.", question=QUESTION)
    (same,) = sense.means_each([("In the reading room.", "The reading room.", QUESTION)])
    found = sense.grounded("In the reading room.", passages, question=QUESTION)
    (again,) = sense.grounded_each([("In the reading room.", passages, QUESTION)])

    assert same == one
    assert again == found
    assert again.sample.question == QUESTION


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda: UNTYPED.not_a_refusal_each("Sure"),
            "`not_a_refusal_each` must be given a list.*got one str",
        ),
        (
            lambda: UNTYPED.not_circling_each(None),
            "`not_circling_each` must be given a list.*got one NoneType",
        ),
        (lambda: UNTYPED.verdict_is_each("PASS"), "`verdict_is_each` must be given a list.*got one str"),
        (lambda: UNTYPED.classified_as_each("No", CLUSTERS, "pass"), "must be given a list.*got one str"),
        (lambda: UNTYPED.means_each({"a": "b"}), r"of \(answer, expected\), .*got one dict"),
        (lambda: UNTYPED.grounded_each(Sample("a")), r"of \(answer, passages\), .*got one Sample"),
        (lambda: next(UNTYPED.keeps_facts_of_each(["ab"])), "row 0 of `keeps_facts_of_each`.*got str"),
        (
            lambda: list(UNTYPED.means_each([("a", "b"), "ab"])),
            r"row 1 of `means_each`, counted from 0, must be \(answer, expected\), "
            r"\(answer, expected, question\) or a `Sample`; got str",
        ),
        (lambda: next(UNTYPED.means_each([("a", "b", "c", "d")])), "got 4 values"),
        (lambda: next(UNTYPED.grounded_each([{"answer": "a", "passages": "b"}])), "got dict"),
        (lambda: next(UNTYPED.not_a_refusal_each([5])), "`answer` must be a string; got int"),
    ],
)
def test_what_is_no_row_is_refused_rather_than_taken_apart(ask: Callable[[], Any], said: str) -> None:
    with pytest.raises(SampleError, match=said):
        ask()


@pytest.mark.parametrize("passages", [{"text": "It opens at nine."}, None, 5, b"It opens at nine."])
def test_what_is_no_passage_is_refused_with_what_passages_must_be(passages: Any) -> None:
    with pytest.raises(SampleError, match="`passages` must be one string, or several such as a list of them"):
        WORDS.grounded("It opens at nine.", passages)


def test_passages_with_other_fields_are_told_to_be_texts() -> None:
    with pytest.raises(SampleError, match="got one with a dict; of passages with other fields, pass the tex"):
        WORDS.grounded("It opens at nine.", [{"text": "It opens at nine."}])  # type: ignore[list-item]


def test_a_sample_comes_before_its_check() -> None:
    check, sample = Gate(Repetition(), at_least(0.5)), Sample("It opens at nine.")

    with pytest.raises(SampleError, match="`sample` must be a `Sample`; got Gate; the sample comes before"):
        WORDS.judge(check, sample)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match=r"`check` must be a check; got dict; .*`sense.check\(data\)` one of"):
        WORDS.judge(sample, {"kind": "not_circling"})  # type: ignore[arg-type]


def test_a_guard_may_be_one_stage_and_refuses_what_is_no_query_and_no_list() -> None:
    sense = Sense(Backends(HashingEncoder()))
    texts = ["red apples", "old maps"]

    assert [match.text for match in sense.guard("red apples", texts, above(0.9)).kept] == ["red apples"]
    with pytest.raises(SampleError, match="`query` must be a string; got NoneType"):
        sense.guard(None, texts, top(1))  # type: ignore[arg-type]
    with pytest.raises(SampleError, match="references must be a list of strings or matches; got NoneType"):
        sense.guard("red apples", None, top(1))  # type: ignore[arg-type]
    with pytest.raises(SampleError, match=r"each query must be \(query, references\); got str"):
        next(sense.guard_each(["red apples"], top(1)))  # type: ignore[list-item]
    with pytest.raises(SpecError, match="`chain` must be a list of stages"):
        sense.guard("red apples", texts, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [5, -0.1])
def test_a_threshold_that_no_probability_reaches_is_refused(threshold: float) -> None:
    with pytest.raises(SpecError, match=f"`threshold` must be between 0 and 1; got {threshold}"):
        WORDS.means("a", "b", threshold=threshold)
    with pytest.raises(SpecError, match=f"`threshold` must be between 0 and 1; got {threshold}"):
        WORDS.not_a_refusal("a", threshold=threshold)


def test_an_encoder_that_is_made_already_is_used_as_it_is(tmp_path: Path) -> None:
    encoder = HashingEncoder()
    sense = Sense.load(encoder, settings=Settings(cache=str(tmp_path / "vectors.sqlite3")))

    assert sense.means("red apples", "red apples", policy="similarity").fingerprint == encoder.fingerprint
    assert sense.guard("red apples", ["red apples"], above(0.9)).kept[0].encoder == encoder.fingerprint
    assert (tmp_path / "vectors.sqlite3").exists()
    with pytest.raises(SpecError, match=r"an encoder that is made already goes to `Sense\.load"):
        Settings(encoder=encoder)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(5, "got int, which has no `name`"), (HashingEncoder, "got the class `HashingEncoder`$")],
)
def test_what_is_neither_a_name_nor_an_encoder_is_refused(wrong: Any, said: str) -> None:
    with pytest.raises(SpecError, match=f"`encoder` must be a name such as `minilm`, or an encoder.*{said}"):
        Sense.load(wrong)


def test_a_setting_of_another_type_is_an_error() -> None:
    with pytest.raises(SpecError, match="`threads` must be a number, at least 1; got 'many'"):
        Settings(threads="many")  # type: ignore[arg-type]


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

    assert sense.means("red apples", "red apples", policy="similarity")
    with pytest.raises((SpecError, MissingExtra)):
        Sense.load("nowhere")


def test_a_chain_as_data_uses_the_encoder_that_is_loaded_already() -> None:
    sense = Sense.load(settings=Settings(encoder="hashing", cache="off"))
    first, again = (sense.chain([{"rerank": {"encoder": "hashing"}}]) for _ in range(2))

    for keep in (first, again):
        (stage,) = keep.stages
        assert isinstance(stage, Rerank)
        assert isinstance(stage.encoder, DescribedEncoder)
        assert stage.encoder._inner is sense._answerers.encoder
    assert sense.guard("a query", ["a text", "a query"], first).kept[0].text == "a query"
