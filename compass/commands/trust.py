"""`compass trust`: let what a project's settings files hold now count as the user's own, or take that back."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterator
from functools import partial

from compass.composition.settings import load, unread
from compass.glossary import COMMITTED, OfferedGlossary, give_back, offered, take
from compass.install import settings_file, team
from compass.install.consent import ask, refuse_agents
from compass.install.installation import here
from compass.project_precedents import memory_of
from compass.show.configuration import origin_of, plain
from compass.show.terminal import say
from evaluator.calibrated import Calibrated
from evaluator.errors import ConfigError
from evaluator.record import values_of
from evaluator.settings import layers
from evaluator.settings.files import shown
from evaluator.settings.keys import KEYS, Key
from evaluator.settings.project_record import digest_of, read_pins
from evaluator.text import safe

_say = partial(say, hanging=2)
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_MEANS = {
    layers.ONLY_TIGHTER: "loosens the gate",
    layers.TOO_MANY: "asks readers more often, at your cost",
    layers.USER_ONLY: "otherwise only yours to set",
    layers.NOT_A_PROJECTS: "a variable that Compass would take over",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--revoke", action="store_true", help="stop trusting this project's settings")
    parser.add_argument("--yes", action="store_true", help="do not ask at a terminal")


def run(args: argparse.Namespace) -> int:
    """Exit code 0; raises ConfigError for files that cannot be read whole, or a pin that cannot be written."""
    refuse_agents(os.environ)
    site = here()
    loaded = load(site.env, site.home, site.project_dir, host=site.host, honour_trust=False)
    clean = loaded.clean
    digest = digest_of(site.project_dir, clean.project_files)
    values = _values(loaded)
    cuts = None if args.revoke else team.offered(site)
    asks_cuts = cuts is not None and not (cuts.taken or cuts.own)
    memory = memory_of(site.state_dir, site.project_dir, loaded.settings.memory)
    words = None if args.revoke else offered(memory, site.project_dir)
    asks_words = words is not None and bool(words.stated) and not words.pinned
    pins = read_pins(clean.trust_file)
    before = pins.pop(site.project_dir, None)
    if not args.json and not args.revoke:
        _show(site.project_dir, values)
        _show_committed(site.project_dir, cuts)
        _show_words(words)
    gave_back, forgotten = False, 0
    if args.revoke:
        gave_back = team.give_back(site)
        forgotten = give_back(memory, site.project_dir)
        if before is not None:
            _write(clean.trust_file, pins)
    else:
        _refuse_unreadable(loaded)
        asks_settings = digest is not None and digest != before
        asked = (
            ["these settings"] * asks_settings
            + ["these thresholds"] * asks_cuts
            + ["these words"] * asks_words
        )
        if asked and not args.yes:
            ask(f"Let {' and '.join(filter(None, (', '.join(asked[:-1]), asked[-1])))} count as your own?")
        if digest is not None and asks_settings:
            _write(clean.trust_file, {**pins, site.project_dir: digest})
        if cuts is not None and asks_cuts:
            team.take(site, cuts)
        if words is not None and asks_words:
            take(memory, site.project_dir, words)
    trusted = digest is not None and not args.revoke
    if args.json:
        document: dict[str, object] = {
            "project_dir": site.project_dir,
            "trusted": trusted,
            "digest": digest,
            "trust_file": clean.trust_file,
            "values": values,
            "thresholds": None if cuts is None else not cuts.own,
            "glossary": words
            and {
                "trusted": bool(words.stated),
                "entries": [values_of(one) for one in words.stated],
                "left_out": list(words.left_out),
            },
        }
        print(json.dumps(document, indent=2))
    elif args.revoke:
        print(
            "Its settings count only where they tighten the gate."
            if before
            else "Its settings were not trusted."
        )
        if gave_back:
            print(f"The thresholds that you took from {team.COMMITTED} are deleted.")
        if forgotten:
            _say(f"The {forgotten} words that you took from {COMMITTED} are forgotten.")
    elif trusted:
        _say(
            f"Trusted as it is (recorded in {safe(clean.trust_file)}). Any change of `compass` or `env` in these "
            "files ends the trust; `compass trust --revoke` takes it back."
        )
    if asks_words and not args.json:
        _say(
            f"{COMMITTED} is taken over as it is: `compass memory list` shows its words. Later changes to it are not "
            "read until you trust it again."
        )
    return 0


def _values(loaded: layers.Loaded) -> list[dict[str, object]]:
    """What does not count now and would: file and key, the value, the value in force, and what that means."""
    files = {file.path for file in loaded.clean.project_files}
    found: list[dict[str, object]] = []
    refused = [item for item in loaded.ignored if item.key in KEYS]
    for item in (*refused, *loaded.refused):
        path = item.origin.removesuffix(layers.ENV_BLOCK)
        if path not in files or item.why not in _MEANS:
            continue
        known = KEYS.get(item.key)
        found.append(
            {
                "file": path,
                "key": origin_of(item.key, item.origin, loaded).removeprefix(f"{path}: ")
                if known
                else item.key,
                "value": _value(known, item),
                "in_force": shown(known, plain(known, loaded.values.get(known.path, known.default)))
                if known
                else None,
                "means": _MEANS[item.why],
            }
        )
    return found


def _value(known: Key | None, item: layers.Ignored) -> object:
    if known is not None:
        return shown(known, item.value)
    return "(not shown)" if _SECRET.search(item.key) else item.value


def _show(project_dir: str, values: list[dict[str, object]]) -> None:
    """Escaped: what stands in the files is a stranger's, and must not act on the terminal."""
    if not values:
        _say(f"Nothing in the settings of {safe(project_dir)} is held back.")
        return
    _say(f"In {safe(project_dir)}, held back until trusted:")
    for value in values:
        name = safe(os.path.relpath(str(value["file"]), project_dir))
        now = "" if value["in_force"] is None else f" (in force: {json.dumps(value['in_force'])})"
        key = json.dumps(value["key"]).strip('"')
        _say(f"  {name}: {key} = {json.dumps(value['value'])}{now}: {value['means']}")


def _show_committed(project_dir: str, cuts: team.Offered | None) -> None:
    """What else a team committed: cuts, which are taken over once, and what is never read."""
    if cuts is not None:
        told = (
            "yours are kept, these do not count"
            if cuts.own
            else "once trusted, this copy of them decides here"
        )
        made = f"measured {cuts.found.date} with {cuts.found.backend} {cuts.found.model}".rstrip()
        print(
            f"{team.COMMITTED}: thresholds that somebody {safe(made)}: {'trusted already' if cuts.taken else told}."
        )
        for line in _cuts_of(cuts.found):
            _say(f"  {line}")
    for name in unread(project_dir):
        if name != team.COMMITTED:
            print(f"{name} is not read, trusted or not.")


def _show_words(words: OfferedGlossary | None) -> None:
    """A glossary's entries, before anybody is asked whether they count."""
    if words is None:
        return
    if not words.stated:
        _say(f"{COMMITTED}: nothing in it could count.")
    else:
        told = (
            "trusted already" if words.pinned else "once trusted, these count below what you settle yourself"
        )
        _say(f"{COMMITTED}: words that somebody settled: {told}.")
    for one in words.stated:
        more = ", ".join(filter(None, (one.action, one.extent)))
        _say(f"  {safe(one.term)}: {safe(one.target)}" + (f" ({more})" if more else ""))
    for fault in words.left_out:
        _say(f"  left out: {safe(fault)}")


def _cuts_of(found: Calibrated) -> Iterator[str]:
    for n, cuts in found.per_n.items():
        for stakes, cut in cuts.items():
            usual = KEYS[f"confidence_by_stakes.{stakes}"].default
            who = "1 reader" if n == 1 else f"{n} readers"
            yield f"{who}, {stakes} calls: a mean of at least {cut.confidence:.2f} (by default {usual:.2f})"


def _refuse_unreadable(loaded: layers.Loaded) -> None:
    for file in loaded.clean.project_files:
        if file.opaque:
            raise ConfigError(f"{file.path}: {file.problem}: what cannot be read cannot be trusted")


def _write(path: str, pins: dict[str, str]) -> None:
    if pins:
        settings_file.replace(path, json.dumps({"trusted": pins}, indent=2) + "\n", private=True)
    else:
        settings_file.remove(path)
