"""Requests as traces of OpenTelemetry: which route, how long, what was found; never what was said."""

from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.types import Scope

from sensecheck.core.extras import extra
from sensecheck.server.middleware.request import Visit

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter


SERVICE = "sensecheck"
EVENT = "gen_ai.evaluation.result"
_MILLISECONDS_TO_SEND = 5_000


class Telemetry:
    """Makes a span of each request once it is answered, below the span of whoever sent it."""

    def __init__(self, provider: "TracerProvider") -> None:
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415 - an extra
            TraceContextTextMapPropagator,
        )

        self._provider = provider
        self._tracer = provider.get_tracer(SERVICE)
        self._parents = TraceContextTextMapPropagator()

    @classmethod
    def to_endpoint(cls) -> "Telemetry":
        """Traces go to where the variables of OpenTelemetry say, such as `OTEL_EXPORTER_OTLP_ENDPOINT`."""
        with extra("telemetry"):
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
                OTLPSpanExporter,
            )
        return cls.to(OTLPSpanExporter())

    @classmethod
    def to(cls, exporter: "SpanExporter") -> "Telemetry":
        """Traces go to this exporter, some at a time, from a thread of its own."""
        with extra("telemetry"):
            from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
            from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
            from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
        provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}), shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(exporter))
        return cls(provider)

    def followed(self, scope: Scope, visit: Visit, method: str, route: str, status: int) -> None:
        """A request was answered."""
        from opentelemetry.trace import SpanKind, StatusCode  # noqa: PLC0415 - an extra

        span = self._tracer.start_span(
            f"{method} {route}",
            context=self._parents.extract(dict(Headers(scope=scope))),
            kind=SpanKind.SERVER,
            attributes=_attributes(visit, method, route, status),
            start_time=visit.began_at,
        )
        for verdict in visit.verdicts:
            attributes = {
                "gen_ai.evaluation.name": verdict.policy,
                "gen_ai.evaluation.score.label": verdict.outcome,
            }
            span.add_event(EVENT, attributes, timestamp=verdict.at)
        if status >= 500:
            span.set_status(StatusCode.ERROR)
        span.end()

    def close(self) -> None:
        """Send what is left, and end."""
        self._provider.force_flush(_MILLISECONDS_TO_SEND)
        self._provider.shutdown()


def _attributes(visit: Visit, method: str, route: str, status: int) -> dict[str, Any]:
    attributes = {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "sensecheck.request": visit.id,
    }
    return attributes if visit.trouble is None else {**attributes, "error.type": visit.trouble}
