"""Which ids are known, and what is said of those that are not."""

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.sources.loading import require_known_source
from tests.sources.described import asked, source, spec, text

KNOWN = [
    "echo",
    "openai:gpt-4o",
    "openai:chat:gpt-4o",
    "openai:chat:ft:gpt-4o:me::1",
    "http://localhost:1/ask",
    "https://example.org/{{city}}",
    "file://answers.py",
    "file:///tmp/answers.py:ask",
    "python:my.python.pyfiles/answers.py:ask",
    "exec: ./answer.sh --now",
    "recorded:answers.jsonl",
    "recorded:results.json",
]


@pytest.mark.parametrize("source_id", KNOWN)
def test_these_are_known(source_id: str) -> None:
    require_known_source(spec(source_id))


@pytest.mark.parametrize(
    ("source_id", "told"),
    [
        ("ecko", "`ecko` is not a known source of answers; did you mean `echo`?"),
        ("opnai:chat:gpt-4o", "did you mean `openai:chat:MODEL`?"),
        ("anthropic:messages:claude-sonnet", "any OpenAI-compatible address works as `openai:chat:MODEL`"),
        ("ollama:chat:llama3", "any OpenAI-compatible address works"),
        ("azure:chat:mine", "is a source of promptfoo that sensecheck does not have"),
        ("openai:embedding:small", "wanted `openai:chat:MODEL`"),
        ("openai:responses:gpt-5", "wanted `openai:chat:MODEL`"),
        ("openai:chat:", "wanted `openai:chat:MODEL`"),
        ("openai:", "wanted `openai:chat:MODEL`"),
        ("file://provider.js", "call it from a Python file: `file://answers.py`"),
        ("webhook:https://example.org", "call it from a Python file"),
        ("file://answers.pyc", "is not a known source of answers"),
        ("recorded:answers.xlsx", "needs a file that ends with one of `.jsonl`"),
        ("", "is not a known source of answers"),
    ],
)
def test_these_are_not_and_it_is_told_what_is(source_id: str, told: str) -> None:
    with pytest.raises(BatteryError) as wrong:
        require_known_source(spec(source_id))
    assert str(wrong.value).startswith("battery.yaml:7:5: ")
    assert told in str(wrong.value)


@pytest.mark.parametrize(
    ("source_id", "key"),
    [("echo", "delay"), ("recorded:a.jsonl", "sourse"), ("openai:m", "modle"), ("http://a/b", "metod")],
)
def test_a_key_that_nobody_reads_is_found_when_the_file_is_read(source_id: str, key: str) -> None:
    with pytest.raises(BatteryError, match=f"`{key}`"):
        require_known_source(spec(source_id, {key: 1}))


def test_keys_of_the_users_own_are_left_alone() -> None:
    require_known_source(spec("openai:m", {"x-team": "blue"}))


def test_echo_says_the_prompt_again() -> None:
    assert text(source("echo").answer(asked("hello"))) == "hello"
