"""chibi and Cursor from `init` to `init --uninstall`, by processes: what init wrote is run as their documents say."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import compass

SCRIPT = str(Path(compass.__file__).parent / "__main__.py")
PAYLOADS = {
    name: [
        json.loads(line)
        for line in (Path(__file__).parents[3] / "fixtures/hosts" / name / "payloads.jsonl")
        .read_text()
        .splitlines()
    ]
    for name in ("chibi", "cursor")
}


class Stage:
    def __init__(self, root: Path, host: str) -> None:
        self.home, self.project, self.host = root / "home", root / "project", host
        self.home.mkdir()
        (self.project / "src").mkdir(parents=True)
        for name in ("a", "b"):
            (self.project / "src" / f"{name}.py").write_text("x = 1\n")
        self.run(["git", "init", "-q"])

    def run(self, words: list[str], given: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        found = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "COMPASS_SERVICE__ENABLED": "false",
            **env,
        }
        return subprocess.run(
            words,
            input=given,
            env=found,
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def compass(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run([sys.executable, SCRIPT, *words])

    def hook(self, at: int, **changed: str) -> dict:
        """The host's call of the hook of the fixtures' payload in line `at`."""
        found = PAYLOADS[self.host][at]
        if self.host == "chibi":
            given = json.dumps(found["data"] | changed, sort_keys=True, separators=(",", ":"))
            ran = self.run([str(self.home / ".chibi/plugins/compass")], given, CHIBI_HOOK=found["hook"])
        else:
            given = json.dumps(found | changed).replace("PROJECT", str(self.project))
            (entry,) = json.loads((self.home / ".cursor/hooks.json").read_text())["hooks"][
                found["hook_event_name"]
            ]
            ran = self.run(shlex.split(entry["command"]), given)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout or "{}")


@pytest.mark.full
@pytest.mark.parametrize(
    ("host", "prompt", "deletes", "writes", "held", "passes"),
    [
        ("chibi", 1, 12, 10, {"denied": True}, {}),
        ("cursor", 1, 2, 3, {"permission": "deny"}, {"permission": "allow"}),
    ],
)
def test_what_init_writes_holds_and_lets_pass_and_goes_without_a_trace(
    tmp_path: Path, host: str, prompt: int, deletes: int, writes: int, held: dict, passes: dict
) -> None:
    stage = Stage(tmp_path, host)
    wired = stage.compass("init", "--host", host, "--enforce", "--backend", "embedded", "--yes")
    assert wired.returncode == 0, wired.stderr
    said = " ".join(wired.stdout.split())
    assert "not tried with the client itself" in said, "init says what nobody tried"
    assert ("release nothing" in said) is (host == "chibi")
    doctor = stage.compass("doctor", "--host", host)
    assert doctor.returncode == 0, doctor.stdout
    stage.hook(prompt)
    answer = stage.hook(deletes)
    assert held.items() <= answer.items()
    stage.hook(prompt, prompt="Create src/new.py with x = 1.")
    assert stage.hook(writes) == passes
    gone = stage.compass("init", "--host", host, "--uninstall", "--yes")
    assert gone.returncode == 0, gone.stderr
    assert not (stage.home / ".chibi/plugins/compass").exists()
    assert not (stage.home / ".cursor/hooks.json").exists()
