"""Whether Codex CLI runs our hooks: what its own app server says of them. Reads alone; trust is the user's to give."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from hooks.hosts.codex.configuration import CONFIG_FILE, configuration, home_of, turns_hooks_off
from hooks.setup import Advice

Hook = Mapping[str, object]

DEADLINE_SECONDS = 20.0
ANSWER_BYTES_MAX = 16 * 1024 * 1024
WAY_OUT = "start `codex` here and trust them where it says that hooks need review"


def findings(
    program: str, is_own: Callable[[object], bool], env: Mapping[str, str], home: str, project_dir: str
) -> Iterator[Advice]:
    """`is_own` tells our hooks among those that are listed."""
    own = os.path.join(home_of(env, home), CONFIG_FILE)
    places = (own, os.path.join(project_dir, ".codex", CONFIG_FILE))
    off = next((path for path in places if turns_hooks_off(configuration(path))), "")
    if off:
        yield "Codex hooks", False, f"{off} turns hooks off: take `features.hooks = false` out of it"
    else:
        yield "Codex hooks", True, "no configuration turns them off"
    if shutil.which(program, path=env.get("PATH")) is None:
        yield "Codex trust", None, "codex is not on the PATH, so nobody can tell whether it trusts the hooks"
        return
    listed = hooks_of(program, env, project_dir)
    if isinstance(listed, str):
        yield (
            "Codex trust",
            None,
            f"codex did not say which hooks it trusts ({listed}): look at `/hooks` in `codex`",
        )
        return
    ours = [hook for hook in listed if is_own(hook)]
    lacking = [
        hook
        for hook in ours
        if hook.get("trustStatus") not in ("trusted", "managed") or hook.get("enabled") is False
    ]
    if not ours:
        yield "Codex trust", False, "codex knows no hook of Compass: run `compass init --host codex`"
    elif lacking:
        states = ", ".join(dict.fromkeys(f"{hook.get('trustStatus')}" for hook in lacking))
        yield (
            "Codex trust",
            False,
            f"{len(lacking)} of {len(ours)} hooks are {states} and do not run: {WAY_OUT}",
        )
    else:
        yield "Codex trust", True, f"codex trusts all {len(ours)} hooks"


def hooks_of(program: str, env: Mapping[str, str], folder: str) -> list[Hook] | str:
    """The hooks that the client would run in a folder, as it lists them; in words why it does not say."""
    try:
        server = subprocess.Popen(  # noqa: S603 - found on PATH, fixed arguments
            (program, "app-server"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            cwd=folder,
        )
    except OSError as error:
        return error.strerror or "it does not start"
    try:
        return _asked(server, folder, time.monotonic() + DEADLINE_SECONDS)
    except (OSError, ValueError) as error:
        return str(error)[:100] or "it ended"
    finally:
        server.kill()
        server.communicate()


def _asked(server: subprocess.Popen[bytes], folder: str, until: float) -> list[Hook] | str:
    client = {"name": "compass", "title": "Compass", "version": "0"}
    _say(server, {"id": 1, "method": "initialize", "params": {"clientInfo": client}})
    _say(server, {"method": "initialized"})
    _say(server, {"id": 2, "method": "hooks/list", "params": {"cwds": [folder]}})
    for found in _heard(server, until):
        if found.get("id") == 2:
            result = found.get("result")
            if not isinstance(result, dict):
                return "it knows no hooks/list"
            each = _dicts(cast(dict[str, object], result).get("data"))
            return [hook for one in each for hook in _dicts(one.get("hooks"))]
    return "no answer in time"


def _say(server: subprocess.Popen[bytes], message: Mapping[str, object]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps(message).encode("ascii") + b"\n")
    server.stdin.flush()


def _heard(server: subprocess.Popen[bytes], until: float) -> Iterator[Mapping[str, object]]:
    """The server's messages, until it ends or the time is over. Raises ValueError for what is no message."""
    assert server.stdout is not None
    held, total = b"", 0
    while (left := until - time.monotonic()) > 0 and total < ANSWER_BYTES_MAX:
        if not select.select([server.stdout], [], [], left)[0]:
            return
        part = os.read(server.stdout.fileno(), 65536)
        if not part:
            return
        total += len(part)
        *lines, held = (held + part).split(b"\n")
        for line in lines:
            found = cast(object, json.loads(line)) if line.strip() else None
            if isinstance(found, dict):
                yield cast(Mapping[str, object], found)


def _dicts(value: object) -> list[Mapping[str, object]]:
    listed = cast(list[object], value) if isinstance(value, list) else []
    return [cast(Mapping[str, object], one) for one in listed if isinstance(one, dict)]
