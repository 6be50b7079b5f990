"""A pending call from what a program says of it, and what led to it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from compass.api.host import NAME
from evaluator.effects import effect, folded
from evaluator.errors import PayloadError
from evaluator.model import Effects, Exchange, PendingWrite
from evaluator.record import Record

if TYPE_CHECKING:
    from os import PathLike

FILE_TOOLS = ("Write", "Edit")


class Said(Record):
    """`user` are the messages that the agent acts on, `prior` what it said before them, `task` a subagent's own."""

    user: str | Sequence[str]
    prior: str = ""
    task: str = ""

    def exchange(self) -> Exchange:
        request = (self.user,) if isinstance(self.user, str) else tuple(self.user)
        return Exchange(tuple(text for text in request if text), self.prior, delegated_task=self.task)


class Call(Record):
    """A call: by its `input`, or by what of a command or a file it is."""

    tool: str = ""
    input: Mapping[str, object] | None = None
    command: str | None = None
    path: str | PathLike[str] | None = None
    content: str | None = None
    old: str | None = None
    new: str | None = None
    exists: bool | None = None

    def pending(self, project: str, session: str) -> PendingWrite:
        """Raises PayloadError for one that says too little, or two things at once."""
        tool, given = self._said()
        return PendingWrite(NAME, session, tool, given, cwd=project, project_dir=project)

    def _said(self) -> tuple[str, Mapping[str, object]]:
        plain = (self.command, self.path, self.content, self.old, self.new)
        if self.input is not None:
            if any(one is not None for one in plain):
                raise PayloadError("give a call's input, or its command or path, not both")
            if not self.tool:
                raise PayloadError("an input needs the name of its tool")
            return self.tool, self.input
        if self.command is not None:
            if self.path is not None or self.tool not in ("", "Bash"):
                raise PayloadError("a command is run by Bash and has no path; give other tools their input")
            return "Bash", {"command": self.command}
        if self.path is None:
            raise PayloadError("a call needs a command, a path or an input")
        edits = self.old is not None or self.new is not None
        tool = self.tool or ("Edit" if edits else "Write")
        if tool not in FILE_TOOLS:
            raise PayloadError(f"a path goes with {' and '.join(FILE_TOOLS)}; give {tool} its input")
        path = os.fspath(self.path)
        if tool == "Edit":
            return tool, {"file_path": path, "old_string": self.old or "", "new_string": self.new or ""}
        return tool, {"file_path": path, "content": self.content or ""}

    def stated(self, found: Effects | None) -> Effects | None:
        """What the call would do, where it says itself whether its file is there."""
        if self.exists is None or found is None or self.tool not in ("", "Write"):
            return found
        if found.operation not in ("create", "overwrite") or len(found.targets) != 1:
            return found
        one = effect("overwrite" if self.exists else "create", found.targets[0])
        return folded([one], lines=found.lines)
