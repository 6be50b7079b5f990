"""A home and a wired project to try self-protection in, and the commands of `fixtures/attacks/protection`."""

import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from repository import ROOT

from compass.composition import protection
from evaluator.model import PendingWrite
from evaluator.protection.offences import offence
from evaluator.shell.bash import classify
from evaluator.trigger.calls import effects_of

WIRED = {"hooks": {"PreToolUse": []}, "permissions": {"allow": []}}


def furnish(home, project, state):
    """What `compass init` leaves, as far as self-protection looks at it, and two links of an earlier call."""
    for folder in (state, home / ".claude", project / ".claude", project / "dist", project / ".git" / "info"):
        folder.mkdir(parents=True, exist_ok=True)
    for folder in ("src", "templates/commands"):
        (project / folder).mkdir(parents=True, exist_ok=True)
    (project / ".claude" / "settings.local.json").write_text(json.dumps(WIRED))
    (home / ".claude" / "settings.json").write_text(json.dumps(WIRED))
    (project / ".claude" / "settings.json").write_text('{"permissions": {}}')
    (project / ".git" / "info" / "exclude").write_text("/.claude/settings.local.json\n")
    for name in ("compass.db", "settings.json"):
        if not (state / name).exists():
            (state / name).write_text("{}")
    os.link(project / ".claude" / "settings.local.json", project / "hardlinked.json")
    (project / "linked").symlink_to(state)


@dataclass
class Guarded:
    root: Path

    def __post_init__(self):
        self.home = self.root / "me"
        self.project = self.home / "project"
        self.state = self.home / ".onlooker" / "compass"
        furnish(self.home, self.project, self.state)
        self.places = protection.places(str(self.project), {"HOME": str(self.home)}, str(self.home))

    def judge(self, tool, given, mcp_tools=()):
        cwd = str(self.project)
        pending = PendingWrite("claude-code", "s", tool, given, cwd=cwd, project_dir=cwd)
        effects = effects_of(
            pending, classify=classify, mcp_tools=mcp_tools, exists=os.path.lexists, resolve=os.path.realpath
        )
        return offence(pending, effects, self.places, protection.DISK)

    def bash(self, command):
        return self.judge("Bash", {"command": command.replace("@@", str(self.state))})

    def write(self, path, content="{}"):
        return self.judge("Write", {"file_path": str(path), "content": content})


_TOLD = tomllib.loads((ROOT / "fixtures/attacks/protection/lines.toml").read_text(encoding="utf-8"))
WRAPPERS, EXPANSIONS = _TOLD["wrappers"], _TOLD["expansions"]
_KINDS = ("links", "reaches", "spellings", "controls", "state", "plugins")
ATTACK = "rm -rf ~/.onlooker/compass"


def lines(text):
    return text.strip("\n").splitlines()


def around(forms, command=ATTACK):
    """Each form with the command in its place."""
    return [form.replace("{}", command) for form in forms]


ATTACKS = (
    *(line for kind in _KINDS for line in lines(_TOLD[kind])), *around(lines(WRAPPERS)),
    *around(lines(EXPANSIONS)), *around(_TOLD["expansions_of_several_lines"]), *_TOLD["code_in_python"],
    *_TOLD["attacks_of_several_lines"],
)  # fmt: skip
HARMLESS = (*lines(_TOLD["ordinary"]), *_TOLD["ordinary_of_several_lines"])
LAYERS = lines(_TOLD["layers"])
