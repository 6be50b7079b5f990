"""Traces by OpenTelemetry's own SDK, where a collector is configured. The only importer of it.

Spans carry route, status, outcome, counts and durations: never text of an exchange, a path, a token or a name.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from compass.team.telemetry import Attribute

SCOPE = "compass.team"
SERVER_FAULT = 500


class OtlpSpan:
    def __init__(self, span: trace.Span, token: Any) -> None:
        self._span, self._token = span, token

    @property
    def trace_id(self) -> str:
        return trace.format_trace_id(self._span.get_span_context().trace_id)

    def end(self, status: int, attributes: Mapping[str, Attribute]) -> None:
        self._span.set_attributes({"http.response.status_code": status, **attributes})
        if status >= SERVER_FAULT:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
        context.detach(self._token)


class OtlpSpans:
    """Endpoint, headers and sampling are those of OpenTelemetry's own variables."""

    def __init__(self, version: str) -> None:
        resource = Resource.create({"service.name": "compass-team", "service.version": version})
        self._provider = TracerProvider(resource=resource)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer(SCOPE, version)
        self._propagator = TraceContextTextMapPropagator()

    def begin(self, method: str, route: str, traceparent: str) -> OtlpSpan:
        """The span of a request; those of its steps are below it."""
        parent = self._propagator.extract({"traceparent": traceparent}) if traceparent else None
        attributes = {"http.request.method": method, "http.route": route}
        span = self._tracer.start_span(
            f"{method} {route}", context=parent, kind=SpanKind.SERVER, attributes=attributes
        )
        return OtlpSpan(span, context.attach(trace.set_span_in_context(span)))

    def step(self, name: str, seconds: float, attributes: Mapping[str, Attribute]) -> None:
        """One that has just ended, below the request that is answered here."""
        now = time.time_ns()
        span = self._tracer.start_span(name, start_time=now - int(seconds * 1e9), attributes=attributes)
        span.end(now)

    def close(self) -> None:
        self._provider.shutdown()
