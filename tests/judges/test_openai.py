"""A judge behind an endpoint: a real llama.cpp server, and one that does everything wrong."""

import json
import logging
import subprocess
import sys
import time
from base64 import b64encode

import pytest

from sensecheck.core.backends import Unanswered
from sensecheck.core.errors import MissingExtra, SpecError
from sensecheck.core.loading import JudgeOptions, load_judge
from sensecheck.core.needs import Prompt
from sensecheck.io.redaction import quotes, spellings
from sensecheck.judges.openai import Sampling, openai_judge
from tests.judges.asked import REPLIES, Server

SECRET = "the patient in bed nine is called Aurelia"
KEY = "sk-canary-0123456789"
QUESTIONS = [
    Prompt(question, system="Answer in one short sentence.")
    for question in ("What is the capital of France?", "What colour is grass?", "What is ice made of?")
]


def because(reply: str | Unanswered) -> str:
    assert isinstance(reply, Unanswered)
    return reply.because


def test_a_real_server_replies_to_several_prompts_and_again_the_same(llama: str) -> None:
    judge = load_judge(f"openai:{llama}/v1#smollm2?max_tokens=48", JudgeOptions(timeout=60, concurrency=3))
    replies = judge.ask(QUESTIONS)

    assert "Paris" in str(replies[0])
    assert len(set(replies)) == 3
    assert [judge.ask([question])[0] for question in QUESTIONS] == list(replies)


def test_a_real_reply_that_is_cut_is_no_reply(llama: str) -> None:
    judge = openai_judge(f"{llama}/v1", "smollm2", sampling=Sampling(max_tokens=2), timeout=60)

    (reply,) = judge.ask([Prompt("Tell me a long story.")])
    assert because(reply).endswith("answered with a reply that was cut for its length; raise `max_tokens`")


def test_recorded_judgements_come_back_in_order(server: Server) -> None:
    prompts = [Prompt(text) for text in (*REPLIES, "another one", *REPLIES)]
    replies = server.judge("in-order", concurrency=3).ask(prompts)

    assert replies[:2] == replies[3:] == ["yes", "no"]
    assert str(replies[2]).startswith("heard ")


def test_nobody_is_asked_nothing(server: Server) -> None:
    assert server.judge("unasked").ask([]) == []
    assert server.stats("unasked")["asked"] == []


def test_what_is_sent_is_the_prompt_and_how_to_reply(server: Server) -> None:
    judge = server.judge("sent", sampling=Sampling.from_text("seed=none&max_tokens=77"))
    judge.ask([Prompt("question", system="be brief")])

    (sent,) = server.stats("sent")["asked"]
    system, user = {"role": "system", "content": "be brief"}, {"role": "user", "content": "question"}
    assert sent == {"model": "sent", "messages": [system, user], "temperature": 0.0, "max_tokens": 77}


@pytest.mark.parametrize("concurrency", [1, 4])
def test_as_many_are_asked_at_once_as_was_set_and_no_more(server: Server, concurrency: int) -> None:
    model = f"at-once-{concurrency}"
    replies = server.judge(model, concurrency=concurrency).ask(
        [Prompt(f"!slow {n}") for n in range(3 * concurrency)]
    )

    assert min(2, concurrency) <= server.stats(model)["most_at_once"] <= concurrency
    assert len(set(replies)) == 3 * concurrency


WRONG = {
    "!hangs": r"did not answer within 2\.0 s, tried 2 x$",
    "!busy": r"answered 429 Too Many Requests: slow down$",
    "!fails": r"answered 500 Internal Server Error, tried 2 x: out of memory$",
    "!fails-quoting": r"answered 500 Internal Server Error, tried 2 x$",
    "!refuses-key": r"answered 401 Unauthorized$",
    "!quotes-key": r"answered 400 Bad Request$",
    "!malformed": r"did not answer as `/v1/chat/completions` does$",
    "!page": r"answered without a reply: it has no choices$",
    "!deep": r"did not answer as `/v1/chat/completions` does$",
    "!cut": r"broke off its answer, tried 2 x: RemoteProtocolError$",
    "!choiceless": r"answered without a reply: it has no choices$",
    "!silent": r"answered with a reply that holds no text$",
    "!blank": r"answered with a reply that holds no text$",
    "!long": r"answered with a reply that was cut for its length; raise `max_tokens`$",
    "!filtered": r"answered with a reply that its content filter held back$",
    "!refuses": r"answered with a refusal of the model$",
    "\ud800": r"was not asked: the text holds half a surrogate pair$",
}


def test_what_fails_for_one_prompt_fails_for_no_other_and_tells_no_secret(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = [Prompt(f"{kind} {SECRET}", system=SECRET) for kind in WRONG]
    right = [Prompt(f"question {n}: {SECRET}") for n in range(len(wrong))]
    judge = server.judge("wrong", api_key=KEY, retries=1, timeout=2.0, concurrency=8)
    mixed = judge.ask([prompt for pair in zip(wrong, right, strict=True) for prompt in pair])

    assert [str(reply)[:6] for reply in mixed[1::2]] == ["heard "] * len(right)
    told = [because(reply) for reply in mixed[::2]]
    for says, reason in zip(WRONG.values(), told, strict=True):
        with pytest.raises(ValueError, match=f"^`{server.address}/v1` {says}"):
            raise ValueError(reason)
    everything = "\n".join([*told, repr(mixed), judge.fingerprint, caplog.text])
    assert "Aurelia" not in everything
    assert "canary" not in everything


@pytest.mark.parametrize(
    ("userinfo", "key"),
    [
        ("", "pa5"),
        ("", "sk-12345"),
        ("", "s%6b-1"),
        ("me:pw", None),
        ("me:a-long-password", None),
        ("me:p%40ss%2Fword", None),
        ("token", None),
        (":pw", None),
    ],
)
def test_neither_a_short_key_nor_a_password_is_told(server: Server, userinfo: str, key: str | None) -> None:
    address = server.address.replace("//", f"//{userinfo}@") if userinfo else server.address
    model = f"password-{userinfo}{key}".translate({ord("%"): "-", ord(":"): "-"})
    judge = openai_judge(f"{address}/v1", model, api_key=key, retries=0)
    (quoting,) = judge.ask([Prompt("!quotes-key")])

    assert because(quoting) == f"`{server.address}/v1` answered 400 Bad Request"
    (sent,) = server.stats(model)["headers"]
    assert sent["authorization"] == f"Bearer {key}" if key else sent["authorization"].startswith("Basic ")


def test_a_password_is_sent_and_not_logged(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    address = server.address.replace("//", "//me:p%40ss-canary@")
    openai_judge(f"{address}/v1", "logged", retries=0, api_key=KEY).ask([Prompt("question")])

    (sent,) = server.stats("logged")["headers"]
    assert sent["authorization"] == f"Basic {b64encode(b'me:p@ss-canary').decode()}"
    assert "HTTP Request: POST" in caplog.text
    assert "canary" not in caplog.text
    assert sent["authorization"].split()[1] not in caplog.text


def test_the_placeholder_of_a_key_hides_no_reason(server: Server) -> None:
    (reply,) = server.judge("placeholder").ask([Prompt("!quotes-key")])

    assert because(reply).endswith("answered 400 Bad Request: what is Bearer not-needed?")


@pytest.mark.parametrize("secret", ["pa5", "sk-12345", "user:pass", "a long enough password"])
def test_a_secret_is_found_in_base64_too(secret: str) -> None:
    encoded = b64encode(secret.encode()).decode()

    assert any(quotes(f"cannot read Basic {encoded}", spelling) for spelling in spellings(secret))
    assert not any(quotes("cannot do it", spelling) for spelling in spellings(secret))


ODD_BODIES = ["null", "[]", "7", '"text"', "{}"]
ODD_CHOICES = ["null", '{"0": 1}', "[null]", "[[]]", '["text"]', '[{"message": []}]', '[{"message": "text"}]']
ODD_CHOICES += ['[{"message": {"content": ["a"]}}]', '[{"message": {"content": {"a": 1}}}]']


@pytest.mark.parametrize("body", [*ODD_BODIES, *(f'{{"choices": {choices}}}' for choices in ODD_CHOICES)])
def test_an_answer_of_an_odd_shape_is_no_reply(server: Server, body: str) -> None:
    (reply,) = server.judge("odd").ask([Prompt(f"!odd {body}")])

    assert because(reply).startswith(f"`{server.address}/v1` ")


def test_a_busy_server_is_asked_again_when_it_said(server: Server) -> None:
    before = time.monotonic()
    (reply,) = server.judge("patient", retries=1).ask([Prompt("!busy-once")])

    assert str(reply).startswith("heard ")
    assert time.monotonic() - before >= 1
    assert len(server.stats("patient")["asked"]) == 2


def test_a_server_that_is_not_there_says_so_for_each_prompt() -> None:
    judge = openai_judge("http://me:password@127.0.0.1:9/v1", "any", retries=0)
    told = [because(reply) for reply in judge.ask([Prompt("a"), Prompt("b")])]

    assert told == ["`http://127.0.0.1:9/v1` could not be reached, tried 1 x: ConnectError"] * 2


def test_nothing_of_the_environment_is_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", "Authorization: from-the-environment\nX-My: from-the-environment"
    )
    server.judge("keyless").ask([Prompt("question")])
    server.judge("keyless", api_key=KEY).ask([Prompt("question")])

    headers = server.stats("keyless")["headers"]
    assert [sent["authorization"] for sent in headers] == ["Bearer not-needed", f"Bearer {KEY}"]
    assert "from-the-environment" not in json.dumps(headers)


def test_the_query_of_an_address_is_sent_and_is_not_shown(server: Server) -> None:
    judge = openai_judge(f"{server.address}/v1?deployment=a%20b&key=sk-canary-0123456789", "query", retries=0)
    replies = judge.ask([Prompt(next(iter(REPLIES))), Prompt("!fails")])

    assert replies[0] == "yes"
    assert because(replies[1]).startswith(f"`{server.address}/v1` answered 500")
    assert server.stats("query")["asked"]
    assert "canary" not in f"{replies} {judge.fingerprint}"


def test_a_setting_that_is_the_same_has_the_same_fingerprint() -> None:
    same = [
        Sampling(),
        Sampling(temperature=0),
        Sampling(temperature=-0.0),
        Sampling.from_text("temperature=0"),
    ]

    assert len({openai_judge("http://host/v1", "a", sampling=one).fingerprint for one in same}) == 1


def test_the_fingerprint_changes_with_the_model_its_address_and_its_settings() -> None:
    described = [
        "http://host/v1#a",
        "http://host/v1#b",
        "http://other/v1#a",
        "http://host/v1?deployment=a#a",
        "http://host/v1?deployment=b#a",
        "http://host/v1#a?temperature=0.5",
        "http://host/v1#a?seed=1",
        "http://host/v1#a?max_tokens=9",
        "http://host/v1#a?max_tokens=none&max_completion_tokens=1024",
    ]
    marks = [load_judge(f"openai:{one}", JudgeOptions(api_key=KEY)).fingerprint for one in described]

    assert len(set(marks)) == len(described)
    assert marks[0] == load_judge("openai:http://me:password@host/v1#a?temperature=0").fingerprint
    assert marks[0].startswith("openai:a:")


@pytest.mark.parametrize(
    ("described", "says"),
    [
        ("openai:", r"the judge `openai` needs `openai:http://HOST:PORT/v1#MODEL`"),
        ("openai:http://host/v1", r"the judge `openai` needs"),
        ("openai:ftp://host/v1#m", r"the judge `openai` needs"),
        ("openai:http://999.1.1.1/v1#m", r"the judge `openai` needs"),
        ("openai:http://host/v1#m?temprature=0", r"did you mean `temperature`\?"),
        ("openai:http://host/v1#m?temperature=hot", r"`temperature` must be a number, or `none`; got `hot`"),
        ("openai:http://host/v1#m?max_tokens=0", r"`max_tokens` must be at least 1, and finite; got 0"),
        ("openai:http://host/v1#m?temperature=nan", r"`temperature` must be at least 0, and finite; got nan"),
        ("openai:http://host/v1#m?temperature=inf", r"`temperature` must be at least 0, and finite; got inf"),
        ("opnai:http://host/v1#m", r"`opnai` is not a known judge; did you mean `openai`\?"),
        ("recorded:", r"the judge `recorded` needs a file"),
    ],
)
def test_a_judge_that_is_described_wrongly_is_an_error(described: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        load_judge(described)


def test_without_the_client_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)

    with pytest.raises(MissingExtra, match=r"pip install 'sensecheck\[openai\]'"):
        load_judge("openai:http://host/v1#m")


@pytest.mark.slow
def test_the_client_is_imported_when_a_prompt_is_asked_and_not_before() -> None:
    script = (
        "import sys\n"
        "from sensecheck.core.loading import load_judge\n"
        "from sensecheck.core.needs import Prompt\n"
        "judge = load_judge('openai:http://127.0.0.1:9/v1#m')\n"
        "judge.fingerprint, judge.ask([])\n"
        "print('openai' in sys.modules, judge.ask([Prompt('a')])[0].because, 'openai' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("False `http://127.0.0.1:9/v1` could not be reached")
    assert done.stdout.endswith("True\n")


def test_a_key_is_not_shown() -> None:
    assert "canary" not in repr(JudgeOptions(api_key=KEY))
