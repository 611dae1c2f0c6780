"""Requests as traces: which route, how long, what was found; never what was said."""

import httpx
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from sensecheck.server.app import app_of
from sensecheck.server.tracing import Telemetry
from tests.server.running import Wanted, parts_of, served

CANARY = "zzcanaryzz"
TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


def test_a_request_is_a_span_with_what_was_found_and_without_what_was_said(
    wanted: Wanted, exporter: InMemorySpanExporter
) -> None:
    app = app_of(lambda: parts_of(wanted), telemetry=Telemetry.to(exporter))
    passage = f"The {CANARY} sleeps at noon."
    with served(app) as address, httpx.Client(base_url=address) as client:
        checked = client.post(
            "/v1/check",
            json={"answer": passage, "sources": [passage]},
            headers={"traceparent": f"00-{TRACE}-b7ad6b7169203331-01", "X-Other": CANARY},
        )
        client.get(f"/{CANARY}?{CANARY}={CANARY}")

    assert checked.status_code == 200
    first, second = sorted(exporter.get_finished_spans(), key=lambda span: span.name)[::-1]
    assert (first.name, second.name) == ("POST /v1/check", "GET unmatched")
    assert first.context is not None
    assert f"{first.context.trace_id:032x}" == TRACE
    assert first.attributes is not None
    assert first.attributes["sensecheck.request"] == checked.headers["Sensecheck-Request-Id"]
    event = first.events[0]
    assert event.name == "gen_ai.evaluation.result"
    assert dict(event.attributes or {}) == {
        "gen_ai.evaluation.name": "default@2",
        "gen_ai.evaluation.score.label": checked.json()["verdict"]["outcome"],
    }
    assert CANARY not in first.to_json() + second.to_json()
    assert (second.attributes or {})["error.type"] == "not-found"
