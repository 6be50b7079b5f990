"""`compass memory`: what you settled of open words, listed, edited, taken out."""

from __future__ import annotations

import argparse
import json
import os
import time

from compass.cli import add_action
from compass.install.consent import ask_person, refuse_agents
from compass.project_precedents import ProjectPrecedents, Stated, faults_of, here
from compass.show.terminal import say
from evaluator.errors import PayloadError, StateError
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents import Precedent
from evaluator.record import replace, values_of
from evaluator.settings.keys import KEPT_DAYS
from evaluator.settings.places import set_by


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A precedent is kept once a write that fits your answer has passed. It is shown to readers of "
        f"later requests in the project, and expires after {KEPT_DAYS} days. `compass explain` "
        "shows which ones a check was shown."
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_action(actions, "list", "precedents of this project, newest first", "reads")
    edit = add_action(actions, "edit", "change what words mean", "controls")
    edit.add_argument("id", metavar="ID")
    edit.add_argument("--term", metavar="TEXT", help="the ambiguous words, such as `the parser`")
    edit.add_argument("--said", metavar="TEXT", help="in your own words, what they mean")
    edit.add_argument("--target", metavar="PATH", help="a path from the root, or words from --said")
    edit.add_argument("--action", dest="does", metavar="WORD", help=f"{', '.join(ACTIONS)}; empty for any")
    edit.add_argument("--extent", metavar="WORD", help=f"{', '.join(EXTENTS)}; empty for any")
    edit.epilog = "An edited precedent counts from now on, as your own word."
    forget = add_action(actions, "forget", "take precedents out", "controls")
    forget.add_argument("ids", nargs="*", metavar="ID")
    forget.add_argument("--all", action="store_true", help="all of this project, after confirmation")
    forget.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises CompassError, ConsentError where an agent asks for a change."""
    if args.touches == "controls":
        refuse_agents(os.environ)
    memory = here()
    if args.action == "edit":
        return _edit(args, memory)
    return _forget(args, memory) if args.action == "forget" else _list(args, memory)


def _list(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    found = memory.all()
    if args.json:
        told = {"enabled": memory.enabled, "days": KEPT_DAYS, "checkout": memory.checkout}
        print(json.dumps({**told, "precedents": [dict(values_of(one)) for one in found]}, indent=2))
        return 0
    if not memory.enabled:
        say(
            f"Memory is off: nothing is kept or shown to readers ({set_by('memory.enabled', 'true')} turns it on)."
        )
    if not found:
        say(
            f"Nothing is settled in {memory.checkout} yet: your answers to what is held are kept once the write has "
            "passed."
        )
    for one in found:
        day = time.strftime("%Y-%m-%d", time.localtime(one.at))
        where = "" if one.checkout == memory.checkout else f", in {one.checkout}"
        say(f"{one.precedent_id}  {day}, {one.source}{where}")
        say(_means(one) + (f'; you said "{one.said}"' if one.said else ""), 2)
    return 0


def _edit(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    before = memory.named(args.id)
    if before.checkout != memory.checkout:
        raise StateError(f"precedent {before.precedent_id} belongs to {before.checkout}; edit it there")
    given = {
        "term": args.term,
        "said": args.said,
        "action": args.does,
        "target": args.target,
        "extent": args.extent,
    }
    changes = {name: str(value).strip() for name, value in given.items() if value is not None}
    if not changes:
        raise PayloadError("name what to change: --term, --said, --target, --action or --extent")
    after = replace(before, **changes, source="edited", at=memory.now)
    stated = Stated(after.term, after.said, after.action, after.target, after.extent)
    if faults := faults_of(stated, memory.root):
        raise PayloadError(f"precedent {before.precedent_id} was not changed: {'; '.join(faults)}")
    memory.replace_all((), [after])
    if args.json:
        print(json.dumps(dict(values_of(after)), indent=2))
    else:
        say(f"{after.precedent_id}: {_means(after)}, from now on.")
    return 0


def _forget(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    if args.all == bool(args.ids):
        raise PayloadError("either ids, as `compass memory list` shows them, or --all")
    found = memory.all() if args.all else tuple(map(memory.named, args.ids))
    if args.all and found and not args.yes:
        ask_person(f"Remove all {len(found)} precedents of {memory.checkout}? This cannot be undone.")
    memory.forget([one.precedent_id for one in found])
    if args.json:
        print(json.dumps({"forgotten": [dict(values_of(one)) for one in found]}, indent=2))
        return 0
    for one in found:
        say(f"Forgotten: {one.precedent_id}, {_means(one)}.")
    if not found:
        say("No precedent of this project is kept.")
    return 0


def _means(one: Precedent) -> str:
    """One sentence without an end."""
    more = ", ".join(filter(None, (one.action, one.extent.replace("_", " "))))
    behind = f" ({more})" if more else ""
    verb = "did not mean" if one.tightens else "means"
    return f'"{one.term}" {verb} {one.target}{behind}'
