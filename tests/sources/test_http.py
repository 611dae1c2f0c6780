"""A server over HTTP: JSON stays JSON, busy servers are waited for, and secrets stay secret."""

import json
from typing import Any

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.sources.source import Answer, NoAnswer
from tests.sources.described import Server, asked, because, source, text

NASTY = 'He said "no", \\ and\nleft {{ 7*7 }} {"a": 1}'


def test_the_answer_is_taken_from_where_it_stands(server: Server) -> None:
    heard = server.page().answer(asked("hello"))

    assert isinstance(heard, Answer)
    assert heard.text == "heard hello"
    assert heard.latency_ms is not None


@pytest.mark.parametrize(
    "body",
    [
        {"ask": "{{prompt}}", "city": "{{ city }}"},
        '{"ask": "{{prompt}}", "city": "{{ city }}"}',
        '{"ask": {{ prompt | tojson }}, "city": {{ city | tojson }}}',
    ],
)
def test_whatever_a_prompt_holds_json_stays_json(server: Server, body: Any) -> None:
    heard = server.page({"body": body}).answer(asked(NASTY, vars={"city": 'Zü"rich'}))

    assert text(heard) == f"heard {NASTY}"


def test_a_body_that_a_variable_would_break_is_not_sent(server: Server) -> None:
    page = server.page({"body": '{"ask": {{prompt | tojson}}, "n": {{n}}}'})

    assert text(page.answer(asked("calm", vars={"n": 3}))) == "heard calm"
    assert "`{{ prompt | tojson }}`" in because(page.answer(asked("broken-mark", vars={"n": "three"})))
    assert server.stats("broken-mark")["asked"] == []


@pytest.mark.parametrize(
    "body",
    [
        '{"ask": "{{prompt}}", "n": {{n}}}',
        '[{{n}}, "Say: {{ prompt }}!"]',
        '{"n": {{ n }}, "said": "a \\" b {{prompt}}"}',
    ],
)
def test_a_text_in_quotes_could_add_fields_to_a_body_and_is_refused(body: str) -> None:
    with pytest.raises(BatteryError, match=r"^battery\.yaml:7:5: `body` has `{{ … }}` within quotes"):
        source("https://example.org/ask", {"body": body})


def test_a_body_may_be_chosen_by_a_condition() -> None:
    body = '{"q": {{ prompt | tojson }}{% if n == "one" %}, "n": 1{% endif %}}'
    assert source("https://example.org/ask", {"body": body}).label == "https://example.org/ask"


def test_a_request_that_variables_would_break_is_not_sent(server: Server) -> None:
    page = server.page({"headers": {"X-City": "{{city}}"}})
    why = because(page.answer(asked("x", vars={"city": "Bern\r\nX-Admin: yes"})))
    assert why.startswith(f"`{server.address}/ask` was not asked")
    assert "a header holds a line break" in why
    page = source("http", {"url": "{{city}}/ask"})
    assert because(page.answer(asked("x", vars={"city": "Bern"}))).endswith("this is no address")


def test_a_chat_is_sent_as_data(server: Server) -> None:
    chat = [{"role": "user", "content": "data-mark"}]
    server.page({"body": {"ask": "x", "messages": "{{ prompt }}"}}).answer(asked(json.dumps(chat)))

    (seen,) = server.stats("data-mark")["asked"]
    assert json.loads(seen["body"])["messages"] == chat


def test_addresses_queries_and_headers_take_variables(server: Server) -> None:
    config = {
        "url": f"{server.address}/say/{{{{prompt}}}}?fixed=1",
        "method": "get",
        "headers": {"Authorization": "Bearer {{env.TOKEN}}", "X-City": "{{city}}"},
        "queryParams": {"city": "{{city}}", "n": 2},
        "transformResponse": "text",
    }
    page = source("https", config, environment={"TOKEN": "t-123"})
    heard = page.answer(asked("query-mark a/b&c", vars={"city": "Bern & Rom"}))

    assert "reply" in text(heard)
    (seen,) = server.stats("query-mark")["asked"]
    assert seen["method"] == "GET"
    assert seen["path"].startswith("/say/query-mark%20a%2Fb%26c?")
    assert "city=Bern+%26+Rom" in seen["path"] or "city=Bern%20%26%20Rom" in seen["path"]
    assert "n=2" in seen["path"]
    assert "fixed=1" in seen["path"]
    assert seen["headers"]["authorization"] == "Bearer t-123"
    assert seen["headers"]["x-city"] == "Bern & Rom"


def test_without_a_path_the_whole_reply_is_the_answer(server: Server) -> None:
    page = source(f"{server.address}/ask", {"body": {"ask": "{{prompt}}"}})
    assert text(page.answer(asked("all"))) == '{"reply": [{"text": "heard all"}]}'


def test_a_reply_without_the_answer_is_none(server: Server) -> None:
    assert "there is nothing at `json.reply[0].text`" in because(server.page().answer(asked("!page")))
    page = server.page({"transformResponse": "json.reply[3]['text']"})
    assert "nothing at `json.reply[3]['text']`" in because(page.answer(asked("hello")))


def test_a_busy_server_is_asked_again_when_it_says(server: Server) -> None:
    heard = server.page().answer(asked("!busy-twice http-mark"))

    assert text(heard) == "heard !busy-twice http-mark"
    waits = server.waits("http-mark")
    assert len(waits) == 2
    assert all(0.95 <= wait < 5 for wait in waits)
    assert isinstance(heard, Answer)
    assert heard.latency_ms is not None
    assert heard.latency_ms < 900  # the waiting is not the server's


def test_a_date_is_waited_for(server: Server) -> None:
    assert text(server.page().answer(asked("!until date-mark"))) == "heard !until date-mark"
    assert server.waits("date-mark")[0] >= 0.8  # the date has whole seconds


def test_a_server_that_stays_busy_is_told_with_the_number_of_tries(server: Server) -> None:
    heard = server.page().answer(asked("!busy stays-mark"))

    assert because(heard) == f"`{server.address}/ask` answered 429 Too Many Requests, tried 3 x: slow down"
    assert isinstance(heard, NoAnswer)
    assert heard.unreachable
    assert len(server.stats("stays-mark")["asked"]) == 3


@pytest.mark.parametrize("status", ["502", "504"])
def test_a_gateway_that_fails_is_asked_again(server: Server, status: str) -> None:
    page = server.page({"body": {"ask": "{{prompt}}", "status": status}})
    assert text(page.answer(asked("!gateway-once"))) == "heard !gateway-once"


def test_nobody_waits_for_hours(server: Server) -> None:
    why = because(server.page().answer(asked("!busy-for-hours")))
    assert why == f"`{server.address}/ask` answered 429 Too Many Requests: come back"


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("!wrong", "answered 400 Bad Request: no such model"),
        ("!fails", "answered 500 Internal Server Error: out of memory"),
        ("!elsewhere", "answered 302 Found: it sends people to `http://localhost`, which is not followed"),
        ("!large", "answered with more than 10,000,000 bytes"),
    ],
)
def test_what_goes_wrong_is_told(server: Server, prompt: str, told: str) -> None:
    assert because(server.page().answer(asked(prompt))) == f"`{server.address}/ask` {told}"


def test_half_a_surrogate_pair_does_not_end_the_run(server: Server) -> None:
    assert text(server.page().answer(asked("a \ud83d b"))) == "heard a \ud83d b"
    page = server.page({"body": "{{prompt}}", "headers": {"Content-Type": "text/plain"}})
    assert because(page.answer(asked("a \ud83d b"))) == (
        f"`{server.address}/ask` could not be asked: UnicodeEncodeError"
    )


def test_a_server_that_drips_its_answer_is_given_up(server: Server) -> None:
    heard = server.page(timeout=0.4, retries=0).answer(asked("!drips"))
    assert because(heard) == f"`{server.address}/ask` did not answer within 0.4 s"


def test_a_slow_server_is_given_up(server: Server) -> None:
    heard = server.page(timeout=0.2, retries=0).answer(asked("!hangs"))
    assert because(heard) == f"`{server.address}/ask` did not answer within 0.2 s"


def test_where_nobody_is_there_that_is_told() -> None:
    heard = source("http://127.0.0.1:9/ask", {"maxRetries": 0}).answer(asked("x"))
    assert heard == NoAnswer("`http://127.0.0.1:9/ask` could not be reached: ConnectError", True, True)


def test_secrets_and_questions_are_never_told(server: Server) -> None:
    page = server.page(
        {
            "url": f"{server.address.replace('://', '://user:pass-word-1@')}/ask?token=query-secret",
            "headers": {"Authorization": "Bearer header-secret"},
        }
    )
    why = because(page.answer(asked("!quotes-key of my private question")))

    assert why == f"`{server.address}/ask` answered 400 Bad Request"
    assert "secret" not in repr(page) + page.fingerprint


@pytest.mark.parametrize(
    "config",
    [
        {"body": {"ask": "!quotes-body", "key": "{{ env.PIN }}"}},
        {"body": {"ask": "!quotes-body", "key": "literal-secret-1"}},
        {"body": '{"ask": "!quotes-body", "key": {{ env.PIN | tojson }}}'},
        {"url": "{{ env.HOST }}/ask/{{ env.PIN }}", "body": {"ask": "!quotes-path"}},
        {"url": "{{ env.HOST }}/ask/literal-secret-1", "body": {"ask": "!quotes-path"}},
    ],
)
def test_a_key_in_a_body_or_a_path_is_never_told(server: Server, config: dict[str, Any]) -> None:
    page = server.page(config, environment={"PIN": "pin-7", "HOST": server.address})
    assert because(page.answer(asked("x"))).endswith("answered 400 Bad Request")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"url": "nowhere"}, "`url` must be an address"),
        ({"method": "SEND"}, "`method` must be one of GET, POST"),
        ({"body": "x", "method": "GET"}, "a `body` is not sent with GET"),
        ({"body": 3}, "`body` must be a mapping or a string; got a number"),
        ({"headers": {"a": ["b"]}}, "`a` of `headers` must be a string; got a list"),
        ({"header": {}}, "did you mean `headers`?"),
        ({"sessionParser": "x"}, "`sessionParser` is a key of promptfoo"),
        ({"transformResponse": "(json, text) => json.a"}, "and JavaScript is not run here"),
        ({"transformResponse": "json.a.map(b)"}, "must be a path such as"),
        ({"transformResponse": "file://parse.js"}, "must be a path such as"),
        ({"transformResponse": "text", "responseParser": "text"}, "are the same; wanted one"),
    ],
)
def test_what_is_wrong_with_the_settings_is_told_with_its_place(config: dict[str, Any], message: str) -> None:
    with pytest.raises(BatteryError) as wrong:
        source("https://example.org/ask", config)
    assert str(wrong.value).startswith("battery.yaml:7:5: ")
    assert message in str(wrong.value)


def test_the_fingerprint_follows_the_server_but_not_the_key() -> None:
    def fingerprint(host: str, key: str, more: dict[str, Any] | None = None) -> str:
        config = {"url": "{{env.HOST}}/ask", "headers": {"A": "{{env.KEY}}"}, **(more or {})}
        return source("http", config, environment={"HOST": host, "KEY": key}).fingerprint

    same = fingerprint("http://a", "1")
    assert fingerprint("http://a", "2") == same
    assert (
        len({same, fingerprint("http://b", "1"), fingerprint("http://a", "1", {"queryParams": {"v": 2}})})
        == 3
    )


@pytest.mark.parametrize("part", ["body", "queryParams", "headers"])
def test_the_fingerprint_follows_what_the_environment_brings(part: str) -> None:
    config = {"method": "POST", part: {"model": "{{ env.MODEL }}"}}
    prints = [source("http://a", config, environment={"MODEL": name}).fingerprint for name in "mnm"]
    assert prints[0] == prints[2] != prints[1]
