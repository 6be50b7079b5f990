"""A wired hook whose settings are lost, or whose surroundings a project has moved: the entry's own command line."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from running import forked
from running.hookrun import MAIN, Place, deletion, denial
from running.processes import end_services
from running.serving import Serving

from evaluator.settings.layers import user_project_file
from hooks.entries import hook_command
from hooks.hosts.claude_code.host import HOST

EVENTS = {name: word for word, name in HOST.EVENTS.items()}
own_handlers = HOST.setup().own_handlers
PLUGIN = shlex.quote(str(Path(MAIN).parents[1] / "hooks" / "plugin.sh"))
LOST = "the settings that say so are lost"
DROP = """
import ctypes, os, sys
drop = ctypes.CDLL(None).prctl
for capability in (1, 2):  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, by PR_CAPBSET_DROP
    assert drop(24, capability, 0, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


def under_mode_bits():
    """Words to put before a command whose program is an absolute path."""
    return [sys.executable, "-I", "-S", "-c", DROP] if os.geteuid() == 0 else []


def mode_bits_count():
    """Whether this machine lets root give that right up."""
    probe = [*under_mode_bits(), sys.executable, "-I", "-S", "-c", "import os; os.listdir('/proc/self/fd')"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


class Wired:
    """A project that its user set up with the default places, and its entries as a host would run them."""

    def __init__(self, root, *words, env=None):
        self.place = Place(root, {"COMPASS_ENABLED": None, "ONLOOKER_DIR": None, **(env or {})})
        self.home = root / "home"
        done = self.place.command("init", *(words or ("--enforce",)), "--backend", "embedded")
        assert done.returncode == 0, done.stderr
        by_user = self.home / ".claude/settings.json"
        self.settings = by_user if "--user" in words else self.place.project / ".claude/settings.local.json"

    @property
    def state(self):
        return self.home / ".onlooker" / "compass"

    @property
    def own(self):
        (found,) = self.state.glob("*/settings.json")
        return found

    def command(self):
        handlers = own_handlers(json.loads(self.settings.read_text()))
        return next(handler["command"] for name, _, handler in handlers if name == "PreToolUse")

    def old_entries(self):
        """As 0.1.0 wrote them."""
        text = json.loads(self.settings.read_text())
        for name, _, handler in own_handlers(text):
            handler["command"] = hook_command(sys.executable, MAIN, EVENTS[name])
        self.settings.write_text(json.dumps(text))

    def run(self, payload=None, **env):
        """What the entry answers where the host's environment is changed by `env`."""
        return self.call(self.command(), self.place.payload() if payload is None else payload, **env)

    def call(self, command, payload, **env):
        env, raw = {**self.place.environment(), **env}, json.dumps(payload).encode()
        return forked.shell(MAIN, command, raw, env=env, cwd=self.place.project, before=under_mode_bits())

    def plugin(self, event, payload):
        """What the plugin's program answers."""
        return self.call(f"sh {PLUGIN} {event}", payload)

    def bash(self, command, **env):
        return self.run(self.place.payload("Bash", {"command": command}), **env)

    def delete(self, **env):
        """What the entry answers to a deletion that rules hold."""
        return self.run(deletion(self.place), **env)

    def keep(self):
        self.kept = self.place.root.with_name(self.place.root.name + "-kept")
        shutil.copytree(self.place.root, self.kept, symlinks=True)

    def open(self):
        for folder in (self.home / ".onlooker", self.state):
            if folder.is_dir():
                folder.chmod(0o700)

    def restore(self):
        """The home and the project as they were kept."""
        self.open()
        shutil.rmtree(self.place.root)
        shutil.copytree(self.kept, self.place.root, symlinks=True)


THIS_VERSION = pytest.mark.parametrize("set_up", ["of this version"], indirect=True)


@pytest.fixture(scope="module", params=["of this version", "of 0.1.0"])
def set_up(request, tmp_path_factory):
    found = Wired(tmp_path_factory.mktemp("wired"))
    if request.param == "of 0.1.0":
        found.old_entries()
    found.keep()
    return found


@pytest.fixture
def wired(set_up):
    """One project, as it was set up, for each test."""
    yield set_up
    set_up.restore()


def replaced(path, make):
    """What lies there goes, and `make` puts something else in its place."""
    (shutil.rmtree if path.is_dir() else os.unlink)(path)
    make(path)


LOSSES = {
    "empty": lambda wired: wired.own.write_text(""),
    "blank object": lambda wired: wired.own.write_text("{}\n"),
    "garbage": lambda wired: wired.own.write_bytes(b"\xff\x00{nonsense"),
    "no object": lambda wired: wired.own.write_text('["enabled", true]'),
    "a folder": lambda wired: replaced(wired.own, Path.mkdir),
    "gone": lambda wired: wired.own.unlink(),
    "project folder gone": lambda wired: shutil.rmtree(wired.own.parent),
    "state gone": lambda wired: shutil.rmtree(wired.home / ".onlooker"),
    "state a file": lambda wired: replaced(wired.state, Path.touch),
    "state a loop": lambda wired: replaced(wired.state, lambda path: path.symlink_to(path)),
    "own unreadable": lambda wired: wired.own.chmod(0),
    "state unreadable": lambda wired: wired.state.chmod(0),
    "onlooker unreadable": lambda wired: (wired.home / ".onlooker").chmod(0),
}


@pytest.fixture(params=LOSSES)
def loss(request):
    if "unreadable" in request.param and not mode_bits_count():
        pytest.skip("root cannot give up the right to read what its mode forbids")
    return LOSSES[request.param]


@pytest.mark.spread(5)
def test_without_its_settings_a_wired_gate_denies_and_says_so(wired, loss):
    loss(wired)
    done = wired.run()
    reason = denial(done)
    assert reason is not None and LOST in reason and "compass init" in reason, done
    assert b"its settings are lost" in done.stderr
    assert "Compass blocks writes here" in json.loads(done.stdout)["systemMessage"]
    assert "systemMessage" not in json.loads(wired.run().stdout), "once a session"


def test_what_writes_nothing_passes_and_each_session_is_told(wired):
    LOSSES["gone"](wired)
    for session in ("session-1", "session-2"):
        assert "systemMessage" in json.loads(wired.run(wired.place.payload(session_id=session)).stdout)
        assert "systemMessage" not in json.loads(wired.run(wired.place.payload(session_id=session)).stdout)
    assert denial(wired.bash("ls")) is None
    assert denial(wired.run(wired.place.payload("Read", {"file_path": "a"}))) is None


def test_self_protection_holds_without_settings(wired):
    LOSSES["state gone"](wired)
    commands = "compass init --uninstall", "echo '{}' > .claude/settings.local.json", "chmod 700 ~/.onlooker"
    for command in commands:
        reason = denial(wired.bash(command))
        assert reason is not None and "does not let an agent" in reason, command


@THIS_VERSION
@pytest.mark.spread(3)
def test_the_users_readable_settings_choose_the_policy(wired, loss):
    """What the project's own file cannot say, the user's settings for all projects do."""
    (wired.home / ".claude").mkdir()
    (wired.home / ".claude/settings.json").write_text('{"compass": {"mode": "observe"}}')
    loss(wired)
    done = wired.run()
    assert done.returncode == 0 and set(json.loads(done.stdout)) == {"systemMessage"}, done
    assert "Compass checks nothing here" in json.loads(done.stdout)["systemMessage"]
    assert b"its settings are lost" in done.stderr
    reason = denial(wired.bash("rm -rf ~/.onlooker"))
    assert reason is not None and "does not let an agent" in reason


def test_the_entry_alone_is_proof_where_every_record_is_gone(tmp_path):
    wired = Wired(tmp_path)
    LOSSES["state gone"](wired)
    shutil.rmtree(wired.home / ".config/compass")
    assert LOST in str(denial(wired.run()))


def test_the_user_turns_it_off(wired):
    assert denial(wired.delete()) is not None
    kept = wired.settings.read_text()
    value = json.loads(wired.own.read_text())
    wired.own.write_text(json.dumps({**value, "enabled": False}))
    assert wired.delete().stdout == b""
    wired.own.write_text(json.dumps(value))
    assert wired.place.command("init", "--uninstall").returncode == 0
    wired.settings.parent.mkdir(exist_ok=True)
    wired.settings.write_text(kept)  # a session that still runs knows the entries
    assert wired.delete().stdout == b""


@pytest.mark.parametrize("entries", ["of this version", "of 0.1.0"])
def test_nobody_turned_it_on_here(tmp_path, entries):
    """The entry of all projects is silent in one that was not set up, and in one with a calibration alone."""
    wired = Wired(tmp_path, "--user", "--enforce")
    if entries == "of 0.1.0":
        wired.old_entries()
    other = tmp_path / "other"
    other.mkdir()
    payload = {**wired.place.payload("Bash", {"command": "rm -rf src"}), "cwd": str(other)}
    assert wired.run(payload, CLAUDE_PROJECT_DIR=str(other)).stdout == b""
    own = Path(user_project_file({}, str(wired.home), str(other)))
    own.parent.mkdir()
    own.write_text('{"confidence_threshold": 0.7}')
    assert wired.run(payload, CLAUDE_PROJECT_DIR=str(other)).stdout == b""
    assert denial(wired.bash("rm -rf src")) is not None


@pytest.mark.spread(3)
def test_the_plugin_finds_its_program_without_the_state(tmp_path, loss, request):
    wired = Wired(tmp_path, "--plugin", "--enforce")
    request.addfinalizer(wired.open)
    loss(wired)
    assert LOST in str(denial(wired.plugin("pre-tool-use", wired.place.payload())))


def test_the_plugin_of_an_older_install_is_not_silent_where_it_cannot_read(tmp_path, request):
    if not mode_bits_count():
        pytest.skip("root cannot give up the right to read what its mode forbids")
    wired = Wired(tmp_path, "--plugin", "--enforce")
    request.addfinalizer(wired.open)
    shutil.rmtree(wired.home / ".config")
    wired.state.chmod(0)
    assert "cannot be read" in str(denial(wired.plugin("pre-tool-use", wired.place.payload())))
    assert wired.plugin("session-start", {}).stdout == b""
    wired.state.chmod(0o700)
    wired.place.say("Create notes.txt with a line that says hello")
    assert denial(wired.plugin("pre-tool-use", wired.place.payload())) is None


# What a project's `env` block may say of where the user lives, and where the state lies.
MOVES = [
    {"HOME": "{root}/evil"},
    {"HOME": "{project}"},
    {"HOME": "/nowhere"},
    {"HOME": ""},
    {"ONLOOKER_DIR": "{root}/evil"},
    {"ONLOOKER_DIR": "{project}/evil"},
    {"XDG_RUNTIME_DIR": "{root}/evil"},
    {"TMPDIR": "{root}/evil", "XDG_CONFIG_HOME": "{root}/evil", "XDG_STATE_HOME": "{root}/evil"},
    {"CLAUDE_CONFIG_DIR": "{root}/evil"},
    {"COMPASS_WIRED": "open"},
    {"COMPASS_WIRED": "closed placed"},
    dict.fromkeys(("HOME", "ONLOOKER_DIR", "XDG_RUNTIME_DIR"), "{root}/evil") | {"COMPASS_WIRED": "x"},
]
PLACES = ["settings.json", "settings.local.json", "the folder above", "taken out again"]


def moved(wired, move, where):
    """Writes the block, and gives the environment that a host which applies all of it would leave."""
    root, project = wired.place.root, wired.place.project
    (root / "evil").mkdir(exist_ok=True)
    block = {name: value.format(root=root, project=project) for name, value in move.items()}
    folder = (root if where == "the folder above" else project) / ".claude"
    folder.mkdir(exist_ok=True)
    if where != "taken out again":
        path = folder / (where if where.startswith("settings") else "settings.json")
        value = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**value, "env": block}))
    return block


EACH_MOVE = [(move, PLACES[number % 4]) for number, move in enumerate(MOVES)]
"""Each by one of the places; the last one, which holds them all, by every place."""
EACH_MOVE += [(MOVES[-1], place) for place in PLACES if (MOVES[-1], place) not in EACH_MOVE]


@THIS_VERSION
@pytest.mark.spread(7)
@pytest.mark.parametrize(("move", "where"), EACH_MOVE)
def test_a_project_cannot_move_the_user(wired, move, where):
    block = moved(wired, move, where)
    reason = denial(wired.delete(**block))
    assert reason is not None and LOST not in reason, reason
    assert list((wired.place.root / "evil").iterdir()) == []
    assert not (wired.place.project / ".onlooker").exists()


@pytest.mark.parametrize("where", PLACES[:2])
def test_an_old_entry_whose_home_a_block_names_is_not_off(tmp_path, where):
    """The account's home of the password database has no settings of the project here."""
    wired = Wired(tmp_path)
    wired.old_entries()
    block = moved(wired, {"HOME": "{root}/evil"}, where)
    assert LOST in str(denial(wired.run(**block)))


def test_a_home_of_another_user_is_not_the_entrys(tmp_path):
    """As under sudo: the environment's home counts, and without settings there the policy answers."""
    wired = Wired(tmp_path)
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(wired.home, 12345, -1)
    (tmp_path / "other home").mkdir()
    assert LOST in str(denial(wired.run(HOME=str(tmp_path / "other home"))))
    assert not (tmp_path / "other home/.onlooker/compass/projects").exists()


def test_the_entry_names_folders_with_blanks(tmp_path):
    moved_to = tmp_path / "a `state`"
    wired = Wired(tmp_path / "it's a $home", env={"ONLOOKER_DIR": str(moved_to)})
    assert denial(wired.bash("rm -rf src", ONLOOKER_DIR=str(tmp_path / "evil"), HOME="/")) is not None
    assert shlex.split(wired.command())[-2:] == [f"HOME={wired.home}", f"ONLOOKER_DIR={moved_to}"]


class Served:
    """A service of a wired project, under which mode bits count, and a runtime folder that is short."""

    def __init__(self, root):
        self.run = Path(tempfile.mkdtemp(prefix="cps"))
        env = {"XDG_RUNTIME_DIR": str(self.run), "COMPASS_SERVICE__ENABLED": "true"}
        self.wired = Wired(root, env=env)
        self.wired.keep()
        self.serving = Serving(root.with_name("unused"), self.run)
        self.process = subprocess.Popen(
            [*under_mode_bits(), sys.executable, "-I", MAIN, "serve", "--idle", "600"],
            env=self.wired.place.environment(), cwd="/", stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        assert "process" in self.process.stdout.readline()

    def end(self):
        self.process.kill()
        self.process.communicate()
        self.serving.end()
        end_services(self.run)
        shutil.rmtree(self.run, ignore_errors=True)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    found = Served(tmp_path_factory.mktemp("served"))
    yield found
    found.end()


@pytest.fixture
def served(service):
    yield service
    service.wired.restore()


@pytest.mark.spread(4)
def test_the_service_answers_alike(served, loss, request):
    wired = served.wired
    before = served.serving.counts()["requests"]
    loss(wired)
    # The service reads settings anew where a file tells of a change; a mode does not.
    session = f"session of {request.node.name}"
    done = wired.run(wired.place.payload(session_id=session), PROBE=session)
    assert LOST in str(denial(done)), done
    assert b"its settings are lost" in done.stderr
    assert "systemMessage" in json.loads(done.stdout)
    again = json.loads(wired.run(wired.place.payload(session_id=session)).stdout)
    assert "systemMessage" not in again, "once a session"
    assert "does not let an agent" in str(denial(wired.bash("rm -rf ~/.onlooker")))
    assert served.serving.counts()["requests"] >= before + 3


@pytest.mark.spread(4)
@pytest.mark.parametrize("move", MOVES, ids=lambda move: " ".join(f"{k}={v}" for k, v in move.items()))
def test_a_project_cannot_lead_the_hook_away_from_its_service(served, move):
    wired = served.wired
    block = moved(wired, move, "settings.json")
    before = served.serving.counts()["requests"]
    reason = denial(wired.delete(**block))
    assert reason is not None and LOST not in reason
    assert served.serving.counts()["requests"] > before
