"""Coding agents: their packages and scripts, and names that other programs bear too; Compass's own commands."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.shell import hosts
from evaluator.shell.call import Call, Handler, Outcome, dynamic, reads, unlisted
from evaluator.shell.options import names, read_options
from evaluator.shell.rows.agent import Agent
from evaluator.tables import Vocabulary

VOCABULARY = Vocabulary("shell/programs/agents", "words")


def lines(text: str) -> frozenset[str]:
    """Paths of subcommands, separated by commas."""
    return frozenset(" ".join(path.split()) for path in text.split(",") if path.strip())


def by_verb(verbs: str, agent: Agent, otherwise: Handler | None = None) -> Handler:
    """A name that another program bears too: the agent by its first word."""
    known = names(verbs)

    def handle(call: Call) -> list[Outcome]:
        given = [text for text in call.texts if not text.startswith("-")]
        if not given or given[0] in known or " " in given[0]:
            return agent(call)
        return otherwise(call) if otherwise else [unlisted()]

    return handle


def extended(base: frozenset[str], more: str) -> frozenset[str]:
    return base | lines(more)


SERVERS = lines(
    "mcp add, mcp add-json, mcp remove, mcp rm, mcp enable, mcp disable, mcp auth, mcp login, mcp logout"
)
SETTINGS = lines("config set, config add, config remove, config unset, config edit, config reset")
LISTS = lines("mcp list, mcp ls, mcp get, config list, config get, doctor, auth status, login status")
YES = names("--yolo --dangerously-skip-permissions --dangerously-allow-all --allow-all --allow-all-tools")
PACKAGES = VOCABULARY.texts("packages")
"""{package: its program}, for those whose program has another name."""
SCRIPT = re.compile(
    r"(?:^|/)(?P<package>@openai/codex|@google/gemini-cli|@github/copilot|opencode-ai"
    r"|@sourcegraph/amp|@qwen-code/qwen-code|@augmentcode/auggie|@charmland/crush)/"
)
ANYWHERE = VOCABULARY.words("anywhere")
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


CONTROLS = "runs a control command of Compass"
READING = names("doctor check explain replay bash demo try status log why")
"""What `compass.cli` declares to read; a test compares. A command that does not stand here does not read."""
READING_WITH = {"serve": ("--status",)}
READING_BELOW = VOCABULARY.sets("reading-below")
"""The reading ones among the commands of a command."""
KEEPS = names("--record --yes --ask --backend")
"""Options with which a reading command keeps what it found, or spends."""


def compass(call: Call) -> list[Outcome]:
    if any(word.decoded or (word.dynamic and word.bare) for word in call.args[:2]):
        return [replace(dynamic("system"), offence=CONTROLS)]
    texts = call.texts
    verb = texts[0] if texts else "--help"
    if verb in ("--version", "-V", "--help", "-h", "help") or (
        len(texts) == 2 and texts[1] in ("--help", "-h")
    ):
        return [reads("system")]
    options = read_options(call.args[1:])
    if verb in READING:
        return [unlisted("system")] if options.may_have(KEEPS) else [reads("system")]
    named = next((text for text in texts if not text.startswith("-")), "")
    if not re.fullmatch(r"[a-z][a-z-]*", named):
        return [unlisted("system")]
    asked = [text for text in texts[1:] if text != "--json"]
    if verb in READING_WITH and tuple(asked) == READING_WITH[verb]:
        return [reads("system")]
    if verb in READING_BELOW and asked and asked[0] in READING_BELOW[verb]:
        return [reads("system")]
    return [replace(unlisted("system"), offence=CONTROLS)]
