"""A card that is fitted in the Studio of the service becomes the next version of a policy."""

from dataclasses import replace
from typing import Any

import httpx
import numpy as np
import pytest

from sensecheck.calibration.card import Card
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.find import open_place
from sensecheck.sense import Sense
from sensecheck.server.review.calibration import ServicePolicies
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import fitted_policies
from tests.server.labelled import keep
from tests.server.running import Wanted, bearer, new_key
from tests.store.service.made import count

HEADER = {"Sensecheck-Studio": "1"}
ROWS = 200
FIT = {"name": "docs-support", "metric": "grounded", "fpr": 0.2, "apply": True}
CHECK = {"answer": "Robots use ROS 2.", "sources": ["ROS 2 is a middleware for robots."]}
ALL = frozenset(("stats", "review", "policies", "check"))


@pytest.fixture
def wanted(wanted: Wanted, sense: Sense, minilm: Encoder) -> Wanted:
    """A service with the real model that wants a key, with a labelled run of each of two projects."""
    store = open_place(f"sqlite:///{wanted.store}")
    values = np.random.default_rng(3).random(ROWS)
    mark = minilm.fingerprint
    for project in ("ours", "theirs"):
        items = [Item(f"Question {at}?", None, id=f"q{at}") for at in range(ROWS)]
        test = store.test(project, "nightly", embedding={}, generation={})
        run = store.begin(test, store.keep_set(project, items), encoder="minilm", conditions={})
        answers = [
            ScoredAnswer(
                "a",
                (
                    MetricScore("grounded", float(one), encoder="minilm", fingerprint=mark),
                    MetricScore("rouge_l", float(one)),
                ),
                labels={"correct": float(one > 0.4)},
            )
            for one in values
        ]
        store.writer(run).add(list(zip(store.questions(run.set), answers, strict=True)))
        store.finish(run)
    store.close()
    return replace(wanted, local=False, sense=sense)


@pytest.fixture
def key(store: ServiceStore) -> str:
    """A key of ours that may look, label, and change policies."""
    return new_key(store, "secret", "ours", scopes=ALL)[1]


def run_of(client: httpx.Client, key: str) -> str:
    found: str = client.get("/studio/api/runs", headers=bearer(key)).json()["runs"][0]["id"]
    return found


def fit(client: httpx.Client, key: str, **given: Any) -> httpx.Response:
    path = f"/studio/api/runs/{run_of(client, key)}/calibrate/fit"
    return client.post(path, json={**FIT, **given}, headers={**HEADER, **bearer(key)}, timeout=120)


def test_a_card_becomes_the_next_version_of_a_policy_and_is_used(
    client: httpx.Client, store: ServiceStore, key: str
) -> None:
    path = f"/studio/api/runs/{run_of(client, key)}/calibrate"
    chart = client.get(path, params={"metric": "grounded"}, headers=bearer(key)).json()
    assert (chart["can_apply"], chart["policy_base"]) == (True, "fast")
    shown = fit(client, key, apply=False).json()["card"]
    assert ("applied" in shown, shown["is_new"], count(store, fitted_policies)) == (False, True, 0)

    first = fit(client, key).json()["card"]
    second = fit(client, key, fpr=0.3).json()["card"]

    assert (first["applied"], second["applied"]) == ("docs-support@1", "docs-support@2")
    assert second["is_new"] is False
    changed = {one["what"]: (one["before"], one["after"]) for one in second["changes"]}
    assert changed["promise"][0] != changed["promise"][1]
    policy = client.get("/v1/policies/docs-support", headers=bearer(key)).json()
    assert (policy["mark"], policy["base"], policy["reads"]) == ("docs-support@2", "fast", "words")
    assert policy["cutoff"]["at_least"] == second["cutoff"]
    for mark in ("docs-support@1", "docs-support@2"):
        judged = client.post("/v1/check", json={**CHECK, "policy": mark}, headers=bearer(key)).json()
        assert (judged["policy"], judged["verdict"]["outcome"]) == (mark, "pass"), judged
    theirs = new_key(store, "secret", "theirs", scopes=ALL)[1]
    assert client.get("/v1/policies/docs-support", headers=bearer(theirs)).status_code == 404
    assert fit(client, theirs).json()["card"]["applied"] == "docs-support@1"


def test_only_a_key_with_the_scope_changes_policies(
    client: httpx.Client, store: ServiceStore, key: str
) -> None:
    for scopes, why in (
        (("stats",), "review"),
        (("stats", "review"), "policies"),
        (("stats", "policies"), "review"),
    ):
        other = new_key(store, "secret", "ours", scopes=frozenset(scopes))[1]
        reply = fit(client, other)
        assert (reply.status_code, f"`{why}`" in reply.json()["error"]) == (403, True), scopes
        path = f"/studio/api/runs/{run_of(client, key)}/calibrate?metric=grounded"
        shown = client.get(path, headers=bearer(other)).json()
        assert shown["can_apply"] is ("policies" in scopes)
    theirs = new_key(store, "secret", "theirs", scopes=ALL)[1]
    path = f"/studio/api/runs/{run_of(client, theirs)}/calibrate/fit"
    assert client.post(path, json=FIT, headers={**HEADER, **bearer(key)}).status_code == 404
    assert count(store, fitted_policies) == 0


def test_another_site_cannot_change_policies(client: httpx.Client, store: ServiceStore, key: str) -> None:
    signed_in = client.post("/studio/api/session", json={"key": key}, headers=HEADER)
    assert signed_in.status_code == 204
    path = f"/studio/api/runs/{run_of(client, key)}/calibrate/fit"
    for headers in (
        {},
        {**HEADER, "Origin": "https://evil.example"},
        {**HEADER, "Sec-Fetch-Site": "cross-site"},
    ):
        assert client.post(path, json=FIT, headers=headers).status_code == 403, headers
    assert count(store, fitted_policies) == 0


def test_what_no_policy_could_decide_by_is_refused(
    client: httpx.Client, store: ServiceStore, key: str
) -> None:
    chart = client.get(f"/studio/api/runs/{run_of(client, key)}/calibrate", params={"metric": "rouge_l"},
                       headers=bearer(key)).json()  # fmt: skip
    assert (chart["can_apply"], chart["policy_base"]) == (False, None)
    card = Card.from_json(fit(client, key, apply=False).json()["card"]["file"])
    no_promise = replace(card, method="best_f1", targets=(), promise="best F1 promises nothing")
    policies = ServicePolicies(store)
    for wrong, why in (
        (replace(card, measure={"kind": "rouge_l"}), "no policy of the service decides by this score"),
        (replace(card, good="below"), "no policy of the service decides by this score"),
        (no_promise, "must keep a promise"),
        (replace(card, broken=("false accepts",)), "must keep a promise"),
        (replace(card, name="default"), "cannot be the name of a policy of yours"),
        (replace(card, name="docs.support"), "cannot be the name of a policy of yours"),
    ):
        with pytest.raises(SpecError, match=why):
            policies.apply("ours", wrong)
    keep(store, store.project("ours"), encoder="another+reader")
    with pytest.raises(SpecError, match="the service judges by `another`"):
        policies.apply("ours", card)
    refused = fit(client, key)
    assert (refused.status_code, "the service judges by" in refused.json()["error"]) == (422, True)
    assert count(store, fitted_policies) == 0


def test_what_cannot_be_applied_is_refused_before_it_is_fitted(client: httpx.Client, key: str) -> None:
    hopeless = {"fpr": 0.0001}  # far more labels would be needed than there are
    assert fit(client, key, **hopeless).json()["card"] is None
    refused = fit(client, key, name="default", **hopeless)
    assert (refused.status_code, "cannot be the name of a policy" in refused.json()["error"]) == (422, True)
