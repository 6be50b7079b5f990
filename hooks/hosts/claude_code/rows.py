"""The row of Claude Code's own program, as a shell command calls it."""

from __future__ import annotations

from evaluator.shell.handlers.agents import LISTS, SERVERS, SETTINGS, YES, extended, lines
from evaluator.shell.options import names
from evaluator.shell.rows.agent import Agent

CLAUDE = Agent(
    lifts=YES
    | names(
        "--settings --setting-sources --bare --safe-mode --allow-dangerously-skip-permissions --plugin-dir "
        "--plugin-url --permission-prompt-tool --permission-prompts --worktree -w"
    ),
    values={"--permission-mode": names("bypasspermissions")},
    letters="w",
    resumes=names("--continue --resume --fork-session --session-id --from-pr --teleport --resume-session-at"),
    resuming_letters="cr",
    away=names("--background --bg --cloud --remote-control --desktop --tmux --environment"),
    reading=extended(
        LISTS,
        "plugin list, plugin details, plugin validate, plugins list, auto-mode defaults, auto-mode config",
    ),
    changing=SERVERS
    | SETTINGS
    | lines(
        "mcp add-from-claude-desktop, mcp reset-project-choices, mcp serve, plugin, plugins, auto-mode, import, "
        "install, update, upgrade, purge, auth login, auth logout, setup-token, gateway, migrate-installer, config"
    ),
    resuming=lines("attach, respawn, logs, rm, stop, kill, agents, remote-control"),
)
ROWS = {"claude": CLAUDE}
