"""A model behind an address: what is sent, what comes back, and what is never told."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.sources.openai import OpenAISource
from sensecheck.sources.source import Answer, NoAnswer, digest
from tests.sources.described import Server, asked, because, source, text


def test_a_real_model_answers(llama: str) -> None:
    model = source("openai:chat:smollm2", {"apiBaseUrl": f"{llama}/v1", "max_tokens": 8}, timeout=60.0)
    heard = model.answer(asked("Say hello."))

    assert isinstance(heard, Answer)
    assert heard.text
    assert heard.latency_ms is not None
    assert heard.latency_ms > 1
    assert text(model.answer(asked("Say hello."))) == heard.text  # temperature 0


def test_a_list_of_messages_is_sent_as_a_chat(server: Server) -> None:
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "chat-mark"}]
    assert text(server.model("m").answer(asked(json.dumps(chat)))) == "m heard chat-mark"

    (seen,) = server.stats("chat-mark")["asked"]
    assert json.loads(seen["body"])["messages"] == chat


def test_a_list_that_is_no_chat_is_sent_as_it_is(server: Server) -> None:
    assert text(server.model("m").answer(asked('["a", "b"]'))) == 'm heard ["a", "b"]'


def test_the_settings_of_the_battery_are_sent(server: Server) -> None:
    config = {
        "temperature": 0.5,
        "max_tokens": 9,
        "top_p": 0.9,
        "seed": 7,
        "stop": ["END"],
        "passthrough": {"own": 1},
    }
    server.model("m", config).answer(asked("settings-mark"))

    (seen,) = server.stats("settings-mark")["asked"]
    sent = json.loads(seen["body"])
    assert {key: sent[key] for key in ("temperature", "max_tokens", "top_p", "seed", "stop", "own")} == {
        "temperature": 0.5,
        "max_tokens": 9,
        "top_p": 0.9,
        "seed": 7,
        "stop": ["END"],
        "own": 1,
    }


@pytest.mark.parametrize(
    ("model", "sent"), [("gpt-4o", {"temperature": 0.0}), ("o3-mini", {}), ("gpt-5", {})]
)
def test_only_models_that_take_a_temperature_are_told_one(
    server: Server, model: str, sent: dict[str, float]
) -> None:
    server.model(model).answer(asked(f"temperature-mark-{model}"))
    (seen,) = server.stats(f"temperature-mark-{model}")["asked"]
    assert {key: value for key, value in json.loads(seen["body"]).items() if key == "temperature"} == sent


def test_tokens_are_priced_when_the_battery_tells_the_prices(server: Server) -> None:
    priced = server.model("m", {"inputCost": 0.5, "outputCost": 2}).answer(asked("x"))
    assert isinstance(priced, Answer)
    assert priced.cost == 10 * 0.5 + 4 * 2
    free = server.model("m").answer(asked("x"))
    assert isinstance(free, Answer)
    assert free.cost is None


def test_that_a_model_refuses_is_its_answer(server: Server) -> None:
    assert text(server.model("m").answer(asked("!refuses"))) == "I cannot help with that."


def test_a_busy_server_is_asked_again_when_it_says(server: Server) -> None:
    heard = server.model("m").answer(asked("!busy-twice openai-mark"))

    assert text(heard) == "m heard !busy-twice openai-mark"
    waits = server.waits("openai-mark")
    assert len(waits) == 2
    assert all(0.95 <= wait < 5 for wait in waits)
    assert isinstance(heard, Answer)
    assert heard.latency_ms is not None
    assert heard.latency_ms < 900  # the waiting is not the model's


def test_a_server_that_stays_busy_gives_no_answer(server: Server) -> None:
    heard = server.model("m").answer(asked("!busy"))

    assert isinstance(heard, NoAnswer)
    assert heard.unreachable
    assert "429 Too Many Requests: slow down" in heard.because


def test_a_key_is_sent_but_never_told(server: Server) -> None:
    model = server.model("m", {"apiKeyEnvar": "MY_KEY"}, environment={"MY_KEY": "sk-very-secret-key"})
    why = because(model.answer(asked("!quotes-key key-mark")))

    (seen,) = server.stats("key-mark")["asked"]
    assert seen["headers"]["authorization"] == "Bearer sk-very-secret-key"
    assert "400" in why
    assert "secret" not in why + repr(model)


def test_a_key_may_come_from_the_environment_by_a_template(server: Server) -> None:
    config = {"apiKey": "{{ env.MY_KEY }}", "headers": {"X-Team": "{{ env.TEAM }}"}}
    model = server.model("m", config, environment={"MY_KEY": "sk-template", "TEAM": "blue"})
    model.answer(asked("template-mark"))

    (seen,) = server.stats("template-mark")["asked"]
    assert seen["headers"]["authorization"] == "Bearer sk-template"
    assert seen["headers"]["x-team"] == "blue"


def test_the_key_of_openai_goes_to_no_address_of_the_battery(server: Server) -> None:
    server.model("m", environment={"OPENAI_API_KEY": "sk-openai"}).answer(asked("own-address-mark"))

    (seen,) = server.stats("own-address-mark")["asked"]
    assert "sk-openai" not in json.dumps(seen)


def test_the_environment_may_name_another_address_for_all(server: Server) -> None:
    environment = {"OPENAI_API_KEY": "sk-openai", "OPENAI_BASE_URL": f"{server.address}/v1"}
    assert text(source("openai:gpt-4o", environment=environment).answer(asked("hi"))) == "gpt-4o heard hi"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "the variable `OPENAI_API_KEY` is not set"),
        ({"apiKeyEnvar": "NO_SUCH"}, "`apiKeyEnvar` names the variable `NO_SUCH`, which is not set"),
        ({"apiBaseUrl": "localhost"}, "`apiBaseUrl` must be an address"),
        (
            {"temprature": 1},
            "`temprature` is not a known key of `config` of `openai:m`; did you mean `temperature`?",
        ),
        ({"tools": []}, "`tools` is a key of promptfoo that sensecheck does not have for `openai:m`"),
        ({"temperature": "hot"}, "`temperature` must be a number; got a string"),
        ({"max_tokens": 0}, "`max_tokens` must be a whole number of 1 or more; got 0"),
        ({"inputCost": 1}, "`inputCost` and `outputCost` go together"),
    ],
)
def test_what_is_wrong_with_the_settings_is_told_with_its_place(config: dict[str, Any], message: str) -> None:
    with pytest.raises(BatteryError) as wrong:
        source("openai:m", config, folder=Path())
    assert str(wrong.value).startswith("battery.yaml:7:5: ")
    assert message in str(wrong.value)


def test_names_of_the_users_own_are_sent_whatever_they_begin_with(server: Server) -> None:
    config = {"headers": {"x-route": "eu"}, "passthrough": {"x-own": 1}}
    server.model("m", config).answer(asked("own-names-mark"))

    (seen,) = server.stats("own-names-mark")["asked"]
    assert seen["headers"]["x-route"] == "eu"
    assert json.loads(seen["body"])["x-own"] == 1


def test_an_empty_text_is_an_answer(server: Server) -> None:
    assert text(server.model("m").answer(asked("!empty"))) == ""


def test_a_server_that_sends_people_elsewhere_is_not_followed(server: Server) -> None:
    heard = server.model("m", {"headers": {"X-Key": "sk-1"}}).answer(asked("!elsewhere"))
    told = "answered 302 Found: it sends people to `http://localhost`, which is not followed"
    assert because(heard) == f"`{server.address}/v1` {told}"


def test_a_server_that_drips_its_answer_is_given_up(server: Server) -> None:
    before = time.monotonic()
    heard = server.model("m", timeout=0.4, retries=0).answer(asked("!drips"))
    assert because(heard) == f"`{server.address}/v1` did not answer within 0.4 s, tried 1 x"
    assert time.monotonic() - before < 4


def test_an_answer_without_end_is_given_up(server: Server) -> None:
    heard = server.model("m").answer(asked("!large"))
    assert because(heard) == f"`{server.address}/v1` answered with more than 10,000,000 bytes"


def test_the_fingerprint_follows_prices_and_what_the_environment_brings(server: Server) -> None:
    def fingerprint(price: float, route: str, key: str = "sk-1") -> str:
        config = {"cost": price, "headers": {"X-Route": "{{ env.ROUTE }}", "X-Key": "{{ env.MY_KEY }}"}}
        return server.model("m", config, environment={"ROUTE": route, "MY_KEY": key}).fingerprint

    same = fingerprint(1, "eu")
    assert fingerprint(1, "eu", "sk-2") == same
    assert len({same, fingerprint(2, "eu"), fingerprint(1, "us")}) == 3


def test_the_fingerprint_of_a_priced_model_names_no_class_of_ours(server: Server) -> None:
    priced = server.model("m", {"cost": 1}, environment={"OPENAI_API_KEY": "sk-1"})
    assert isinstance(priced, OpenAISource)
    config = [{"temperature": 0.0}, {}, {}, {}, [1.0, 1.0]]

    assert priced.fingerprint == f"openai:m:{digest('m', priced.endpoint.asked, config)}"


def test_the_fingerprint_follows_the_settings_but_not_the_key(server: Server) -> None:
    def fingerprint(model: str, config: dict[str, Any], key: str = "sk-1") -> str:
        return server.model(model, {"apiKey": "{{env.K}}", **config}, environment={"K": key}).fingerprint

    same = fingerprint("m", {})
    assert fingerprint("m", {}, "sk-2") == same
    assert (
        len({same, fingerprint("m2", {}), fingerprint("m", {"seed": 1}), fingerprint("m", {"stop": "x"})})
        == 4
    )
