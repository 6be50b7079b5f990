"""The `openai` backend: real sockets, in the ways of four servers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from apis.backends import REQUEST, ask, fault
from apis.chat_servers import OLLAMA, SERVERS, VLLM, ChatServer, Ways, completion, older_vllm
from apis.loopback_api import Behaviour, LoopbackApi, answer, garbage, hang, reset, status
from apis.scriptedreaders import SUBJECT
from apis.scriptedreaders import errors as errors_of
from running.hookrun import KEY, Place

from compass.composition.gate import SystemClock
from evaluator.egress.prompt import SCHEMA
from evaluator.egress.reader_answer import parse_answer
from evaluator.ports import ReaderReply
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.openai_api import OpenAiBackend
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.readers.server_capabilities import HOLDS_SECONDS, Learnt, ServerMemory
from evaluator.settings.keys import Settings, build
from evaluator.state.store import MemoryStore

MODEL = "qwen3:4b"


class Clock(SystemClock):
    """The machine's clock, some seconds on."""

    later = 0.0

    def now(self) -> float:
        return super().now() + self.later


class World:
    """Servers, and backends that share one machine's state."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self.state = MemoryStore()
        self.clock = Clock()

    def server(self, ways: Ways, **given: Any) -> ChatServer:
        return self._stack.enter_context(ChatServer(ways, **given))

    def memory(self, url: str) -> ServerMemory:
        """As another process finds it."""
        return ServerMemory(self.state, self.clock, "openai", url, MODEL)

    def backend(self, server: LoopbackApi, **given: Any) -> OpenAiBackend:
        return OpenAiBackend(MODEL, server.url, memory=self.memory(server.url), **given)

    def learnt(self, server: LoopbackApi) -> Learnt:
        return self.memory(server.url).learnt


@pytest.fixture
def world() -> Iterator[World]:
    with ExitStack() as stack:
        yield World(stack)


def score(reply: ReaderReply) -> float | None:
    return parse_answer(reply.text, "reader-1", lenient=not reply.keeps_schema).score


def forms(server: ChatServer) -> list[str]:
    return [received.body.get("response_format", {}).get("type", "text") for received in server.requests]


def test_the_request_is_a_chat_completion_with_a_bounded_schema_and_thinking_off(world):
    server = world.server(OLLAMA)
    ask(world.backend(server))
    (received,) = server.requests
    assert received.path == "/v1/chat/completions"
    body = dict(received.body)
    shape = body.pop("response_format")["json_schema"]
    assert body == {
        "model": MODEL,
        "messages": [
            {"role": "system", "content": "the rules"},
            {"role": "user", "content": "the slots, with an é"},
        ],
        "max_tokens": 400,
        "temperature": 0.3,
        "stream": False,
        "thinking": {"type": "disabled"},
        "chat_template_kwargs": {"enable_thinking": False, "thinking": False},
        "reasoning_effort": "none",
    }
    properties = shape["schema"]["properties"]
    assert shape["strict"] is True and list(properties) == list(SCHEMA["properties"])  # type: ignore[call-overload]
    assert properties["score"] == {"type": "number", "minimum": 0, "maximum": 1}
    assert properties["rationale"]["maxLength"] == 200
    assert properties["reading"]["properties"]["target"]["maxLength"] == 120
    assert "delete" in properties["reading"]["properties"]["action"]["enum"]
    assert "authorization" not in received.headers
    assert REQUEST.user_id not in json.dumps(received.body), "a local server needs no name for the session"


@pytest.mark.parametrize("tail", ["/", "/v1"])
def test_the_address_is_taken_with_and_without_its_version(world, tail):
    server = world.server(OLLAMA)
    ask(OpenAiBackend(MODEL, server.url + tail, memory=world.memory(server.url)))
    assert server.requests[0].path == "/v1/chat/completions"


def test_a_key_is_sent_and_never_shown(world):
    server = world.server(OLLAMA)
    backend = world.backend(server, key=KEY)
    ask(backend)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    server.queue(status(401, f"bad key {KEY}"))
    found = fault(backend)
    assert found.kind == "authentication"
    assert KEY not in str(found) and "OPENAI_API_KEY" in found.detail


def test_no_proxy_stands_before_ones_own_machine(world, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert ask(world.backend(world.server(OLLAMA))).text == answer()


def test_a_redirect_takes_key_and_evidence_nowhere(world):
    server, elsewhere = world.server(OLLAMA), world.server(OLLAMA)
    there = {"location": f"{elsewhere.url}/v1/chat/completions"}
    server.queue(Behaviour(status=307, body=b"", headers=there))
    assert "307" in fault(world.backend(server)).detail
    assert elsewhere.requests == []


@pytest.mark.parametrize(
    ("name", "thinks"),
    [*((name, False) for name in SERVERS), ("ollama", True), ("llama.cpp", True), ("vllm", True)],
)
def test_each_server_answers_with_the_schema_kept(world, name, thinks):
    server = world.server(SERVERS[name], thinks=thinks)
    backend = world.backend(server)
    first, second = ask(backend), ask(backend)
    assert first.keeps_schema and second.keeps_schema
    assert score(first) == score(second) == 0.9
    assert set(forms(server)) == {"json_schema"}
    assert (first.input_tokens, first.cost_usd) == (1600, None)


def test_a_model_that_thinks_all_the_same_is_told_as_such(world):
    server = world.server(replace(OLLAMA, thinking_off=()), thinks=True)
    assert "does not think" in fault(world.backend(server)).detail


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_that_ignores_the_schema_is_read_leniently_from_its_first_answer_on(world, name):
    server = world.server(replace(SERVERS[name], binds=()))
    reply = ask(world.backend(server))
    assert not reply.keeps_schema
    assert score(reply) == 0.9, "one fence"
    assert parse_answer(reply.text, "reader-1").score is None, "and never strictly"
    assert world.learnt(server).ignores_schema
    server.loose = answer()
    assert not ask(world.backend(server)).keeps_schema, "remembered, whatever the next answer looks like"


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        *((name, 400, "response_format is not supported") for name in SERVERS),
        ("llama.cpp", 500, "Failed to parse grammar"),
    ],
)
def test_a_refused_form_is_left_out_and_remembered(world, name, code, said):
    """Of llama.cpp a 500 too, for a schema without a grammar."""
    told = code, {"error": {"code": code, "message": said, "type": "server_error"}}
    ways = replace(SERVERS[name], refuses=lambda body: told if "response_format" in body else None)
    server = world.server(ways)
    reply = ask(world.backend(server))
    assert forms(server) == ["json_schema", "text"]
    assert score(reply) == 0.9 and not reply.keeps_schema
    ask(world.backend(server))
    assert forms(server)[2:] == ["text"]
    assert all("reasoning_effort" in received.body for received in server.requests), "nothing else was lost"


def test_older_vllm_refuses_one_field_and_keeps_the_others(world):
    server = world.server(replace(VLLM, refuses=older_vllm), thinks=True)
    assert ask(world.backend(server)).keeps_schema and ask(world.backend(server)).keeps_schema
    fields = {"thinking", "chat_template_kwargs", "reasoning_effort"}
    left_out = [fields - set(received.body) for received in server.requests]
    assert left_out == [set(), {"reasoning_effort"}, {"reasoning_effort"}]


def test_a_refusal_that_nothing_helps_against_ends_and_teaches_nothing(world):
    server = world.server(replace(OLLAMA, refuses=lambda _: (400, {"error": {"message": "bad request"}})))
    found = fault(world.backend(server))
    assert (found.kind, found.retryable) == ("refused", False)
    assert forms(server) == ["json_schema", "json_schema", "text"]
    assert world.learnt(server) == Learnt(at_once=1)


def test_what_was_learnt_is_forgotten_after_a_day(world):
    server = world.server(replace(OLLAMA, binds=()))
    ask(world.backend(server))
    server.ways = OLLAMA
    world.clock.later = HOLDS_SECONDS - 60
    backend = world.backend(server)
    assert not ask(backend).keeps_schema
    world.clock.later = HOLDS_SECONDS + 60
    assert ask(backend).keeps_schema and ask(world.backend(server)).keeps_schema


@pytest.mark.parametrize(
    "note", ["{", "[]", '{"at": "x"}', '{"at": 1, "without": [], "form": "xml"}', "[" * 100_000]
)
def test_a_note_that_is_none_counts_as_nothing(world, note):
    server = world.server(OLLAMA)
    ask(world.backend(server))
    key = world.memory(server.url).key
    assert world.state.get_note(key) is not None
    assert server.url not in key, "the address may hold secrets"
    world.state.set_note(key, note)
    assert world.learnt(server) == Learnt()


def together(backend: OpenAiBackend, count: int = 3, **changes: Any) -> list[ReaderReply | BaseException]:
    async def all_of_them() -> list[ReaderReply | BaseException]:
        try:
            asked = (backend.ask(replace(REQUEST, **changes)) for _ in range(count))
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await backend.aclose()

    return asyncio.run(all_of_them())


@pytest.mark.parametrize(
    ("name", "at_once"), [("ollama", 1), ("lm-studio", 1), ("llama.cpp", 2), ("vllm", 1)]
)
def test_requests_go_in_turn_or_by_what_the_server_serves_at_once(world, name, at_once):
    server = world.server(SERVERS[name])
    count = 2 * at_once
    server.queue(*[completion(answer(), delay=0.15) for _ in range(count)])
    backend = world.backend(server, most_at_once=3)
    assert all(isinstance(reply, ReaderReply) for reply in together(backend, count))
    assert server.in_flight_max == at_once
    asked = len(server.asked_of)
    together(world.backend(server, most_at_once=3), 1)
    assert len(server.asked_of) == asked, "the server tells it once"


@pytest.mark.parametrize(
    ("behaviour", "kind", "retryable"),
    [
        (status(401), "authentication", False), (status(403), "authentication", False),
        (status(404, "model 'x' not found, try pulling it first"), "refused", False),
        (status(429, retry_after=1.5), "rate", True), (status(500), "server", True),
        (status(503, "Loading model"), "server", True), (reset(), "transport", True),
        (garbage(), "invalid", False), (garbage(b"\xff\xfe", "application/json"), "invalid", False),
        (garbage(b'{"choices": []}', "application/json"), "invalid", False),
        (garbage(b"[" * 100_000, "application/json"), "invalid", False),
        (garbage(b" " * 1_100_000, "application/json"), "invalid", False), (completion(""), "invalid", False),
        (completion('{"score', finish="length"), "invalid", False),
        (completion(answer(), finish="content_filter"), "invalid", False),
    ],
)  # fmt: skip
def test_every_failure_is_a_reader_error_of_its_kind(world, behaviour, kind, retryable):
    server = world.server(OLLAMA)
    server.queue(behaviour)
    found = fault(world.backend(server))
    assert (found.kind, found.retryable) == (kind, retryable)
    assert found.detail.isprintable() and 0 < len(found.detail) <= 480
    assert not world.learnt(server).ignores_schema, "no answer says nothing of the schema"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("ftp://127.0.0.1/", "refused"), ("not an address", "refused"),
        ("http://127.0.0.1:99999/", "refused"), ("http://me:hidden-in-url@127.0.0.1:9/", "transport"),
    ],
)  # fmt: skip
def test_an_address_where_nobody_answers_is_named_without_its_secret(world, url, kind):
    found = fault(OpenAiBackend(MODEL, url, memory=world.memory(url)))
    assert found.kind == kind and "hidden" not in found.detail
    assert ("127.0.0.1:9" if kind == "transport" else "evaluator.base_url") in found.detail


def readers(world: World, server: LoopbackApi, **changes: Any) -> SampledReaders:
    settings = build({"evaluator.base_url": server.url, "evaluator.model": MODEL, **changes})
    kind = kind_of("openai")
    backend = kind.backend(settings, {}, world.state, world.clock)
    least, again, short = kind.least(settings), kind.again, kind.short
    plan = SamplingPlan.of(settings, *kind.sampling(settings), least=least, again=again, short=short)
    plan = replace(plan, retry_seconds=0.05)
    return SampledReaders(backend, plan, thresholds=lambda _: None, clock=SystemClock(), nonce=lambda: "n1")


def test_the_plan_is_three_in_turn_two_of_them_valid_and_what_is_left_of_the_deadline():
    kind = kind_of("openai")
    assert kind.sampling(Settings()) == (3, 20.0) and kind.in_turn
    assert (kind.least(Settings()), kind.again) == (2, 1)
    assert kind.least(build({"evaluator.min_valid_samples": 7})) == 3


def test_what_is_missing_is_named_before_anything_is_asked():
    missing = kind_of("openai").missing
    address, model = {"evaluator.base_url": "http://127.0.0.1:9"}, {"evaluator.model": MODEL}
    assert missing(build(address | model), {}) is None
    assert "no model" in str(missing(build(address), {}))
    assert "no server address" in str(missing(build(model), {}))


def test_an_invalid_answer_is_asked_once_more_and_both_are_counted(world):
    server = world.server(OLLAMA)
    server.queue(completion(answer(score=7)), completion('{"sc', finish="length"))
    samples = readers(world, server).collect(SUBJECT, 30.0)
    assert errors_of(samples) == ["valid"] * 3
    assert len(server.requests) == 5 and server.in_flight_max == 1
    assert len({json.dumps(received.body) for received in server.requests}) == 1, "one prefix"
    assert sorted(sample.output_tokens for sample in samples) in ([60, 60, 180], [60, 120, 120])


def test_what_does_not_fit_the_deadline_times_out_honestly_and_loses_no_answer(world):
    server = world.server(OLLAMA)
    server.queue(completion(answer()), hang())
    samples = readers(world, server).collect(SUBJECT, 3.0)
    assert errors_of(samples) == ["valid", "timeout", "timeout"]
    assert all("no answer from" in str(sample.error) for sample in samples[1:])


EDIT = {
    "tool_name": "Edit", "file_path": "src/limit.py", "operation": "edit", "prior_assistant_turn": "",
    "user_message": "change the retry limit in src/limit.py to five attempts and nothing else please",
}  # fmt: skip
DELETION = {
    "tool_name": "Bash", "command": "rm -rf build/cache", "prior_assistant_turn": "",
    "user_message": "delete the folder build/cache with everything in it, it is only a cache of the last build",
}  # fmt: skip


@pytest.mark.parametrize(
    ("case", "count", "verdict", "reason"),
    [
        (EDIT, 2, "passed", "confident"), (DELETION, 2, "failed", "sampler_error"),
        (DELETION, 3, "passed", "confident"), (EDIT, 1, "failed", "sampler_error"),
    ],
)  # fmt: skip
def test_two_of_three_pass_an_edit_and_no_deletion(world, tmp_path, case, count, verdict, reason):
    server = world.server(OLLAMA)
    server.queue(*[completion(answer())] * count, *[garbage()] * 4)
    place = Place(tmp_path, {
        "COMPASS_EVALUATOR__BACKEND": "openai", "COMPASS_EVALUATOR__BASE_URL": server.url,
        "COMPASS_EVALUATOR__MODEL": MODEL,
    })  # fmt: skip
    done = place.command("check", "--json", "--case", "-", stdin=json.dumps(case).encode())
    found = json.loads(done.stdout)
    assert (found["verdict"], found["reason"], len(found["samples"])) == (verdict, reason, 3)
    told = any("at least 3 valid answers" in note for note in found["notes"])
    assert told is (case is DELETION and count == 2)
