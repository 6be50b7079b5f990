"""`compass memory`: what you settled of open words, listed, shown, edited, taken out."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence

from compass.cli import add_action
from compass.install.consent import ask_person, refuse_agents
from compass.project_precedents import ProjectPrecedents, Stated, faults_of, here, tidied
from compass.show.terminal import columns_of, labelled, put, say
from evaluator.errors import PayloadError, StateError
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents import Precedent, printed_glossary
from evaluator.record import replace, values_of
from evaluator.settings.keys import KEPT_DAYS
from evaluator.settings.places import set_by
from evaluator.text import DAY_SECONDS, safe

INDENT = 10
HOW = {
    "chosen": "you chose a reading",
    "clarified": "you said it in words of your own",
    "cancelled": "you cancelled it",
    "glossary": "this project's glossary, which you trusted",
    "edited": "you edited it",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A precedent is kept once a write that fits your answer has passed. It is shown to readers of "
        f"later requests of the project, and expires after {KEPT_DAYS} days. `compass explain` "
        "shows which ones a check was shown."
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _listing(add_action(actions, "list", "precedents of this project, newest first", "reads"))
    one = add_action(actions, "show", "one precedent in full", "reads")
    one.add_argument("id", metavar="ID", help="its id or the beginning of it")
    add_action(
        actions, "export", "print a glossary in Markdown, for CLAUDE.md or .compass/glossary.md", "reads"
    )
    _change(add_action(actions, "edit", "change what words mean", "controls"))
    forget = add_action(actions, "forget", "take precedents out", "controls")
    forget.add_argument("ids", nargs="*", metavar="ID", help="ids or their beginnings")
    forget.add_argument("--all", action="store_true", help="all of this project, after confirmation")
    forget.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises CompassError, ConsentError where an agent asks for a change."""
    if args.touches == "controls":
        refuse_agents(os.environ)
    return ACTIONS_BY_NAME[args.action](args, here())


def _listing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORD", help="only those that contain all of these words")
    parser.add_argument("--all", action="store_true", help="of every project on this machine")


def _change(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="its id or the beginning of it")
    parser.add_argument("--term", metavar="TEXT", help="the ambiguous words, such as `the parser`")
    parser.add_argument("--said", metavar="TEXT", help="in your own words, what they mean")
    parser.add_argument("--target", metavar="PATH", help="a path of this project, or words from --said")
    parser.add_argument("--action", dest="does", metavar="WORD", help=f"{', '.join(ACTIONS)}; empty for any")
    parser.add_argument("--extent", metavar="WORD", help=f"{', '.join(EXTENTS)}; empty for any")
    parser.epilog = "What is edited counts from now on, as your own word."


def _list(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    kept = memory.all(every_project=args.all)
    found = [one for one in kept if _holds(one, args.words)]
    readings = [one for one in found if not one.tightens]
    controls = [one for one in found if one.tightens]
    if args.json:
        told = {"enabled": memory.enabled, "days": KEPT_DAYS, "checkout": memory.checkout}
        each = {
            name: [_document(one, memory) for one in group]
            for name, group in (("readings", readings), ("controls", controls))
        }
        print(json.dumps(told | each, indent=2))
        return 0
    if not memory.enabled:
        say(
            f"Memory is off: nothing is kept or shown to readers ({set_by('memory.enabled', 'true')} turns it on)."
        )
    if not found:
        say(_nothing(args, memory, len(kept)))
    for title, group in (("What words mean", readings), ("What was not meant", controls)):
        if group:
            put(f"{title} ({len(group)})", "bold")
            for one in group:
                say(_heading(one, ended=memory.has_ended(one), checkout=memory.checkout), 2)
                said = f'; you said "{safe(one.said)}"' if one.said else ""
                say(f"{_means(one)}{said}", 4)
    return 0


def _show(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    one = memory.named(args.id)
    if args.json:
        print(json.dumps(_document(one, memory), indent=2))
        return 0
    put(safe(one.precedent_id), "bold")
    for label, text in _rows(one, ended=memory.has_ended(one)):
        print("\n".join(labelled(f"{label:<{INDENT}}", text, columns_of(), INDENT)))
    return 0


def _export(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    """Ended ones stay out: nobody would be shown them."""
    found = [one for one in memory.all() if not memory.has_ended(one)]
    text = printed_glossary(one for one in found if one.checkout == memory.checkout)
    if args.json:
        print(json.dumps({"claude_md": text}, indent=2))
    elif text:
        print(text, end="")
    else:
        print("no reading is settled in this project yet: nothing to print", file=sys.stderr)
    return 0


def _edit(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    before = memory.named(args.id)
    if before.project != memory.project or before.checkout != memory.checkout:
        raise StateError(f"precedent {before.precedent_id} belongs to {before.checkout}; edit it there")
    given = {
        "term": args.term,
        "said": args.said,
        "action": args.does,
        "target": args.target,
        "extent": args.extent,
    }
    changes = {name: str(value) for name, value in given.items() if value is not None}
    if not changes:
        raise PayloadError("name what to change: --term, --said, --target, --action or --extent")
    old = Stated(*(getattr(before, name) for name in Stated.__match_args__))
    stated = tidied(replace(old, **changes), memory.folders)
    if faults := faults_of(stated, memory.folders):
        raise PayloadError(f"precedent {before.precedent_id} was not changed: {'; '.join(faults)}")
    if stated == old:
        if args.json:
            print(json.dumps({"changed": False, **_document(before, memory)}, indent=2))
        else:
            print("Nothing was changed.")
        return 0
    after = replace(before, **values_of(stated), source="edited", at=memory.now)
    memory.keep(after)
    if args.json:
        print(json.dumps({"changed": True, **_document(after, memory)}, indent=2))
    else:
        say(f"{after.precedent_id}: {_means(after)}, from now on.")
    return 0


def _forget(args: argparse.Namespace, memory: ProjectPrecedents) -> int:
    if args.all == bool(args.ids):
        raise PayloadError("either ids, as `compass memory list` shows them, or --all")
    found = list(memory.all()) if args.all else list(dict.fromkeys(map(memory.named, args.ids)))
    if args.all and found and not args.yes:
        elsewhere = sum(one.checkout != memory.checkout for one in found)
        others = f", {elsewhere} of them from its other checkouts" if elsewhere else ""
        ask_person(f"Take out all {len(found)} precedents of {memory.checkout}{others}? It cannot be undone.")
    if found:
        memory.forget([one.precedent_id for one in found])
    if args.json:
        print(json.dumps({"forgotten": [dict(values_of(one)) for one in found]}, indent=2))
        return 0
    for one in found:
        say(f"Forgotten: {one.precedent_id}, {_means(one)}.")
    if not found:
        print("No precedent of this project is kept.")
    return 0


ACTIONS_BY_NAME: dict[str, Callable[[argparse.Namespace, ProjectPrecedents], int]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "edit": _edit,
    "forget": _forget,
}


def _holds(one: Precedent, words: Sequence[str]) -> bool:
    text = f"{one.term}\n{one.said}\n{one.target}".casefold()
    return all(word.casefold() in text for word in words)


def _nothing(args: argparse.Namespace, memory: ProjectPrecedents, count: int) -> str:
    if count:
        return f"None of {count} fits; `compass memory list` shows all."
    where = "no project" if args.all else memory.checkout
    return f"Nothing is settled in {safe(where)} yet: your answers to what is held are kept once the write has passed."


def _document(one: Precedent, memory: ProjectPrecedents) -> dict[str, object]:
    ends = one.at + KEPT_DAYS * DAY_SECONDS
    return {**dict(values_of(one)), "ends_at": ends, "ended": memory.has_ended(one)}


def _means(one: Precedent) -> str:
    """One sentence without an end."""
    more = ", ".join(filter(None, (one.action, one.extent.replace("_", " "))))
    behind = f" ({more})" if more else ""
    verb = "did not mean" if one.tightens else "means"
    return safe(f'"{one.term}" {verb} {one.target}{behind}')


def _heading(one: Precedent, *, ended: bool, checkout: str) -> str:
    """Id, day, how it came about and where it counts."""
    parts = [_date(one.at), one.source]
    if one.branch:
        parts.append(f"on {one.branch}")
    if one.checkout != checkout:
        parts.append(f"in {one.checkout}")
    if ended:
        parts.append("ended")
    return safe(f"{one.precedent_id}  {', '.join(parts)}")


def _rows(one: Precedent, *, ended: bool) -> list[tuple[str, str]]:
    """(label, text) of all that is kept of one; texts are safe to show."""
    until = _date(one.at + KEPT_DAYS * DAY_SECONDS)
    found = [
        ("settled", _means(one)),
        ("you said", one.said or "nothing of your own"),
        ("how", HOW[one.source]),
        ("when", time.strftime("%Y-%m-%d %H:%M", time.localtime(one.at))),
        ("until", f"{until}; it has expired, and no reader is shown it" if ended else until),
        ("where", one.checkout + (f", on {one.branch}" if one.branch else "")),
    ]
    if one.check_id:
        found.append(("check", f"{one.check_id} (`compass explain {one.check_id}`)"))
    if one.session_id:
        found.append(("session", one.session_id))
    return [(label, safe(text)) for label, text in found]


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
