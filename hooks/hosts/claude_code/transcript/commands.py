"""Slash commands as the client writes them into a transcript, and which of them speak to the agent.

A command that the client itself carries out (`/compact`, `/model`) is no request. One that expands to a
prompt (`/init`, every custom command and skill) is. Seen in 2.1.330: the second kind carries
`origin.kind: human` when it was typed; with `-p` it carries no origin, and then its name decides.
"""

from __future__ import annotations

import re

CLIENT_COMMANDS = frozenset(
    {
        "add-dir", "advisor", "agents", "allowed-tools", "android", "app", "artifacts", "autocompact",
        "background", "bashes", "bg", "branch", "brief", "btw", "bug", "cd", "checkpoint", "checkup",
        "clear", "color", "compact", "config", "context", "continue", "copy", "cost", "daemon", "desktop",
        "diff", "doctor", "effort", "exit", "export", "extra-usage", "fast", "feedback", "focus", "fork",
        "goal", "heapdump", "help", "hooks", "ide", "import", "insights", "install", "install-github-app",
        "install-slack-app", "ios", "keybindings", "list-agents", "login", "logout", "mcp", "memory",
        "mobile", "model", "new", "output-style", "passes", "pause-memory", "permissions", "plan", "plugin",
        "plugins", "powerup", "privacy-settings", "quit", "radio", "rate-limit-options", "rc", "recap",
        "release-notes", "reload-plugins", "reload-skills", "remote-control", "remote-env", "rename",
        "reset", "restart", "resume", "rewind", "sandbox", "scroll-speed", "session", "settings",
        "setup-bedrock", "setup-vertex", "share", "skill-doctor", "skills", "stats", "status", "statusline",
        "stickers", "stop", "tasks", "teleport", "terminal-setup", "theme", "todos", "tui", "undo",
        "update", "upgrade", "usage", "usage-credits", "version", "vim", "voice", "web-setup", "workflows",
    }
)  # fmt: skip
"""Commands (and their aliases) that the client carries out itself, as of 2.1.330."""

OUTPUT_TAGS = (
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
)
"""What starts the lines that hold a command of the user's own and its output."""

_NAME = r"<command-name>\s*(/?)([^<\s]{1,200})\s*</command-name>"
_ARGUMENTS = r"(?s)<command-args>(.*?)</command-args>"
_STARTS = ("<command-name>", "<command-message>")


def is_wrapper(text: str) -> bool:
    """Whether the text is the client's wrapping of a slash command."""
    return text.lstrip().startswith(_STARTS)


def request_of(wrapper: str, *, declared_human: bool) -> str:
    """`/name arguments`, as it was typed; "" if the command does not speak to the agent.

    A name without its slash was written by the model's own use of a skill.
    """
    found = re.search(_NAME, wrapper)
    if found is None:
        return ""
    slash, name = found.groups()
    if not declared_human and (not slash or name.casefold() in CLIENT_COMMANDS):
        return ""
    arguments = re.search(_ARGUMENTS, wrapper)
    return f"/{name} {arguments.group(1).strip() if arguments else ''}".rstrip()
