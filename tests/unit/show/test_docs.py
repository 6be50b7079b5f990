"""What the documents state and the code knows must be the same."""

import argparse
import json
import re

from corpora import corpus
from repository import ROOT

from compass.cli import COMMANDS, parser_with
from compass.show.configuration import USES, used_for
from evaluator.gate.pipeline import STEPS
from evaluator.settings.keys import KEYS

NO_COMMANDS = {"proceed", "enforce"}
"""After `compass` in code: a slip that pages speak of, and the status line."""
SECTION = r"^### (.+)\n\n((?:\|.*\n)+)"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_documents_stay_short():
    """Their bounds are those of CONTRIBUTING.md."""
    words = {page.name: len(page.read_text().split()) for page in (ROOT / "docs").rglob("*.md")}
    assert sum(words.values()) <= 22_000 and max(words.values()) <= 1_800, words
    terms = re.findall(r"^\| (?!term |-)", (ROOT / "docs/glossary.md").read_text(), re.M)
    assert 0 < len(terms) <= 25


@corpus(
    "page",
    [page for page in PAGES if page != ROOT / "README.md"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_paths_of_the_repository_that_a_page_names_are_there(page):
    """The README's exchanges have paths of another project."""
    rooms = "tests|fixtures|benchmarks|evaluator|hooks|calibration|examples"
    named = re.findall(rf"(?<![\w/.~-])((?:{rooms})/[\w./*-]*[\w*])", page.read_text())
    assert [path for path in named if not any(ROOT.glob(path))] == []


@corpus("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_its_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    paths = [target.partition("#")[0] for target in targets if "://" not in target]
    assert [path for path in paths if path and not (page.parent / path).exists()] == []


def test_the_table_of_steps_has_each_step_of_the_gate_with_its_module_in_its_order():
    page = (ROOT / "docs/architecture.md").read_text()
    table = page.partition("| step, in `evaluator/gate/` | what it does |")[2].partition("\n\n")[0]
    steps = [row.split("|")[1] for row in table.splitlines() if row.count("|") > 2]
    named = [name for cell in steps for name in re.findall(r"`([\w.]+)`", cell)]
    assert named == [f"{step.__module__.rpartition('.')[2]}.{step.__name__}" for step in STEPS]


def test_every_setting_stands_in_the_documents_by_its_use_with_its_default_and_its_line_of_help():
    text = (ROOT / "docs/settings.md").read_text()
    listed = re.findall(r"^\| `([a-z_.]+)` \| (.+?) \| (.+) \|$", text, re.M)
    assert {path: about for path, _, about in listed} == {path: key.about for path, key in KEYS.items()}
    uses = [
        (use, re.findall(r"^\| `([a-z_.]+)` ", part, re.M)) for use, part in re.findall(SECTION, text, re.M)
    ]
    assert [(use, {used_for(path) for path in paths}) for use, paths in uses] == [
        (use, {use}) for use in USES
    ]
    rows = {path: default for path, default, _ in listed}
    for path, key in KEYS.items():
        if not isinstance(key.default, tuple) or not key.default:
            default = [] if isinstance(key.default, tuple) else key.default
            assert rows[path] == f"`{json.dumps(default)}`", path


def test_the_commands_page_names_every_command():
    text = (ROOT / "docs/commands.md").read_text()
    for name in COMMANDS:
        assert f"`compass {name}" in text, name


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Of each command and of those below it, by their words."""
    found: dict[str, argparse.ArgumentParser] = {}
    waiting = [("", parser_with(COMMANDS))]
    while waiting:
        name, parser = waiting.pop()
        found[name] = parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                waiting += [(f"{name} {word}".strip(), sub) for word, sub in action.choices.items()]
    return found


@corpus("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_that_a_page_names_are_there_with_their_flags(page):
    """In code of any kind; `compass: ...` is typed to an agent."""
    known, text = parsers(), page.read_text()
    lines = [
        line for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()
    ]
    for said in [*re.findall(r"`(compass [^`]*)`", text), *lines]:
        for words in re.findall(r"(?:^|&& |; |`)compass ((?:[^#;&|]|\|\|)*)", said):
            told = words.replace("\\|", " ").split()
            longest = (" ".join(told[:count]) for count in (3, 2) if len(told) >= count)
            name = next((one for one in longest if one in known), told[0] if told else "")
            if not re.fullmatch("[a-z ]+", name) or name in NO_COMMANDS:
                continue
            assert name in known, (said, name)
            flags = {flag for action in known[name]._actions for flag in action.option_strings}
            given = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*)", words))
            assert given <= flags | {"--help"}, (said, given - flags)
