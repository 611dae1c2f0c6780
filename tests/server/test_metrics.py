"""Numbers for Prometheus, and who may see them."""

from dataclasses import replace
from types import SimpleNamespace

import httpx
from prometheus_client.parser import text_string_to_metric_families

from sensecheck.server.engine.jobs import Load
from sensecheck.server.metrics import MOST_POLICIES, OTHERS, Metrics
from sensecheck.server.settings import ServiceSettings
from sensecheck.store.service.store import ServiceStore
from tests.server.running import Wanted, bearer, new_key, service


def samples(page: str) -> dict[tuple[str, frozenset[str]], float]:
    return {
        (sample.name, frozenset(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def test_requests_are_counted_by_the_template_of_their_route(client: httpx.Client) -> None:
    client.get("/livez")
    client.get("/nowhere/at-all")
    client.get("/v1/limits")

    page = client.get("/metrics").text

    found = samples(page)
    assert found["sensecheck_requests_total", frozenset(("/livez", "GET", "200"))] == 1
    assert found["sensecheck_requests_total", frozenset(("unmatched", "GET", "404"))] == 1
    assert found["sensecheck_problems_total", frozenset(("not-found",))] == 1
    assert found["sensecheck_engines_alive", frozenset()] == 1
    assert found["sensecheck_spool_waiting", frozenset()] == 0
    assert "at-all" not in page


def test_the_description_and_preflights_are_counted_by_names_of_their_own(client: httpx.Client) -> None:
    asks = {"Origin": "https://docs.example.com", "Access-Control-Request-Method": "POST"}
    assert client.get("/openapi.json").status_code == client.head("/openapi.json").status_code == 200
    assert client.options("/v1/check", headers=asks).status_code == 204
    assert client.options("/v1/check").status_code == 405

    found = samples(client.get("/metrics").text)

    for labels in (
        ("/openapi.json", "GET", "200"),
        ("/openapi.json", "HEAD", "200"),
        ("preflight", "OPTIONS", "204"),
        ("/v1/check", "OPTIONS", "405"),
    ):
        assert found["sensecheck_requests_total", frozenset(labels)] == 1
    assert not [labels for _, labels in found if "unmatched" in labels]


def test_a_check_is_counted_with_what_was_found(client: httpx.Client) -> None:
    client.post("/v1/check", json={"answer": "A cat sleeps.", "sources": ["A cat sleeps."]})

    found = samples(client.get("/metrics").text)

    assert sum(value for (name, _), value in found.items() if name == "sensecheck_checks_total") == 1
    assert found["sensecheck_validation_seconds_count", frozenset()] == 1


def test_numbers_are_for_this_machine_or_for_a_key_that_may_see_them(
    wanted: Wanted, store: ServiceStore
) -> None:
    _, may = new_key(store, "secret")
    _, may_not = new_key(store, "secret", scopes=frozenset(("check",)))
    elsewhere = {"X-Forwarded-For": "203.0.113.5"}

    with service(replace(wanted, local=False)) as address, httpx.Client(base_url=address) as client:
        statuses = [
            client.get("/metrics", headers=headers).status_code
            for headers in ({}, elsewhere, {**elsewhere, **bearer(may)}, {**elsewhere, **bearer(may_not)})
        ]

    assert statuses == [200, 401, 200, 403]


def test_numbers_are_for_everybody_where_the_settings_say_so(wanted: Wanted) -> None:
    open_to_all = replace(wanted, local=False, settings=ServiceSettings(open_metrics=True))

    with service(open_to_all) as address:
        reply = httpx.get(f"{address}/metrics", headers={"X-Forwarded-For": "203.0.113.5"})

    assert reply.status_code == 200


def test_policies_that_people_name_cannot_grow_the_page_without_end() -> None:
    metrics = Metrics()

    for number in range(3 * MOST_POLICIES):
        metrics.checked("pass", f"policy-{number}@1", 1.0, 0.5, 0.5)

    counted = {
        labels for name, labels in samples(metrics.page().decode()) if name == "sensecheck_checks_total"
    }
    assert len(counted) == MOST_POLICIES + 1
    assert frozenset(("pass", OTHERS)) in counted


def test_redis_is_spoken_of_only_where_there_is_one() -> None:
    metrics = Metrics()
    before = samples(metrics.page().decode())

    metrics.redis(True)
    metrics.redis(False)

    assert not [name for name, _ in before if name.startswith("sensecheck_redis")]
    assert samples(metrics.page().decode())["sensecheck_redis_up", frozenset()] == 0


def test_what_waits_in_the_spool_is_looked_at_each_time() -> None:
    metrics, kept = Metrics(), SimpleNamespace(waiting=2, set_aside=0, spooled_total=5)
    metrics.watch(lambda: Load(1, 0.5, 2, 3, batches=7, remembered=9), kept)
    kept.set_aside = 1

    found = samples(metrics.page().decode())

    told = {name.removeprefix("sensecheck_"): value for (name, _), value in found.items()}
    assert (told["spool_waiting"], told["spool_set_aside"], told["spooled_total"]) == (2, 1, 5)
    assert (told["engine_waiting"], told["engine_seconds_ahead"]) == (1, 0.5)
    assert (told["engines_alive"], told["engines_wanted"]) == (2, 3)
    assert (told["engine_batches_total"], told["remembered_total"]) == (7, 9)
