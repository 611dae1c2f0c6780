"""Questions are put with their references; what cannot be asked is told, and holds up no other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from sensecheck.core.errors import CannotJudge, SpecError, Unreadable
from sensecheck.core.run import Item, PlacedItem, RecordedAnswer
from sensecheck.evaluation.answers import (
    ALONE,
    FROM_REFERENCES,
    NO_QUESTION,
    Candidates,
    Generating,
    Guarded,
    Left,
    Template,
)
from sensecheck.sources.source import Answer, NoAnswer, Question
from tests.servers import serving

WHY = Item("Why?", "Because.", ("A reason.", "Another."))
HOW = Item("How?", "So.")


@dataclass(frozen=True)
class Parrot:
    """A source that says what it was asked, and fails when it is asked `fail`."""

    label: str = "parrot"
    fingerprint: str = "parrot"
    concurrency: int = 2
    cacheable: bool = True

    def answer(self, question: Question) -> Answer | NoAnswer:
        if "fail" in question.prompt:
            return NoAnswer("it is out of seeds", unreachable=True)
        return Answer(question.prompt, latency_ms=1.0, cost=0.1)


def joined(passages: Sequence[str]) -> str:
    return "|".join(passages)


def placed(*pairs: Item) -> list[PlacedItem]:
    return [PlacedItem(position, position + 1, pair) for position, pair in enumerate(pairs)]


def asked(template: str, *pairs: Item) -> list[RecordedAnswer]:
    return Generating(Parrot(), Template.from_text(template), joined)(placed(*pairs))


def test_question_and_references_are_put_where_the_prompt_has_them() -> None:
    found = asked('{"x": "{references}", {question}}', WHY, HOW)

    assert [one.answer for one in found] == ['{"x": "A reason.|Another.", Why?}', '{"x": "", How?}']
    assert [one.passages for one in found] == [("A reason.", "Another."), ()]
    assert found[0].latency_ms == 1.0
    assert found[0].cost == 0.1


def test_what_is_put_in_is_not_filled_in_again() -> None:
    (found,) = asked("{question} {references}", Item("What is {references}?", None, ("{question}",)))

    assert found.answer == "What is {references}? {question}"


def test_a_prompt_without_a_question_is_refused() -> None:
    with pytest.raises(SpecError, match=r"the prompt has no `{question}`"):
        Template.from_text("Tell me something.")


def test_our_own_prompt_asks_for_the_references_alone_where_there_are_some() -> None:
    template = Template()

    assert "nothing but what the references say" in template.filled("Why?", ["a"], joined)
    assert template.filled("Why?", [], joined) == ALONE.replace("{question}", "Why?")
    assert template.with_references == FROM_REFERENCES
    assert Template.from_text("{question}").digest != template.digest


def test_a_failed_answer_is_an_error_and_holds_up_no_other() -> None:
    found = asked("{question}", WHY, Item("fail", None), HOW, Item(None, "x"))

    assert [one.answer for one in found] == ["Why?", None, "How?", None]
    assert [one.error for one in found] == [None, "it is out of seeds", None, NO_QUESTION]


def only_first(found: Sequence[Candidates]) -> list[Left]:
    return [one.passages[:1] if one.question != "fail" else Unreadable("too odd") for one in found]


def test_guards_decide_what_enters_the_prompt() -> None:
    live = Generating(Parrot(), Template.from_text("{question} {references}"), joined, only_first)

    why, fail = live(placed(WHY, Item("fail", None, ("a",))))

    assert (why.answer, why.passages) == ("Why? A reason.", ("A reason.",))
    assert fail == RecordedAnswer(None, "its references could not be judged: too odd")


def test_guards_of_recorded_answers_decide_what_the_metrics_see() -> None:
    def recorded(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        return [RecordedAnswer("a"), RecordedAnswer("b", passages=("brought", "along")), RecordedAnswer("c")]

    found = Guarded(recorded, only_first)(placed(WHY, HOW, Item("fail", None, ("x",))))

    assert [one.passages for one in found[:2]] == [("A reason.",), ("brought",)]
    assert found[2].answer is None
    assert isinstance(only_first([Candidates("fail", ())])[0], CannotJudge)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving("answers.py") as address:
        yield address


def test_a_model_behind_an_address_is_asked_several_questions_at_once(server: str) -> None:
    from sensecheck.config import Settings
    from sensecheck.evaluation.answer_model import AnswerModel

    asking = AnswerModel(f"openai:{server}/v1#tiny?max_tokens=9", concurrency=3)
    source = asking.source(Settings(cache="off", retries=0))
    live = Generating(source, Template.from_text("{question}"), joined, concurrency=3)

    found = live(placed(*(Item(f"!slow {n}", None) for n in range(6)), Item("!wrong", None)))

    assert [one.answer for one in found[:6]] == [f"tiny heard !slow {n}" for n in range(6)]
    assert found[6].answer is None
    assert "400 Bad Request" in (found[6].error or "")
    assert found[0].latency_ms is not None
