"""`compass config` shows the settings in force and sets the user's own; `compass trust` lets what a project's settings
files hold now count as the user's own, or takes that back."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict

from compass.cli import add_action
from compass.composition.settings import load
from compass.composition.thresholds import cuts_told
from compass.configuration.change import key_named, sentences, set_value, short
from compass.install import committed, settings_file
from compass.install.consent import ask, refuse_agents
from compass.install.installation import Site, site_here
from compass.project_precedents import (
    GLOSSARY,
    OfferedGlossary,
    ProjectPrecedents,
    offered_glossary,
    precedents_of,
    take_glossary,
)
from compass.show.configuration import DEFAULT, entries, origin_of, plain, show_config, show_entries
from compass.show.terminal import hang, say
from evaluator.errors import ConfigError
from evaluator.record import values_of
from evaluator.settings import layers
from evaluator.settings.environment import digest_of, read_pins
from evaluator.settings.keys import KEYS
from evaluator.text import safe


def add_config_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    shown = add_action(actions, "list", "what was changed and by whom, and what was ignored", "reads")
    told = "every setting, grouped by use, with a line of help for each"
    shown.add_argument("--all", action="store_true", help=told)
    get = add_action(actions, "get", "the value in force, and where it comes from", "reads")
    get.add_argument("key", metavar="KEY", help="such as mode, or evaluator for everything under it")
    put = add_action(actions, "set", "set a value of your own, for this project or for all", "controls")
    put.add_argument("key", metavar="KEY")
    told = "a word, a number, true or false; `a,b` or JSON for a list"
    put.add_argument("value", metavar="VALUE", help=told)
    put.add_argument("--user", action="store_true", help="for all your projects, not just this one")


def run_config(args: argparse.Namespace) -> int:
    """Exit code 0. Raises ConfigError, naming file and key, and ConsentError where an agent asks."""
    if args.action == "set":
        refuse_agents(os.environ)
        change = set_value(site_here(), key_named(str(args.key)), str(args.value), every_project=args.user)
        if args.json:
            print(json.dumps(change.document(), indent=2))
        else:
            for told in sentences(change):
                say(told)
        return 0
    site = site_here()
    loaded = load(site.env, site.home, site.project_dir, host=site.host)
    if args.action == "list":
        return show_config(loaded, as_json=args.json, whole=args.all)
    path = str(args.key)
    below = [entry for entry in entries(loaded) if entry.key == path or entry.key.startswith(path + ".")]
    if path not in KEYS and any(entry.key in KEYS for entry in below):
        return show_entries(below, as_json=args.json)
    key = key_named(path)
    found = next(entry for entry in entries(loaded) if entry.key == key.path)
    if args.json:
        print(json.dumps(asdict(found), indent=2))
        return 0
    # A script takes the value alone.
    print(found.value if key.kind == "str" and found.value is not None else json.dumps(found.value))
    said = "the default" if found.origin == DEFAULT else f"from {found.origin}"
    default = "" if found.origin == DEFAULT else f" (default {short(key, found.default)})"
    print(safe(f"{said}{default}"), file=sys.stderr)
    for ignored in found.ignored:
        print(f"has no effect: {safe(ignored)}", file=sys.stderr)
    return 0


_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_MEANS = {
    layers.ONLY_TIGHTER: "loosens the gate",
    layers.USER_ONLY: "otherwise only yours to set",
    layers.NOT_A_PROJECTS: "a variable that Compass would pick up",
}


def add_trust_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--revoke", action="store_true", help="stop trusting this project's settings")
    parser.add_argument("--yes", action="store_true", help="do not ask, even at a terminal")


def run_trust(args: argparse.Namespace) -> int:
    """Exit code 0; raises ConfigError for files that cannot be read whole, or a pin that cannot be written."""
    refuse_agents(os.environ)
    site = site_here()
    loaded = load(site.env, site.home, site.project_dir, host=site.host, honour_trust=False)
    memory = precedents_of(site.state_dir, site.project_dir, loaded.settings.memory)
    act = _revoke_settings_trust if args.revoke else _trust_settings
    return act(args, site, loaded, memory)


def _revoke_settings_trust(
    args: argparse.Namespace, site: Site, loaded: layers.Loaded, memory: ProjectPrecedents
) -> int:
    path = loaded.clean.trust_file
    pins = read_pins(path)
    if pins.pop(site.project_dir, None) is not None:
        _write_settings_pins(path, pins)
    gave_back = committed.give_thresholds_back(site)
    taken = [one.precedent_id for one in memory.of_glossary()]
    memory.forget(taken)
    if args.json:
        print(json.dumps(_settings_trust_document(site, path, None, []), indent=2))
        return 0
    hang("Its settings apply only where they tighten the gate.")
    if gave_back:
        hang(f"The thresholds that you took from {committed.COMMITTED} have been deleted.")
    if taken:
        hang(f"The entries that you took from {GLOSSARY} have been removed ({len(taken)}).")
    return 0


def _trust_settings(
    args: argparse.Namespace, site: Site, loaded: layers.Loaded, memory: ProjectPrecedents
) -> int:
    for file in loaded.clean.project_files:
        if file.opaque:
            raise ConfigError(f"{file.path}: {file.problem}; an unreadable file cannot be trusted")
    path, values = loaded.clean.trust_file, list(_untrusted_settings(loaded))
    digest = digest_of(site.project_dir, loaded.clean.project_files)
    pins = read_pins(path)
    cuts, words = committed.committed_thresholds(site), offered_glossary(memory, site.project_dir)
    asked = {
        "these settings": digest is not None and digest != pins.get(site.project_dir),
        "these thresholds": cuts is not None and not (cuts.taken or cuts.own),
        "these words": words is not None and bool(words.stated) and not words.taken,
    }
    if not args.json:
        _show_settings_to_trust(site.project_dir, values, cuts, words)
    if any(asked.values()) and not args.yes:
        ask(f"Let {' and '.join(name for name, wanted in asked.items() if wanted)} count as your own?")
    if digest is not None and asked["these settings"]:
        _write_settings_pins(path, {**pins, site.project_dir: digest})
    if cuts is not None and asked["these thresholds"]:
        committed.take_thresholds(site, cuts)
    if words is not None and asked["these words"]:
        take_glossary(memory, words.stated)
    if args.json:
        told = _settings_trust_document(site, path, digest, values)
        told["thresholds"] = None if cuts is None else not cuts.own
        told["glossary"] = words and {
            "entries": [values_of(one) for one in words.stated],
            "left_out": list(words.left_out),
        }
        print(json.dumps(told, indent=2))
    elif digest is not None:
        hang(
            f"Trusted as it stands (recorded in {path}). Any change to `compass` or `env` in these files ends the "
            "trust, and so does `compass trust --revoke`."
        )
    return 0


def _settings_trust_document(
    site: Site, path: str, digest: str | None, values: list[dict[str, object]]
) -> dict[str, object]:
    return {
        "project_dir": site.project_dir,
        "trusted": digest is not None,
        "digest": digest,
        "trust_file": path,
        "values": values,
    }


def _untrusted_settings(loaded: layers.Loaded) -> Iterator[dict[str, object]]:
    """What does not count now and would: file and key, the value, the value in force, and what that means."""
    files = {file.path for file in loaded.clean.project_files}
    refused = (item for item in loaded.refused if item not in loaded.ignored)
    for item in (*loaded.ignored, *refused):
        path = item.origin.removesuffix(layers.ENV_BLOCK)
        if path not in files or item.why not in _MEANS:
            continue
        known = KEYS.get(item.key)
        if known is None:
            hidden = _SECRET.search(item.key)
            name, value, in_force = item.key, "(not shown)" if hidden else item.value, None
        else:
            name = origin_of(item.key, item.origin, loaded).removeprefix(f"{path}: ")
            value = item.value
            in_force = plain(known, loaded.values.get(known.path, known.default))
        yield {"file": path, "key": name, "value": value, "in_force": in_force, "means": _MEANS[item.why]}


def _show_settings_to_trust(
    project_dir: str,
    values: list[dict[str, object]],
    cuts: committed.Offered | None,
    words: OfferedGlossary | None,
) -> None:
    """What is about to count, before anybody is asked. What stands in the files is a stranger's."""
    if not values:
        hang(f"Nothing in the settings of {project_dir} needs your trust.")
    for value in values:
        name = os.path.relpath(str(value["file"]), project_dir)
        now = "" if value["in_force"] is None else f" (in force: {json.dumps(value['in_force'])})"
        key = json.dumps(value["key"]).strip('"')
        hang(f"{name}: {key} = {json.dumps(value['value'])}{now}: {value['means']}")
    if cuts is not None:
        standing = (
            "your own are kept, so these do not apply" if cuts.own else _settings_trust_text(taken=cuts.taken)
        )
        hang(f"{committed.COMMITTED}, measured {cuts.found.date} with {cuts.found.backend}: {standing}.")
        for line in cuts_told(cuts.found):
            hang(f"  {line}")
    if words is not None:
        standing = (
            _settings_trust_text(taken=words.taken) if words.stated else "none of its entries can be used"
        )
        hang(f"{GLOSSARY}: {standing}.")
        for one in words.stated:
            more = ", ".join(filter(None, (one.action, one.extent)))
            hang(f"  {one.term}: {one.target}" + (f" ({more})" if more else ""))
        for fault in words.left_out:
            hang(f"  left out: {fault}")


def _settings_trust_text(*, taken: bool) -> str:
    return "trusted already" if taken else "once you trust it, a copy of its current content applies"


def _write_settings_pins(path: str, pins: dict[str, str]) -> None:
    if pins:
        settings_file.replace(path, json.dumps({"trusted": pins}, indent=2) + "\n", private=True)
    else:
        settings_file.remove(path)
