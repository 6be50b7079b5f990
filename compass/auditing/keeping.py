"""Where an audit lies between its sessions: the plan in one file, answers appended to another, both 0600.

An answer is on the disk before the next question is shown, so `^C`, `kill -9` and a power cut lose none.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Generator
from itertools import chain

from calibration.audit.answers import AuditAnswer, answer_of, told_by
from calibration.audit.plan import AuditPlan, plan_of_json
from compass.install.settings_file import replace as replace_file
from evaluator.errors import StateError
from evaluator.files import append_line, lock_file, private_folder

PLAN, ANSWERS = "audit.json", "audit.answers.jsonl"
WAIT_SECONDS = 0.2
APPEND_SECONDS = 2.0


class KeptAudit:
    """The audit of one project. `told` has the last answer about each write, in the order of their first."""

    def __init__(self, folder: str, *, fresh: bool) -> None:
        """`fresh` reads nothing of what lies there. Raises StateError for what cannot be read."""
        self._plan_file = os.path.join(folder, PLAN)
        self._answers_file = os.path.join(folder, ANSWERS)
        self.plan = None if fresh else self._read_plan()
        self.told: dict[str, bool | None] = told_by(self._read_answers()) if self.plan is not None else {}

    def begin(self, plan: AuditPlan) -> None:
        """Keeps a new plan; an older one with its answers is set aside beside it. Raises ConfigError, OSError."""
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        # The answers go first: without them the older plan asks anew, with them a new one would count what is not its.
        for path in (self._answers_file, self._plan_file):
            if os.path.lexists(path):
                os.replace(path, _unused(f"{path}.before-{stamp}"))
        replace_file(self._plan_file, chain(plan.pieces(), "\n"), private=True)
        self.plan, self.told = plan, {}

    def keep(self, answer: AuditAnswer) -> None:
        """Raises OSError, TimeoutError."""
        append_line(self._answers_file, answer.line().encode(), APPEND_SECONDS)
        descriptor = os.open(self._answers_file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        self.told[answer.write] = answer.hold

    def _read_plan(self) -> AuditPlan | None:
        try:
            with open(self._plan_file, encoding="utf-8") as file:
                return plan_of_json(json.load(file))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            raise StateError(
                f"{self._plan_file}: {error}; `compass audit --fresh` begins anew, and keeps what you answered "
                "beside it"
            ) from None

    def _read_answers(self) -> list[AuditAnswer]:
        """A torn line of a killed process, or one that says nothing usable, is a question that is asked again."""
        found: list[AuditAnswer] = []
        try:
            with open(self._answers_file, encoding="utf-8", errors="replace") as file:
                for line in file:
                    with contextlib.suppress(ValueError):
                        found.append(answer_of(line))
        except FileNotFoundError:
            pass
        except OSError as error:
            raise StateError(f"{self._answers_file}: {error.strerror}") from None
        return found


@contextlib.contextmanager
def kept_audit(folder: str, *, fresh: bool) -> Generator[KeptAudit]:
    """For this process alone. Raises StateError, OSError."""
    private_folder(folder, repair=False)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(lock_file(os.path.join(folder, f"{PLAN}.lock"), WAIT_SECONDS))
        except TimeoutError:
            raise StateError(
                "another `compass audit` of this project is running; go on there, or end it"
            ) from None
        yield KeptAudit(folder, fresh=fresh)


def _unused(path: str) -> str:
    number, found = 1, path
    while os.path.lexists(found):
        number += 1
        found = f"{path}-{number}"
    return found
