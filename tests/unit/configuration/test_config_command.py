"""Commands that change settings, trust or wiring, `compass config` first: what they write, say and refuse."""

import ast
import json
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from corpora import corpus
from repository import ROOT
from running import atterminal
from running.hookrun import Place, denial

from compass.install.consent import agent_marks
from compass.show.configuration import USES
from evaluator.settings.files import from_text, parse
from evaluator.settings.keys import KEYS
from evaluator.settings.places import project_key, set_by


def new_place(tmp_path):
    return Place(tmp_path)


place = pytest.fixture(new_place, name="place")


def own_file(place):
    return place.state / "compass" / project_key(str(place.project)) / "settings.json"


def user_file(place):
    return place.root / "home" / ".claude" / "settings.json"


def config(place, *words, code=0):
    done = place.command("config", *words)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    return (done.stdout if code == 0 else done.stderr).decode()


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_a_set_value_is_in_force_and_says_what_it_was_in_a_private_file_by_any_spelling_of_a_key(place):
    said = config(place, "set", "evaluator.n", "7")
    assert said == f"evaluator.n: 5 (default) -> 7, for this project ({own_file(place)}).\n"
    assert json.loads(own_file(place).read_text()) == {"evaluator": {"n": 7}}
    got = place.command("config", "get", "evaluator.n")
    assert got.stdout == b"7\n"
    assert got.stderr.decode() == f"from {own_file(place)}: evaluator.n (default 5)\n"
    assert "; nothing was changed" in config(place, "set", "evaluator.n", "7")
    assert stat.S_IMODE(own_file(place).stat().st_mode) == 0o600
    for folder in (own_file(place).parent, own_file(place).parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    told = place.command("config", "get", "data_egress.include_file_contents", "--json")
    assert json.loads(told.stdout)["key"] == "include_file_contents"


def test_user_writes_the_layer_of_every_project_and_keeps_the_rest_of_the_hosts_file(place):
    path = put(user_file(place), '{\n    "model": "opus",\n    "hooks": {"Stop": []}\n}\n')
    path.chmod(0o640)
    said = config(place, "set", "--user", "error_policy", "embedded")
    assert said.startswith("error_policy: closed (default) -> embedded, for all your projects (")
    theirs = {"model": "opus", "hooks": {"Stop": []}}
    assert json.loads(path.read_text()) == {**theirs, "compass": {"error_policy": "embedded"}}
    assert '\n    "model"' in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert not own_file(place).exists()


@corpus(
    ("key", "value"),
    [
        ("error_policy", "open"),
        ("confidence_threshold", "0.3"),
        ("skip_globs", "**/*.lock,**"),
        ("include_file_contents", "true"),
    ],
    each={"place": new_place},
)
def test_what_loosens_the_gate_or_lets_more_leave_says_so(place, key, value):
    said = config(place, "set", key, value)
    assert "This loosens the gate: " in said
    assert ("Hosted readers are sent what would be written" in said) == (key == "include_file_contents")


def test_a_project_layer_that_outweighs_it_is_named(place):
    theirs = put(place.project / ".claude/settings.json", {"compass": {"confidence_threshold": 0.9}})
    said = config(place, "set", "confidence_threshold", "0.5")
    assert said.startswith("confidence_threshold is 0.5 for this project (")
    assert f"no effect in this project: {theirs}: compass.confidence_threshold says 0.9" in said
    assert "loosens" not in said


@corpus(
    ("words", "said"),
    [
        (("set", "evaluator.n", "six"), "evaluator.n was not set: it must be a whole number, not 'six'"),
        (("set", "evaluator.n", "99"), "must be between 1 and 31, not 99"),
        (("set", "error_policy", "ajar"), "must be one of open, embedded, closed"),
        (("set", "enabled", "perhaps"), "must be true or false"),
        (("set", "eror_policy", "open"), "'eror_policy' is not a setting"),
        (("get", "zzz"), "'zzz' is not a setting; `compass config list --all` lists them all"),
    ],
    each={"place": new_place},
)
def test_what_is_no_key_or_no_value_of_it_is_refused_and_nothing_is_written(place, words, said):
    assert said in config(place, *words, code=1)
    assert not (place.state / "compass").exists()


@corpus(
    ("text", "fault"),
    [
        ('{"mode": "observe",\n"x"}', "line 2"),
        ("[1]", "must contain a JSON object"),
        ('{"evaluator": 5}', "evaluator must be an object"),
        ("{\x00", "not plain JSON"),
        ('{"evaluator": {"n": NaN}}', "not plain JSON"),
    ],
)
@corpus("user", [False, True], each={"place": new_place})
def test_a_broken_file_is_named_and_never_written_over(place, text, fault, user):
    hosted = text.replace('{"evaluator": 5}', '{"compass": {"evaluator": 5}}')
    path = put(user_file(place), hosted) if user else put(own_file(place), text)
    before = path.read_bytes()
    said = config(place, "set", "evaluator.n", "7", *(["--user"] if user else []), code=1)
    assert "evaluator.n was not " in said
    assert str(path) in said and fault in said
    assert "nothing was changed" in said
    assert path.read_bytes() == before
    assert {item.name for item in path.parent.iterdir()} == {path.name}


def test_a_folder_that_cannot_be_made_is_an_error_and_no_traceback(place):
    put(place.state / "compass", "a file")
    assert "mode was not set: " in config(place, "set", "mode", "observe", code=1)


def test_keys_set_at_the_same_time_all_stand(place):
    keys = ["evaluator.n", "retention_days", "max_checks_per_turn", "context_chars_max", "coverage.max_calls"]
    with ThreadPoolExecutor(len(keys)) as pool:
        ended = pool.map(lambda key: place.command("config", "set", key, "9"), keys)
        assert [done.returncode for done in ended] == [0] * len(keys)
    for key in keys:
        assert config(place, "get", key) == "9\n"


@corpus("mark", agent_marks(), each={"place": new_place})
def test_an_agent_may_look_and_not_touch(place, mark):
    place.env[mark] = "1"
    assert "only you may do this" in config(place, "set", "mode", "observe", code=1)
    assert not own_file(place).exists()
    assert config(place, "get", "mode") == "enforce\n"


@corpus(
    "command",
    [
        "compass config set mode observe",
        "compass config --json set mode observe",
        "cd .. && compass config set error_policy open --user",
        "python -m compass config set enabled false",
        "bash -c 'compass config set enabled false'",
        "compass config $(echo set) enabled false",
    ],
    each={"place": new_place},
)
def test_the_gate_denies_the_command_to_an_agent(place, command):
    place.say(f"please run {command}")
    reason = denial(place.hook("pre-tool-use", place.payload("Bash", {"command": command})))
    assert reason is not None and "runs a Compass control command" in reason


def test_list_shows_what_was_changed_and_all_of_it_by_use_with_a_line_of_help(place):
    keys = {entry["key"] for entry in json.loads(config(place, "list", "--json"))}
    config(place, "set", "evaluator.n", "7")
    assert {entry["key"] for entry in json.loads(config(place, "list", "--json"))} == keys | {"evaluator.n"}
    shown = config(place, "list")
    (row,) = (line for line in shown.splitlines() if line.startswith("evaluator.n "))
    number = row.split()[-1]
    assert row.split() == ["evaluator.n", "7", "default", "5", number]
    assert f"{number} {own_file(place)}" in shown.splitlines() and shown.count(str(own_file(place))) == 1
    assert "retention_days" not in shown and "`compass config list --all`" in shown
    whole = config(place, "list", "--all")
    assert [line[:-1] for line in whole.splitlines() if line[:1].isupper()] == list(USES)
    for path, key in KEYS.items():
        assert f"\n  {path} " in whole and key.about in " ".join(whole.split()), path


def test_what_stands_in_the_hooks_entry_asks_for_init(place):
    assert place.command("init", "--enforce", "--yes").returncode == 0
    said = config(place, "set", "error_policy", "open")
    assert "run `compass init`" in said
    assert place.command("init", "--yes").returncode == 0
    assert "run `compass init`" not in config(place, "set", "evaluator.n", "7")
    entry = (place.project / ".claude/settings.local.json").read_text()
    assert '"onFailure": "block"' not in entry


def test_settings_that_are_lost_are_not_hidden_by_a_new_file(place):
    assert place.command("init", "--yes").returncode == 0
    own_file(place).unlink()
    place.env["COMPASS_ENABLED"] = ""
    said = config(place, "set", "evaluator.n", "7", code=1)
    assert f"{own_file(place)} is gone" in said and "`compass init`" in said
    assert not own_file(place).exists()


def test_every_command_that_a_message_names_would_set_what_it_names():
    found = 0
    rooms = ("compass", "evaluator", "hooks", "calibration")
    for path in (path for room in rooms for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == set_by.__name__):
                continue
            stated = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            if len(stated) < 2:
                continue  # from a table, whose own test runs what it names
            key, value = stated
            found += 1
            if value.isupper():
                assert key in KEYS or key == "KEY", (path, key)
            else:
                assert parse(KEYS[key], from_text(KEYS[key], value))[1] == "", (path, key, value)
    assert found >= 10


def new_loosened(tmp_path):
    """A place whose project would loosen its gate."""
    found = Place(tmp_path)
    put(found.project / ".claude/settings.json", {"compass": {"mode": "observe"}})
    return found


loosened = pytest.fixture(new_loosened, name="loosened")


def everything(place):
    """What lies in home, state and project: {path: bytes}."""
    return {path: path.read_bytes() for path in place.root.rglob("*") if path.is_file()}


def at_a_terminal(place, answer, *words):
    """(exit code, what is printed, what the terminal shows) of a command whose questions get that answer."""
    return atterminal.at_a_terminal(place.environment(), place.project, answer, *words)


CHANGES = (
    "init --enforce", "init --yes", "init --uninstall", "trust --yes", "trust --revoke", "forget --person --yes",
    "memory forget --all --yes", "memory edit 0 --term x", "team login http://127.0.0.1:1", "team logout",
    "team thresholds pull",
)  # fmt: skip
REFUSED = (*((mark, "init") for mark in agent_marks()), *(("CLAUDECODE", words) for words in CHANGES))


@corpus(("mark", "words"), REFUSED, each={"loosened": new_loosened})
def test_an_agent_is_refused_whatever_it_adds(loosened, mark, words):
    before = everything(loosened)
    done = Place(loosened.root, {mark: "1"}).command(*words.split())
    assert done.returncode == 1
    assert mark.encode() in done.stderr and b"only you may do this" in done.stderr
    assert everything(loosened) == before


@pytest.mark.parametrize("words", [("init",), ("trust",)])
def test_a_script_of_the_users_is_not_asked(loosened, words):
    before = everything(loosened)
    assert loosened.command(*words).returncode == 0
    assert everything(loosened) != before


@pytest.mark.parametrize(
    ("words", "question"), [(("init",), "Write these changes?"), (("trust",), "count as your own?")]
)
def test_a_terminal_is_asked_and_anything_but_a_yes_is_a_no(loosened, words, question):
    before = everything(loosened)
    for answer in (b"n\n", b"\n", b"\x04"):
        code, _, shown = at_a_terminal(loosened, answer, *words)
        assert code == 1
        assert question in shown and "nothing was changed" in shown
    assert everything(loosened) == before
    assert at_a_terminal(loosened, b"y\n", *words)[0] == 0
    assert everything(loosened) != before


@pytest.mark.parametrize("words", [("init", "--yes"), ("trust", "--yes")])
def test_yes_is_said_in_advance(loosened, words):
    code, _, shown = at_a_terminal(loosened, b"", *words)
    assert code == 0
    assert "[y/N]" not in shown


def test_what_it_comes_to_stands_between_the_diff_and_the_question(loosened):
    code, printed, shown = at_a_terminal(loosened, b"n\n", "init")
    assert code == 1 and "Write these changes? [y/N]" in shown
    head, _, said = printed.partition("Compass would be wired into ")
    assert "+++" in head and "mode observe, no model reads. Nothing is blocked" in " ".join(said.split())
