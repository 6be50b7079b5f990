"""The public event log: which checks are told there, in which words, and how a line is appended.

Knows the Onlooker envelope and the five `compass.check.*` payloads; everything else about a check stays in
the private record. Lines name the machine by an id that the Onlooker plugins share.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable

from evaluator.effects import PATCH_TOOL
from evaluator.files import append_line, claim_private, replace_private
from evaluator.model import Check
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
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def event_of(check: Check) -> tuple[str, Payload] | None:
    """(event type, payload) of a check, or None where the public schema has no words for it.

    A check that failed without scores is told as skipped, `sampler_error`. In observe mode nothing is told
    as failed. `released` is told as overridden and `cancelled` as canceled.
    """
    tool = TOOLS.get(check.pending.tool_name)
    if tool is None or check.reason in UNTOLD:
        return None
    path: Payload = {"file_path": file_path(check)}
    found, scores = check.convergence, None
    if found is not None and 0 <= found.mean <= 1 and 0 <= found.stddev < math.inf:
        # Others the schema would refuse.
        scores = {"confidence": found.mean, "stddev": found.stddev}
    if check.reason == "released" or (check.overrides and check.decision == "allow"):
        return "compass.check.overridden", path | (scores or {}) | {"user_acknowledgment": True}
    if check.reason == "cancelled":
        return "compass.check.canceled", path | (scores or {})
    if check.verdict == "skipped" or check.reason == "sampler_error" or scores is None or found is None:
        # What failed without scores failed for want of readers.
        reason = check.reason if check.reason in SKIP_REASONS else "sampler_error"
        told = check.verdict == "failed" or check.reason in SKIP_REASONS
        return ("compass.check.skipped", {"reason": reason, "tool_name": tool} | path) if told else None
    payload = scores | path | {"tool_name": tool, "sample_count": found.sample_count}
    if check.exchange is not None:
        payload["had_prior_turn"] = bool(check.exchange.prior_assistant_turn)
    if check.verdict == "passed":
        return "compass.check.passed", payload
    if check.mode == "observe":
        return None
    return "compass.check.failed", payload | {"primary_concern": found.primary_concern}


def file_path(check: Check) -> str:
    """The first target, or the working directory of a call that names none."""
    targets = () if check.effects is None else check.effects.targets
    return _clean_event_text(targets[0] if targets else check.pending.cwd, PATH_CHARS_MAX)


def envelope(
    check: Check, event: tuple[str, Payload], *, event_id: str, machine: str, sequence: int
) -> dict[str, object]:
    """The whole event, as the Onlooker schema of version 1.0 wants it."""
    event_type, payload = event
    host = check.pending.host
    return {
        "id": event_id,
        "schema_version": SCHEMA_VERSION,
        "runtime": host if host in RUNTIMES else OTHER_RUNTIME,
        "plugin": PLUGIN,
        "adapter_id": host,
        "machine_id": machine,
        "timestamp": rfc3339(check.at),
        "session_id": _clean_event_text(check.pending.session_id, SESSION_CHARS_MAX),
        "sequence": sequence,
        "event_type": event_type,
        "payload": payload,
    }


class EventLog:
    """The event log, a JSONL file at `path`; the machine's id lives in `onlooker_dir`.

    An event that cannot be written is dropped, and `on_fault` is told why.
    """

    def __init__(
        self, path: str, onlooker_dir: str, *, on_fault: Callable[[str], object] = lambda _: None
    ) -> None:
        self._path = path
        self._onlooker_dir = onlooker_dir
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
                self._machine = machine_id(self._onlooker_dir)
            whole = envelope(check, event, event_id=_new_event_id(), machine=self._machine, sequence=sequence)
            append_line(self._path, json.dumps(whole, allow_nan=False).encode("ascii"), LOCK_SECONDS)
        except (OSError, ValueError) as error:
            self._on_fault(f"{self._path}: event of check {check.check_id} not written: {error}")


def _clean_event_text(text: str, limit: int) -> str:
    """Cut to `limit` characters; lone surrogates, which no UTF-8 reader takes, replaced."""
    return text[:limit].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def machine_id(folder: str) -> str:
    """The UUID in `<folder>/machine_id`; made, 0600, if there is none or the file holds no UUID. Raises OSError."""
    path = os.path.join(folder, MACHINE_NAME)
    found, fresh = _read_events_machine_id(path), _new_event_id()
    if found is None and not claim_private(path, fresh + "\n"):
        # Another process, or another plugin, was first.
        found = _read_events_machine_id(path)
        if found is None:
            replace_private(path, fresh + "\n")
    return found or fresh


def _new_event_id() -> str:
    """A random UUID (RFC 9562, version 4). The module `uuid` would cost a hook 3 ms at import."""
    number = int.from_bytes(os.urandom(16), "big") & ~(0xF << 76) & ~(0x3 << 62) | 4 << 76 | 2 << 62
    text = f"{number:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _read_events_machine_id(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            text = file.read(64).decode("ascii", "replace").strip()
        return text if _UUID.fullmatch(text) else None
    except FileNotFoundError:
        return None
