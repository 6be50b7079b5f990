"""Traces of requests by OpenTelemetry, whose only importer this is; they leave where a collector is configured.

Spans carry route, status, outcome, counts and durations: never text of an exchange, a path, a token or a name.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextvars import Token

from opentelemetry import context, trace
from opentelemetry.context import Context
from opentelemetry.trace import SpanKind, StatusCode, TracerProvider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

Attribute = str | int | float | bool

SCOPE = "compass.team"
SERVER_FAULT = 500


class RequestSpan:
    """Begun and ended by one task."""

    def __init__(self, span: trace.Span, token: Token[Context]) -> None:
        self._span, self._token = span, token

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits; empty where nothing is collected and the caller named no trace."""
        found = self._span.get_span_context()
        return trace.format_trace_id(found.trace_id) if found.is_valid else ""

    def end(self, status: int, attributes: Mapping[str, Attribute]) -> None:
        self._span.set_attributes({"http.response.status_code": status, **attributes})
        if status >= SERVER_FAULT:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
        context.detach(self._token)


class Traces:
    """Endpoint, headers and sampling are those of OpenTelemetry's own variables. Where nothing is `collected`, a
    caller's trace is taken up for the log alone.
    """

    def __init__(self, version: str, *, collected: bool = False) -> None:
        self._provider = _exporting(version) if collected else trace.NoOpTracerProvider()
        self._tracer = self._provider.get_tracer(SCOPE, version)
        self._propagator = TraceContextTextMapPropagator()

    def begin(self, method: str, route: str, traceparent: bytes | None) -> RequestSpan:
        """The span of a request; those of its steps are below it."""
        parent = self._propagator.extract({"traceparent": (traceparent or b"").decode("latin-1")})
        attributes = {"http.request.method": method, "http.route": route}
        span = self._tracer.start_span(
            f"{method} {route}", context=parent, kind=SpanKind.SERVER, attributes=attributes
        )
        return RequestSpan(span, context.attach(trace.set_span_in_context(span)))

    def step(self, name: str, seconds: float) -> None:
        """One that has just ended, below the request that is answered here."""
        now = time.time_ns()
        self._tracer.start_span(name, start_time=now - int(seconds * 1e9)).end(now)

    def close(self) -> None:
        if shutdown := getattr(self._provider, "shutdown", None):
            shutdown()


def _exporting(version: str) -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk import trace as sdk
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource.create({"service.name": "compass-team", "service.version": version})
    provider = sdk.TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
