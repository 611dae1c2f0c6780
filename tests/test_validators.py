"""The documents' validators, under their own names, with the real model."""

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from sensecheck.checks.policies import similarity_or_keywords
from sensecheck.checks.presets import grounded
from sensecheck.core.backends import Backends
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense, shared_sense
from sensecheck.validators import (
    REFUSAL_EXEMPLARS,
    ClusterClassificationValidator,
    DriftThresholdValidator,
    EmbeddingValidator,
    RefusalClusterValidator,
    SelectedTextValidator,
    SemanticValidator,
    TrajectoryValidator,
    cosine_similarity,
)

WEATHER = "The weather in Tokyo is sunny with temperatures around 22°C."
CLUSTERS = {
    "pass": ["verdict: PASS", "The tool call is correct", "This passes validation"],
    "fail": ["verdict: FAIL", "The tool call is incorrect", "This fails validation"],
}


def validated(validator: SemanticValidator, response: str, sense: Sense) -> tuple[bool, str]:
    return asyncio.run(validator.using(sense).validate(response, {}))


def drift_between(one: str, other: str, sense: Sense) -> float:
    reading = sense.means(one, other, policy="similarity").parts[0].reading
    assert reading is not None
    return 1 - reading.value


@pytest.mark.parametrize(
    ("validator", "arguments"),
    [
        (DriftThresholdValidator, {"expected": inspect.Parameter.empty, "threshold": 0.3}),
        (
            ClusterClassificationValidator,
            {"clusters": inspect.Parameter.empty, "expected_cluster": inspect.Parameter.empty},
        ),
        (RefusalClusterValidator, {"threshold": 0.25}),
        (TrajectoryValidator, {"max_heller_score": 0.6}),
        (SelectedTextValidator, {}),
    ],
)
def test_the_constructors_are_those_of_the_documents(validator: type, arguments: dict[str, Any]) -> None:
    given = inspect.signature(validator).parameters

    assert {name: parameter.default for name, parameter in given.items()} == arguments


@pytest.mark.parametrize(
    "validator",
    [
        DriftThresholdValidator,
        ClusterClassificationValidator,
        RefusalClusterValidator,
        TrajectoryValidator,
    ],
)
def test_a_validator_by_distances_is_an_embedding_validator(validator: type) -> None:
    assert issubclass(validator, EmbeddingValidator)
    assert issubclass(EmbeddingValidator, SemanticValidator)


def test_an_embedding_validator_of_your_own_measures_where_it_is_told(sense: Sense) -> None:
    class Near(EmbeddingValidator):
        async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
            (drift,) = await self._measured.drifts(response, [context["wanted"]])
            return drift < 0.1, f"{drift:.1f}"

    found = asyncio.run(Near().using(sense).validate(WEATHER, {"wanted": WEATHER}))

    assert found == (True, "0.0")


def test_key_words_are_those_of_the_selected_text_document() -> None:
    found = SelectedTextValidator()._extract_keywords("The robots, which move about, CARRY two boxes!")

    assert found == ["robots", "move", "about", "carry", "boxes"]


def test_an_answer_within_the_drift_threshold(sense: Sense) -> None:
    near = "It's sunny in Tokyo, with temperatures of around 22°C."
    valid, why = validated(DriftThresholdValidator(WEATHER, threshold=0.35), near, sense)

    assert valid
    assert why == f"Within threshold (drift: {drift_between(near, WEATHER, sense):.3f})"


def test_an_answer_beyond_the_drift_threshold(sense: Sense) -> None:
    far = "I like turtles."
    valid, why = validated(DriftThresholdValidator(WEATHER), far, sense)

    assert not valid
    assert why == f"Semantic drift {drift_between(far, WEATHER, sense):.3f} exceeds threshold 0.3"


def test_exactly_on_the_drift_threshold_is_valid_and_a_hair_more_is_not(sense: Sense) -> None:
    response = "It is a sunny day in Tokyo."
    drift = drift_between(response, WEATHER, sense)

    assert validated(DriftThresholdValidator(WEATHER, drift), response, sense)[0]
    assert not validated(DriftThresholdValidator(WEATHER, drift - 1e-12), response, sense)[0]
    assert validated(DriftThresholdValidator(WEATHER, 0.0), WEATHER, sense)[0]


def test_a_verdict_text_is_classified(sense: Sense) -> None:
    validator = ClusterClassificationValidator(CLUSTERS, "pass")

    assert validated(validator, "verdict: PASS, all is well", sense) == (
        True,
        "Correctly classified as 'pass'",
    )
    assert validated(validator, "This fails validation completely.", sense) == (
        False,
        "Classified as 'fail' (expected 'pass')",
    )


def test_a_cluster_that_is_not_there_is_an_error(sense: Sense) -> None:
    with pytest.raises(SpecError, match="did you mean `pass`"):
        validated(ClusterClassificationValidator(CLUSTERS, "passs"), "x", sense)


def test_a_text_instead_of_a_list_of_exemplars_is_an_error(sense: Sense) -> None:
    clusters: Any = {"pass": "good", "fail": "bad"}
    with pytest.raises(SpecError, match="must be a list of strings; got str"):
        validated(ClusterClassificationValidator(clusters, "pass"), "x", sense)


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), True])
def test_a_threshold_that_everything_passes_is_refused(threshold: float) -> None:
    for build in (partial(DriftThresholdValidator, "x"), RefusalClusterValidator, TrajectoryValidator):
        with pytest.raises(SpecError, match="must be a finite number"):
            build(threshold)


def test_validators_in_many_threads_load_one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENSECHECK_ENCODER", "hashing")
    with ThreadPoolExecutor(8) as threads:
        shared = {id(sense) for sense in threads.map(lambda _: shared_sense(), range(32))}

    assert len(shared) == 1


def test_a_refusal_is_detected_and_named(sense: Sense) -> None:
    valid, why = validated(RefusalClusterValidator(), "I'm sorry, but I can't help with that!", sense)

    assert not valid
    assert why.startswith("Refusal detected (drift 0.0")
    assert why.endswith(" from: 'I'm sorry, but I can't help with that....')")


def test_a_poem_is_not_a_refusal(sense: Sense) -> None:
    valid, why = validated(RefusalClusterValidator(threshold=0.25), "Roses are red, violets are blue.", sense)

    assert valid
    assert why.startswith("Not a refusal (min drift: 0.")


def test_exactly_on_the_refusal_threshold_is_not_a_refusal(sense: Sense) -> None:
    response = "That is not what I was made for."
    drift = min(drift_between(response, exemplar, sense) for exemplar in REFUSAL_EXEMPLARS)

    assert validated(RefusalClusterValidator(drift), response, sense)[0]
    assert not validated(RefusalClusterValidator(drift + 1e-6), response, sense)[0]


def test_a_loop_exceeds_the_heller_limit(sense: Sense) -> None:
    loop = "We must decide. The plan is good. " * 4
    valid, why = validated(TrajectoryValidator(0.5), loop, sense)

    assert not valid
    assert why.startswith("Circular reasoning detected (heller: 0.")


def test_a_walk_stays_within_the_heller_limit(sense: Sense) -> None:
    walk = "Bread needs flour. Mars has two moons. She plays the violin."

    assert validated(TrajectoryValidator(), walk, sense)[1].startswith("Reasoning structure OK (heller: 0.")


@pytest.mark.parametrize("response", ["", "One sentence only."])
def test_an_analysis_that_cannot_be_made_is_an_error_and_not_a_pass(sense: Sense, response: str) -> None:
    with pytest.raises(CannotJudge):
        validated(TrajectoryValidator(), response, sense)


def test_without_an_encoder_no_validator_passes() -> None:
    nobody = Sense(Backends())
    for validator in (
        DriftThresholdValidator("x"),
        ClusterClassificationValidator(CLUSTERS, "pass"),
        RefusalClusterValidator(),
        TrajectoryValidator(),
    ):
        with pytest.raises(CannotJudge, match="no encoder"):
            validated(validator, "One. Two. Three.", nobody)
    with pytest.raises(CannotJudge, match="no encoder"):
        SelectedTextValidator().using(nobody).validate_response_in_context("Some answer words.", "A passage.")


ROS = "ROS 2 supports distributed systems."
FACTORIAL = "def factorial(n): return 1 if n==0 else n*factorial(n-1)"


def test_the_first_two_cases_of_the_selected_text_document(sense: Sense) -> None:
    validator = SelectedTextValidator().using(sense)

    assert validator.validate_response_in_context("ROS 2 enables distributed systems.", ROS) is True
    assert (
        validator.validate_response_in_context("Kubernetes provides container orchestration.", ROS) is False
    )


def test_the_third_case_fails_under_its_own_rule_and_our_words_get_it_right(sense: Sense) -> None:
    """The document expects its rule to accept this; with the real model it does not."""
    response = "factorial function computes factorial"
    sample = Sample(response, passages=(FACTORIAL,))
    rule = sense.judge(sample, similarity_or_keywords())

    assert SelectedTextValidator().using(sense).validate_response_in_context(response, FACTORIAL) is False
    assert [part.reading.value for part in rule.parts if part.reading] == pytest.approx(
        [0.635, 0.0], abs=1e-3
    )
    assert sense.judge(sample, grounded("fast")).outcome == "pass"


def test_our_words_get_the_first_two_cases_right_too(sense: Sense) -> None:
    wrong = "Kubernetes provides container orchestration."

    assert sense.grounded("ROS 2 enables distributed systems.", ROS, policy="fast").outcome == "pass"
    assert sense.grounded(wrong, ROS, policy="fast").outcome == "fail"


def test_the_thresholds_of_the_selected_text_rule_can_be_moved(sense: Sense) -> None:
    validator = SelectedTextValidator().using(sense)
    assert (validator.similarity_threshold, validator.keyword_overlap_threshold) == (0.7, 0.5)
    validator.similarity_threshold = 0.6

    assert validator.validate_response_in_context("factorial function computes factorial", FACTORIAL) is True


def test_a_response_without_key_words_passes_this_rule_as_the_document_has_it(sense: Sense) -> None:
    validator = SelectedTextValidator().using(sense)

    assert validator.validate_response_in_context("No.", ROS) is True
    assert validator.validate_response_in_context("", ROS) is True
    assert sense.grounded("No.", ROS, policy="fast").outcome != "pass"


def test_cosine_similarity_of_the_similarity_document(sense: Sense) -> None:
    encoder = sense._answerers.encoder
    assert encoder is not None
    placed = encoder.encode(
        ["Paris is the capital of France.", "The capital of France is Paris.", "Bananas are yellow."]
    )
    same, paraphrase, other = (embedding.vector.tolist() for embedding in placed)

    assert cosine_similarity(same, same) == pytest.approx(1.0)
    assert cosine_similarity(same, paraphrase) > 0.7
    assert cosine_similarity(same, other) < 0.5
