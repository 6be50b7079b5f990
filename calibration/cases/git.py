"""Clear cases from recent history: a commit's message as the request, its single-purpose change as the write.

A commit counts if it changes one file (beside its tests and its changelog line) by at most 80 lines, if its message
asks for one thing and names that file or a symbol of the change, and if nothing later reverts it. Its counterpart is
made by `calibration.cases.counterparts`. Runs git, and no program that the repository configures.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibration.cases.case import Classify
from calibration.cases.counterparts import PairChange, counterpart, names_target
from calibration.cases.sources import CaseRow, Collected, from_rows
from evaluator.processes import run_git

SECONDS_MAX = 60.0
LINES_MAX = 80
TEXT_CHARS_MAX = 4000
LEAST_WORDS, MOST_WORDS = 3, 60
SYMBOLS_MAX = 60

_RECORD, _FIELD = "\x1e", "\x1f"
_COMPANION = re.compile(
    r"(^|/)(tests?|specs?|__tests__|fixtures)/|(^|/)test_|[._-](test|spec)\.|(^|/)(changelog|changes|news)\b|\.lock$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"[;&+]|\band\b|\bwip\b|\bmisc\b|\bvarious\b|\bseveral\b|\bund\b|\bet\b|\by\b", re.IGNORECASE
)
_AUTOMATIC = re.compile(
    r"^(merge|revert|fixup!|squash!|release\b|v?\d+\.\d+)|^(chore|build)\(deps|^bump .* from .* to ",
    re.IGNORECASE,
)
_TYPE = re.compile(r"^(?:\w+)(?:\(([^)]+)\))?!?:\s+")
_TRAILER = re.compile(r"^[A-Z][\w-]+(?:-[Bb]y|-[Ii]d)?: .*$|^\(?#\d+\)?$", re.MULTILINE)
_ISSUE = re.compile(r"\s*\((?:closes |fixes )?#\d+\)|\s+#\d+\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_]\w{3,}")


@dataclass(frozen=True, slots=True)
class Commit:
    commit: str
    message: str
    status: str
    path: str


def from_git(project_dir: str, count: int, classify: Classify) -> Collected:
    """Cases made from the last `count` commits. Raises ValueError where there is no repository or git fails."""
    rows: list[tuple[str, CaseRow]] = []
    form = f"--format={_RECORD}%H{_FIELD}%B{_FIELD}"
    log = _git_output(project_dir, "log", f"-n{count}", "--no-merges", "--name-status", "--no-renames", form)
    for commit in _single_purpose_commits(log):
        words = ("--format=", "-U0", "--no-renames", commit.commit, "--", commit.path)
        hunks, symbols = _parse_git_hunks(_git_output(project_dir, "show", *words))
        if not hunks:
            continue
        change = PairChange((commit.path,), symbols)
        request = request_of_commit(commit.message)
        subject = request.partition("\n")[0]
        is_plain = len(request.split()) >= LEAST_WORDS and not _SEVERAL.search(subject)
        if not is_plain or _AUTOMATIC.search(subject) or not names_target(request, change):
            continue
        name = f"git-{commit.commit[:12]}"
        row: dict[str, object] = {
            "id": f"{name}-clear", "pair": name, "label": "clear", "user_message": request,
            "prior_assistant_turn": "", **_git_commit_write(commit, hunks),
        }  # fmt: skip
        rows.append((f"{name}:1", row))
        other = counterpart(request, change, name)
        if other is not None:
            made = {"id": f"{name}-ambiguous", "label": "ambiguous", "user_message": other, "generated": True}
            rows.append((f"{name}:2", {**row, **made}))
    return from_rows(rows, classify, "git")


def request_of_commit(message: str) -> str:
    """The subject and the first paragraph below it, without conventional prefix, issue numbers and trailers."""
    subject, _, rest = message.strip().partition("\n")
    subject = _TYPE.sub(lambda found: f"{found[1]}: " if found[1] else "", subject)
    paragraph = _TRAILER.sub("", rest.strip().split("\n\n")[0]).strip()
    text = _ISSUE.sub("", f"{subject}\n{paragraph}".strip())
    return text if len(text.split()) <= MOST_WORDS else _ISSUE.sub("", subject).strip()


def _single_purpose_commits(log: str) -> Iterator[Commit]:
    reverted = set(re.findall(r"This reverts commit ([0-9a-f]{7,40})", log))
    for entry in log.split(_RECORD)[1:]:
        commit, message, raw = [*entry.split(_FIELD), "", ""][:3]
        if _AUTOMATIC.search(message) or any(commit.startswith(short) for short in reverted):
            continue
        files = [line.partition("\t") for line in raw.strip().splitlines() if line]
        own = [(status[:1], path) for status, _, path in files if not _COMPANION.search(path)]
        if len(own) == 1 and own[0][0] in ("A", "M", "D"):
            yield Commit(commit, message, *own[0])


def _parse_git_hunks(shown: str) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """(removed, added) of each hunk, and the words of the changed lines; nothing for a large or binary change."""
    hunks: list[tuple[list[str], list[str]]] = []
    heads: list[str] = []
    for line in shown.splitlines():
        if line.startswith("@@"):
            hunks.append(([], []))
            heads.append(line.rpartition("@@")[2])
        elif hunks and line[:1] in "-+":
            hunks[-1][line[0] == "+"].append(line[1:])
    lines = [line for removed, added in hunks for line in (*removed, *added)]
    if not lines or len(lines) > LINES_MAX:
        return [], ()
    words = dict.fromkeys(_WORD.findall("\n".join((*heads, *lines))))
    telling = [word for word in words if re.search(r"_|[a-z][A-Z]|\d", word) or len(word) > 6]
    cut = [
        ("\n".join(removed)[:TEXT_CHARS_MAX], "\n".join(added)[:TEXT_CHARS_MAX]) for removed, added in hunks
    ]
    return cut, tuple(telling[:SYMBOLS_MAX])


def _git_commit_write(commit: Commit, hunks: Sequence[tuple[str, str]]) -> CaseRow:
    if commit.status == "D":
        return {"tool_name": "Bash", "command": f"rm {shlex.quote(commit.path)}"}
    if commit.status == "A":
        return {"tool_name": "Write", "file_path": commit.path, "operation": "create", "content": hunks[0][1]}
    if len(hunks) == 1:
        old, new = hunks[0]
        return {"tool_name": "Edit", "file_path": commit.path, "old_string": old, "new_string": new}
    edits = [{"old_string": old, "new_string": new} for old, new in hunks]
    return {"tool_name": "MultiEdit", "file_path": commit.path, "edits": edits}


def _git_output(project_dir: str, command: str, *words: str) -> str:
    """The output of git. Raises ValueError with what it said."""
    try:
        done = run_git(project_dir, command, *words, seconds=SECONDS_MAX, errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ValueError(f"git {command}: {error}") from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise ValueError(f"git {command} in {project_dir}: {said[-1] if said else done.returncode}")
    return done.stdout
