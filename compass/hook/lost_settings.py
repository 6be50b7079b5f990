"""The answer of a gate whose own settings are lost: self-protection first, then policy, told to the person once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from compass.hook.policy import Policy
from compass.joining.gate import Wired
from evaluator.configuration.places import config_dir, state_dir, user_file
from evaluator.configuration.record import TOLD
from evaluator.files import private_folder
from evaluator.state.faults import FaultLog

SESSIONS_KEPT = 32
_DIGEST_CHARS = 16


def answer(event: str, payload: Mapping[str, object], policy: Policy, wired: Callable[[], Wired]) -> bytes:
    """What the host is answered. Raises as `handle` does."""
    cause = policy.loaded.lost
    policy.say(f"compass: {event}: the gate was turned on here, and its settings are lost: {cause}")
    if event != "pre-tool-use":
        from compass.hook.answering import answered

        return answered(event, payload, wired())
    from evaluator.gate import pipeline

    gate, host = wired(), policy.host
    try:
        pending = host.pending_write(payload, gate.env)
        found = pipeline.guard(gate.parts, pending)
    finally:
        gate.close()
    if found is not None:
        return host.deny(found.detail) if found.decision == "deny" else b""
    FaultLog(state_dir(policy.env, policy.home), time.time).note(event, f"settings lost: {cause}")
    first = _is_first(policy.home, pending.session_id)
    if not policy.blocks:
        return host.tell(f"Compass checks nothing here. {explanation(policy)}") if first else b""
    reason = (
        f"Compass could not check this call. {explanation(policy)}\n"
        "Nothing was written, and this is no judgement of the request."
    )
    return host.deny(reason, message=f"Compass blocks writes here. {explanation(policy)}" if first else "")


def explanation(policy: Policy) -> str:
    """Why, and every way out."""
    lost = policy.loaded.lost
    common = lost.startswith(user_file(policy.env, policy.home))
    whose = "may be turned on for every project" if common else "was turned on for this project"
    return (
        f"It {whose}, and the settings that say so are lost: {lost}. "
        "In a terminal: restore that file, or delete it and run `compass init` in the project to set it up again; "
        "`compass init --uninstall` takes the gate out; `compass doctor` says more."
    )


def _is_first(home: str, session: str) -> bool:
    """Whether the person was not told in this session. Kept beside the records of projects: the state may be gone."""
    import hashlib

    name = hashlib.sha256(session.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGEST_CHARS]
    path = os.path.join(config_dir(home), TOLD)
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            told = file.read((SESSIONS_KEPT + 1) * (_DIGEST_CHARS + 1)).split()
    except OSError:
        told = []
    if name in told:
        return False
    try:
        private_folder(config_dir(home), repair=False)
        temporary = f"{path}.{os.getpid()}.tmp"
        with open(temporary, "w", encoding="ascii") as file:
            file.write("".join(f"{one}\n" for one in (*told, name)[-SESSIONS_KEPT:]))
        os.replace(temporary, path)
    except OSError:
        pass  # told again at the next call, which is better than never
    return True
