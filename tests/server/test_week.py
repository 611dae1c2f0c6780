"""The page Week: the figures of a project, beside those of the week before."""

from dataclasses import replace
from datetime import timedelta
from statistics import mean
from typing import Any

import httpx
import pytest
from scipy.stats import beta

from sensecheck.io.pages import page_text
from sensecheck.store.columns import now
from sensecheck.store.service.figures import days_to_roll_up, roll_up
from sensecheck.store.service.records import ApiKey, Message
from sensecheck.store.service.reviews import way_of
from sensecheck.store.service.store import ServiceStore
from tests.server.running import Wanted, bearer, new_key
from tests.server.weeks import CARD, Weeks, keep_weeks


@pytest.fixture
def wanted(wanted: Wanted) -> Wanted:
    """A service that wants a key."""
    return replace(wanted, local=False)


@pytest.fixture
def viewer(store: ServiceStore) -> tuple[ApiKey, dict[str, str]]:
    """A key of ours that may only look, and the header that it is sent in."""
    key, whole = new_key(store, "secret", "ours", scopes=frozenset(("stats",)))
    return key, bearer(whole)


@pytest.fixture
def weeks(store: ServiceStore, viewer: tuple[ApiKey, dict[str, str]]) -> Weeks:
    """Two weeks of ours, and some messages of others."""
    keep_weeks(store, store.project("theirs"), count=5, seed=9)
    return keep_weeks(store, viewer[0].project)


def asked(client: httpx.Client, headers: dict[str, str], **params: str) -> dict[str, Any]:
    reply = client.get("/studio/api/week", headers=headers, params=params)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def exact(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of Clopper and Pearson, as textbooks have it."""
    tail = (1 - confidence) / 2
    low = beta.ppf(tail, hits, n - hits + 1) if hits else 0.0
    return float(low), float(beta.ppf(1 - tail, hits + 1, n - hits) if hits < n else 1.0)


def wrong_rates(some: list[Message], labels: dict[str, bool]) -> dict[str, tuple[float, float, float]]:
    """Both error rates with their intervals: labels drawn at random, each stratum as large as it is."""
    judged = [one for one in some if one.validation_passed is not None]
    size, valid, n = {}, {}, {}
    for passed in (True, False):
        these = [one for one in judged if one.validation_passed is passed]
        said = [labels[one.id] for one in these if one.id in labels and way_of(one.id) == "random"]
        size[passed], valid[passed], n[passed] = len(these), sum(said), len(said)
    ends = {passed: exact(valid[passed], n[passed], 0.975) for passed in (True, False)}

    def negatives(accepted: float, rejected: float) -> float:
        wrong = size[False] * rejected
        return wrong / (wrong + size[True] * accepted)

    def positives(accepted: float, rejected: float) -> float:
        wrong = size[True] * (1 - accepted)
        return wrong / (wrong + size[False] * (1 - rejected))

    points = (valid[True] / n[True], valid[False] / n[False])
    extremes = (ends[True][1], ends[False][0]), (ends[True][0], ends[False][1])
    return {
        "false_negatives": (negatives(*points), negatives(*extremes[0]), negatives(*extremes[1])),
        "false_positives": (positives(*points), positives(*extremes[0]), positives(*extremes[1])),
    }


def reference(some: list[Message], labels: dict[str, bool]) -> dict[str, tuple[float, float, float]]:
    """All rates of a week, each with its interval."""
    judged = [one for one in some if one.validation_passed is not None]
    passed = sum(bool(one.validation_passed) for one in judged)
    unsure = sum(one.outcome == "unsure" for one in some)
    return {
        "success": (passed / len(judged), *exact(passed, len(judged))),
        "abstentions": (unsure / len(some), *exact(unsure, len(some))),
        **wrong_rates(some, labels),
    }


def test_rates_of_both_weeks_are_those_of_a_reference_computation(
    client: httpx.Client, viewer: tuple[ApiKey, dict[str, str]], weeks: Weeks
) -> None:
    figures = {one["name"]: one for one in asked(client, viewer[1])["figures"]}

    new, old = (reference(some, weeks.labels) for some in (weeks.week, weeks.before))
    for name, (value, low, high) in new.items():
        found, before = figures[name], figures[name]["before"]
        assert [found["value"], *found["interval"]] == pytest.approx([value, low, high], abs=1e-9), name
        assert [before["value"], *before["interval"]] == pytest.approx(list(old[name]), abs=1e-9), name
        was, was_low, was_high = old[name]
        down = ((value - low) ** 2 + (was_high - was) ** 2) ** 0.5
        up = ((high - value) ** 2 + (was - was_low) ** 2) ** 0.5
        change = [found["change"][end] for end in ("value", "low", "high")]
        assert change == pytest.approx([value - was, value - was - down, value - was + up], abs=1e-9), name
    assert figures["success"]["direction"] == "better"
    assert figures["success"]["n"] == sum(one.validation_passed is not None for one in weeks.week)
    assert figures["false_positives"]["n"] == sum(
        way_of(one.id) == "random" and one.id in weeks.labels for one in weeks.week
    )
    similar = [one.response_similarity_score for one in weeks.week if one.response_similarity_score]
    assert figures["similarity"]["value"] == pytest.approx(mean(similar))
    assert (figures["similarity"]["n"], figures["similarity"]["interval"]) == (len(similar), None)
    times = sorted(one.latency_validation_ms for one in weeks.week if one.latency_validation_ms)
    assert figures["latency_p95"]["value"] == pytest.approx(times[int(0.95 * len(times))], rel=0.13)
    assert figures["latency_p50"]["value"] == pytest.approx(times[len(times) // 2], rel=0.13)


def test_what_changed_is_told_of_policies_cards_and_models(
    client: httpx.Client, viewer: tuple[ApiKey, dict[str, str]], weeks: Weeks
) -> None:
    found = asked(client, viewer[1])

    used = {(one["part"], one["name"]): (one["messages"], one["before"]) for one in found["in_use"]}
    new, old = len(weeks.week), len(weeks.before)
    fitted = sum(one.policy == "support@2" for one in weeks.week)
    assert used == {
        ("policy", "default@2"): (new - fitted, old),
        ("policy", "support@2"): (fitted, 0),
        ("encoder", "minilm-1@3fc1"): (new, old),
        ("reader", "reader-2"): (new, 0),
        ("writer", "extractive"): (new, old),
    }
    assert [(one["mark"], one["cutoff_before"], one["cutoff"]) for one in found["fitted"]] == [
        ("support@1", None, 0.61),
        ("support@2", 0.61, 0.643),
    ]
    assert {(one["base"], one["promise"], one["rows"]) for one in found["fitted"]} == {
        ("default", CARD["promise"], 640)
    }
    assert (found["project"], found["week"]["messages"], found["before"]["messages"]) == ("ours", new, old)
    assert found["is_over"] is False


def test_an_earlier_week_is_the_week_before_of_this_one_and_rolled_up_days_count_alike(
    client: httpx.Client, store: ServiceStore, viewer: tuple[ApiKey, dict[str, str]], weeks: Weeks
) -> None:
    this = asked(client, viewer[1])
    for day in days_to_roll_up(now()):
        with store.writing() as connection:
            roll_up(connection, day)
    assert asked(client, viewer[1]) | {"made_at": ""} == this | {"made_at": ""}
    until = (now().date() - timedelta(days=7)).isoformat()
    earlier = asked(client, viewer[1], until=until)

    assert earlier["week"] == this["before"]
    assert (earlier["week"]["last_day"], earlier["is_over"]) == (until, True)
    assert [one["value"] for one in earlier["figures"]] == [one["before"]["value"] for one in this["figures"]]
    assert {one["change"] for one in earlier["figures"]} == {None}  # nothing is known of the week before it
    assert earlier["fitted"] == []


def test_a_project_sees_its_own_messages_alone(client: httpx.Client, store: ServiceStore) -> None:
    keep_weeks(store, store.project("theirs"), count=5)
    own = new_key(store, "secret", "ours", scopes=frozenset(("stats",)))[1]
    found = asked(client, bearer(own))

    assert (found["week"]["messages"], found["in_use"], found["fitted"]) == (0, [], [])
    assert {one["value"] for one in found["figures"]} == {None}
    for path in ("/studio/api/week", "/studio/api/week.html"):
        assert "support@" not in client.get(path, headers=bearer(own)).text


def test_without_a_key_that_may_look_nothing_is_shown(client: httpx.Client, store: ServiceStore) -> None:
    narrow = new_key(store, "secret", "ours", scopes=frozenset(("check",)))[1]

    for path in ("/studio/api/week", "/studio/api/week.html"):
        assert client.get(path).status_code == 401
        assert client.get(path, headers=bearer(narrow)).status_code == 403
        other = {"Sec-Fetch-Site": "cross-site", **bearer(narrow)}
        assert "other sites" in client.get(path, headers=other).json()["error"]
    page = client.get("/studio/week")
    assert (page.status_code, page.headers["x-frame-options"]) == (200, "DENY")
    assert page.text == page_text("sensecheck.studio", "studio_page.html")


@pytest.mark.parametrize("until", ["1999-12-31", "2999-01-01", "yesterday", "2026-02-30"])
def test_a_week_that_cannot_be_is_refused(
    client: httpx.Client, viewer: tuple[ApiKey, dict[str, str]], until: str
) -> None:
    reply = client.get("/studio/api/week", headers=viewer[1], params={"until": until})

    assert (reply.status_code, set(reply.json())) == (422, {"error"})


def test_the_week_is_one_file_to_share(
    client: httpx.Client, viewer: tuple[ApiKey, dict[str, str]], weeks: Weeks
) -> None:
    reply = client.get("/studio/api/week.html", headers=viewer[1])

    assert reply.headers["content-disposition"] == f'attachment; filename="week-until-{now().date()}.html"'
    assert 'data-blob="week"' in reply.text
    assert "connect-src" not in reply.text
