"""A new backend is one file and one row: whoever asks for backends, and a check, takes it."""

from __future__ import annotations

import json
import subprocess
import sys
from unittest.mock import patch

import pytest
from apis.noisyapi import write_cases

from compass.cli import main
from evaluator.errors import ConfigError
from evaluator.model import AUTO, BACKEND_MODULES, EMBEDDED
from evaluator.readers.kinds.kind import find_kind, kind_of
from evaluator.record import replace
from evaluator.settings.keys import KEYS, Settings

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
