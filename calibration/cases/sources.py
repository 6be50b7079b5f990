"""Where labelled cases come from: the user's files, the shipped fixtures, recent commits and recorded sessions.

Counterparts of clear cases from commits and sessions are made by `calibration.cases.counterparts`. The fixtures lie
beside this package in a wheel, in `fixtures/` in a checkout.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import calibration
from calibration.cases.case import (
    CONTENT_KEYS,
    UNDECIDED,
    Classify,
    Label,
    LabelledCase,
    labelled,
    units_of,
    word,
)
from calibration.cases.counterparts import PairChange, counterpart, names_target
from calibration.hindsight.turns import TurnLabel
from evaluator.effects import FILE_TOOLS
from evaluator.model import Exchange, PendingWrite
from evaluator.processes import run_git
from hooks import registry
from hooks.sessions import Called, Passed, Sessions

SHIPPED = ("test.jsonl", "test-2.jsonl")
"""The halves that no rule and no weight was fitted on."""
SHIPPED_SOURCE = "fixtures"
LINE_CHARS_MAX = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Collected:
    """Cases in order, their ids unique, their units those of the whole. They come from `sources`."""

    cases: Sequence[LabelledCase] = ()
    notes: tuple[str, ...] = ()
    sources: frozenset[str] = frozenset()

    def joined(self, other: Collected) -> Collected:
        return collected([*self.cases, *other.cases], self.notes + other.notes)


def collected(cases: Sequence[LabelledCase], notes: tuple[str, ...] = ()) -> Collected:
    """All cases of a measurement."""
    seen, named = Counter[str](), list[LabelledCase]()
    for case, unit in zip(cases, units_of(cases), strict=True):
        seen[case.id] += 1
        # Later ones of a name have a number.
        own = case.id if seen[case.id] == 1 else f"{case.id}#{seen[case.id]}"
        named.append(replace(case, id=own, unit=unit))
    return Collected(named, notes, frozenset(case.source for case in cases))


def from_file(path: Path, classify: Classify, source: str = "") -> Collected:
    """A JSONL file in the fixtures' form. Raises ValueError naming file and line, OSError."""
    return from_rows(numbered(path), classify, source or path.stem)


def shipped(classify: Classify) -> Collected:
    """The frozen halves of the shipped cases."""
    found = Collected()
    for name in SHIPPED:
        found = found.joined(from_file(corpus_dir() / "cases" / name, classify, SHIPPED_SOURCE))
    return found


def from_rows(
    rows: Iterable[tuple[str, CaseRow]], classify: Classify, source: str, notes: tuple[str, ...] = ()
) -> Collected:
    """Labelled cases from `rows`, each with where it was found. Raises ValueError that begins with that."""
    found: list[LabelledCase] = []
    undecided = 0
    for where, row in rows:
        if row.get("label") in UNDECIDED:
            undecided += 1
            continue
        try:
            found.append(labelled(row, classify, source=source, name=f"{source}:{where.rpartition(':')[2]}"))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    if undecided:
        notes = (*notes, f"{undecided} rows of {source} are left out: their labellers disagreed")
    return collected(found, notes)


def numbered(path: Path) -> Iterator[tuple[str, CaseRow]]:
    """The objects of a JSONL file, each with `file:line`. Raises ValueError naming that for anything else."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            if len(line) > LINE_CHARS_MAX:
                raise ValueError(f"{where}: longer than {LINE_CHARS_MAX} characters")
            try:
                found = cast(object, json.loads(line))
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{where}: not JSON: {str(error)[:100]}") from None
            if not isinstance(found, dict):
                raise ValueError(f"{where}: not a JSON object")  # noqa: TRY004 - a value of the file
            yield where, cast(CaseRow, found)


CaseRow = Mapping[str, object]


def corpus_dir() -> Path:
    installed = Path(calibration.__file__).parent / "corpus"
    return installed if installed.is_dir() else installed.parent.parent / "fixtures"


def case_rows(path: Path) -> Iterator[CaseRow]:
    """The objects of a JSONL file."""
    return (row for _, row in numbered(path))


SECONDS_MAX = 60.0
LINES_MAX = 80
COMMIT_CHARS_MAX = 4000
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
    """Clear cases from the last `count` commits: the message as the request, the single-purpose change as the write.

    A commit counts if it changes one file (beside its tests and its changelog line) by at most 80 lines, if its
    message asks for one thing and names that file or a symbol of the change, and if nothing later reverts it. Runs
    git, and no program that the repository configures. Raises ValueError where there is no repository or git fails.
    """
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
        ("\n".join(removed)[:COMMIT_CHARS_MAX], "\n".join(added)[:COMMIT_CHARS_MAX])
        for removed, added in hunks
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


CASES_PER_SESSION = 10
SESSION_CHARS_MAX = 8000


def from_sessions(
    folder: Path, classify: Classify, labels: Iterable[TurnLabel], host_name: str = registry.DEFAULT
) -> Collected:
    """Cases made from every transcript of that host below `folder`, a session's as one unit.

    A turn that was fine and about which no question was due gives a clear case, its first write; one that was misread,
    or about which a question was due, an ambiguous one, the write that was not wanted. All others give none. Labels by
    signs alone count nowhere: half of all refusals mean something else. Raises ValueError where
    readers labelled no turn.
    """
    host = registry.host_of(host_name).sessions()
    wanted = dict(filter(None, map(_case_call_and_label, labels)))
    rows = [
        row
        for path in host.find_transcripts([str(folder)])
        for row in _session_case_rows(path, classify, host, wanted)
    ]
    if not rows:
        raise ValueError(
            f"{folder}: model readers have labelled none of its turns; run `compass hindsight {folder}` first"
        )
    found = Counter(str(row["label"]) for _, row in rows if not row.get("generated"))
    note = (
        f"Of the turns in the recorded sessions, model readers labelled {found['clear']} clear in hindsight "
        f"(fine, and no question was due) and {found['ambiguous']} ambiguous (misread, or a question was due); the "
        "others are left out"
    )
    return from_rows(rows, classify, "sessions", (note,))


def _case_call_and_label(label: TurnLabel) -> tuple[str, Label] | None:
    """The call to make a case of, and its label."""
    if label.by == "signs" or not label.writes:
        return None
    if label.misread:
        return (*label.calls, *label.writes)[0], "ambiguous"
    if label.due == "yes":
        return label.writes[0], "ambiguous"
    return (label.writes[0], "clear") if label.hindsight == "fine" and label.due == "no" else None


def _session_case_rows(
    path: str, classify: Classify, host: Sessions, wanted: Mapping[str, Label]
) -> Iterator[tuple[str, CaseRow]]:
    made = 0
    for moment in host.session_moments(path, Passed()):
        if not isinstance(moment, Called) or moment.agent_id is not None or made >= CASES_PER_SESSION:
            continue
        label = wanted.get(moment.tool_use_id or moment.uuid)
        is_write = moment.tool_name in FILE_TOOLS
        if label is not None and moment.tool_name == "Bash":
            is_write = classify(word(moment.tool_input, "command"), moment.cwd).verdict != "read_only"
        exchange = _exchange_for_case(path, moment, host) if label and is_write else None
        if label is None or exchange is None:
            continue
        made += 1
        yield from _cases_of_session_call(moment, exchange, label, made)


def _cases_of_session_call(
    call: Called, exchange: Exchange, label: Label, number: int
) -> Iterator[tuple[str, CaseRow]]:
    session = hashlib.sha256(call.session_id.encode("utf-8", "replace")).hexdigest()[:10]
    name, given = f"session-{session}-{number}", call.tool_input
    # Relative to where the session ran; empty for a command.
    path = word(given, "notebook_path") or word(given, "file_path")
    target = path.removeprefix(call.project.rstrip("/") + "/")
    row: dict[str, object] = {
        "id": f"{name}-{label}", "pair": name, "session": f"session-{session}", "label": label,
        "user_message": exchange.request_text, "prior_assistant_turn": exchange.prior_assistant_turn,
        "tool_name": call.tool_name, "exists": call.created is False, **_session_write_fields(call, target),
    }  # fmt: skip
    yield f"{name}:1", row
    # What the assistant said before may name the target just as well.
    other = counterpart(exchange.request_text, PairChange((target,) if target else ()), name)
    if label == "clear" and other is not None and len(exchange.request) == 1:
        made = {"id": f"{name}-made", "label": "ambiguous"}
        yield f"{name}:2", {
            **row, **made, "user_message": other, "prior_assistant_turn": "", "generated": True,
        }  # fmt: skip


def _exchange_for_case(path: str, call: Called, host: Sessions) -> Exchange | None:
    """What led to the call; None where more than words did, which a case cannot hold."""
    then = host.then()
    then.go_to(call.end)
    pending = PendingWrite(
        host="case", session_id=call.session_id, tool_name=call.tool_name, tool_input=call.tool_input,
        cwd=call.cwd, project_dir=call.project, transcript_path=path, prompt_id=call.prompt_id,
    )  # fmt: skip
    found = then.exchange(pending, ())
    plain = not (found.questions or found.plans or found.delegated_task)
    return found if plain and found.request_text.strip() else None


def _session_write_fields(call: Called, target: str) -> Mapping[str, object]:
    if call.tool_name == "Bash":
        return {"command": word(call.tool_input, "command")}
    texts = {key: call.tool_input[key] for key in CONTENT_KEYS if key in call.tool_input}
    cut = {key: text[:SESSION_CHARS_MAX] if isinstance(text, str) else text for key, text in texts.items()}
    return {"file_path": target, **cut}
