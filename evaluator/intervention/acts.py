"""What a held call is called: what it does and to what, and which of the offered readings is that. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.effects import text_of
from evaluator.model import STAKES, Effect, Effects, PendingWrite
from evaluator.text import fold, safe, width
from evaluator.trigger.exemptions import display, display_target

if TYPE_CHECKING:
    from evaluator.shell.bash import Segment

IN_FILES = ("create", "append", "edit", "overwrite", "delete", "move", "permissions")
PUBLISHING = ("commit", "push")
SEGMENTS_COLUMNS = 75
"""Commands that are wider are told by those of them with the most at stake."""
_PUSH = re.compile(r"git push(?: -u| --set-upstream)? (?!-)([\w.-]+)(?: ([\w./-]+))?")
_STAGES = re.compile(r"git(?: -C \S+)? (?:add|stage)\b")
_COMMITS = re.compile(r"git(?: -C \S+)? commit\b(?!.* --amend)")
_GOES_ON = re.compile(r"(?:[|&;({\\]|\b(?:do|then|else))$")
"""A line after which the command is not over."""
_BACKSLASH = "\\"
_OUTPUT = re.compile(r" 2>&1(?: \| (?:tail|head) [\w -]+)?$")
"""What a command does with its output is not what it waits for."""
_SUBJECT = re.compile(
    r"""-\w*m[\s=]*(?:"?\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*(.+)|"([^"\n$`]+)|'([^'\n]+))"""
)
_MESSAGE = re.compile(r"""\$\(cat <<-?\s*['"]?(\w+)['"]?\s*\n\s*(.+)(?:\n.*)*?\n\s*\1\s*\)""")
"""A text that is handed to a command as a heredoc; its first line tells it."""
_NAME = re.compile(r"[^\s`'\"(),;:=]+")
_REMOTE = re.compile(r"[^/]*[:@]|.*://")
_PART = re.compile(r"[^\W_]{3,}")


def act_of(pending: PendingWrite, effects: Effects, objected: Effect | None = None) -> tuple[str, ...]:
    """The kind of the call, a key of the texts' `acts`, and its file, remote, command or tool; of files each, of
    commands those that the first leaves out. `objected` is the effect for which it is held, told before others."""
    worst = objected or max(
        effects.each,
        key=lambda one: (STAKES[one.stakes], one.operation == "vcs" and bool(one.act)),
        default=None,
    )
    operation = effects.operation if worst is None else worst.operation
    in_files = operation in IN_FILES and (worst is None or worst.target) and effects.targets
    if in_files and not (effects.command and _is_act_hidden_by_files(effects, operation)):
        # The files of a call in words, what it is held for first, then what is lost.
        each = sorted(effects.each, key=lambda one: (one != objected, -STAKES[one.stakes]))
        targets = [one.target for one in each if one.target and one.operation == operation]
        named = (display(one, pending.project_dir) for one in targets or effects.targets)
        return operation, *(dict.fromkeys(named) or (display_target(pending, ()),))
    if not effects.command:
        return "call", safe(pending.tool_name.removeprefix("mcp__").replace("__", ": "), " ")
    script = text_of(pending.tool_input, "command")
    told, left_out = _commands_telling_act(pending, effects, script, objected)
    if all(map(_COMMITS.match, told)) and told and not left_out:
        subject = _SUBJECT.search(script)
        said = next(filter(None, subject.groups())) if subject else ""
        return "commit", " ".join(safe(said, " ").replace('"', "'").split())
    command = _act_on_one_line((" && " if "&&" in effects.command else "; ").join(told) or effects.command)
    pushed = _PUSH.fullmatch(command)
    kind, what = ("push", "/".join(filter(None, pushed.groups()))) if pushed else ("run", command)
    return kind, what, *left_out


def _is_act_hidden_by_files(effects: Effects, operation: str) -> bool:
    """Whether names of files would hide something of a command that cannot be taken back, or weighs as much."""
    least = min(STAKES[effects.stakes], STAKES["outward"])
    return any(
        not one.target or one.operation != operation for one in effects.each if STAKES[one.stakes] >= least
    )


def _commands_telling_act(
    pending: PendingWrite, effects: Effects, script: str, objected: Effect | None
) -> tuple[list[str], list[str]]:
    """Those commands of a held line that tell what it does, and those left out for their room; none where the whole
    line tells more."""
    from evaluator.shell.bash import explain

    stakes: dict[str, int] = {}
    held_for: set[str] = set()
    for one in explain(script or effects.command, pending.cwd or "/").segments:
        text = _act_on_one_line(_MESSAGE.sub(r"\2", one.text))
        if one.verdict == "read_only" or _STAGES.match(text):
            continue
        if one.family == "unreadable" or re.search(rf"(?<!\|)\|\s*{re.escape(one.text)}", script):
            return [], []
        stakes[text] = max(
            (STAKES[each.stakes] for each in effects.each if _is_act_of_segment(each, one)), default=0
        )
        if objected and _is_act_of_segment(objected, one):
            held_for.add(text)
    if width(" && ".join(stakes)) <= SEGMENTS_COLUMNS:
        return list(stakes), []
    most = max(stakes.values())
    told = [text for text, weight in stakes.items() if weight == most or text in held_for]
    return told, [text for text in stakes if text not in told]


def _is_act_of_segment(one: Effect, segment: Segment) -> bool:
    if one.target:
        return one.target in segment.targets and one.operation == segment.operation
    publishes = one.act in ("git commit", "git push")
    same = one.act in segment.text if publishes else one.operation == segment.operation
    return same and (one.stakes == "lossy") == (segment.operation_class == "destructive")


def _act_on_one_line(command: str) -> str:
    lines = [line.strip() for line in command.splitlines() if not line.lstrip().startswith("#")]
    joined = "".join(
        f"{line.rstrip(_BACKSLASH)} " if _GOES_ON.search(line) else f"{line}; " for line in lines if line
    )
    return _OUTPUT.sub(
        "", " ".join(safe(joined.removesuffix("; "), " ").replace("\\`", "'").replace("`", "'").split())
    )


def named_within(names: Sequence[str], columns: int) -> str:
    """As many of the paths as fit, each by its end where they do not."""
    if width(", ".join(names)) <= columns:
        return ", ".join(names)
    short = [_act_path_ending(one, columns) if len(names) == 1 else _act_path_last_part(one) for one in names]
    more = ""
    for count in range(len(short), 0, -1):
        more = f" (+{len(short) - count} more)" if count < len(short) else ""
        text = ", ".join(short[:count]) + more
        if width(text) <= columns:
            return text
    return _act_path_ending(short[0], columns - len(more)) + more


def _act_path_ending(path: str, columns: int) -> str:
    shown = path
    while width(shown) > columns:
        shown = "…" + shown[2:]
    return shown


def _act_path_last_part(path: str) -> str:
    """The last part of a path; a place on another machine as it is."""
    if _REMOTE.match(path):
        return path
    folder, _, name = path.rstrip("/").rpartition("/")
    return f"…/{name}" if folder.strip("…") else path


def shortened(command: str, columns: int) -> str:
    """A command that is too wide, with its longer paths told by their ends."""
    if width(command) <= columns:
        return command
    return " ".join(
        _act_path_last_part(one) if one.count("/") > 1 and one[0] not in "'\"-" else one
        for one in command.split(" ")
    )


def is_act_named(names: Sequence[str], command: str, readings: Sequence[str]) -> bool:
    """Whether the held act is among the readings: one alone has words of it that no other one has, or all name it."""
    known = _act_name_words(" ".join((*names, command)))
    words = [_act_name_words(one) & known for one in readings]
    others = [words[:place] + words[place + 1 :] for place in range(len(words))]
    if sum(bool(own.difference(*rest)) for own, rest in zip(words, others, strict=True)) == 1:
        return True
    named = [fold(one).rstrip("/").rpartition("/")[2] for one in names]
    return any(all(name in fold(one) for one in readings) for name in named)


def _act_name_words(text: str) -> set[str]:
    """Of a path those of its last part, and that itself and what its dots part behind a slash."""
    found = (word.rstrip("/.").rpartition("/")[2].replace("_", "-") for word in _NAME.findall(fold(text)))
    last = [word for word in found if len(word) > 1]
    parts = {part for word in last for part in _PART.findall(word)}
    return parts | {f"/{part}" for word in last for part in (word, *word.split(".")) if len(part) > 1}
