"""Policies through the door: listed, fitted, and used."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from sensecheck.calibration.library import shipped_card
from sensecheck.core.registry import measure_to_data
from sensecheck.measures.entailment import Entailment
from sensecheck.sense import Sense
from sensecheck.server.review import calibration as calibrating
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import fitted_policies, messages
from tests.server.labelled import keep_many, label
from tests.server.running import Wanted, bearer, new_key
from tests.store.service.made import count


@pytest.fixture
def wanted(wanted: Wanted, sense: Sense) -> Wanted:
    """A service with the real model: our lines mean nothing for another."""
    return replace(wanted, sense=sense)


CHECK = {"answer": "Robots use ROS 2 as their middleware.", "sources": ["ROS 2 is a middleware for robots."]}
EASY = {"promise": {"false_positive": 0.2, "confidence": 0.8}}
OURS = ["default@2", "strict@2", "fast@1", "similarity-or-keywords@1"]


def _encoder(client: httpx.Client, store: ServiceStore, key: str) -> str:
    """The fingerprint of the encoder in use, as a check that was kept tells it."""
    client.post("/v1/check", json={**CHECK, "store": True}, headers=bearer(key)).raise_for_status()
    with store.reading() as connection:
        found: str = connection.execute(select(messages.c.encoder).limit(1)).scalar_one()
    return found


def test_ours_are_listed_for_everyone(client: httpx.Client) -> None:
    told = client.get("/v1/policies").json()["policies"]

    assert [policy["mark"] for policy in told] == OURS
    assert told[0]["promise"].startswith("false accepts")
    assert told[3]["cutoff"] is None
    assert [policy["reads"] for policy in told] == ["reader", "reader", "words", "similarity-or-keywords"]
    assert client.get("/v1/policies/strict").json()["mark"] == "strict@2"
    assert client.get("/v1/policies/nobodys").status_code == 404


@pytest.mark.parametrize(
    ("name", "card"), [("default", "read"), ("strict", "read-strict"), ("fast", "grounded")]
)
def test_the_line_that_is_told_is_the_one_that_decides(client: httpx.Client, name: str, card: str) -> None:
    told = client.get(f"/v1/policies/{name}").json()

    assert told["cutoff"] == shipped_card(card).cutoff().to_data()
    assert told["promise"] == shipped_card(card).promise


def test_too_few_labels_are_told_in_numbers(client: httpx.Client, store: ServiceStore) -> None:
    key, whole = new_key(store, "secret")

    for kept in (0, 40):
        label(store, keep_many(store, key.project, kept, bad_every=4))
        reply = client.post("/v1/policies/docs:calibrate", json={}, headers=bearer(whole))
        told = reply.json()
        assert (reply.status_code, told["type"]) == (409, "urn:sensecheck:problem:not-certifiable")
        assert told["missing"]["bad"] > 50
        assert "more bad answers" in told["detail"]
    assert count(store, fitted_policies) == 0


def test_a_policy_is_fitted_listed_and_used(client: httpx.Client, store: ServiceStore) -> None:
    key, whole = new_key(store, "secret")
    encoder = _encoder(client, store, whole)
    label(store, keep_many(store, key.project, 400, bad_every=4, encoder=encoder))

    made = client.post("/v1/policies/docs:calibrate", json=EASY, headers=bearer(whole), timeout=120)
    assert made.status_code == 201, made.text
    assert made.json()["mark"] == "docs@1"
    assert 0.2 < made.json()["cutoff"]["at_least"] < 0.65
    assert made.json()["card"]["encoder"] == encoder.partition("+")[2]
    again = client.post(
        "/v1/policies/docs:calibrate", json={**EASY, "base": "strict"}, headers=bearer(whole), timeout=120
    )
    assert (again.json()["mark"], again.json()["base"]) == ("docs@2", "strict")

    listed = client.get("/v1/policies", headers=bearer(whole)).json()["policies"]
    assert [policy["mark"] for policy in listed] == [*OURS, "docs@2"]
    assert "card" not in listed[4] or listed[4]["card"] is None
    used = client.post("/v1/check", json={**CHECK, "policy": "docs@1"}, headers=bearer(whole))
    assert used.status_code == 200, used.text
    assert used.json()["policy"] == "docs@1"

    _, other = new_key(store, "secret", project="theirs")
    assert client.get("/v1/policies/docs", headers=bearer(other)).status_code == 404
    assert (
        client.post("/v1/check", json={**CHECK, "policy": "docs"}, headers=bearer(other)).status_code == 422
    )


def test_a_line_is_fitted_on_what_its_base_reads(client: httpx.Client, store: ServiceStore) -> None:
    key, whole = new_key(store, "secret")
    encoder = _encoder(client, store, whole)
    label(store, keep_many(store, key.project, 400, bad_every=4, encoder=encoder))

    made = client.post("/v1/policies/docs:calibrate", json=EASY, headers=bearer(whole), timeout=120).json()

    assert (made["base"], made["reads"]) == ("default", "reader")
    assert made["card"]["measure"] == measure_to_data(Entailment("passages"))


def test_readings_of_another_encoder_do_not_count(client: httpx.Client, store: ServiceStore) -> None:
    key, whole = new_key(store, "secret")
    label(store, keep_many(store, key.project, 400, bad_every=4, encoder="another"))
    _encoder(client, store, whole)

    reply = client.post("/v1/policies/docs:calibrate", json=EASY, headers=bearer(whole))
    assert reply.status_code == 409
    told = reply.json()
    assert told["found"] == {"good": 0, "bad": 0}
    assert told["labels"] == 400
    assert told["not_counted"]["not_at_random"] + told["not_counted"]["other_encoder"] == 400
    assert f"{told['not_counted']['other_encoder']} judged with another encoder" in told["detail"]


def test_labels_of_one_stratum_alone_count_for_nothing_and_that_is_said(
    client: httpx.Client, store: ServiceStore
) -> None:
    key, whole = new_key(store, "secret")
    messages = keep_many(store, key.project, 40, bad_every=4)
    at_random = label(store, [one for one in messages if one.validation_passed])

    told = client.post("/v1/policies/docs:calibrate", json=EASY, headers=bearer(whole)).json()

    assert told["labels"] == 30
    assert told["not_counted"]["in_larger_stratum"] == at_random
    assert told["not_counted"]["bare_stratum"] == "rejected"
    assert f"{at_random} since no rejected answer has a label that counts" in told["detail"]
    assert "`--review`" in told["detail"]


def test_one_line_is_fitted_at_a_time_and_not_for_longer_than_it_may_take(
    client: httpx.Client, store: ServiceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrating, "SECONDS", 1.0)  # what a fit imports takes longer
    key, whole = new_key(store, "secret")
    encoder = _encoder(client, store, whole)
    label(store, keep_many(store, key.project, 400, bad_every=4, encoder=encoder))

    def ask(name: str) -> httpx.Response:
        return client.post(f"/v1/policies/{name}:calibrate", json=EASY, headers=bearer(whole), timeout=120)

    with ThreadPoolExecutor(2) as threads:
        replies = list(threads.map(ask, ("docs", "news")))

    assert [reply.status_code for reply in replies] == [503, 503]
    told = sorted(reply.json()["detail"] for reply in replies)
    assert told[0].startswith("another cutoff is being fitted")
    assert told[1].startswith("the fit took more than 1 s")
    assert all(reply.headers["retry-after"] for reply in replies)
    assert count(store, fitted_policies) == 0


@pytest.mark.parametrize(
    "name", ["default", "strict", "fast", "similarity-or-keywords", "Docs", "a b", "docs@1", "x.json"]
)
def test_names_of_ours_and_names_that_are_none_are_refused(client: httpx.Client, name: str) -> None:
    reply = client.post(f"/v1/policies/{name}:calibrate", json=EASY)

    assert reply.status_code == 422, reply.text
    assert reply.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "body",
    [
        {"base": "similarity-or-keywords"},
        {"promise": {"false_positive": 0}},
        {"promise": {"false_positive": 1}},
        {"promise": {"confidence": 1}},
        {"promise": {"false_positives": 0.1}},
        {"days": 0},
        [],
    ],
)
def test_a_promise_that_nobody_can_keep_is_a_mistake(client: httpx.Client, body: object) -> None:
    assert client.post("/v1/policies/docs:calibrate", json=body).status_code == 422


def test_a_fit_without_the_package_that_it_needs_is_a_problem_that_names_it(
    client: httpx.Client, store: ServiceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "without" / "sklearn"
    missing.mkdir(parents=True)
    (missing / "__init__.py").write_text("raise ModuleNotFoundError('No module', name='sklearn')\n")
    monkeypatch.syspath_prepend(missing.parent)  # the process that fits looks where this one does
    key, whole = new_key(store, "secret")
    encoder = _encoder(client, store, whole)
    label(store, keep_many(store, key.project, 400, bad_every=4, encoder=encoder))

    reply = client.post("/v1/policies/docs:calibrate", json=EASY, headers=bearer(whole), timeout=120)

    assert (reply.status_code, reply.json()["type"]) == (501, "urn:sensecheck:problem:not-here")
    assert "the extra `train`" in reply.json()["detail"]
    assert count(store, fitted_policies) == 0
