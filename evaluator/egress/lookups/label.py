"""By what call a line came: the words of the call, without what the agent might say in them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from evaluator.effects import text_of
from evaluator.egress.lookups.names import COMMAND_CHARS_MAX, strings_in
from evaluator.model import Lookup
from evaluator.trigger.rules import relative_to

LABEL_CHARS_MAX = 70
_QUOTED = re.compile(r"""\$?(?:"(?:[^"\\]|\\.)*"|'[^']*')""", re.DOTALL)
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*")
_HEREDOC = re.compile(r"<<.*", re.DOTALL)
_GOES_THERE = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")
_READERS_OF_FILES = frozenset(
    (
        "cat", "head", "tail", "less", "more", "bat", "nl", "sed", "awk", "grep", "egrep", "fgrep", "rg", "ag", "ack",
        "strings", "xxd", "od", "hexdump", "diff", "jq", "yq", "cut", "sort", "uniq",
    )
)  # fmt: skip


def label_of(call: Lookup, project_dir: str) -> str:
    """At most LABEL_CHARS_MAX, on one line, not sanitized: a shell command without comments and quoted sentences, else
    the tool and the single words that it was given.
    """
    if call.tool_name == "Bash":
        bare = _HEREDOC.sub("", text_of(call.tool_input, "command")[:COMMAND_CHARS_MAX])
        bare = _QUOTED.sub(lambda found: "..." if re.search(r"\s", found[0]) else found[0], bare)
        said = _GOES_THERE.sub("", _COMMENT.sub("", bare))
    else:
        given = [text for text in strings_in(call.tool_input) if text and not re.search(r"\s", text)]
        shown = [relative_to(text, project_dir) or text if os.path.isabs(text) else text for text in given]
        said = " ".join((call.tool_name.removeprefix("mcp__"), *reversed(shown)))
    label = cut_at_word(" ".join(said.split()), LABEL_CHARS_MAX)
    return f"{label} (failed)" if call.failed else label


def reads_files(call: Lookup) -> bool:
    """Whether what comes back is the text of files, and not a word about them."""
    if call.tool_name != "Bash":
        return not call.tool_name.startswith("mcp__")
    pipelines = re.split(r"&&|\|\||[;\n]", text_of(call.tool_input, "command"))
    return any(_program(pipeline) in _READERS_OF_FILES for pipeline in pipelines)


def _program(pipeline: str) -> str:
    words = pipeline.split("|", 1)[0].split()
    return os.path.basename(next((word for word in words if "=" not in word), ""))


def names_one_of(call: Lookup, paths: Collection[str], project_dir: str) -> bool:
    """Whether the call's own words name one of these files."""
    said = " ".join(strings_in(call.tool_input))
    spelled = {
        name
        for path in paths
        for name in (path, relative_to(path, project_dir), os.path.basename(path))
        if name
    }
    return any(name in said and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said) for name in spelled)


def cut_at_word(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    space = text.rfind(" ", limit // 2, limit + 1)
    return text[: space if space > 0 else limit]
