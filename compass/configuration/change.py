"""A setting changed in one of the user's own layers: the file written with all else as it stands, what was in force,
what is, and what outweighs it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from compass.composition.settings import load
from compass.install import settings_file
from compass.install.installation import Site, changed_text
from compass.show.configuration import WITHOUT_EFFECT, ShownSetting, entry_of, plain
from evaluator.errors import ConfigError
from evaluator.files import lock_file, private_folder
from evaluator.model import STAKES_CLASSES
from evaluator.settings.files import from_text, is_tighter, parse
from evaluator.settings.keys import KEYS, SPELLED, Key
from evaluator.settings.layers import ASKED, Loaded
from evaluator.settings.places import blocks_without
from evaluator.text import safe
from hooks.entries import closed_policy

LOCK_SECONDS = 5.0
HOSTED = "compass"
"""Under which a key stands in a file of the host's."""


class NoSectionError(ValueError):
    """What should be an object on the way to a key is something else; the text is its dotted path."""


def stated_in(values: Mapping[str, object], path: str) -> tuple[bool, object]:
    """(whether the key stands here, its raw value): of several spellings the last, as the loader takes it."""
    found: tuple[bool, object] = (False, None)
    for word, held in values.items():
        if word == path:
            found = (True, held)
        elif path.startswith(word + ".") and isinstance(held, dict):
            inner = stated_in(cast(dict[str, object], held), path[len(word) + 1 :])
            found = inner if inner[0] else found
    return found


def with_value(values: Mapping[str, object], path: str, value: object, above: str = "") -> dict[str, object]:
    """A copy of a layer's values with the key set wherever it stands, else added. Raises NoSectionError, whose text
    begins with `above`."""
    if stated_in(values, path)[0]:
        found = dict(values)
        for word, held in values.items():
            if word == path:
                found[word] = value
            elif path.startswith(word + ".") and isinstance(held, dict):
                below, rest = cast(dict[str, object], held), path[len(word) + 1 :]
                found[word] = with_value(below, rest, value) if stated_in(below, rest)[0] else below
        return found
    head, _, rest = path.partition(".")
    if not rest:
        return {**values, head: value}
    section = values.get(head, {})
    if not isinstance(section, dict):
        raise NoSectionError(above + head)
    inner = with_value(cast(dict[str, object], section), rest, value, f"{above}{head}.")
    return {**values, head: inner}


@dataclass(frozen=True, slots=True)
class OwnLayer:
    """`hosted`: the file is the host's, and the settings one section of it. `reach` follows "for"."""

    path: str
    hosted: bool
    reach: str


def write_key(layer: OwnLayer, key: Key, value: object, *, refuse: str = "") -> tuple[bool, object]:
    """Sets a key in a settings file; (whether it stood, its earlier value). Raises ConfigError.

    The file is replaced whole or not at all, and left alone where it says this already or cannot be read strictly.
    `refuse` says what else is wrong with the layer.
    """
    file = settings_file.read(layer.path)
    if refuse:
        raise ConfigError(f"{refuse}; restore it, or run `compass init`; nothing was changed")
    values = file.value.get(HOSTED, {}) if layer.hosted else file.value
    if not isinstance(values, dict):
        raise _section_change_error(layer, HOSTED)
    values = cast(dict[str, object], values)
    before = stated_in(values, key.path)
    try:
        after = with_value(values, key.path, value)
    except NoSectionError as error:
        prefix = f"{HOSTED}." if layer.hosted else ""
        raise _section_change_error(layer, prefix + str(error)) from error
    text = changed_text(file.text, {**file.value, HOSTED: after} if layer.hosted else after)
    if text != file.text:
        settings_file.replace(layer.path, text, private=not layer.hosted)
    return before


def _section_change_error(layer: OwnLayer, name: str) -> ConfigError:
    return ConfigError(
        f"{layer.path}: {name} must be an object; correct it there, then try again; nothing was changed"
    )


LEAVES: Mapping[str, str] = {
    **ASKED,
    "include_file_contents": "what would be written, up to 4,000 characters for each write",
    "hindsight.live": (
        "two requests about the previous turn with each prompt: what you asked for, its writes and what you said next; "
        "at the default model's list prices about 0.22 USD for 100 turns"
    ),
}
"""What hosted readers are sent more by a setting that is turned on."""
SHOWN_MAX = 60


@dataclass(frozen=True, slots=True)
class SettingChange:
    """`stated` is what the layer says afterwards, `differs` that it did not say so before.

    `outweighed_by` names what stands above the layer and decides; empty for nothing.
    """

    key: Key
    layer: OwnLayer
    before: ShownSetting
    after: ShownSetting
    stated: object
    differs: bool
    outweighed_by: str
    loosens: bool
    notes: tuple[str, ...]

    def document(self) -> dict[str, object]:
        return {
            "key": self.key.path,
            "file": self.layer.path,
            "for": self.layer.reach,
            "stated": self.stated,
            "changed": self.differs,
            "before": {"value": self.before.value, "origin": self.before.origin},
            "after": {"value": self.after.value, "origin": self.after.origin},
            "outweighed_by": self.outweighed_by,
            "loosens": self.loosens,
            "notes": list(self.notes),
        }


def key_named(path: str) -> Key:
    """The key of that name. Raises ConfigError."""
    if path in KEYS:
        return KEYS[path]
    if path in SPELLED:
        return KEYS[SPELLED[path]]
    raise ConfigError(f"{path[:80]!r} is not a setting; `compass config list --all` lists them all")


def set_value(site: Site, key: Key, text: str, *, every_project: bool) -> SettingChange:
    """Sets a key in one of the user's own layers. Raises ConfigError for a value that the key does not take, and where
    the file cannot be kept whole."""
    raw = from_text(key, text)
    value, wrong = parse(key, raw)
    if wrong:
        raise ConfigError(f"{key.path} was not set: it {wrong}")
    wanted = raw if key.kind == "float" else plain(key, value)
    layer = OwnLayer(site.own_settings, False, "this project")
    if every_project:
        layer = OwnLayer(site.host.FILES.of_user(site.home)[0], True, "all your projects")
    before = load(site.env, site.home, site.project_dir, host=site.host)
    try:
        private_folder(site.state_dir, repair=False)
        # Nobody else sets a key meanwhile.
        with lock_file(os.path.join(site.state_dir, "settings.lock"), LOCK_SECONDS):
            # A file that holds something again would hide that the rest is lost.
            stood, earlier = write_key(layer, key, wanted, refuse="" if layer.hosted else before.lost)
    except ConfigError as error:
        raise ConfigError(f"{key.path} was not set: {error}") from error
    except OSError as error:
        told = f"{error.filename or site.state_dir}: {error.strerror or error}"
        raise ConfigError(f"{key.path} was not set: {told}") from error
    after = load(site.env, site.home, site.project_dir, host=site.host)
    old, new = before.values.get(key.path, key.default), after.values.get(key.path, key.default)
    # One number for all stakes, or none, stands against a cut of each.
    lowers_a_cut = any(
        after.settings.confidence(one) < before.settings.confidence(one) for one in STAKES_CLASSES
    )
    held, decides = entry_of(key, after), after.origins.get(key.path)
    return SettingChange(
        key,
        layer,
        entry_of(key, before),
        held,
        wanted,
        # True and 1 are equal to Python, and two values in a settings file.
        not stood or json.dumps(earlier) != json.dumps(wanted),
        "" if decides in (layer.path, None) else f"{held.origin} says {short(key, held.value)}",
        # A key without a direction loosens nothing.
        (key.tighter is not None and old != new and not is_tighter(key, old, new)) or lowers_a_cut,
        tuple(_notes_on_change(site, key, before, after)),
    )


def sentences(change: SettingChange) -> list[str]:
    """What a person reads: first what happened, then what that means here."""
    name, where = change.key.path, f"for {change.layer.reach} ({change.layer.path})"
    old, new = short(change.key, change.before.value), short(change.key, change.after.value)
    if not change.differs or change.outweighed_by:
        already = "" if change.differs else " already; nothing was changed"
        told = [f"{name} is {short(change.key, change.stated)} {where}{already}."]
    else:
        here = change.before.origin.startswith(f"{change.layer.path}: ")
        was = "" if here else f" ({change.before.origin})"
        told = [f"{name}: {old}{was} -> {new}, {where}."]
    if change.outweighed_by:
        told.append(f"It has no effect in this project: {change.outweighed_by}, which takes precedence.")
    if change.loosens:
        told.append("This loosens the gate: fewer writes will be held.")
    return [*told, *change.notes]


def short(key: Key, value: object) -> str:
    text = str(value) if key.kind == "str" and value else json.dumps(value, ensure_ascii=False)
    text = safe(text)
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"


def _notes_on_change(site: Site, key: Key, before: Loaded, after: Loaded) -> Sequence[str]:
    found: list[str] = []
    if key.path in WITHOUT_EFFECT:
        found.append(f"{key.path} is {WITHOUT_EFFECT[key.path]}.")
    old, new = before.values.get(key.path, key.default), after.values.get(key.path, key.default)
    if key.path in LEAVES and new not in (False, "off", old):
        found.append(f"Hosted readers are sent {LEAVES[key.path]}; all of it is sanitized.")
    if site.hosts and _hook_entry_settings(before) != _hook_entry_settings(after):
        found.append("The hooks keep using the old value until you run `compass init`.")
    return found


def _hook_entry_settings(loaded: Loaded) -> tuple[object, ...]:
    """What of the settings stands in the hook's entry."""
    settings = loaded.settings
    policy = settings.mode, settings.error_policy
    return closed_policy(*policy), blocks_without(*policy), settings.gate.mcp_tools
