"""`compass config`: the settings in force, and the user's own changed, for this project or for all."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict

from compass.cli import add_action
from compass.composition.settings import load
from compass.configuration.change import (
    in_force,
    key_named,
    sentences,
    set_value,
    short,
)
from compass.install.consent import refuse_agents
from compass.install.installation import here
from compass.show.configuration import DEFAULT, entries, show_config, show_entries
from compass.show.terminal import say
from evaluator.settings.keys import KEYS
from evaluator.text import safe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    shown = add_action(actions, "list", "what was changed, by whom, and what was ignored", "reads")
    shown.add_argument(
        "--all", action="store_true", help="every setting, grouped by use, with a line of help for each"
    )
    get = add_action(actions, "get", "the value in force, and where it comes from", "reads")
    get.add_argument("key", metavar="KEY", help="such as mode, or evaluator for everything under it")
    put = add_action(actions, "set", "set one of your own, for this project or for all", "controls")
    put.add_argument("key", metavar="KEY")
    put.add_argument(
        "value", metavar="VALUE", help="a word, a number, true or false, `a,b` or JSON for a list"
    )
    put.add_argument("--user", action="store_true", help="for all your projects, not just this one")


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises ConfigError, naming file and key, and ConsentError where an agent asks."""
    if args.action == "set":
        return _change(args)
    site = here()
    loaded = load(site.env, site.home, site.project_dir, host=site.host)
    if args.action == "list":
        return show_config(loaded, as_json=args.json, whole=args.all)
    path = str(args.key)
    below = [entry for entry in entries(loaded) if entry.key == path or entry.key.startswith(path + ".")]
    if path not in KEYS and any(entry.key in KEYS for entry in below):
        return show_entries(below, as_json=args.json)
    key = key_named(path)
    if args.json:
        print(json.dumps(asdict(below[0]), indent=2))
        return 0
    found = in_force(key, loaded)
    # A script takes the value alone.
    print(found.value if key.kind == "str" and found.value is not None else json.dumps(found.value))
    said = "the default" if found.origin == DEFAULT else f"from {found.origin}"
    default = "" if found.origin == DEFAULT else f" (default {short(key, below[0].default)})"
    print(safe(f"{said}{default}"), file=sys.stderr)
    for ignored in below[0].ignored:
        print(f"has no effect: {safe(ignored)}", file=sys.stderr)
    return 0


def _change(args: argparse.Namespace) -> int:
    refuse_agents(os.environ)
    change = set_value(here(), key_named(str(args.key)), str(args.value), every_project=args.user)
    if args.json:
        print(json.dumps(change.document(), indent=2))
    else:
        for told in sentences(change):
            say(told)
    return 0
