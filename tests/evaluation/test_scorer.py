"""All metrics are read off a batch at once, and one that cannot be read spoils no other."""

import json
from collections.abc import Iterator, Sequence
from urllib.request import urlopen

import pytest

from sensecheck.core.backends import Encoder, Unanswered
from sensecheck.core.needs import Prompt
from sensecheck.core.run import MetricScore
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.openai import openai_encoder
from sensecheck.evaluation.scorer import NEVER_ANSWERED, NamedEncoder, Panel
from sensecheck.judges.cache import prompt_key
from sensecheck.judges.recording import Recorded
from sensecheck.measures.metrics import JUDGED, LEXICAL, metrics_named, opinions
from sensecheck.measures.similarity import SemanticSimilarity
from tests.conftest import Counting
from tests.servers import serving

READ = ("bleu", "semantic_similarity", "recall_and_cosine", "retrieval_closeness")
ONE = Sample("It opened in 1937.", "When did it open?", "In 1937.", ("The hall opened in 1937.",))
OTHER = Sample("Nobody knows.", "Who built it?", "Jane Loos.", ("The hall was built by Jane Loos.",))


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with serving("embeddings.py") as address:
        yield address


def panel(*encoders: Encoder, metrics: Sequence[str] = READ) -> Panel:
    return Panel(metrics_named(metrics), tuple(NamedEncoder(one.name, one) for one in encoders))


def by_metric(readings: Sequence[MetricScore]) -> dict[str, MetricScore]:
    return {one.metric: one for one in readings}


def test_readings_come_in_the_order_of_samples_and_of_metrics() -> None:
    first, second = panel(HashingEncoder()).read_each([ONE, OTHER])

    assert [one.metric for one in first] == [one.metric for one in second] == list(READ)
    assert [by_metric(first)["bleu"].value, by_metric(second)["bleu"].value] == [
        one.value for (one,) in Panel(metrics_named(["bleu"])).read_each([ONE, OTHER])
    ]


def test_what_is_read_in_a_batch_is_what_is_read_alone(minilm: Encoder) -> None:
    samples = [ONE, OTHER, Sample("Yes.", expected="Yes, it is."), Sample("No.", expected="It is not.")]
    together = panel(minilm).read_each(samples)

    for sample, readings in zip(samples, together, strict=True):
        (alone,) = panel(minilm).read_each([sample])
        assert [one.metric for one in readings] == [one.metric for one in alone]
        assert [one.value for one in readings] == pytest.approx([one.value for one in alone], abs=1e-5)


def test_each_distinct_text_is_placed_once_however_many_metrics_read_it() -> None:
    encoder = Counting()
    again = Sample(ONE.answer, OTHER.question, ONE.expected, ONE.passages)
    panel(encoder, metrics=(*READ, "semantic_angular", "similarity")).read_each([ONE, OTHER, again])

    texts = {text for one in (ONE, OTHER) for text in (one.answer, one.question, one.expected, *one.passages)}
    assert sorted(encoder.asked) == sorted(map(str, texts))


def test_further_encoders_read_what_compares_meaning_and_nothing_else(minilm: Encoder) -> None:
    (readings,) = panel(minilm, HashingEncoder()).read_each([ONE])

    assert [(one.metric, one.encoder) for one in readings] == [
        ("bleu", ""),
        ("semantic_similarity", "minilm"),
        ("recall_and_cosine", "minilm"),
        ("retrieval_closeness", "minilm"),
        ("semantic_similarity", "hashing"),
    ]
    for one in readings[1:]:
        named = minilm if one.encoder == "minilm" else HashingEncoder()
        assert one.fingerprint == named.fingerprint
    alone = Space.of([ONE.answer, ONE.expected or ""], HashingEncoder())
    assert readings[4].value == pytest.approx(SemanticSimilarity().read(ONE, alone).value)


def test_an_encoder_that_fails_leaves_no_number_but_its_error_and_all_others_are_read(
    endpoint: str, minilm: Encoder
) -> None:
    broken = openai_encoder(f"{endpoint}/one/v1", "fails", retries=0)
    for encoders in ((broken, minilm), (minilm, broken)):
        (readings,) = panel(*encoders, metrics=("bleu", "semantic_similarity")).read_each([ONE])
        bleu, *similar = readings
        values = {one.encoder: one for one in similar}

        assert bleu.value is not None
        assert values["minilm"].value is not None
        assert values["fails"].value is None
        assert "503 Service Unavailable" in str(values["fails"].error)
        assert values["fails"].fingerprint == f"{NEVER_ANSWERED}: fails"


def test_an_encoder_that_refuses_is_asked_once_a_batch_and_not_for_every_text(endpoint: str) -> None:
    encoder = openai_encoder(f"{endpoint}/one/v1", "refuses", api_key="not-told-to-anybody", retries=0)
    before = requests_of(endpoint, "refuses")
    samples = [Sample(f"It is {n}.", expected=f"It is {n + 1}.") for n in range(20)]
    found = panel(encoder, metrics=("bleu", "semantic_similarity")).read_each(samples)

    assert requests_of(endpoint, "refuses") == before + 1
    assert all(bleu.value is not None for bleu, _ in found)
    assert all("401 Unauthorized" in str(similar.error) for _, similar in found)
    assert "not-told-to-anybody" not in str(found)


def requests_of(endpoint: str, model: str) -> int:
    with urlopen(f"{endpoint}/seen/{model}") as reply:
        return len(json.load(reply))


def test_an_encoder_that_fails_later_keeps_its_fingerprint(endpoint: str) -> None:
    encoder = openai_encoder(f"{endpoint}/one/v1", "shrinks", retries=0)
    mark = encoder.fingerprint  # asked once; from now on it gives vectors of another dimension
    (readings,) = panel(encoder, metrics=("bleu", "semantic_similarity")).read_each([ONE])

    assert readings[1].value is None
    assert "8 dimensions" in str(readings[1].error)
    assert readings[1].fingerprint == mark


def test_without_an_encoder_what_needs_one_is_an_error_that_says_so() -> None:
    (readings,) = panel(metrics=("bleu", "semantic_similarity")).read_each([ONE])

    assert readings[0].value is not None
    assert readings[1].error == "no encoder is set up to place texts"


def test_one_text_that_cannot_be_placed_costs_its_own_sample_only() -> None:
    half = Sample("\ud83d is half a letter", expected="In 1937.")
    first, second = panel(HashingEncoder(), metrics=("semantic_similarity",)).read_each([half, ONE])

    assert "half a surrogate pair" in str(first[0].error)
    assert second[0].value is not None


def test_an_empty_answer_is_like_nothing_by_convention_and_says_so() -> None:
    encoder = Counting()
    metrics = (*LEXICAL, "semantic_similarity", "recall_and_cosine")
    (readings,) = panel(encoder, metrics=metrics).read_each([Sample(" ", expected="In 1937.")])

    assert [one.metric for one in readings] == list(metrics)
    assert {one.value for one in readings} == {0.0}
    assert "empty" in str(by_metric(readings)["semantic_similarity"].because)
    assert encoder.asked == []


def test_an_empty_answer_has_none_of_the_expected_facts() -> None:
    (readings,) = panel(metrics=("fact_agreement",)).read_each([Sample(" ", expected="In 1937.")])

    assert (readings[0].value, readings[0].error) == (0.0, None)
    assert "empty" in str(readings[0].because)


def test_an_empty_answer_without_claims_is_no_failure_but_has_its_reason(minilm: Encoder) -> None:
    empty = Sample(" ", passages=("It opened in 1937.",))
    (readings,) = panel(minilm, metrics=("grounded",)).read_each([empty])

    assert (readings[0].value, readings[0].error) == (None, None)
    assert readings[0].because


def test_words_that_are_lacking_are_told_beside_the_number() -> None:
    tokyo = Sample("\u6771\u4eac", expected="\u5927\u962a")
    (readings,) = panel(metrics=("rouge_l",)).read_each([tokyo])

    assert readings[0].value == 0.0
    assert "nothing to compare in either text" in str(readings[0].because)


def test_a_metric_that_does_not_apply_has_no_row() -> None:
    bare = Sample("Yes.", question="Is it open?")

    assert panel(HashingEncoder(), metrics=(*READ, "grounded", "correctness")).read_each([bare]) == [()]


def test_no_samples_are_no_readings() -> None:
    assert panel(HashingEncoder()).read_each([]) == []


class Asked(Recorded):
    """A recording that counts what it is asked."""

    def __init__(self, replies: dict[Prompt, str]) -> None:
        held = {prompt_key(prompt).hex(): reply for prompt, reply in replies.items()}
        super().__init__(held, "a judge", "replies")
        self.asked: list[Prompt] = []

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        self.asked += prompts
        return super().ask(prompts)


def replies(**scores: int) -> dict[Prompt, str]:
    return {
        opinions()[name].needs(ONE).prompts[0]: json.dumps({"reasoning": f"It is {score}.", "score": score})
        for name, score in scores.items()
    }


def test_a_judge_is_asked_each_question_once_and_its_reasons_are_kept() -> None:
    judge = Asked(replies(answer_relevance=5, context_relevance=4, groundedness=3))
    (readings,) = Panel(metrics_named(JUDGED), judge=judge).read_each([ONE])

    assert len(judge.asked) == 3
    assert [(one.metric, one.value) for one in readings] == [
        ("answer_relevance", 1.0),
        ("context_relevance", 0.75),
        ("groundedness", 0.5),
        ("llm_judged_overall", 0.75),
    ]
    assert readings[2].because == "the judge says 3: “It is 3.”"
    assert {one.fingerprint for one in readings} == {""}


def test_a_question_that_the_judge_leaves_open_is_an_error_there_and_in_the_overall_opinion() -> None:
    judge = Asked(replies(answer_relevance=5, groundedness=3))
    (readings,) = Panel(metrics_named((*JUDGED, "bleu")), judge=judge).read_each([ONE])
    found = by_metric(readings)

    assert "not in the recording" in str(found["context_relevance"].error)
    assert "no mean without `context_relevance`" in str(found["llm_judged_overall"].error)
    assert found["answer_relevance"].value == 1.0
    assert found["bleu"].value is not None


def test_without_a_judge_opinions_are_errors_that_say_how_to_name_one() -> None:
    (readings,) = Panel(metrics_named(["answer_relevance"])).read_each([ONE])

    assert "SENSECHECK_JUDGE" in str(readings[0].error)
