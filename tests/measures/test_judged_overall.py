"""A judge's opinions about the answer, about the passages, and all together."""

import json

import pytest

from sensecheck.core.errors import CannotJudge, MissingInput, SpecError
from sensecheck.core.loading import JudgeOptions, load_judge
from sensecheck.core.needs import Prompt
from sensecheck.core.protocols import Measure
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.evaluation.scorer import Panel
from sensecheck.measures.metrics import Metric, opinions
from sensecheck.measures.rubric import JudgedOverall

SAMPLE = Sample(
    "It opened in 1932, says the plaque.",
    question="When did the hall open?",
    passages=("The hall opened in 1937.", "It seats 900."),
)


def prompt_of(name: str) -> Prompt:
    (prompt,) = opinions()[name].needs(SAMPLE).prompts
    return prompt


def reply(score: object, reasoning: str = "So it is.") -> str:
    return json.dumps({"reasoning": reasoning, "score": score})


def space(**replies: str) -> Space:
    return Space(replies={prompt_of(name): said for name, said in replies.items()}, judge="a judge")


def test_five_steps_are_read_as_zero_to_one_with_the_judges_own_words() -> None:
    told = space(groundedness=reply(2, "The passage says 1937."))
    found = opinions()["groundedness"].read(SAMPLE, told)

    assert found.value == 0.25
    assert found.because == "the judge says 2: “The passage says 1937.”"


def test_who_judges_the_passages_is_not_shown_the_answer() -> None:
    prompt = prompt_of("context_relevance")

    assert "[1] The hall opened in 1937.\n\n[2] It seats 900." in prompt.user
    assert "When did the hall open?" in prompt.user
    assert "plaque" not in prompt.user


def test_each_opinion_sees_what_it_is_about_and_no_more() -> None:
    assert "1937" not in prompt_of("answer_relevance").user
    assert "When did the hall open?" not in prompt_of("groundedness").user
    assert "plaque" in prompt_of("groundedness").user


def test_the_overall_opinion_is_the_mean_and_asks_nothing_of_its_own() -> None:
    all_four = opinions()
    asked = [one.needs(SAMPLE).prompts for one in all_four.values()]
    told = space(answer_relevance=reply(5), context_relevance=reply(4), groundedness=reply(1))
    found = all_four["llm_judged_overall"].read(SAMPLE, told)

    assert asked[3] == (*asked[0], *asked[1], *asked[2])
    assert found.value == pytest.approx((1 + 0.75 + 0) / 3)
    assert found.because == "the mean of answer_relevance 1, context_relevance 0.75, groundedness 0"


@pytest.mark.parametrize("said", ["I cannot say.", reply(9), '{"verdict": "PASS"}'])
def test_there_is_no_overall_opinion_where_one_is_missing(said: str) -> None:
    told = space(answer_relevance=reply(5), context_relevance=said, groundedness=reply(5))

    with pytest.raises(CannotJudge, match="no mean without `context_relevance`: the judge's reply of"):
        opinions()["llm_judged_overall"].read(SAMPLE, told)


@pytest.mark.parametrize("name", ["context_relevance", "groundedness", "llm_judged_overall"])
def test_without_passages_they_do_not_apply(name: str) -> None:
    with pytest.raises(MissingInput, match="`passages`"):
        opinions()[name].read(Sample("It opened.", "When?"), Space())


def test_a_mean_of_nothing_is_refused() -> None:
    with pytest.raises(SpecError, match="at least one opinion"):
        JudgedOverall({})


def test_a_real_model_is_asked_three_times_and_each_reply_is_read_or_an_error(llama: str) -> None:
    judge = load_judge(f"openai:{llama}/v1#smollm2?max_tokens=64", JudgeOptions(timeout=60, concurrency=1))
    measures: dict[str, Measure] = dict(opinions())
    panel = Panel(tuple(Metric(name, one, "judged") for name, one in measures.items()), judge=judge)
    ((*parts, overall),) = panel.read_each([SAMPLE])

    for one in (*parts, overall):  # a model as small as this one may say anything
        assert (one.value is None) == (one.error is not None)
    assert (overall.value is None) == any(one.value is None for one in parts)
