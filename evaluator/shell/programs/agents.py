"""Coding agents. What starts one is judged by its prompt, and held where nobody can tell.

The rows of an agent that is a host of Compass stand in the host's package, and are joined by `evaluator.shell.hosts`;
those of the others stand here.
"""

from __future__ import annotations

import re

from evaluator.shell import hosts
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names
from evaluator.shell.outcome import Outcome, unlisted
from evaluator.shell.programs.migrations import GOOSE
from evaluator.shell.rows.agent import Agent
from evaluator.shell.rows.row import rows


def lines(text: str) -> frozenset[str]:
    """Paths of subcommands, separated by commas."""
    return frozenset(" ".join(path.split()) for path in text.split(",") if path.strip())


def _unlisted(call: Call) -> list[Outcome]:
    return [unlisted()]


def by_verb(verbs: str, agent: Agent, otherwise: Handler = _unlisted) -> Handler:
    """A name that another program bears too: the agent by its first word."""
    known = names(verbs)

    def handle(call: Call) -> list[Outcome]:
        given = [text for text in call.texts if not text.startswith("-")]
        return agent(call) if not given or given[0] in known or " " in given[0] else otherwise(call)

    return handle


def extended(base: frozenset[str], more: str) -> frozenset[str]:
    return base | lines(more)


SERVERS = lines(
    "mcp add, mcp add-json, mcp remove, mcp rm, mcp enable, mcp disable, mcp auth, mcp login, mcp logout"
)
SETTINGS = lines("config set, config add, config remove, config unset, config edit, config reset")
LISTS = lines("mcp list, mcp ls, mcp get, config list, config get, doctor, auth status, login status")
YES = names("--yolo --dangerously-skip-permissions --dangerously-allow-all --allow-all --allow-all-tools")

CODEX = Agent(
    lifts=YES
    | names(
        "--full-auto --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --disable "
        "--ignore-user-config --ignore-rules"
    ),
    values={
        "--sandbox": names("danger-full-access"),
        "-s": names("danger-full-access"),
        "--ask-for-approval": names("never"),
        "-a": names("never"),
        "--config": names("*"),
        "-c": names("*"),
    },
    harmless=re.compile(r"['\"]?model(?:_reasoning_\w+|_verbosity)?\s*="),
    resumes=names("--resume --last"),
    away=names("--remote"),
    reading=extended(LISTS, "features list, plugin list"),
    changing=SERVERS | SETTINGS | lines("features, plugin, login, logout, mcp-server, app-server, update"),
    resuming=lines(
        "resume, fork, exec resume, e resume, exec fork, cloud, apply, a, archive, delete, remote-control"
    ),
)
GEMINI = Agent(
    lifts=YES | names("--skip-trust --policy --admin-policy --raw-output --extensions -e"),
    values={"--approval-mode": names("yolo auto_edit autoedit")},
    letters="y",
    resumes=names("--resume --session-file --session-id --delete-session --continue"),
    resuming_letters="rc",
    reading=extended(LISTS, "extensions list, skills list, hooks list"),
    changing=SERVERS | SETTINGS | lines("extensions, extension, skills, hooks, hook, gemma"),
)
COPILOT = Agent(
    lifts=YES
    | names(
        "--allow-all-paths --allow-all-urls --trust-folder --config-dir --autopilot --plugin-dir "
        "--extension-sdk-path --bash-env --additional-mcp-config"
    ),
    values={"--mode": names("autopilot")},
    resumes=names("--continue --resume --connect --session-id"),
    resuming_letters="r",
    away=names("--remote --remote-export --acp --server --environment-host"),
    reading=extended(LISTS, "plugin list, help, help config, help environment, help permissions, version"),
    changing=SERVERS
    | SETTINGS
    | lines("config, plugin, skill, memories, login, logout, update, init, workflow"),
    resuming=lines("sessions"),
)
OPENCODE = Agent(
    lifts=YES | names("--pure --auto"),
    resumes=names("--continue --session --fork --attach"),
    resuming_letters="cs",
    away=names("--port --share"),
    reading=extended(
        LISTS, "models, auth list, auth ls, agent list, session list, stats, debug config, debug paths"
    ),
    changing=SERVERS
    | SETTINGS
    | lines("auth, providers, agent, plugin, plug, upgrade, uninstall, github, import"),
    resuming=lines("attach, serve, web, session, acp"),
)
OTHERS = Agent(
    lifts=YES
    | names(
        "--yes --yes-always --auto-approve --auto-approve-all --trust-all-tools --trust-tools --trust --approve-mcps "
        "--force --full-auto --full --apply --permission --allow-indexing --settings --settings-file --config-file "
        "--config --config-dir --no-hooks --pure --approve-all --auto --auto-exec --skip-permissions --unsafe"
    ),
    values={"--approval-mode": names("yolo auto-edit auto_edit full-auto"), "--mode": names("yolo auto")},
    letters="yf",
    resumes=names(
        "--continue --resume --session --session-id --restore-chat-history --taskid --thread --fork"
    ),
    resuming_letters="cr",
    away=names("--background --cloud --remote --daemon"),
    reading=extended(LISTS, "models, status, whoami, session list, threads list, tools list, info"),
    changing=SERVERS
    | SETTINGS
    | lines(
        "mcp, config, configure, settings, login, logout, auth, plugin, plugins, extension, extensions, hooks, "
        "update, upgrade, install, uninstall, permissions, set, set-config, set-auto, schedule, integrations"
    ),
    resuming=lines(
        "resume, threads continue, threads fork, thread continue, session, sessions, attach, connect, continue, serve"
    ),
)
TALKERS = Agent(
    lifts=names("--settings"),
    resumes=names("--continue --continue-last"),
    changing=lines("install, plugins install, keys set, templates edit"),
    reading=lines("models, models list, plugins, templates list, keys list, logs list"),
)
"""Programs that ask a model once, and may be given tools."""

PACKAGES = {
    "@openai/codex": "codex",
    "@google/gemini-cli": "gemini",
    "@github/copilot": "copilot",
    "opencode-ai": "opencode",
    "@sourcegraph/amp": "amp",
    "@ampcode/cli": "amp",
    "@qwen-code/qwen-code": "qwen",
    "@augmentcode/auggie": "auggie",
    "@charmland/crush": "crush",
    "aider-chat": "aider",
    "aider-install": "aider",
    "@kilocode/cli": "kilocode",
    "@continuedev/cli": "cn",
    "@factory/cli": "droid",
}
"""{package: its program}, for those whose program has another name."""

PROGRAMS: dict[str, Handler] = {
    "codex": CODEX,
    **rows("gemini qwen", GEMINI),
    "copilot": COPILOT,
    "opencode": OPENCODE,
    **rows(
        "cursor-agent aider amp crush cline auggie plandex pdx kiro-cli kilocode cn droid openhands rovodev "
        "codebuff interpreter gptme swe-agent devin agentapi",
        OTHERS,
    ),
    "q": by_verb("chat agent mcp translate login logout doctor settings", OTHERS),
    "goose": by_verb(
        "run session web configure project projects recipe schedule mcp acp info", OTHERS, GOOSE
    ),
    **rows("mods llm sgpt aichat chatblade fabric tgpt", TALKERS),
}
SCRIPT = re.compile(
    r"(?:^|/)(?P<package>@openai/codex|@google/gemini-cli|@github/copilot|opencode-ai"
    r"|@sourcegraph/amp|@qwen-code/qwen-code|@augmentcode/auggie|@charmland/crush)/"
)
ANYWHERE = frozenset(
    (
        "codex", "gemini", "qwen", "copilot", "opencode", "cursor-agent", "aider", "amp", "goose", "crush",
        "cline", "auggie", "plandex", "kiro-cli", "compass", "compass-gate",
    )
)  # fmt: skip
"""Known by their name wherever they lie, as those of hosts are; what lies in a place of no trust never only reads."""


def by_package(name: str) -> str:
    """The agent that comes in this package; empty for another package."""
    return PACKAGES.get(name) or dict(hosts.packages()).get(name, "")


def by_script(path: str) -> str:
    """The agent whose script lies at this path, or whose module has this name; empty for another."""
    found = SCRIPT.search(path)
    if found:
        return PACKAGES[found["package"]]
    for package, program in hosts.packages():
        # One without a scope is a name that any folder may bear.
        if package.startswith("@") and f"/{package}/" in f"/{path}":
            return program
    name = path.rpartition("/")[2]
    return name if name in ANYWHERE or hosts.lists(name) else ""


def is_agent(program: str) -> bool:
    """Whether a package is known that brings this program."""
    return program in PACKAGES.values() or any(program == one for _, one in hosts.packages())
