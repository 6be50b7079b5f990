"""A message that names a setting names the command that changes it, and a command that exists."""

import ast
import re
from functools import cache

from repository import ROOT

from evaluator.settings.files import from_text, parse
from evaluator.settings.keys import KEYS
from evaluator.settings.places import set_by

ROOMS = ("compass", "evaluator", "hooks", "calibration")
NAMES = [name for name in KEYS if "." in name or "_" in name]
NAMED = re.compile(
    rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(NAMES, key=len, reverse=True)))})(?![\w.]*\w)"
)
SPELLED = re.compile(r"`compass config set (\S+) (\S+)`")
SHOWN = {
    # What the hook's entry was written for: `compass init` mends it, and these say so.
    "compass/doctor/wiring.py": ("as mode and error_policy require",),
}


@cache
def sources():
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [(str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def calls_of_set_by(tree):
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == set_by.__name__
    ]


def test_every_command_that_is_named_would_set_what_it_names():
    found = 0
    for path, tree in sources():
        for call in calls_of_set_by(tree):
            stated = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
            if len(stated) < 2:
                continue  # from a table, whose own test runs what it names
            key, value = stated
            found += 1
            if value.isupper():
                assert key in KEYS or key == "KEY", (path, key)
                continue
            assert parse(KEYS[key], from_text(KEYS[key], value))[1] == "", (path, key, value)
    assert found >= 10


def test_a_sentence_that_names_a_setting_stands_beside_the_command():
    """In the same statement, or the same function: texts are put together from parts."""
    bare = []
    for path, tree in sources():
        if path == "evaluator/settings/keys.py" or path.startswith("compass/configuration/"):
            continue
        documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]
        told = {id(inner) for scope in scopes[1:] if calls_of_set_by(scope) for inner in ast.walk(scope)}
        told |= {id(inner) for node in tree.body if calls_of_set_by(node) for inner in ast.walk(node)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            text = node.value
            if " " not in text or id(node) in documented or id(node) in told or not NAMED.search(text):
                continue
            for key, value in SPELLED.findall(text):
                assert value.isupper() or parse(KEYS[key], from_text(KEYS[key], value))[1] == "", (path, text)
            if SPELLED.search(text):
                continue
            if not any(known in text for known in SHOWN.get(path, ())):
                bare.append((path, node.lineno, text))
    assert bare == []


def test_the_command_is_spelled_as_it_is_typed():
    assert set_by("error_policy", "open") == "`compass config set error_policy open`"
