"""`compass forget`: erases what is kept of a session, of a project, or all that is kept of you on this machine."""

from __future__ import annotations

import argparse
import json
import os
import time

from compass.composition.settings import Here, here
from compass.erasure import Erasure, done, of_project, of_session, planned
from compass.install.consent import ask_person, refuse_agents
from compass.show.terminal import say
from evaluator.errors import StateError
from evaluator.state.erasure import ErasureScope
from evaluator.text import safe

WORDS = {
    "checks": ("check", "checks"),
    "sessions": ("session", "sessions"),
    "prompts": ("prompt", "prompts"),
    "interventions": ("held request", "held requests"),
    "precedents": ("precedent", "precedents"),
    "events": ("line of the event log", "lines of the event log"),
    "traces": ("trace of turns, writes and cooldowns", "traces of turns, writes and cooldowns"),
}
STAYS = (
    "Settings, trust and calibrations stay (`compass init --uninstall --purge` takes these, too), and so does what is "
    "not Compass's: your agent's own session files, and what a provider or a team's evaluator was sent."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--session", metavar="ID", help="one session, by its id or the beginning of it")
    which.add_argument(
        "--project", action="store_true", help="this project: its checks, sessions, precedents"
    )
    which.add_argument(
        "--person", action="store_true", help="everything kept about you on this machine, in every project"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be erased, change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.epilog = (
        "Erased: checks with their evidence, prompts, what is held, precedents, our lines of the event log. `compass "
        "memory forget` takes out single precedents. A running session is recorded again from its next prompt on."
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0, also where nothing is kept. Raises StateError, ConsentError."""
    refuse_agents(os.environ)
    found, now = here(), time.time()
    scope = _scope(args, found, now)
    erasure = planned(found, scope, now)
    if args.session and not erasure.any:
        raise StateError(
            f"nothing is kept about a session {args.session[:60]!r}; `compass log --json` shows each check's session"
        )
    whose = _whose(scope)
    if not args.json:
        _list(erasure, whose, would=True)
    if erasure.any and not args.dry_run:
        if not args.yes:
            ask_person(f"Erase what is kept {whose}? It cannot be undone.")
        erasure = done(found, scope, now)
    if args.json:
        print(json.dumps(document(erasure, dry_run=bool(args.dry_run)), indent=2))
    elif args.dry_run:
        print("Dry run: nothing was changed.")
    elif erasure.any:
        _list(erasure, whose, would=False)
    return 0


def document(erasure: Erasure, *, dry_run: bool) -> dict[str, object]:
    """What scripts are given."""
    scope = erasure.scope
    return {
        "dry_run": dry_run,
        "session": scope.session_id or None,
        "project_dir": scope.folder or None,
        "person": not scope.session_id and not scope.folder,
        "erased": dict(erasure.counts),
        "sessions": list(erasure.sessions),
        "files": list(erasure.files),
        "left": list(erasure.damaged),
    }


def _scope(args: argparse.Namespace, found: Here, now: float) -> ErasureScope:
    if args.session is not None:
        if not args.session:
            raise StateError("--session takes an id; `compass log --json` shows each check's session")
        return of_session(found, args.session, now)
    return of_project(found) if args.project else ErasureScope()


def _whose(scope: ErasureScope) -> str:
    if scope.session_id:
        return f"about session {safe(scope.session_id)}"
    return f"about {safe(scope.folder)}" if scope.folder else "about you on this machine"


def _list(erasure: Erasure, whose: str, *, would: bool) -> None:
    if not erasure.any:
        say(f"Nothing is kept {whose}.")
        return
    say(f"{'Kept' if would else 'Erased what was kept'} {whose}:")
    for name, count in erasure.counts.items():
        if count:
            say(f"  {count} {WORDS[name][count != 1]}")
    for path in erasure.files:
        say(f"  {path}")
    if would:
        return
    for path in erasure.damaged:
        say(f"Left: {path}, a damaged database, may contain more; `compass forget --person` deletes it.")
    say(STAYS)
