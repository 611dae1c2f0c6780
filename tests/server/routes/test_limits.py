"""What a caller may do, and how much of it."""

from itertools import pairwise

import httpx

from sensecheck.server.engine.cost import cost_of
from sensecheck.server.engine.jobs import CheckJob
from sensecheck.store.service.store import ServiceStore
from tests.server.running import PAGE, bearer, new_key


def test_a_caller_is_told_their_limits(client: httpx.Client, store: ServiceStore) -> None:
    _, key = new_key(store, "publishable", "reading-room", per_minute=77, daily_budget=5000)

    told = client.get("/v1/limits", headers={**bearer(key), "Origin": PAGE}).json()

    assert told == {
        "project": "reading-room",
        "kind": "publishable",
        "scopes": ["answer", "feedback"],
        "per_minute": {"key": 77, "session": 60, "address": 120},
        "daily_budget": 5000,
        "policy": "default",
        "policies": ["default", "fast", "similarity-or-keywords", "strict"],
        "sizes": {
            "body_bytes": 1024 * 1024,
            "selected_text_characters": 10_000,
            "related_sections": 60,
            "related_section_characters": 10_000,
            "related_characters": 60_000,
        },
    }


def test_this_machines_user_has_no_limits(client: httpx.Client) -> None:
    told = client.get("/v1/limits").json()

    assert told["per_minute"] == {"key": None, "session": None, "address": None}
    assert told["daily_budget"] is None


def test_a_days_budget_is_charged_for_the_pairs_that_a_policy_reads(
    client: httpx.Client, store: ServiceStore
) -> None:
    _, key = new_key(store, "secret", daily_budget=100_000)
    text = "The museum opens at nine on weekdays. " * 3
    bodies = [{"answer": text, "sources": [text], "policy": name} for name in ("fast", "default")]

    left = [100_000]
    for path, body in (
        ("/v1/check", bodies[0]),
        ("/v1/check", bodies[1]),
        ("/v1/checks:batch", {"checks": bodies}),
    ):
        told = client.post(path, json=body, headers=bearer(key)).headers["RateLimit"]
        left.append(int(told.split('"day";r=')[1].split(";")[0]))
    words, pairs, both = (before - after for before, after in pairwise(left))

    costs = [cost_of(CheckJob(text, (text,), policy=name)) for name in ("fast", "default")]
    assert [words, pairs] == [1 + int(cost) for cost in costs]
    assert pairs > 5 * words
    assert both == words + pairs


def test_one_request_too_many_is_a_problem_that_says_when_to_come_back(
    client: httpx.Client, store: ServiceStore
) -> None:
    _, key = new_key(store, "secret", per_minute=2)
    asked = {"answer": "A cat.", "sources": ["A cat."]}

    first, _, third = [client.post("/v1/check", json=asked, headers=bearer(key)) for _ in range(3)]

    assert first.headers["RateLimit-Policy"] == '"key";q=2;w=60'
    assert first.headers["RateLimit"].startswith('"key";r=1;t=')
    assert third.status_code == 429
    assert third.json()["type"] == "urn:sensecheck:problem:rate-limited"
    assert 1 <= int(third.headers["Retry-After"]) <= 30
    assert third.headers["RateLimit"].startswith('"key";r=0;t=')
