"""Two projects in one service: neither sees, changes or slows down anything of the other."""

from typing import Any

import httpx
import pytest

from sensecheck.store.service.policies import NewPolicy, add_policy
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import feedback, messages, reviews
from tests.security.conftest import House, Tenant
from tests.server.running import bearer, new_key
from tests.store.service.made import count, kept_message

PASSAGE = "The secretive heron sleeps in the reeds. It wakes at dawn."
ASKED = {"question": "Where does the heron sleep?", "passage": PASSAGE, "session_id": "shared-name"}
CHECK = {"answer": "The heron sleeps in the reeds.", "sources": [PASSAGE]}
NOBODYS = "01981f6a-7c00-7aaa-8bbb-0123456789ab"


def answered(house: House, headers: dict[str, str], **more: Any) -> httpx.Response:
    reply = house.client.post("/v1/answers", json={**ASKED, **more}, headers=headers)
    reply.raise_for_status()
    return reply


def keep_policy(house: House, tenant: Tenant, name: str, at_least: float) -> None:
    card = {"promise": "few false accepts"}
    new = NewPolicy(tenant.secret.project, name, "default", {"at_least": at_least}, card)
    with house.store.writing() as connection:
        add_policy(connection, new)


@pytest.fixture
def message(house: House) -> str:
    """The id of a message of theirs, which was kept."""
    found: str = answered(house, house.theirs.server).json()["id"]
    return found


def told(reply: httpx.Response) -> tuple[int, str, set[str]]:
    """All that a stranger could tell two replies apart by, but the time that they took."""
    return reply.status_code, reply.text, set(reply.headers)


@pytest.mark.parametrize(
    ("route", "body"),
    [("feedback", {"thumb": "down", "note": "x"}), ("labels", {"grounded": False, "reviewer": "eve"})],
)
def test_a_message_of_theirs_is_like_one_that_does_not_exist(
    house: House, message: str, route: str, body: dict[str, Any]
) -> None:
    before = count(house.store, feedback), count(house.store, reviews)
    for headers in (house.ours.server, house.ours.page):
        replies = [
            house.client.post(f"/v1/messages/{each}/{route}", json=body, headers=headers)
            for each in (message, NOBODYS)
        ]
        assert told(replies[0]) == told(replies[1])
        assert replies[0].status_code in (403, 404)

    assert (count(house.store, feedback), count(house.store, reviews)) == before
    mine = house.client.post(f"/v1/messages/{message}/{route}", json=body, headers=house.theirs.server)
    assert mine.status_code == 204, "the same request is good for those whose message it is"


def test_a_page_speaks_of_messages_of_its_own_key_alone(house: House, message: str) -> None:
    own = answered(house, house.theirs.page).json()["id"]
    statuses = [
        house.client.post(
            f"/v1/messages/{each}/feedback", json={"thumb": "up"}, headers=house.theirs.page
        ).status_code
        for each in (own, message, NOBODYS)
    ]

    assert statuses == [204, 404, 404]


def test_reviewers_are_given_messages_of_their_own_project_alone(house: House, message: str) -> None:
    ours, theirs = (
        house.client.get("/v1/reviews/next?limit=100", headers=tenant.server).json()["items"]
        for tenant in (house.ours, house.theirs)
    )

    assert message in [item["message_id"] for item in theirs]
    assert not {item["message_id"] for item in ours} & {item["message_id"] for item in theirs}
    assert all(kept_by(house.store, house.ours, item["message_id"]) for item in ours)


def kept_by(store: ServiceStore, tenant: Tenant, message: str) -> bool:
    return kept_message(store, tenant.secret.project, message) is not None


def test_figures_count_messages_of_their_own_project_alone(house: House, message: str) -> None:
    def figures(tenant: Tenant) -> dict[str, Any]:
        found: dict[str, Any] = house.client.get("/v1/stats", headers=tenant.server).json()
        return found

    ours, theirs = figures(house.ours), figures(house.theirs)
    answered(house, house.theirs.server)

    assert figures(house.theirs)["messages"] == theirs["messages"] + 1
    assert figures(house.ours)["messages"] == ours["messages"]


def test_a_policy_of_theirs_is_like_one_that_does_not_exist(house: House) -> None:
    keep_policy(house, house.theirs, "herons", 0.5)
    listed = house.client.get("/v1/policies", headers=house.ours.server).json()["policies"]

    assert "herons" not in str(listed)
    for named, missing in (("herons", "egrets"), ("herons@1", "egrets@1")):
        checks = [
            house.client.post("/v1/check", json={**CHECK, "policy": policy}, headers=house.ours.server)
            for policy in (named, missing)
        ]
        asks = [
            house.client.post("/v1/answers", json={**ASKED, "policy": policy}, headers=house.ours.page)
            for policy in (named, missing)
        ]
        for one, other in (checks, asks):
            assert told(one) == told(other)
            assert one.status_code in (403, 422)
    shown, not_there = (
        house.client.get(f"/v1/policies/{name}", headers=house.ours.server) for name in ("herons", "egrets")
    )
    assert told(shown) == told(not_there)
    assert shown.status_code == 404
    used = house.client.post("/v1/check", json={**CHECK, "policy": "herons"}, headers=house.theirs.server)
    assert used.json()["policy"] == "herons@1"


def test_policies_of_the_same_name_do_not_meet(house: House) -> None:
    keep_policy(house, house.theirs, "same", 0.9)
    keep_policy(house, house.ours, "same", 0.1)

    lines = [
        house.client.get("/v1/policies", headers=tenant.server).json()["policies"][-1]["cutoff"]
        for tenant in (house.ours, house.theirs)
    ]

    assert [line["at_least"] for line in lines] == [0.1, 0.9]


def test_a_session_of_theirs_with_the_same_name_is_not_erased(house: House, message: str) -> None:
    answered(house, house.ours.server)
    theirs = house.theirs.secret.project

    erased = house.client.delete("/v1/sessions/shared-name", headers=house.ours.server).json()
    again = house.client.delete("/v1/sessions/shared-name", headers=house.ours.server).json()
    never = house.client.delete("/v1/sessions/never-used", headers=house.ours.server).json()

    assert erased["erased"] >= 1
    assert again == never == {"erased": 0}
    assert kept_message(house.store, theirs, message) is not None
    later: str = answered(house, house.theirs.server).json()["id"]
    assert kept_message(house.store, theirs, later) is not None, "nor is what they say in it afterwards"


def test_a_request_is_sent_again_only_by_who_sent_it_first(house: House) -> None:
    once = {"Idempotency-Key": "the same name"}

    def sent(headers: dict[str, str], **more: Any) -> str:
        found: str = answered(house, {**headers, **once}, **more).json()["id"]
        return found

    theirs = sent(house.theirs.server)
    ours = sent(house.ours.server)
    page = sent(house.theirs.page)
    assert len({theirs, ours, page}) == 3
    assert sent(house.theirs.server) == theirs
    assert sent(house.ours.server) == ours
    _, second = new_key(house.store, "secret", "theirs")
    assert sent(bearer(second), question="Another question?") not in (theirs, ours, page)


def test_limits_of_theirs_are_spent_by_themselves_alone(house: House) -> None:
    _, busy = new_key(house.store, "secret", "theirs", per_minute=3, per_session_minute=2)
    _, calm = new_key(house.store, "secret", "ours", per_minute=3, per_session_minute=2)

    def asked(key: str) -> int:
        return house.client.post("/v1/answers", json=ASKED, headers=bearer(key)).status_code

    assert [asked(busy) for _ in range(3)] == [200, 200, 429]
    assert asked(calm) == 200, "the session has the same name, and is another's"


@pytest.mark.parametrize("who", ["server", "page"])
def test_everyone_is_told_the_name_of_their_own_project(house: House, who: str) -> None:
    for tenant, name in ((house.ours, "ours"), (house.theirs, "theirs")):
        assert house.client.get("/v1/limits", headers=getattr(tenant, who)).json()["project"] == name


def test_whoever_guesses_at_a_key_is_told_nothing_of_its_project(house: House) -> None:
    headers = {"Authorization": house.ours.server["Authorization"][:-4] + "aaaa"}
    kept = count(house.store, messages)

    replies = [
        house.client.get(path, headers=headers) for path in ("/v1/stats", "/v1/limits", "/v1/policies")
    ]

    assert {reply.status_code for reply in replies} == {401}
    assert not any("ours" in reply.text for reply in replies)
    assert count(house.store, messages) == kept
