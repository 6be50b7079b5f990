"""`compass trust`: let what a project's settings files hold now count as the user's own, or take that back."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterator
from functools import partial

from compass.composition.settings import load
from compass.composition.thresholds import cuts_told
from compass.install import settings_file, team
from compass.install.consent import ask, refuse_agents
from compass.install.installation import Site, here
from compass.project_precedents import (
    GLOSSARY,
    OfferedGlossary,
    ProjectPrecedents,
    memory_of,
    offered_glossary,
    take_glossary,
)
from compass.show.configuration import origin_of, plain
from compass.show.terminal import say
from evaluator.errors import ConfigError
from evaluator.record import values_of
from evaluator.settings import layers
from evaluator.settings.environment import digest_of, read_pins
from evaluator.settings.keys import KEYS

_say = partial(say, hanging=2)
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_MEANS = {
    layers.ONLY_TIGHTER: "loosens the gate",
    layers.USER_ONLY: "otherwise only yours to set",
    layers.NOT_A_PROJECTS: "a variable that Compass would adopt",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--revoke", action="store_true", help="stop trusting this project's settings")
    parser.add_argument("--yes", action="store_true", help="do not ask at a terminal")


def run(args: argparse.Namespace) -> int:
    """Exit code 0; raises ConfigError for files that cannot be read whole, or a pin that cannot be written."""
    refuse_agents(os.environ)
    site = here()
    loaded = load(site.env, site.home, site.project_dir, host=site.host, honour_trust=False)
    memory = memory_of(site.state_dir, site.project_dir, loaded.settings.memory)
    return _revoke(args, site, loaded, memory) if args.revoke else _trust(args, site, loaded, memory)


def _revoke(args: argparse.Namespace, site: Site, loaded: layers.Loaded, memory: ProjectPrecedents) -> int:
    path = loaded.clean.trust_file
    pins = read_pins(path)
    if pins.pop(site.project_dir, None) is not None:
        _write(path, pins)
    gave_back = team.give_back(site)
    taken = [one.precedent_id for one in memory.of_glossary()]
    memory.forget(taken)
    if args.json:
        print(json.dumps(_document(site, path, None, []), indent=2))
        return 0
    _say("Its settings count only where they tighten the gate.")
    if gave_back:
        _say(f"The thresholds that you took from {team.COMMITTED} are deleted.")
    if taken:
        _say(f"What you took from {GLOSSARY} is forgotten ({len(taken)}).")
    return 0


def _trust(args: argparse.Namespace, site: Site, loaded: layers.Loaded, memory: ProjectPrecedents) -> int:
    for file in loaded.clean.project_files:
        if file.opaque:
            raise ConfigError(f"{file.path}: {file.problem}: what cannot be read cannot be trusted")
    path, values = loaded.clean.trust_file, list(_values(loaded))
    digest = digest_of(site.project_dir, loaded.clean.project_files)
    pins = read_pins(path)
    cuts, words = team.offered(site), offered_glossary(memory, site.project_dir)
    asked = {
        "these settings": digest is not None and digest != pins.get(site.project_dir),
        "these thresholds": cuts is not None and not (cuts.taken or cuts.own),
        "these words": words is not None and bool(words.stated) and not words.taken,
    }
    if not args.json:
        _show(site.project_dir, values, cuts, words)
    if any(asked.values()) and not args.yes:
        ask(f"Let {' and '.join(name for name, wanted in asked.items() if wanted)} count as your own?")
    if digest is not None and asked["these settings"]:
        _write(path, {**pins, site.project_dir: digest})
    if cuts is not None and asked["these thresholds"]:
        team.take(site, cuts)
    if words is not None and asked["these words"]:
        take_glossary(memory, words.stated)
    if args.json:
        told = _document(site, path, digest, values)
        told["thresholds"] = None if cuts is None else not cuts.own
        told["glossary"] = words and {
            "entries": [values_of(one) for one in words.stated],
            "left_out": list(words.left_out),
        }
        print(json.dumps(told, indent=2))
    elif digest is not None:
        _say(
            f"Trusted as it is (recorded in {path}). Any change to `compass` or `env` in these files ends the trust; "
            "`compass trust --revoke` takes it back."
        )
    return 0


def _document(
    site: Site, path: str, digest: str | None, values: list[dict[str, object]]
) -> dict[str, object]:
    return {
        "project_dir": site.project_dir,
        "trusted": digest is not None,
        "digest": digest,
        "trust_file": path,
        "values": values,
    }


def _values(loaded: layers.Loaded) -> Iterator[dict[str, object]]:
    """What does not count now and would: file and key, the value, the value in force, and what that means."""
    files = {file.path for file in loaded.clean.project_files}
    for item in (*loaded.ignored, *loaded.refused):
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


def _show(
    project_dir: str,
    values: list[dict[str, object]],
    cuts: team.Offered | None,
    words: OfferedGlossary | None,
) -> None:
    """What is about to count, before anybody is asked. What stands in the files is a stranger's."""
    if not values:
        _say(f"Nothing in the settings of {project_dir} is held back.")
    for value in values:
        name = os.path.relpath(str(value["file"]), project_dir)
        now = "" if value["in_force"] is None else f" (in force: {json.dumps(value['in_force'])})"
        key = json.dumps(value["key"]).strip('"')
        _say(f"{name}: {key} = {json.dumps(value['value'])}{now}: {value['means']}")
    if cuts is not None:
        standing = "yours are kept, these do not count" if cuts.own else _standing(taken=cuts.taken)
        _say(f"{team.COMMITTED}, measured {cuts.found.date} with {cuts.found.backend}: {standing}.")
        for line in cuts_told(cuts.found):
            _say(f"  {line}")
    if words is not None:
        standing = _standing(taken=words.taken) if words.stated else "no entry of it can be used"
        _say(f"{GLOSSARY}: {standing}.")
        for one in words.stated:
            more = ", ".join(filter(None, (one.action, one.extent)))
            _say(f"  {one.term}: {one.target}" + (f" ({more})" if more else ""))
        for fault in words.left_out:
            _say(f"  left out: {fault}")


def _standing(*, taken: bool) -> str:
    return "trusted already" if taken else "once trusted, this copy of it counts"


def _write(path: str, pins: dict[str, str]) -> None:
    if pins:
        settings_file.replace(path, json.dumps({"trusted": pins}, indent=2) + "\n", private=True)
    else:
        settings_file.remove(path)
