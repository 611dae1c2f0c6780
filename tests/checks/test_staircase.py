"""What is answered, by whom, and what happens where an answerer is not there: strictly, and not."""

from collections.abc import Sequence

import pytest

from sensecheck.checks.assess import Staircase
from sensecheck.core.backends import Backends, Embedding, GivenUp, PairScore, Unanswered
from sensecheck.core.errors import BackendError, EncoderError, Unreachable
from sensecheck.core.needs import Needs, Prompt
from sensecheck.encoders.hashing import HashingEncoder
from tests.scorers import CountingScorer


class Picky(HashingEncoder):
    """Refuses every text with one of its words; `everything` refuses all."""

    def __init__(self, *words: str, error: type[BackendError] = EncoderError) -> None:
        super().__init__()
        self._words, self._error = words, error
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        self.calls.append(list(texts))
        for text in texts:
            if "everything" in self._words or any(word in text for word in self._words):
                raise self._error(f"refused: {text}")
        return super().encode(texts, tokens=tokens)


class Refuses(CountingScorer):
    """Scores no pair."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        self.calls.append(list(pairs))
        raise EncoderError(f"no score for {pairs[0][0]}")


class Judge:
    fingerprint = "judge:1"

    def __init__(self, reply: str | Unanswered) -> None:
        self._reply = reply

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
        return [self._reply for _ in prompts]


def test_an_answerer_that_is_not_there_is_a_reason_or_strictly_an_error() -> None:
    space = Staircase(Backends()).answer(Needs(("a",), (), (("b", "c"),), (Prompt("d"),)))

    assert space.failed["a"] == "no encoder is set up to place texts"
    assert space.failed["b", "c"].startswith("no cross-encoder is set up to score pairs; ours comes with: ")
    assert space.failed[Prompt("d")] == ("no judge is set up to answer prompts; name one in SENSECHECK_JUDGE")
    for needs in (Needs(("a",)), Needs(pairs=(("b", "c"),)), Needs(prompts=(Prompt("d"),))):
        with pytest.raises(BackendError, match=r"^no \S+ is set up"):
            Staircase(Backends(), strict=True).answer(needs)


def test_texts_are_halved_until_the_one_that_is_refused_is_alone() -> None:
    encoder = Picky("bad")
    space = Staircase(Backends(encoder), strict=True).answer(Needs(("a", "b", "c", "bad", "e")))

    assert dict(space.failed) == {"bad": "refused: bad"}
    assert set(space.embeddings) == {"a", "b", "c", "e"}
    assert encoder.calls == [
        ["a", "b", "c", "bad", "e"],
        ["a", "b"],
        ["c", "bad", "e"],
        ["c"],
        ["bad", "e"],
        ["bad"],
        ["e"],
    ]
    assert space.encoder == "hashing:256:1"


def test_an_encoder_that_is_unreachable_is_not_asked_again_with_half_of_the_texts() -> None:
    encoder = Picky("everything", error=Unreachable)
    space = Staircase(Backends(encoder)).answer(Needs(("a", "b")))

    assert encoder.calls == [["a", "b"]]
    assert dict(space.failed) == dict.fromkeys(("a", "b"), "refused: a")
    with pytest.raises(Unreachable, match=r"^refused: a$"):
        Staircase(Backends(encoder), strict=True).answer(Needs(("a", "b")))


def test_who_refuses_all_is_strictly_tried_with_a_plain_text() -> None:
    with pytest.raises(EncoderError, match=r"^refused: This is a text\.$"):
        Staircase(Backends(Picky("everything")), strict=True).answer(Needs(("a",)))
    with pytest.raises(EncoderError, match=r"^no score for This is a text\.$"):
        Staircase(Backends(pairs=Refuses()), strict=True).answer(Needs(pairs=(("a", "b"),)))
    odd = Staircase(Backends(Picky("odd")), strict=True).answer(Needs(("odd",)))
    assert dict(odd.failed) == {"odd": "refused: odd"}


def test_a_pair_that_cannot_be_scored_at_all_is_a_reason() -> None:
    refuses = Refuses()
    space = Staircase(Backends(pairs=refuses)).answer(Needs(pairs=(("a", "b"), ("c", "d"))))

    assert dict(space.failed) == {("a", "b"): "no score for a", ("c", "d"): "no score for c"}
    assert refuses.calls == [[("a", "b"), ("c", "d")], [("a", "b")], [("c", "d")]]
    assert space.scorer is None


@pytest.mark.parametrize("strict", [False, True])
def test_a_reply_that_did_not_come_is_a_reason(strict: bool) -> None:
    prompt = Prompt("is it so?")
    space = Staircase(Backends(judge=Judge(Unanswered("cut off"))), strict=strict).answer(
        Needs(prompts=(prompt,))
    )

    assert dict(space.failed) == {prompt: "cut off"}
    assert (space.judge, dict(space.replies)) == ("judge:1", {})


def test_a_judge_that_gave_up_is_strictly_unreachable() -> None:
    needs = Needs(prompts=(Prompt("is it so?"),))
    given_up = Backends(judge=Judge(GivenUp("no response")))

    assert dict(Staircase(given_up).answer(needs).failed) == {Prompt("is it so?"): "no response"}
    with pytest.raises(Unreachable, match=r"^no response$"):
        Staircase(given_up, strict=True).answer(needs)


def test_what_was_answered_is_not_asked_again() -> None:
    encoder, scorer = Picky(), CountingScorer()
    stairs = Staircase(Backends(encoder, pairs=scorer))
    needs = Needs(("a", "a"), (), (("b", "c"), ("b", "c")))

    stairs.answer(needs)
    space = stairs.answer(needs)
    assert (encoder.calls, scorer.calls) == ([["a"]], [[("b", "c")]])
    assert space.fingerprint(needs) == "hashing:256:1+tiny:1"
    stairs.answer(Needs(tokens=("a",)))
    stairs.answer(Needs(tokens=("a",)))
    assert encoder.calls == [["a"], ["a"]]
