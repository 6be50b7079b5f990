"""The contract of a Backend, over the real SDK and a `claude` program. A new one takes one file and one row."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import patch

import pytest
from apis.backends import (
    MODEL,
    REQUEST,
    Fake,
    Tokens,
    api_backend,
    ask,
    claude_error,
    claude_result,
    cli_backend,
    fault,
)
from apis.loopback_api import Behaviour, LoopbackApi, answer, garbage, hang, reply, status
from running.hookrun import KEY
from samples.caserows import write_cases

from compass.cli import main
from evaluator.errors import ConfigError
from evaluator.model import AUTO, BACKEND_MODULES, EMBEDDED
from evaluator.ports import Backend, UnusableReplyError
from evaluator.readers.kinds.kind import find_kind, kind_of
from evaluator.record import replace
from evaluator.settings.keys import KEYS, Settings


@dataclass
class World:
    """A backend, and how to tell what stands behind it what to do next."""

    backend: Backend
    will: Callable[[str], None]


API_CASES: dict[str, Behaviour] = {
    "answer": reply(),
    "400": status(400, "schema is too deep"),
    "401": status(401, f"invalid key {KEY}\nx-api-key: {KEY}"),
    "403": status(403, "no access"),
    "404": status(404, "model not found"),
    "429": status(429, "slow down", retry_after=1.5),
    "500": status(500, "oops"),
    "529": status(529, "overloaded"),
    "hang": hang(),
    "garbage": garbage(),
    "cut off": reply('{"reading"', stop_reason="max_tokens"),
    "refusal": reply("no", stop_reason="refusal"),
    "empty": reply(""),
}

CLI_CASES: dict[str, dict[str, object]] = {
    "answer": claude_result(result="ignored", structured_output=json.loads(answer())),
    "400": claude_error("API Error: 400 schema is too deep", api_error_status=400),
    "401": claude_error(f"Failed to authenticate. API Error: 401\n{KEY}", api_error_status=401),
    "403": claude_error("API Error: 403 no access", api_error_status=403),
    "404": claude_error("There's an issue with the selected model", api_error_status=404),
    "429": claude_error("API Error: Request rejected (429)", api_error_status=429),
    "500": claude_error("API Error: 500 oops", api_error_status=500),
    "529": claude_error("API Error: 529 overloaded", api_error_status=529),
    "hang": {"hang": True},
    "garbage": {"stdout": "Segmentation fault", "code": 0},
    "cut off": claude_error("API Error: response exceeded", api_error="max_output_tokens"),
    "refusal": claude_error("API Error: can't help with this", stop_reason="refusal"),
    "empty": claude_result(result=""),
}


@pytest.fixture(params=["anthropic", "claude-cli"])
def world(request: pytest.FixtureRequest, api: LoopbackApi, fake: Fake, tokens: Tokens) -> World:
    if request.param == "anthropic":
        return World(api_backend(api), lambda case: api.queue(API_CASES[case]))
    return World(cli_backend(fake, tokens), lambda case: fake.plan(CLI_CASES[case]))


def test_an_answer_comes_as_text_with_its_tokens_and_cost(world):
    world.will("answer")
    given = ask(world.backend)
    assert json.loads(given.text) == json.loads(answer())
    assert (given.input_tokens, given.output_tokens) == (100, 20)
    assert given.cost_usd == pytest.approx(0.0002)
    assert (world.backend.name, world.backend.model) in (("anthropic", MODEL), ("claude-cli", MODEL))


KINDS = {
    "400": "refused", "401": "authentication", "403": "authentication", "404": "refused", "429": "rate",
    "500": "server", "529": "server", **dict.fromkeys(("garbage", "cut off", "refusal", "empty"), "invalid"),
}  # fmt: skip


@pytest.mark.parametrize("case", KINDS)
def test_every_failure_is_a_reader_error_of_its_kind(world, case):
    world.will(case)
    found = fault(world.backend)
    assert (found.kind, found.retryable) == (KINDS[case], KINDS[case] in ("rate", "server"))
    assert found.detail.isprintable() and 0 < len(found.detail) <= 480


def test_no_failure_shows_the_key(world):
    world.will("401")
    found = fault(world.backend)
    assert KEY not in str(found)
    assert "ANTHROPIC_API_KEY" in found.detail and "evaluator.backend" in found.detail


@pytest.mark.parametrize("case", ["cut off", "refusal", "empty"])
def test_an_answer_that_cannot_be_used_still_counts_its_tokens(world, case):
    world.will(case)
    found = fault(world.backend)
    assert isinstance(found, UnusableReplyError)
    assert (found.reply.input_tokens, found.reply.output_tokens) == (100, 20)
    assert found.reply.cost_usd == pytest.approx(0.0002)


def test_a_hanging_reader_ends_in_a_timeout(world):
    world.will("hang")
    started = time.monotonic()
    found = fault(world.backend, replace(REQUEST, timeout=0.4))
    assert (found.kind, found.retryable) == ("timeout", False)
    assert time.monotonic() - started < 20.0


def test_a_backend_can_be_asked_again_after_a_failure_on_another_loop(world):
    world.will("500")
    fault(world.backend)
    world.will("answer")
    assert json.loads(ask(world.backend).text)["score"] == 0.9


# A new backend: whoever asks for backends, and a check, takes it


TOY = '''
"""The `toy` backend: its readers score by the number in the target's name."""

import json
import re

from evaluator.ports import ReaderReply
from evaluator.readers.kinds.kind import BackendKind


class Toy:
    name = "toy"
    model = "toy-1"

    async def ask(self, request):
        score = int(re.search(r"-\\d+-c(\\d{3})\\.py", request.user)[1]) / 1000
        answer = {
            "reading": {"action": "change", "target": "x.py", "extent": "one_place"}, "rival": None, "fits": True,
            "rationale": "it says so", "primary_concern": "none" if score > 0.6 else "scope", "score": score,
        }
        return ReaderReply(json.dumps({name: answer[name] for name in request.schema["properties"]}), 1000, 100, 0.25)

    async def aclose(self):
        pass


KIND = BackendKind(
    "toy",
    "a toy that reads the number in the target's name",
    missing=lambda settings, env: None,
    goes=lambda settings, env: "the toy box",
    sampling=lambda settings: (4, 20.0),
    backend=lambda settings, env, state, clock: Toy(),
)
'''


@pytest.mark.parametrize("name", list(BACKEND_MODULES))
def test_each_row_leads_to_the_record_of_that_name(name):
    kind = kind_of(name)
    assert kind.name == name
    makers = [make for make in (kind.readers, kind.backend, kind.remote) if make is not None]
    assert len(makers) == 1 and kind.hosted == (kind.readers is None)
    n, seconds = kind.sampling(Settings())
    assert n > (name != EMBEDDED) and seconds > 0
    assert kind.about and kind.fingerprint() and kind.goes(Settings(), {})


def test_a_name_without_a_row_is_refused_and_auto_is_none():
    for name in ("toy", AUTO):
        assert find_kind(name) is None
        with pytest.raises(ConfigError, match="no such backend"):
            kind_of(name)


def test_a_record_is_read_without_sdk_event_loop_or_rules():
    heavy = ("anthropic", "asyncio", "httpx2", "tenacity", "pydantic", "evaluator.rules", "subprocess")
    program = (
        "import sys\nfrom evaluator.model import BACKEND_MODULES\nfrom evaluator.settings.keys import Settings\n"
        "assert not [name for name in sys.modules if name.startswith('evaluator.readers')]\n"
        "from evaluator.readers.kinds.kind import kind_of\n"
        "for name in BACKEND_MODULES:\n"
        "    for told in (kind_of(name).missing, kind_of(name).address): told(Settings(), {})\n"
        "    for told in (kind_of(name).sampling, kind_of(name).least): told(Settings())\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("centre", "verdict", "samples"), [(0.9, "passed", (2,)), (0.2, "failed", (5, 6))], ids=["clear", "vague"]
)
def test_a_check_asks_the_readers_of_a_new_row(tmp_path, monkeypatch, capsys, centre, verdict, samples):
    """Two of them where both find it clear; else one of these, or both, and the second look's."""
    (tmp_path / "toybackend.py").write_text(TOY)
    for name, value in {"HOME": tmp_path, "ONLOOKER_DIR": tmp_path, "COMPASS_ENABLED": "true"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    key = KEYS["evaluator.backend"]
    named = replace(key, choices=(*key.choices, "toy"))
    case = write_cases(tmp_path / "case.jsonl", 1, 1, clear=(centre, centre), pairs=False)
    with patch.dict(BACKEND_MODULES, toy="toybackend"), patch.dict(KEYS, {key.path: named}):
        ended = main(["check", "--json", "--backend", "toy", "--case", str(case)])
    found = json.loads(capsys.readouterr().out)
    assert (found["backend"], found["verdict"], ended) == ("toy", verdict, 0 if verdict == "passed" else 2)
    assert found["confidence"] == pytest.approx(centre) and len(found["samples"]) in samples
    sys.modules.pop("toybackend")
