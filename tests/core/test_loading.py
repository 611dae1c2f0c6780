"""Encoders, judges and readers from a short description; and what they must answer."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from sensecheck.core.backends import Judge, PairScore, PairScorer, Unanswered
from sensecheck.core.errors import BackendError, MissingExtra, SpecError
from sensecheck.core.loading import (
    OnFirstUse,
    load_encoder,
    load_judge,
    load_verifier,
    replies_of,
    scores_of,
)
from sensecheck.core.needs import Needs, Prompt
from tests.scorers import CountingScorer


class Silent:
    """A judge and a reader that answer one thing less than they are asked."""

    fingerprint = "silent:1"

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
        return ["yes"] * (len(prompts) - 1)

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        return [PairScore(1.0)] * (len(pairs) - 1)


def test_an_encoder_and_a_judge_are_loaded_by_their_kind(tmp_path: Path) -> None:
    record = tmp_path / "replies.jsonl"
    record.write_text("", encoding="utf-8")

    assert load_encoder("hashing").fingerprint == "hashing:256:1"
    assert load_judge(f"recorded:{record}").fingerprint.startswith("recorded:")
    with pytest.raises(SpecError, match=r"^the judge `recorded` needs a file: `recorded:FILE.jsonl`$"):
        load_judge("recorded")
    with pytest.raises(SpecError, match=r"^`recordet` is not a known judge; did you mean `recorded`\?"):
        load_judge("recordet:x")


def test_a_reader_is_loaded_when_the_first_pair_is_scored_and_once() -> None:
    loaded: list[CountingScorer] = []

    def load() -> PairScorer:
        loaded.append(CountingScorer("lazy:1"))
        return loaded[-1]

    scorer = OnFirstUse(load)
    assert loaded == []
    assert scorer.fingerprint == "lazy:1"
    assert len(scorer.score([("a claim", "its evidence")])) == 1
    assert loaded[0].asked == [("a claim", "its evidence")]
    assert len(loaded) == 1


def test_a_reader_says_what_it_is_where_it_knows() -> None:
    class Known(CountingScorer):
        about = "reads 512 tokens"

    assert OnFirstUse(CountingScorer).about == ""
    assert OnFirstUse(Known).about == "reads 512 tokens"


def test_an_unknown_reader_is_refused_at_once_and_one_that_is_not_there_when_it_is_asked() -> None:
    with pytest.raises(SpecError, match=r"^`mpnett` is not a known verifier; did you mean `mpnet`\?"):
        load_verifier("mpnett")
    with pytest.raises(BackendError, match=r"^the verifier `onnx` needs a folder: `onnx:…`$") as told:
        load_verifier("onnx").score([("a", "b")])
    assert isinstance(told.value.__cause__, SpecError)
    with pytest.raises(BackendError, match=r"^the verifier `mpnet` takes no argument; got `large`$"):
        _ = load_verifier("mpnet:large").fingerprint


def test_a_reader_that_lacks_a_package_fails_the_question_with_the_command_that_installs_it() -> None:
    def load() -> PairScorer:
        raise MissingExtra("pip install 'sensecheck[local]'")

    with pytest.raises(BackendError, match=r"^pip install 'sensecheck\[local\]'$"):
        _ = OnFirstUse(load).about


def test_there_is_one_reply_and_one_score_for_each_that_was_asked() -> None:
    silent = Silent()
    judge: Judge = silent
    asked = [Prompt("a"), Prompt("b")]

    assert (replies_of(judge, []), scores_of(silent, [])) == ((), ())
    with pytest.raises(BackendError, match=r"^the judge `silent:1` gave 1 replies to 2 prompts$"):
        replies_of(judge, asked)
    with pytest.raises(BackendError, match=r"^the cross-encoder `silent:1` gave 2 scores for 3 pairs$"):
        scores_of(silent, [("a", "b")] * 3)
    assert scores_of(CountingScorer(), [("a", "b")]) == CountingScorer().score([("a", "b")])


def test_needs_are_true_where_anything_is_needed() -> None:
    assert not Needs()
    for one in (
        Needs(("a",)),
        Needs(tokens=("a",)),
        Needs(pairs=(("a", "b"),)),
        Needs(prompts=(Prompt("a"),)),
    ):
        assert one
        assert Needs() | one == one
    assert Needs(("a",)) | Needs(("b", "a")) == Needs(("a", "b", "a"))
