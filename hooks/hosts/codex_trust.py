"""What keeps Codex from running hooks, for the doctor: its configuration, and what its app server says of trust."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from hooks.host import Json
from hooks.json_lines import is_object, mapping, mappings

if TYPE_CHECKING:
    from hooks.setup import Advice

CONFIG_BYTES_MAX = 4 * 1024 * 1024
TRUST_SECONDS = 20.0
TRUSTING = "start `codex` here and trust them when it says that hooks need review"


def codex_findings(
    env: Mapping[str, str], folder: str, project_dir: str, is_own: Callable[[object], bool]
) -> Iterable[Advice]:
    """The doctor's findings on whether Codex trusts the hooks; `folder` is Codex's own."""
    own = (os.path.join(folder, "config.toml"), os.path.join(project_dir, ".codex", "config.toml"))
    off = next((path for path in own if turns_hooks_off(codex_configuration(path))), "")
    told = f"{off} turns hooks off: remove `features.hooks = false` from it"
    yield "Codex hooks", not off, told if off else "no configuration turns them off"
    yield "Codex trust", *_codex_trust(env, project_dir, is_own)


def _codex_trust(
    env: Mapping[str, str], project_dir: str, is_own: Callable[[object], bool]
) -> tuple[bool | None, str]:
    """What the client's own app server says of our hooks. Trust is the user's to give."""
    import shutil

    if shutil.which("codex", path=env.get("PATH")) is None:
        return None, "codex is not on the PATH, so it is unknown whether it trusts the hooks"
    listed = codex_hooks("codex", env, project_dir)
    if isinstance(listed, str):
        return None, f"codex did not say which hooks it trusts ({listed}): look at `/hooks` in `codex`"
    ours = [hook for hook in listed if is_own(hook)]
    if not ours:
        return False, "codex has no Compass hook: run `compass init --host codex`"
    trusted = [hook for hook in ours if hook.get("trustStatus") in ("trusted", "managed")]
    idle = [hook for hook in ours if hook not in trusted or hook.get("enabled") is False]
    if not idle:
        return True, f"codex trusts all {len(ours)} hooks"
    named = ", ".join(dict.fromkeys(str(hook.get("trustStatus")) for hook in idle))
    return False, f"{len(idle)} of {len(ours)} hooks are {named} and do not run: {TRUSTING}"


def codex_configuration(path: str) -> Json:
    """Codex's configuration file. Empty for one that is missing or cannot be read."""
    import tomllib

    from evaluator.files import raise_want

    try:
        with open(path, "rb") as file:
            return tomllib.loads(file.read(CONFIG_BYTES_MAX).decode("utf-8"))
    except OSError as error:
        raise_want(error)
    except ValueError:
        pass
    return {}


def turns_hooks_off(configured: Json) -> bool:
    """Whether a file, or one of its profiles, says that no hook runs."""
    tables = (configured, *map(mapping, mapping(configured.get("profiles")).values()))
    features = [mapping(one.get("features")) for one in tables]
    return any(held.get(name) is False for held in features for name in ("hooks", "codex_hooks"))


def codex_hooks(program: str, env: Mapping[str, str], folder: str) -> list[Json] | str:
    """The hooks that the client would run in a folder, as it lists them; in words why it does not say."""
    import threading

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
    late = threading.Timer(TRUST_SECONDS, server.kill)
    late.start()
    try:
        return _asked_codex(server, folder)
    except (OSError, ValueError) as error:
        return str(error)[:100] or "it exited"
    finally:
        late.cancel()
        server.kill()
        server.communicate()


def _asked_codex(server: subprocess.Popen[bytes], folder: str) -> list[Json] | str:
    """What Codex's app server answers. Raises OSError and ValueError where it ends, or answers no message."""
    assert server.stdin is not None and server.stdout is not None
    client = {"name": "compass", "title": "Compass", "version": "0"}
    for message in (
        {"id": 1, "method": "initialize", "params": {"clientInfo": client}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [folder]}},
    ):
        server.stdin.write(json.dumps(message).encode("ascii") + b"\n")
        server.stdin.flush()
    for line in server.stdout:
        found = mapping(json.loads(line))
        if found.get("id") == 2:
            result = found.get("result")
            if not is_object(result):
                return "it does not support hooks/list"
            return [
                hook for one in mappings(mapping(result).get("data")) for hook in mappings(one.get("hooks"))
            ]
    return "no answer in time"
