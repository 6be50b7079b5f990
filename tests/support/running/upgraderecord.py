"""Records the home of a program by really using it. Run by hand, against 0.1.0 alone:

    .venv/bin/python tests/support/running/upgraderecord.py PYTHON SCRIPT

PYTHON is the interpreter of an installation of 0.1.0, SCRIPT its `compass/__main__.py`. Replaces `home` and
`facts.json` in `fixtures/upgrade`.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from running.upgradehome import (
    AWAY,
    DATABASES,
    FILES,
    FOLDER,
    PROJECTS,
    RECORDED,
    STATE,
    Home,
    Json,
    Talk,
    end_service,
    make_projects,
    placeholder,
)

VERSION = "0.1.0"
MACHINE = "00000000-0000-4000-8000-000000000001"
NOBODY = "http://127.0.0.1:9"
"""Where the readers of `relay` are looked for: nothing listens there."""
LOOSE = {
    "permissions": {"allow": ["Read"]},
    "compass": {"cooldown": {"seconds": 300}, "coverage": {"max_calls": 25}},
    "env": {"COMPASS_MAX_CHECKS_PER_TURN": "9"},
}
CASES = FOLDER.parent / "cases" / "tune.jsonl"
CASES_TAKEN = 120
UNUSED = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
MENU = "How shall I store it?\n1. in settings.toml\n2. in config.json\n3. in both\nWhich one?"
LEFT_OUT = ("*.html", "*.lock", "compass.db*", "slots/*")
_SECONDS = re.compile(r"(?<![\w.-])(?:\d{10}\.\d+|1\.\d+e\+09)(?![\w.])")
"""As JSON has them, and as SQLite dumps them."""


def main(python: str, script: str) -> int:
    home = Home(Path(tempfile.mkdtemp(prefix="cps", dir="/tmp")).resolve(), python, script)
    try:
        make_projects(home)
        said = home.command("app", "--version").stdout
        if said.split()[-1:] != [VERSION]:
            print(f"upgraderecord: {script} is not {VERSION}: {said}", file=sys.stderr)
            return 1
        began = time.time()
        set_up(home)
        sessions = use(home)
        asserted(home.document("app", "serve", "--status")["requests"] > 50)
        well(home, "app", "serve", "--stop")
        doctor = {name: home.document(name, "doctor") for name in PROJECTS}
        keep(home, began, time.time())
        known = {
            "version": VERSION,
            "schema": home.rows("PRAGMA user_version")[0][0],
            "doctor": {name: {item["name"]: item["ok"] for item in found} for name, found in doctor.items()},
            "sessions": sessions,
        }
        (FOLDER / "facts.json").write_text(json.dumps(known, indent=2) + "\n")
    except AssertionError:
        print(home.rows("SELECT target, verdict, reason, decision FROM checks"), file=sys.stderr)
        raise
    finally:
        end_service(home)
        shutil.rmtree(home.path, ignore_errors=True)
    return 0


def set_up(home: Home) -> None:
    for folder in (home.path / ".onlooker", home.path / AWAY):
        folder.mkdir(mode=0o700)
        (folder / "machine_id").write_text(MACHINE + "\n")
    shared = home.project("app") / ".claude" / "settings.json"
    shared.parent.mkdir()
    shared.write_text(json.dumps(LOOSE, indent=2) + "\n")
    well(home, "app", "init", "--enforce")
    well(home, "app", "trust")
    well(home, "site", "init")
    well(home, "relay", "init", "--enforce", "--backend", "anthropic")
    well(home, "away", "init", "--observe")
    own = home.path / STATE / home.key("relay") / "settings.json"
    settings = json.loads(own.read_text())
    settings["evaluator"]["base_url"] = NOBODY
    own.write_text(json.dumps(settings, indent=2) + "\n")
    cases = home.path / "cases.jsonl"
    cases.write_text("".join(CASES.read_text().splitlines(keepends=True)[:CASES_TAKEN]))
    well(home, "app", "calibrate", "--backend", "embedded", "--cases", str(cases), "--yes")
    cases.unlink()


def well(home: Home, project: str, *words: str) -> None:
    done = home.command(project, *words)
    if done.returncode:
        raise SystemExit(f"{project}: {words}: {done.stdout}{done.stderr}")


def use(home: Home) -> Json:
    """{name of the session: its id}, of sessions that end in the state that their name tells."""
    relay = opened(home, "relay", "outage", 8)
    served(home)
    for number in range(3):
        relay.user(f"Set the limit in src/limit{number}.py to twenty and leave everything else as it is")
        asserted(relay.write(f"src/limit{number}.py") is not None)
        asserted(relay.last()["reason"] == "sampler_error")
    relay.user("Set the limit in src/limit9.py to twenty and leave everything else as it is")
    asserted(relay.write("src/limit9.py") is None and relay.last()["reason"] == "circuit_open")

    site = opened(home, "site", "observed", 7)
    hold(site)
    away = opened(home, "away", "away", 9)
    away.user("Create notes.txt with a line that says hello to whoever reads it")
    asserted(away.write("notes.txt") is None)

    paused = opened(home, "app", "paused", 6)
    paused.user("compass: pause")
    asserted(paused.write("notes.txt") is None and paused.last()["reason"] == "paused")
    paused.user("compass: resume")
    paused.ends()
    sentinel = opened(home, "app", "sentinel", 5)
    sentinel.user("[compass:skip] tidy the notes")
    asserted(sentinel.write("notes.txt") is None and sentinel.last()["reason"] == "skip_sentinel")
    menu = opened(home, "app", "menu", 4)
    menu.user("Where would the limit be kept?")
    menu.agent(MENU)
    menu.user("2")
    asserted(menu.write("config.json") is None and menu.last()["reason"] == "reply_to_question_pattern")
    broken = home.hook("app", "PreToolUse", b"this is no payload")
    asserted(b"deny" in broken.stdout)

    released = opened(home, "app", "released", 3)
    hold(released)
    released.user("compass: proceed")
    asserted(released.bash("rm src/old_auth.py") is None and released.last()["reason"] == "released")
    cancelled = opened(home, "app", "cancelled", 10)
    hold(cancelled)
    cancelled.user("compass: cancel")
    asserted(cancelled.bash("rm src/old_auth.py") is not None and cancelled.last()["reason"] == "cancelled")
    waiting = opened(home, "app", "waiting", 2)
    hold(waiting)
    waiting.user("compass: proceed")
    held = opened(home, "app", "held", 1)
    hold(held)
    asserted(held.bash("rm src/old_auth.py") is not None and held.last()["reason"] == "denied_before")

    work = opened(home, "app", "work", 11)
    work.user("Create notes.txt with a line that says hello to whoever reads it")
    asserted(work.write("notes.txt") is None and work.last()["verdict"] == "passed")
    asserted(work.write("notes.md") is None and work.last()["reason"] == "dir_plus_stem_cooldown")
    asserted(work.write("readme.txt", agent_id="a1") is None)
    asserted(work.write("dist/notes.js") is None and work.last()["reason"] == "skip_glob")
    talks = (relay, site, away, paused, sentinel, menu, released, cancelled, waiting, held, work)
    return {NAMES[talk.session]: talk.session for talk in talks}


NAMES: dict[str, str] = {}


def served(home: Home) -> None:
    """Waits for the service that the first hook started: the others are to be its calls."""
    for _ in range(200):
        if home.document("app", "serve", "--status")["running"]:
            return
        time.sleep(0.1)
    raise AssertionError("no service came up")


def opened(home: Home, project: str, name: str, number: int) -> Talk:
    talk = Talk(home, project, f"00000000-0000-4000-8000-0000000001{number:02d}")
    NAMES[talk.session] = name
    talk.begins()
    return talk


def hold(talk: Talk) -> None:
    talk.user("Which of these files does nobody need?")
    talk.agent(UNUSED)
    talk.user("Just delete it.")
    denied = talk.bash("rm src/old_auth.py", succeeds=False) is not None
    asserted(denied == (talk.project != "site") and talk.last()["verdict"] == "failed")


def asserted(true: bool) -> None:
    if not true:
        raise AssertionError("the program did not do what is to be recorded")


def keep(home: Home, began: float, ended: float) -> None:
    """The home as text, with placeholders; what a program makes anew at once is left out."""
    shutil.rmtree(RECORDED, ignore_errors=True)
    for database in DATABASES:
        with closing(sqlite3.connect(home.path / database)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            head = f"PRAGMA journal_mode=WAL;\nPRAGMA user_version={version};\n"
            dump = head + "\n".join(connection.iterdump()) + "\n"
        put(home, database.with_name("compass.db.sql"), dump, began, ended)
    for path in sorted(home.path.rglob("*")):
        name = path.relative_to(home.path)
        made = any(path.match(glob) for glob in LEFT_OUT) or "/".join(name.parts[1:]) in FILES
        of_git = ".git" in name.parts and name.parts[-2:] != ("info", "exclude")
        if path.is_file() and not made and not of_git:
            put(home, name, path.read_text(encoding="utf-8"), began, ended)


def put(home: Home, place: Path, text: str, began: float, ended: float) -> None:
    target = RECORDED.joinpath(*(kept_name(home, part) for part in place.parts))
    target.parent.mkdir(parents=True, exist_ok=True)
    named = {home.script: "SCRIPT", home.python: "PYTHON", str(home.path): "HOME"}
    for found, name in (named | {home.key(project): f"KEY:{project}" for project in PROJECTS}).items():
        text = text.replace(found, placeholder(name))

    def moment(found: re.Match[str]) -> str:
        at = float(found[0])
        near = began - 86_400 < at < ended + 40 * 86_400
        return placeholder(f"now-{ended - at:.6f}") if near else found[0]

    target.write_text(_SECONDS.sub(moment, text), encoding="utf-8")


def kept_name(home: Home, part: str) -> str:
    for project in PROJECTS:
        if part in (home.key(project), home.place(project)):
            return f"{'KEY' if part == home.key(project) else 'PLACE'}-{project}"
    return "dot-" + part[1:] if part.startswith(".") else part


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
