"""What a check costs, whatever it is given: targets and what is sanitized are bounded first."""

import time

import pytest

from compass.arguments import FixedExchange
from compass.composition.gate import wire
from evaluator.effects import effect, folded
from evaluator.egress import evidence, sanitizer
from evaluator.egress.evidence import SOURCE_TIMES, build_evidence, cleaner
from evaluator.egress.redaction import redact
from evaluator.gate import pipeline
from evaluator.model import Exchange, PendingWrite
from evaluator.record import replace
from evaluator.settings.keys import Settings

PARTS = 400_000
SECONDS = 8.0
"""Of a machine under load; unbounded these took 15 to 54 seconds."""


@pytest.mark.spread(2)
@pytest.mark.parametrize(
    ("tool", "given", "request_text"),
    [
        ("Write", {"file_path": "a/" * PARTS + "x.py", "content": "x"}, "do it"),
        ("Write", {"file_path": "a/../" * PARTS + "x.py", "content": "x"}, "do it"),
        ("Bash", {"command": "echo x > " + "a/" * PARTS + "x.py"}, "do it"),
        ("Write", {"file_path": "x.py", "content": "x"}, "A_KEY=" * 100_000),
        ("Write", {"file_path": "x.py", "content": "A_KEY=" * 100_000}, "do it"),
    ],
    ids=["parts", "steps", "command", "request", "content"],
)
def test_a_long_call_takes_no_longer(tmp_path, tool, given, request_text):
    chosen = replace(
        Settings(),
        enabled=True,
        include_file_contents=True,
        deadline_seconds=600.0,
        evaluator=replace(Settings().evaluator, backend="embedded"),
    )
    gate = wire({}, str(tmp_path), str(tmp_path), settings=chosen, keep=False)
    exchange = Exchange((request_text,), request_text)
    parts = replace(gate.parts, transcripts=FixedExchange(exchange), paid=lambda: False)
    began = time.process_time()
    try:
        found = pipeline.check(parts, PendingWrite("case", "s", tool, given, str(tmp_path), str(tmp_path)))
    finally:
        gate.close()
    assert time.process_time() - began < SECONDS
    assert all(len(target) <= 4096 for target in found.effects.targets)


def test_no_more_is_sanitized_than_a_multiple_of_what_is_sent(monkeypatch):
    seen = []

    def counted(text, *given, **named):
        seen.append(len(text))
        return sanitizer.sanitize(text, *given, **named)

    monkeypatch.setattr(evidence.cleaner, "__defaults__", (counted,))
    pending = PendingWrite("case", "s", "Write", {"file_path": "/p/x.py"}, "/p", "/p")
    effects = folded([effect("edit", "/p/x.py")])
    text = (
        "first "
        + "and so on\n" * 60_000
        + "then change x.py in the middle\n"
        + "and so on\n" * 60_000
        + "last"
    )
    chosen = Settings()
    found = build_evidence(pending, effects, Exchange((text,)), chosen)
    assert max(seen) <= SOURCE_TIMES * chosen.context_chars_max + 64
    for kept in ("first", "last"):
        assert kept in found.current_request
    near = "x " * 40_000 + "\nthen change x.py in the middle\n" + "x " * 40_000
    assert (
        "then change x.py in the middle"
        in build_evidence(pending, effects, Exchange((near,)), chosen).current_request
    )


SANITIZED = (
        "plain words, src/app.py ", "<", "<<<<|", "[IN[INST]ST]", "<current_request ", "< " + "/ " * 500,
        "<current_request " + "x" * 300, "\u0301\u0316", "a\u200b", "＜｜", "ß<|", "汉字", "\U000e0041",
)  # fmt: skip
REDACTED = (
        "plain words, src/app.py ", "token=${", "token.", "password ", "password='", 'password="\\"', "api key ",
        "sk-", "eyJ", "eyJa.", "-----BEGIN RSA PRIVATE KEY-----", "://a:", "a:B1x!yy@h.x", "mysql -p", "[REDACTED:",
        "0" * 30 + ":A", "MIIEAAAAAAAAAAAAAAAAAAA\n-----END RSA PRIVATE KEY-----\n", "password=hunter2x9\n", "İ",
        "f" * 32 + "-", "Bearer ", "password is ", "password for the ", "password: marmalade\n", "mot de passe ",
        "password = a(", "пароль ", "пароль для ", "密码是", "パスワードは", "clé api est «", "set the password to ",
        "passphrase: a b c d ", "password which is ", "'secret'{\n", "api key - ", "PIN for the 4 ",
        "credentials for x ", "creds creds: a:", "with password ", "user demo password ", "пароль от архива ",
        "password, «",
        "用账号 密码 a ", "credentials: ", "password “", "合言葉:あ",
        "password --> ", "// token: abc ",
        "パスワード「a」", "ghp_\n", "sk-ant-\\\n", "sed -i s/token/",
        "set X --body ", "://a/hook/",
        "password from a to ",
        "a" * 31 + "+", "your-", "my-key-", "a key ", "insert into pass values ('", "backup code ",
)  # fmt: skip


@pytest.mark.spread(5)
@pytest.mark.parametrize(
    ("act", "unit"),
    [(cleaner(Settings()), unit) for unit in SANITIZED] + [(redact, unit) for unit in REDACTED],
)
def test_cost_grows_linearly_even_for_hostile_text(act, unit):
    def seconds(size):
        text = (unit * (size // len(unit) + 1))[:size]
        started = time.thread_time()
        act(*((text, None) if act is not redact else (text,)))
        return time.thread_time() - started

    small, large = (min(seconds(size) for _ in range(3)) for size in (10_000, 100_000))
    # Ten times the text; quadratic cost would be a hundred times the time.
    assert large < small * 40 + 0.05
