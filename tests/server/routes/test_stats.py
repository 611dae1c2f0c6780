"""The figures of a week through the door."""

from datetime import timedelta

import httpx
import pytest

from sensecheck.store.columns import now
from sensecheck.store.service.figures import roll_up
from sensecheck.store.service.reviews import add_feedback
from sensecheck.store.service.store import ServiceStore
from tests.server.labelled import keep, keep_many, label
from tests.server.running import bearer, new_key


def test_without_messages_nothing_is_known(client: httpx.Client) -> None:
    told = client.get("/v1/stats").json()

    assert told["messages"] == 0
    assert len(told["days"]) == 7
    for name in (
        "validation_success_rate",
        "false_negative_rate",
        "false_positive_rate",
        "avg_similarity_score",
    ):
        assert told[name]["value"] is None
        assert told[name]["met"] is None
        assert told[name]["n"] == 0
    assert told["latency_validation_ms"] == {"p50": None, "p95": None, "n": 0}


def test_rates_are_told_from_labels_that_were_drawn_at_random(
    store: ServiceStore, client: httpx.Client
) -> None:
    key, whole = new_key(store, "secret")
    messages = keep_many(store, key.project, 200, bad_every=4)
    at_random = label(store, messages)
    keep_many(store, store.project("theirs"), 50, bad_every=2)

    told = client.get("/v1/stats?days=2", headers=bearer(whole)).json()

    assert told["messages"] == told["judged"] == 200
    success = told["validation_success_rate"]
    assert (success["value"], success["target"], success["met"], success["n"]) == (
        0.75, "at least 0.95", False, 200,
    )  # fmt: skip
    assert 0.68 < success["interval"][0] < 0.75 < success["interval"][1] < 0.82
    for name in ("false_negative_rate", "false_positive_rate"):
        assert told[name]["value"] == 0.0
        assert told[name]["n"] == at_random
        assert told[name]["interval"][0] == 0.0
        assert 0.0 < told[name]["interval"][1] < 1.0
    assert told["labels"]["accepted"] + told["labels"]["rejected"] == at_random
    assert told["labels"]["not_at_random"] == 200 - at_random
    assert told["labels"]["needed"]["false_positive_rate"]["accepted"] > 100
    assert told["outcomes"] == {"pass": 150, "fail": 50}
    assert told["policies"] == {"default@2": 200}


def test_days_that_were_rolled_up_count_like_the_others(store: ServiceStore, client: httpx.Client) -> None:
    key, whole = new_key(store, "secret")
    yesterday = now() - timedelta(days=1)
    for at in (yesterday, None):
        made = keep(store, key.project, at=at, response_similarity_score=0.8, latency_validation_ms=20.0)
        with store.writing() as connection:
            add_feedback(connection, key.project, made.id, "up", "")
    before = client.get("/v1/stats", headers=bearer(whole)).json()
    with store.writing() as connection:
        roll_up(connection, yesterday.date())
    after = client.get("/v1/stats", headers=bearer(whole)).json()

    assert before == after
    assert after["messages"] == 2
    assert after["avg_similarity_score"]["value"] == pytest.approx(0.8)
    assert after["avg_similarity_score"]["met"] is True
    assert after["feedback"] == {"up": 2, "down": 0}
    assert after["latency_validation_ms"]["p50"] == pytest.approx(20, rel=0.13)
    assert [day["messages"] for day in after["days"]][-2:] == [1, 1]


def test_few_messages_do_not_tell_whether_enough_of_them_pass(
    store: ServiceStore, client: httpx.Client
) -> None:
    key, whole = new_key(store, "secret")
    for _ in range(10):
        keep(store, key.project)

    told = client.get("/v1/stats", headers=bearer(whole)).json()["validation_success_rate"]

    assert (told["value"], told["met"], told["n"]) == (1.0, None, 10)
    assert told["interval"][0] < 0.95


def test_where_no_answer_was_held_back_the_rate_of_those_held_back_wrongly_says_so(
    store: ServiceStore, client: httpx.Client
) -> None:
    key, whole = new_key(store, "secret")
    at_random = label(store, [keep(store, key.project, support=0.8) for _ in range(10)])

    told = client.get("/v1/stats", headers=bearer(whole)).json()

    assert at_random > 0
    assert told["false_negative_rate"]["interval"] == [0.0, 0.0]
    assert told["false_negative_rate"]["n"] == at_random
    assert told["false_negative_rate"]["note"] == "no answer was held back, so none was wrongly"
    assert told["false_positive_rate"]["note"] is None


def test_it_is_said_why_no_number_of_labels_would_be_enough(
    store: ServiceStore, client: httpx.Client
) -> None:
    key, whole = new_key(store, "secret")
    label(store, keep_many(store, key.project, 600, bad_every=600))  # of 600 answers, one is wrong

    told = client.get("/v1/stats", headers=bearer(whole)).json()["labels"]

    assert told["needed"]["false_positive_rate"] is None
    assert list(told["notes"]) == ["false_positive_rate"]
    assert "not even 100,000 labels" in told["notes"]["false_positive_rate"]


@pytest.mark.parametrize("days", ["0", "367", "x", "-1", "1.5"])
def test_a_number_of_days_that_makes_no_sense_is_a_mistake(client: httpx.Client, days: str) -> None:
    reply = client.get("/v1/stats", params={"days": days})

    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"
