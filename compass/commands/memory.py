"""What is kept of what you said: `compass memory` lists, edits and takes out what you settled of open words; `compass
forget` erases what is kept of a session, of a project, or all that is kept of you on this machine."""

from __future__ import annotations

import argparse
import glob
import json
import os
import time
from collections.abc import Callable
from typing import cast

from compass.cli import add_action
from compass.composition.settings import Here, here
from compass.install.consent import ask_person, refuse_agents
from compass.project_precedents import ProjectPrecedents, faults_of, precedents_here
from compass.show.terminal import say
from evaluator.errors import PayloadError, StateError
from evaluator.events import PLUGIN, SESSION_CHARS_MAX
from evaluator.files import FAULTS_NAME, locked
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents import Precedent
from evaluator.record import replace, values_of
from evaluator.settings.keys import KEPT_DAYS
from evaluator.settings.places import events_path, recorded_key, set_by
from evaluator.state import erasure
from evaluator.state.erasure import ErasedRows, ErasureScope
from evaluator.state.store import FILE_NAME
from evaluator.text import safe


def add_memory_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A precedent is kept once a write that fits your answer has passed. It is shown to readers of "
        f"later requests in the project, and expires after {KEPT_DAYS} days. `compass explain` "
        "shows which ones the readers of a check were shown."
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_action(actions, "list", "precedents of this project, newest first", "reads")
    edit = add_action(actions, "edit", "change what a precedent says words mean", "controls")
    edit.add_argument("id", metavar="ID")
    edit.add_argument("--term", metavar="TEXT", help="the ambiguous words, such as `the parser`")
    edit.add_argument("--said", metavar="TEXT", help="what they mean, in your own words")
    edit.add_argument("--target", metavar="PATH", help="a path relative to the root, or words from --said")
    edit.add_argument("--action", dest="does", metavar="WORD", help=f"{', '.join(ACTIONS)}; empty for any")
    edit.add_argument("--extent", metavar="WORD", help=f"{', '.join(EXTENTS)}; empty for any")
    edit.epilog = "From now on, an edited precedent counts as your own words."
    forget = add_action(actions, "forget", "remove precedents", "controls")
    forget.add_argument("ids", nargs="*", metavar="ID")
    told = "remove all precedents of this project, after confirmation"
    forget.add_argument("--all", action="store_true", help=told)
    forget.add_argument("--yes", action="store_true", help="do not ask")


def run_memory(args: argparse.Namespace) -> int:
    """Exit code 0. Raises CompassError, ConsentError where an agent asks for a change."""
    if args.touches == "controls":
        refuse_agents(os.environ)
    acts = {"list": _list_memory_precedents, "edit": _edit_memory_precedent, "forget": _forget_memory_entries}
    return acts[args.action](args, precedents_here())


def _list_memory_precedents(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    found = memory.all()
    if args.json:
        told = {"enabled": memory.enabled, "days": KEPT_DAYS, "checkout": memory.checkout}
        print(json.dumps({**told, "precedents": [dict(values_of(one)) for one in found]}, indent=2))
        return 0
    if not memory.enabled:
        on = set_by("memory.enabled", "true")
        say(f"Memory is off: nothing is kept or shown to readers ({on} turns it on).")
    if not found:
        kept = "your answer about a held write is kept once a write that fits it has passed"
        say(f"Nothing is settled in {memory.checkout} yet: {kept}.")
    for one in found:
        day = time.strftime("%Y-%m-%d", time.localtime(one.at))
        where = "" if one.checkout == memory.checkout else f", in {one.checkout}"
        say(f"{one.precedent_id}  {day}, {one.source}{where}")
        say(_memory_sentence(one) + (f'; you said "{one.said}"' if one.said else ""), 2)
    return 0


def _edit_memory_precedent(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    before = memory.named(args.id)
    if before.checkout != memory.checkout:
        raise StateError(f"precedent {before.precedent_id} belongs to {before.checkout}; edit it there")
    names = ("term", "said", "target", "extent")
    given = {"action": args.does, **{name: getattr(args, name) for name in names}}
    changes = {name: str(value).strip() for name, value in given.items() if value is not None}
    if not changes:
        raise PayloadError("name what to change: --term, --said, --target, --action or --extent")
    after = replace(before, **changes, source="edited", at=memory.now)
    if faults := faults_of(after, memory.root):
        raise PayloadError(f"precedent {before.precedent_id} was not changed: {'; '.join(faults)}")
    memory.replace_all((), [after])
    if args.json:
        print(json.dumps(dict(values_of(after)), indent=2))
    else:
        say(f"{after.precedent_id}: {_memory_sentence(after)}, from now on.")
    return 0


def _forget_memory_entries(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    if args.all == bool(args.ids):
        raise PayloadError("give either ids from `compass memory list`, or --all")
    found = memory.all() if args.all else tuple(map(memory.named, args.ids))
    if args.all and found and not args.yes:
        ask_person(f"Remove all {len(found)} precedents of {memory.checkout}? This cannot be undone.")
    memory.forget([one.precedent_id for one in found])
    if args.json:
        print(json.dumps({"forgotten": [dict(values_of(one)) for one in found]}, indent=2))
        return 0
    for one in found:
        say(f"Forgotten: {one.precedent_id}, {_memory_sentence(one)}.")
    if not found:
        say("This project has no precedents.")
    return 0


def _memory_sentence(one: Precedent) -> str:
    """One sentence without an end."""
    more = ", ".join(filter(None, (one.action, one.extent.replace("_", " "))))
    behind = f" ({more})" if more else ""
    verb = "did not mean" if one.tightens else "means"
    return f'"{one.term}" {verb} {one.target}{behind}'


LOCK_SECONDS = 5.0
Meant = Callable[[str, str], bool]
"""Whether the event of a session, about a file, is meant."""
OF_A_PROJECT = ("glossary.json", "hindsight.*", "*.unfinished.jsonl")
DAMAGED = (f"{FILE_NAME}.corrupt-*", f"{FILE_NAME}-*.corrupt-*")
"""Databases that were set aside: nobody can take single rows out of them."""
_KEY = "[0-9a-f]" * 12
STAYS = (
    "Settings, trust and calibrations stay, and so does everything outside Compass: your agent's own session "
    "files, and what a provider or a team's evaluator was sent."
)


def add_forget_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    told = "one session, by its id; `compass log --json` shows it for each check"
    which.add_argument("--session", metavar="ID", help=told)
    told = "this project: its checks, sessions and precedents"
    which.add_argument("--project", action="store_true", help=told)
    told = "everything kept about you on this machine, in every project"
    which.add_argument("--person", action="store_true", help=told)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.epilog = (
        "Erases checks with their evidence, prompts, held writes, precedents, and Compass's lines in the event "
        "log. `compass memory forget` removes individual precedents. Recording of a running session resumes with "
        "its next prompt."
    )


def run_forget(args: argparse.Namespace) -> int:
    """Exit code 0, also where nothing is kept. Raises StateError, ConsentError."""
    refuse_agents(os.environ)
    found = here()
    if args.session == "":
        raise StateError("--session takes a session id; `compass log --json` shows it for each check")
    scope = ErasureScope(session_id=args.session or "")
    if args.project:
        scope = ErasureScope(folder=found.project, key=recorded_key(found.state_dir, found.project_dir))
    whose = "about you on this machine"
    if scope.session_id or scope.folder:
        whose = f"about {f'session {safe(scope.session_id)}' if scope.session_id else safe(scope.folder)}"
    if not args.yes:
        ask_person(f"Erase what is kept {whose}? This cannot be undone.")
    counts, sessions, files = _erase_kept_memory(found, scope)
    if args.json:
        document = {
            "session": scope.session_id or None,
            "project_dir": scope.folder or None,
            "person": bool(args.person),
            "erased": counts,
            "sessions": list(sessions),
            "files": files,
        }
        print(json.dumps(document, indent=2))
        return 0
    if not files and not any(counts.values()):
        say(f"Nothing is kept {whose}.")
        return 0
    say(f"Erased what was kept {whose}:")
    for name, count in counts.items():
        if count:
            say(f"{name}: {count}", 2)
    for path in files:
        say(path, 2)
    say(STAYS)
    return 0


def _erase_kept_memory(found: Here, scope: ErasureScope) -> tuple[dict[str, int], tuple[str, ...], list[str]]:
    """(counts by what they are, sessions, files). Raises StateError; what was erased then stays so."""
    # The log and the files first: the rows say which sessions they are of.
    folder = glob.escape(found.state_dir)
    patterns = [os.path.join(folder, name) for name in DAMAGED]
    if not scope.session_id:
        patterns += [os.path.join(folder, scope.key or _KEY, name) for name in OF_A_PROJECT]
    if not (scope.session_id or scope.folder):
        patterns.append(os.path.join(folder, FAULTS_NAME))
    files = sorted({path for pattern in patterns for path in glob.glob(pattern)})
    events = 0

    def first(rows: ErasedRows) -> None:
        nonlocal events
        ids = {one[:SESSION_CHARS_MAX] for one in (*rows.sessions, scope.session_id) if one}
        below = os.path.join(scope.folder, "")

        def meant(session: str, path: str) -> bool:
            """Events name a session as the log may hold it, and a project by the file."""
            of_person = not (scope.session_id or scope.folder)
            return of_person or session in ids or (scope.folder != "" and f"{path}/".startswith(below))

        events = _forget_event_lines(events_path(found.env, found.home), meant)
        for path in files:
            try:
                os.unlink(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StateError(f"{path}: cannot be deleted: {error.strerror}") from None

    rows = erasure.erase(found.state_dir, scope, time.time(), first)
    return {**rows.rows, "events": events}, rows.sessions, files


def _forget_event_lines(path: str, meant: Meant) -> int:
    """How many lines were taken out. Other tools' lines stay byte for byte. Raises StateError."""
    try:
        with open(path, "r+b") as file, locked(file.fileno(), LOCK_SECONDS, path):
            lines = file.readlines()
            kept = [line for line in lines if not _is_event_to_forget(line, meant)]
            if len(kept) < len(lines):
                # In place: whoever appends holds the lock of this very file.
                file.seek(0)
                file.writelines(kept)
                file.truncate()
            return len(lines) - len(kept)
    except FileNotFoundError:
        return 0
    except TimeoutError as error:
        raise StateError(f"{error}: run the command again") from None
    except OSError as error:
        raise StateError(f"{path}: cannot be written: {error.strerror}") from None


def _is_event_to_forget(line: bytes, meant: Meant) -> bool:
    if f'"{PLUGIN}"'.encode() not in line:
        return False
    try:
        found = cast(object, json.loads(line))
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict):
        return False
    event = cast(dict[str, object], found)
    payload = event.get("payload")
    path = cast(dict[str, object], payload).get("file_path") if isinstance(payload, dict) else ""
    return event.get("plugin") == PLUGIN and meant(str(event.get("session_id", "")), str(path or ""))
