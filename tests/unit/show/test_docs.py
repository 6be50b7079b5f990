"""What the documents state and draw, their site and the README's figures must be what the code knows and does."""

import argparse
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from corpora import corpus
from repository import ROOT
from running.hookrun import MAIN

from compass import judge
from compass.cli import COMMANDS, parser_with
from compass.show.configuration import USES, used_for
from evaluator.gate.pipeline import STEPS
from evaluator.intervention.messages import ONLY_ANSWER, HeldThing, held
from evaluator.readers.kinds.embedded import INTERRUPTED, TURNS, WANTED
from evaluator.settings.keys import KEYS

NO_COMMANDS = {"proceed", "enforce"}
"""After `compass` in code: a slip that pages speak of, and the status line."""
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
each_page = corpus("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))


def test_the_documents_stay_short():
    """Their bounds are those of CONTRIBUTING.md."""
    words = {page.name: len(page.read_text().split()) for page in (ROOT / "docs").rglob("*.md")}
    assert sum(words.values()) <= 22_000 and max(words.values()) <= 1_800, words
    assert 0 < len(re.findall(r"^\| (?!term |-)", (ROOT / "docs/glossary.md").read_text(), re.M)) <= 25


@each_page
def test_paths_of_the_repository_that_a_page_names_are_there(page):
    if page == ROOT / "README.md":
        return  # its exchanges have paths of another project
    rooms = "tests|fixtures|benchmarks|evaluator|hooks|calibration|examples"
    named = re.findall(rf"(?<![\w/.~-])((?:{rooms})/[\w./*-]*[\w*])", page.read_text())
    assert [path for path in named if not any(ROOT.glob(path))] == []


@each_page
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
    told = {
        use: {used_for(path) for path in re.findall(r"^\| `([a-z_.]+)` ", part, re.M)}
        for use, part in re.findall(r"^### (.+)\n\n((?:\|.*\n)+)", text, re.M)
    }
    assert list(told.items()) == [(use, {use}) for use in USES]
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


@each_page
def test_commands_that_a_page_names_are_there_with_their_flags(page):
    """In code of any kind; `compass: ...` is typed to an agent."""
    known, text = parsers(), page.read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
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


PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
SVG = "http://www.w3.org/2000/svg"


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_fetches_nothing_and_has_a_title(path):
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{{{SVG}}}svg" and (root.find(f"{{{SVG}}}title").text or "").strip()
    assert re.findall(r"https?://[^\"' ]+", text) == [SVG]
    for word in ("url(", "@import", "@font-face", "href", "<script", "<image", "<foreignObject", " on"):
        assert word not in re.sub(r">[^<]*<", "><", text), word


def test_the_held_write_says_what_compass_says():
    """A cell of the drawn screen is 8.4 wide and 19 tall, with 16 around all."""
    rows: defaultdict[float, str] = defaultdict(str)
    for text in ElementTree.parse(ROOT / "docs/pictures/held.svg").iter(f"{{{SVG}}}text"):
        column, row = round((float(text.get("x", 0)) - 16) / 8.4), float(text.get("y", 0))
        rows[row] = rows[row].ljust(column) + (text.text or "")
    lines = [rows[row] for row in sorted(rows)]
    assert max(map(len, lines)) <= 64
    shown = " ".join(" ".join(lines).split())
    readings = ["delete src/legacy_auth.py", "delete src/legacy_session.py"]
    told = held(HeldThing("delete", "src/legacy_session.py", "Just delete it."), "ambiguous", readings)
    for said in told.person.splitlines():
        assert said.strip() in shown, said


def test_the_diagram_names_the_default_thresholds():
    text = (ROOT / "docs/pictures/how.svg").read_text(encoding="utf-8")
    assert f"Mean {KEYS['confidence_by_stakes.reversible'].default:.2f} or more" in text
    assert f"spread {KEYS['stddev_threshold'].default:.2f} or less" in text


LATER = {"team-policy.md", "ci.md", "ui.md", "hosts/claude-code.md"}
"""Pages that the navigation has a place for, whether they are there or not."""
FETCHING = {
    "script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src",
    "object": "data", "embed": "src",
}  # fmt: skip


class Fetched(HTMLParser):
    """What a browser asks for by itself when it opens a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag != "link" or given.get("rel") not in {"canonical", "prev", "next"}:
            self.found.append(given.get(FETCHING.get(tag, ""), "") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "--site-dir", str(place)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return place


def text_of(page: Path) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))


def pages_of(nav: list[object]) -> Iterator[str]:
    for entry in nav:
        held = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(held, list):
            yield from pages_of(held)
        else:
            yield str(held)


@pytest.mark.full
def test_every_page_of_the_documents_is_in_the_navigation(site):
    navigation = set(pages_of(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]))
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert written <= navigation
    made = {name for name in navigation if (site / name).with_suffix(".html").is_file()}
    assert navigation - made <= LATER - written


@pytest.mark.full
def test_no_page_asks_another_host(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        asked = Fetched(page.read_text(encoding="utf-8")).found
        assert not [one for one in asked if re.match(r"(?:[a-z]+:)?//", one)], page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", sheet.read_text(encoding="utf-8"))


@pytest.mark.full
def test_every_flag_and_command_is_in_the_reference(site):
    text = text_of(site / "reference/cli.html")
    for name, sub in next(iter(parser_with(COMMANDS)._subparsers._group_actions)).choices.items():
        assert f"compass {name}" in text
        shown = [action for action in sub._actions if action.help != argparse.SUPPRESS]
        flags = {flag for action in shown for flag in action.option_strings} - {"-h", "--help"}
        assert [flag for flag in sorted(flags) if flag not in text] == [], name


@pytest.mark.full
def test_every_key_is_in_the_reference(site):
    text = text_of(site / "reference/settings.html")
    assert [path for path in KEYS if path not in text] == []


README = (ROOT / "README.md").read_text(encoding="utf-8")
QUALITY = (ROOT / "docs/quality.md").read_text(encoding="utf-8")
EXCHANGES = re.findall(r"^```text\n(.*?)^```$", README, re.M | re.S)


def said(exchange: str, who: str) -> str:
    return re.search(rf"^{who}\s+(.+)$", exchange, re.M)[1]


def shown(exchange: str) -> list[str]:
    return [line.strip() for line in exchange.splitlines() if line.startswith(" " * 8)]


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("COMPASS_", "ANTHROPIC_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    for variable, name in {"HOME": "home", "ONLOOKER_DIR": "state"}.items():
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    for name in ("src/old_auth.py", "src/legacy_auth.py", "tests/fixtures/orders.json"):
        (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text("{}\n")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def test_it_stays_short():
    assert len(README.splitlines()) < 150 and len(README.split()) < 1100


@pytest.mark.usefixtures("project")
def test_the_delete_and_the_ban_are_held_with_the_words_that_it_shows():
    delete, ban, _question = EXCHANGES
    edit = {"path": "tests/fixtures/orders.json", "old": "{}", "new": "[]"}
    for exchange, write in (delete, {"command": "rm src/old_auth.py"}), (ban, edit):
        found = judge(said(exchange, "you"), prior=said(exchange, "agent"), **write)
        told = [line.strip() for line in found.question.splitlines()]
        assert [line for line in shown(exchange) if line not in told] == []


def test_the_question_is_held_in_the_words_of_the_gate():
    write = HeldThing("edit", "reports/monthly.py", said(EXCHANGES[2], "you"))
    told = held(write, "question", ["edit reports/monthly.py", ONLY_ANSWER])
    lines = [line.strip() for line in told.person.splitlines()]
    assert [line for line in shown(EXCHANGES[2]) if line not in lines] == []


@pytest.mark.full
def test_what_a_check_costs_is_what_calibrate_says_before_it_asks(tmp_path):
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "none-is-sent"}
    words = [sys.executable, "-I", MAIN, "calibrate", "--backend", "anthropic", "--repeats", "1"]
    done = subprocess.run(
        words, env=env, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100, check=False
    )  # fmt: skip
    cases = re.search(r"Measures (\d+) cases, 1 time each", done.stderr)
    cost = re.search(r"Cost: about ([\d.]+) USD, at most ([\d.]+)", done.stderr)
    assert f"{float(cost[2]) / int(cases[1]):.2f} USD with a second look" in README
    method = (ROOT / "docs/method.md").read_text(encoding="utf-8")
    assert f"{cost[1]} USD, at most {cost[2]}, for {cases[1]} cases" in method


def benchmark(name: str, *words: str) -> str:
    """What a script of `benchmarks/quality` prints."""
    script = [sys.executable, str(ROOT / "benchmarks/quality" / name), *words]
    return subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True).stdout


def test_what_large_models_answered_is_what_the_recordings_say():
    found = json.loads(benchmark("variants.py", "--json"))
    each = [found[name] for name in ("full", "full, without names", "short")]
    blocked, held = ([one[rate]["k"] for one in each] for rate in ("clear, blocked", "ambiguous, held"))
    assert "Clear writes blocked, in that order: {}, {} and {} of 75".format(*blocked) in QUALITY
    assert "ambiguous ones held: {}, {} and {}.".format(*held) in QUALITY
    assert all(one["clear, blocked"]["n"] == 75 and one["earlier wording"] for one in each)
    assert "An earlier wording, 75 pairs" in QUALITY


def test_what_rules_interrupt_is_what_init_says():
    assert f"{100 * INTERRUPTED / TURNS:.1f} % of {TURNS}" in README
    assert f"{WANTED} of {INTERRUPTED}" in README


@pytest.mark.full
def test_what_rules_hold_of_written_cases_is_what_the_benchmark_measures():
    held = re.findall(r"(\d+) of +(\d+)", benchmark("rules.py"))
    assert len(held) == 12
    for one, rows in held:
        assert f"| {one} of {rows} |" in QUALITY


def test_what_readers_interrupt_stands_in_the_documents():
    """Those of the users on whose sessions the cut was not chosen."""
    table = dict(re.findall(r"^\| ([^|]+) \| [^|]+ \| ([\d.]+) %[^|]* \| [^|]+ \|", QUALITY, re.M))
    assert table["turns interrupted"] == "14.7" and "14.7 % of 184" in README
    assert table["clear turns interrupted"] == "2.0" and "| 2.0 % |" in README
    assert table["turns interrupted where a question was due"] == "73.3" and "| 73 % |" in README
    assert table["calls stopped needlessly, of all calls"] == "0.2" and "0.2 % of all calls" in README
    assert "two questions a day" in QUALITY and "About two questions a working day" in README
    assert "about 0.17 USD" in QUALITY and "about 0.17 USD" in README
    assert table["of these, wanted"] == "47.1" and "| 47 % |" in README
