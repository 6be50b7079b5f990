"""The public event log: which checks are told there, in which words, and how a line is appended.

Knows the Onlooker envelope and the five `compass.check.*` payloads; everything else about a check stays in
the private record. Lines name the machine by an id that the Onlooker plugins share.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import cast

from evaluator.effects import PATCH_TOOL
from evaluator.files import PRIVATE_FILE, append_line, locked, private_folder
from evaluator.model import Check, Convergence
from evaluator.text import rfc3339

Payload = dict[str, object]

SCHEMA_VERSION = "1.0"
PLUGIN = "compass"
RUNTIMES = frozenset(("claude-code", "cursor", "copilot", "gemini"))
OTHER_RUNTIME = "custom"
TOOLS = {
    "Write": "Write", "Edit": "Edit", "MultiEdit": "MultiEdit", "Bash": "Bash", "NotebookEdit": "Edit",
    PATCH_TOOL: "MultiEdit",
}  # fmt: skip
"""The tools that the schema can name, and how."""
SKIP_REASONS = frozenset((
    "skip_sentinel", "skip_glob", "dir_plus_stem_cooldown", "turn_budget_exhausted", "insufficient_context",
    "reply_to_question_pattern", "sampler_error", "circuit_open", "evaluator_budget_exhausted",
))  # fmt: skip
UNTOLD = frozenset(("not_write_class", "disabled", "self_protection", "paused", "denied_before", "covered"))
"""Reasons that the schema cannot say."""
PATH_CHARS_MAX = 4096
SESSION_CHARS_MAX = 256
LOCK_SECONDS = 1.0
MACHINE_NAME = "machine_id"
HEX = frozenset("0123456789abcdefABCDEF")
GROUPS = [8, 4, 4, 4, 12]


def event_of(check: Check) -> tuple[str, Payload] | None:
    """(event type, payload) of a check, or None where the public schema has no words for it.

    A check that failed without scores is told as skipped, `sampler_error`. In observe mode nothing is told
    as failed. `released` is told as overridden and `cancelled` as canceled.
    """
    tool = TOOLS.get(check.pending.tool_name)
    if tool is None or check.reason in UNTOLD:
        return None
    path: Payload = {"file_path": file_path(check)}
    scores = _scores(check.convergence)
    if check.reason == "released" or (check.overrides and check.decision == "allow"):
        return "compass.check.overridden", path | (scores or {}) | {"user_acknowledgment": True}
    if check.reason == "cancelled":
        return "compass.check.canceled", path | (scores or {})
    if check.verdict == "skipped" or check.reason == "sampler_error" or scores is None:
        reason = _skip_reason(check)
        skipped: Payload = {"reason": reason, "tool_name": tool} | path
        return None if reason is None else ("compass.check.skipped", skipped)
    payload = scores | path | {"tool_name": tool} | _background(check)
    if check.verdict == "passed":
        return "compass.check.passed", payload
    if check.mode == "observe":
        return None
    assert check.convergence is not None
    return "compass.check.failed", payload | {"primary_concern": check.convergence.primary_concern}


def file_path(check: Check) -> str:
    """The first target, or the working directory of a call that names none."""
    targets = () if check.effects is None else check.effects.targets
    return _clean(targets[0] if targets else check.pending.cwd, PATH_CHARS_MAX)


def envelope(
    check: Check, event: tuple[str, Payload], *, event_id: str, machine: str, sequence: int
) -> dict[str, object]:
    """The whole event, as the Onlooker schema of version 1.0 wants it."""
    event_type, payload = event
    host = check.pending.host
    whole: dict[str, object] = {
        "id": event_id,
        "schema_version": SCHEMA_VERSION,
        "runtime": host if host in RUNTIMES else OTHER_RUNTIME,
        "plugin": PLUGIN,
        "adapter_id": host,
        "machine_id": machine,
        "timestamp": rfc3339(check.at),
        "session_id": _clean(check.pending.session_id, SESSION_CHARS_MAX),
        "sequence": sequence,
        "event_type": event_type,
        "payload": payload,
    }
    tokens = sum(sample.input_tokens + sample.output_tokens for sample in check.samples)
    costs = [sample.cost_usd for sample in check.samples]
    if tokens > 0:
        whole["token_count"] = tokens
    if tokens > 0 and None not in costs:
        whole["cost_usd"] = sum(cast(list[float], costs))
    return whole


class EventLog:
    """The event log, a JSONL file at `path`; the machine's id lives in `onlooker_dir`.

    An event that cannot be written is dropped, and `faults` and `on_fault` tell why. `random` gives that
    many random bytes.
    """

    def __init__(
        self,
        path: str,
        onlooker_dir: str,
        *,
        random: Callable[[int], bytes] = os.urandom,
        on_fault: Callable[[str], None] | None = None,
    ) -> None:
        self.faults: list[str] = []
        self._path = path
        self._onlooker_dir = onlooker_dir
        self._random = random
        self._on_fault = on_fault
        self._machine: str | None = None

    def tells(self, check: Check) -> bool:
        return event_of(check) is not None

    def emit(self, check: Check, sequence: int) -> None:
        event = event_of(check)
        if event is None:
            return
        import json

        try:
            if self._machine is None:
                self._machine = machine_id(self._onlooker_dir, self._random)
            event_id = uuid4(self._random(16))
            whole = envelope(check, event, event_id=event_id, machine=self._machine, sequence=sequence)
            append_line(self._path, json.dumps(whole, allow_nan=False).encode("ascii"), LOCK_SECONDS)
        except (OSError, ValueError) as error:
            fault = f"{self._path}: event of check {check.check_id} not written: {error}"
            self.faults.append(fault)
            if self._on_fault is not None:
                self._on_fault(fault)


def _scores(convergence: Convergence | None) -> Payload | None:
    """None as well for figures that the schema would refuse."""
    if convergence is None or not 0 <= convergence.mean <= 1 or not 0 <= convergence.stddev < math.inf:
        return None
    return {"confidence": convergence.mean, "stddev": convergence.stddev}


def _background(check: Check) -> Payload:
    found: Payload = {}
    if check.exchange is not None:
        found["had_prior_turn"] = bool(check.exchange.prior_assistant_turn)
    if check.convergence is not None:
        found["sample_count"] = check.convergence.sample_count
    return found


def _skip_reason(check: Check) -> str | None:
    if check.reason in SKIP_REASONS:
        return check.reason
    return "sampler_error" if check.verdict == "failed" else None


def _clean(text: str, limit: int) -> str:
    """Cut to `limit` characters; lone surrogates, which no UTF-8 reader takes, replaced."""
    return text[:limit].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def uuid4(randomness: bytes) -> str:
    """16 random bytes as a version 4 UUID (RFC 9562, section 5.4)."""
    value = bytearray(randomness[:16])
    value[6] = value[6] & 0x0F | 0x40
    value[8] = value[8] & 0x3F | 0x80
    digits = value.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def is_uuid(text: str) -> bool:
    groups = text.split("-")
    return [len(group) for group in groups] == GROUPS and all(HEX.issuperset(group) for group in groups)


def machine_id(folder: str, random: Callable[[int], bytes]) -> str:
    """The UUID in `<folder>/machine_id`; made, 0600, if there is none or the file holds something else.

    All racers get the same id. Raises OSError.
    """
    path = os.path.join(folder, MACHINE_NAME)
    found = _read_id(path)
    if found is not None:
        return found
    private_folder(folder, repair=False)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with locked(descriptor, LOCK_SECONDS, folder):
            return _read_id(path) or _write_id(path, uuid4(random(16)))
    finally:
        os.close(descriptor)


def _read_id(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            text = file.read(64).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    return text if is_uuid(text) else None


def _write_id(path: str, fresh: str) -> str:
    """A link fails where another plugin, which does not know our lock, was first."""
    temporary = f"{path}.{fresh}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        try:
            os.write(descriptor, fresh.encode("ascii") + b"\n")
        finally:
            os.close(descriptor)
        try:
            os.link(temporary, path)
        except FileExistsError:
            other = _read_id(path)
            if other is not None:
                return other
            os.replace(temporary, path)
            return fresh
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
    return fresh
