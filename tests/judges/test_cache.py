"""Replies kept on disk: a prompt that has a reply is not asked again, by anybody."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sensecheck.core.backends import Unanswered
from sensecheck.core.errors import BackendError, CacheError
from sensecheck.core.needs import Prompt
from sensecheck.io.blobcache import ReplyFile
from sensecheck.judges.cache import BATCH_SIZE, CachedJudge, prompt_key
from sensecheck.judges.openai import OpenAIJudge
from tests.judges.asked import REPLIES, Server

PROMPTS = [Prompt(text) for text in REPLIES]
ANOTHER_PROCESS = """
import sys
from sensecheck.core.needs import Prompt
from sensecheck.config import Settings, judge
asked = judge(Settings(judge=sys.argv[1], cache=sys.argv[2], retries=0))
print(asked.ask([Prompt(text) for text in sys.argv[3:]]))
"""


def cached(judge: OpenAIJudge, folder: Path) -> CachedJudge:
    return CachedJudge(judge, ReplyFile(folder / "replies.sqlite3", max_bytes=10**8))


def test_a_prompt_with_a_reply_is_not_asked_again(server: Server, tmp_path: Path) -> None:
    judge = server.judge("kept")
    first = cached(judge, tmp_path).ask([*PROMPTS, PROMPTS[0]])
    again = cached(server.judge("kept"), tmp_path).ask([PROMPTS[1], Prompt("a new one"), PROMPTS[0]])

    assert first == ["yes", "no", "yes"]
    assert [again[0], again[2]] == ["no", "yes"]
    assert server.prompts("kept") == sorted([*REPLIES, "a new one"])


def test_another_process_reads_what_this_one_kept(server: Server, tmp_path: Path) -> None:
    cached(server.judge("shared"), tmp_path).ask(PROMPTS)
    described = f"openai:{server.address}/v1#shared"
    script = [sys.executable, "-c", ANOTHER_PROCESS, described, str(tmp_path / "vectors.sqlite3"), *REPLIES]
    done = subprocess.run(script, capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout == "['yes', 'no']\n"
    assert server.prompts("shared") == sorted(REPLIES)


@pytest.mark.slow
def test_several_processes_ask_and_keep_at_once(server: Server, tmp_path: Path) -> None:
    texts = [f"question {n}" for n in range(30)]
    arguments = [f"openai:{server.address}/v1#crowd", str(tmp_path / "vectors.sqlite3"), *texts]
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", ANOTHER_PROCESS, *arguments], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    said = [worker.communicate(timeout=60)[0] for worker in workers]

    assert [worker.returncode for worker in workers] == [0, 0, 0]
    assert len(set(said)) == 1
    assert sum(ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8).count().values()) == 30


def test_why_there_is_no_reply_is_not_kept(server: Server, tmp_path: Path) -> None:
    judge = cached(server.judge("recovers"), tmp_path)
    (first,), (second,), (third,) = (judge.ask([Prompt("!busy-once")]) for _ in range(3))

    assert isinstance(first, Unanswered)
    assert str(second).startswith("heard ")
    assert third == second
    assert len(server.prompts("recovers")) == 2


def test_another_model_or_another_setting_does_not_get_these_replies(server: Server, tmp_path: Path) -> None:
    for model in ("one", "two"):
        cached(server.judge(model), tmp_path).ask(PROMPTS)

    assert server.prompts("one") == server.prompts("two") == sorted(REPLIES)


def test_system_and_user_are_kept_apart(server: Server, tmp_path: Path) -> None:
    prompts = [Prompt("b", system="a"), Prompt("ab"), Prompt("a", system="b"), Prompt("", system="ab")]
    cached(server.judge("apart"), tmp_path).ask(prompts)

    assert len({prompt_key(prompt) for prompt in prompts}) == 4
    assert len(server.prompts("apart")) == 4


def test_the_file_holds_the_reply_and_never_the_prompt(server: Server, tmp_path: Path) -> None:
    prompt = "the patient in bed nine is called Aurelia"
    (reply,) = cached(server.judge("private", api_key="sk-canary-0123456789"), tmp_path).ask([Prompt(prompt)])
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    assert str(reply).encode() in written
    assert b"Aurelia" not in written
    assert b"canary" not in written


class Scripted:
    """A judge that says what it was told to say, until it breaks off."""

    fingerprint = "scripted"

    def __init__(self, reply: str = "yes", *, good_for: int = 10**6, few: bool = False) -> None:
        self.asked: list[Prompt] = []
        self._reply, self._good_for, self._few = reply, good_for, few

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        if len(self.asked) >= self._good_for:
            raise KeyboardInterrupt
        self.asked += prompts
        return [self._reply for _ in prompts[self._few :]]


def test_what_was_replied_before_a_run_broke_off_is_kept(tmp_path: Path) -> None:
    file = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8)
    prompts = [Prompt(f"question {n}") for n in range(3 * BATCH_SIZE)]
    with pytest.raises(KeyboardInterrupt):
        CachedJudge(Scripted(good_for=2 * BATCH_SIZE), file).ask(prompts)
    rest = Scripted()
    CachedJudge(rest, file).ask(prompts)

    assert rest.asked == prompts[2 * BATCH_SIZE :]


def test_any_text_comes_back_as_it_was(tmp_path: Path) -> None:
    file = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8)
    reply = "\ud800 é 好 \0 \n"

    assert CachedJudge(Scripted(reply), file).ask([Prompt("\udfff")]) == [reply]
    assert CachedJudge(Scripted("other"), file).ask([Prompt("\udfff")]) == [reply]


def test_a_damaged_reply_is_asked_for_again_and_replaced(tmp_path: Path) -> None:
    file, judge = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8), Scripted()
    file.write("scripted", {prompt_key(Prompt("a")): b"\xff"})

    assert [CachedJudge(judge, file).ask([Prompt("a")]) for _ in range(2)] == [["yes"], ["yes"]]
    assert len(judge.asked) == 1


def test_a_damaged_file_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "replies.sqlite3").write_bytes(b"this is no database" * 100)
    file = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8)

    with pytest.raises(
        CacheError,
        match=r"the cache of replies `.*` cannot be used: .*; clear it with `sensecheck cache clear",
    ):
        CachedJudge(Scripted(), file).ask([Prompt("a")])


def test_a_judge_that_leaves_a_prompt_out_is_an_error(tmp_path: Path) -> None:
    file = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8)

    with pytest.raises(BackendError, match="the judge `scripted` gave 1 replies to 2 prompts"):
        CachedJudge(Scripted(few=True), file).ask([Prompt("a"), Prompt("b")])
