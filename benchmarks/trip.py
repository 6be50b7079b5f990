"""How much program one held `rm src/a.py` goes through: files and functions entered, cold and warm.

`python benchmarks/trip.py` plays a session in which "Just delete it." can mean two files, and profiles the gate's
answer to the agent's `rm`: once in a hook's own process, as the host starts it (cold, with the modules that it
imports), and once in the service, after it has judged the like in another session (warm). Rules judge; nothing leaves
the machine. A function counts once, however often it is called; lambdas are functions, comprehensions are not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OURS = tuple(str(ROOT / name) + os.sep for name in ("compass", "evaluator", "calibration", "hooks"))
OPTIMIZED = 0x1
"""A flag of a function's code; bodies of modules and classes have it not (`inspect.CO_OPTIMIZED`)."""
TARGETS = ("src/a.py", "src/b.py")
SAID, PRIOR = "Just delete it.", "There are two unused files: src/a.py and src/b.py."


class Trip:
    """The functions of ours that threads enter while the block runs."""

    def __init__(self) -> None:
        self.entered: set[CodeType] = set()

    def __enter__(self) -> Trip:
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_flags & OPTIMIZED:
            self.entered.add(frame.f_code)

    def counts(self) -> dict[str, int]:
        named = [
            code
            for code in self.entered
            if code.co_filename.startswith(OURS) and code.co_name not in ("<genexpr>", "<listcomp>")
        ]
        loaded = [module for module in list(sys.modules.values()) if _file(module).startswith(OURS)]
        return {
            "files": len({code.co_filename for code in named}),
            "functions": len(named),
            "modules": len(loaded),
        }


def _file(module: object) -> str:
    return str(getattr(module, "__file__", None) or "")


def scene(root: Path) -> tuple[Path, dict[str, str]]:
    """A project that enforces, with the two files; the environment of its hooks."""
    from evaluator.settings.layers import user_project_file

    project, env = root / "project", {"HOME": str(root / "home"), "PATH": os.environ["PATH"]}
    for name in TARGETS:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("A = 1\n")
    settings = Path(user_project_file({}, env["HOME"], str(project)))
    settings.parent.mkdir(parents=True)
    settings.write_text(
        json.dumps(
            {
                "enabled": True,
                "mode": "enforce",
                "evaluator": {"backend": "embedded"},
                "service": {"enabled": False},
            }
        )
    )
    return project, env


def payload(root: Path, project: Path, session: str, target: str = TARGETS[0]) -> bytes:
    """The call, in a session of its own whose transcript says what led to it."""
    from hooks import registry

    path = root / f"{session}.jsonl"
    file = registry.default_host().sessions().made_up(str(path), session)
    file.user("Which files are unused?", f"{session}-1")
    file.says(PRIOR)
    file.user(SAID, f"{session}-2")
    given = {"command": f"rm {target}"}
    file.calls("Bash", given, "toolu_1")
    return json.dumps(
        {
            "session_id": session, "transcript_path": str(path), "cwd": str(project), "prompt_id": f"{session}-2",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": given, "tool_use_id": "toolu_1",
        }
    ).encode()  # fmt: skip


def is_held(answer: bytes) -> bool:
    """By what it would do; a denial by the error policy is none."""
    return b'"deny"' in answer and b"could not check" not in answer


def cold(root: Path, project: Path, env: dict[str, str]) -> dict[str, int]:
    """In a process of its own, which says on stderr what it entered. Raises RuntimeError where it holds nothing."""
    # The first call of a machine makes its state; it is not counted.
    for session in ("first", "cold"):
        done = subprocess.run(
            [sys.executable, "-I", "-S", __file__, "hook"],
            input=payload(root, project, session), env=env, cwd=project, capture_output=True, check=True,
        )  # fmt: skip
        if not is_held(done.stdout):
            raise RuntimeError(f"not held: {done.stdout!r} {done.stderr!r}")
    return json.loads(done.stderr.splitlines()[-1])


def hook() -> None:
    sys.path.append(str(ROOT))
    sys.argv[1:] = ["hook", "pre-tool-use"]
    with Trip() as trip:
        from compass.entry import main

        main()
    print(json.dumps(trip.counts()), file=sys.stderr)


def warm(root: Path, project: Path, env: dict[str, str]) -> dict[str, int]:
    """By what the service calls for a request. Raises RuntimeError where it holds nothing."""
    from compass.service.cache import Judge, Warm
    from evaluator.service.server import Request

    variables = b"\0".join(os.fsencode(f"{name}={value}") for name, value in env.items())
    kept = Warm()
    judge = Judge(kept, env)

    def asked(body: bytes) -> bytes:
        gone: Future[None] = Future()
        now = time.monotonic()
        request = Request("pre-tool-use", os.fsencode(project), variables, body, now, lambda _: None, gone)
        return judge(request).text

    try:
        # Of another command: what it does would be remembered.
        asked(payload(root, project, "before", TARGETS[1]))
        body = payload(root, project, "warm")
        with Trip() as trip:
            answer = asked(body)
    finally:
        kept.close()
    if not is_held(answer):
        raise RuntimeError(f"not held: {answer!r}")
    return trip.counts()


def measured() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        project, env = scene(root)
        return {"cold": cold(root, project, env), "warm": warm(root, project, env)}


if __name__ == "__main__":
    if sys.argv[1:] == ["hook"]:
        hook()
    else:
        sys.path.insert(0, str(ROOT))
        for way, counts in measured().items():
            print(
                f"{way}: {counts['files']} files and {counts['functions']} functions entered, "
                f"{counts['modules']} modules loaded"
            )
