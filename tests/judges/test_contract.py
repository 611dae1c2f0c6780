"""The contract for judges: ours keep it, and it notices those that do not."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.backends import Unanswered
from sensecheck.core.loading import load_judge
from sensecheck.core.needs import Prompt
from sensecheck.io.blobcache import ReplyFile
from sensecheck.judges.cache import CachedJudge
from sensecheck.judges.openai import openai_judge
from sensecheck.judges.recording import Recorded, Recording
from sensecheck.testing import judge_contract
from tests.judges.asked import Server


def test_our_judges_keep_the_contract(server: Server, tmp_path: Path) -> None:
    asked = server.judge("contract")
    judge_contract(asked)
    judge_contract(CachedJudge(asked, ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**6)))
    judge_contract(Recording.to_file(asked, tmp_path / "replies.jsonl"))
    judge_contract(Recorded.from_file(tmp_path / "replies.jsonl"))


def test_a_real_server_keeps_the_contract(llama: str) -> None:
    judge_contract(load_judge(f"openai:{llama}/v1#smollm2?max_tokens=16"))


def test_prompts_without_a_reply_are_no_breach(server: Server) -> None:
    judge_contract(
        server.judge("some-fail"), prompts=[Prompt("question"), Prompt("!silent"), Prompt("!long")]
    )


class Heard:
    """A judge that says what it heard, in the way that a test gives it."""

    def __init__(self, way: Callable[[list[str]], Any]) -> None:
        self._way = way
        self.calls = 0

    @property
    def fingerprint(self) -> str:
        return "heard"

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
        self.calls += 1
        return list(self._way([f"{prompt.system} {prompt.user}" for prompt in prompts]))


class Changing(Heard):
    @property
    def fingerprint(self) -> str:
        return f"heard {self.calls}"


@pytest.mark.parametrize(
    ("way", "says"),
    [
        (lambda said: said[1:], r"5 prompts gave 4 replies"),
        (lambda said: said[::-1], r"another reply elsewhere|twice got two replies"),
        (lambda said: sorted(said), r"another reply elsewhere|twice got two replies"),
        (lambda said: dict.fromkeys(said), r"5 prompts gave 4 replies"),
        (lambda said: [None for _ in said], r"a reply is NoneType; wanted a string, or `Unanswered`"),
        (lambda said: [Unanswered("") for _ in said], r"it is not said why"),
        (lambda said: ["yes" for _ in said], r"all prompts got the same reply"),
        (lambda said: said or ["yes"], r"no prompts must give no replies"),
    ],
)
def test_a_judge_that_breaks_the_contract_is_noticed(way: Callable[[list[str]], Any], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        judge_contract(Heard(way))


def test_a_fingerprint_that_changes_with_use_is_noticed() -> None:
    with pytest.raises(AssertionError, match="the fingerprint changed with use"):
        judge_contract(Changing(list))


def test_a_judge_that_does_not_repeat_itself_may_say_so() -> None:
    numbers = iter(range(1000))
    restless = Heard(lambda said: [f"{text} {next(numbers)}" for text in said])

    with pytest.raises(AssertionError, match="is the judge repeatable"):
        judge_contract(restless)
    judge_contract(restless, repeatable=False)


def test_a_judge_that_cannot_be_reached_is_noticed() -> None:
    with pytest.raises(AssertionError, match="all prompts got the same reply"):
        judge_contract(openai_judge("http://127.0.0.1:9/v1", "any", retries=0))
