"""A setting changed in one of the user's own layers: what was in force, what is, and what outweighs it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from compass.composition.automatic_backend import backend_in_force
from compass.composition.settings import load
from compass.composition.thresholds import rule_of
from compass.configuration.user_layers import OwnLayer, layer_of, write, writing
from compass.install.installation import Site
from compass.show.configuration import DEFAULT, WITHOUT_EFFECT, origin_of, plain
from evaluator.errors import ConfigError
from evaluator.model import STAKES_CLASSES
from evaluator.settings.environment import COMPASS
from evaluator.settings.files import TEAM_LAYER as TEAM
from evaluator.settings.files import from_text, is_tighter, parse, shown
from evaluator.settings.keys import KEYS, MEASURED, NO_LONGER, SPELLED, Key
from evaluator.settings.layers import ENV_BLOCK, Loaded, calibration_file, no_longer, user_project_file
from evaluator.settings.places import blocks_without
from evaluator.settings.project_record import ENABLED, ENVIRONMENT
from evaluator.text import safe

LOOSER: dict[str, str] = {
    "enabled": "nothing is judged or held any more",
    "mode": "writes are judged and recorded, and none is held",
    "error_policy": "a write may run although no reader could judge it",
    "confidence_threshold": "writes that the readers are less sure of may pass",
    "stddev_threshold": "writes about which the readers disagree more strongly may pass",
    "max_checks_per_turn": "fewer writes of a long turn are read by the readers",
    "on_exhausted": "past a turn's budget, or with little to judge by, writes are judged less well, or not at all",
    "include_file_contents": "what would be written leaves this machine, up to 4,000 characters per write",
    "skip_globs": "writes of more files are never judged",
    "store_evidence": "exchange and evidence are kept in your private record",
    "evaluator.n": "fewer readers are asked, so a single one weighs more",
    "convergence.rule": "writes that certified thresholds or disagreeing readers would hold may run",
    "cooldown.seconds": "a file that was just written is left unjudged for longer",
    "coverage.max_calls": "one passed check lets more writes of its folder run",
    "skip_patterns.reply_to_question.enabled": "an answer to the agent's question is a reason not to judge",
    "circuit_breaker.open_behavior": "while the readers are down, writes are judged less well, or not at all",
    "sanitization.strip_null_bytes": "NUL characters may reach the readers",
    "intervention.recheck_limit": "a held write is judged again more often",
    "intervention.headless": "where nobody can answer, a held write is refused less firmly, or runs",
    "memory.enabled": "what you settled once counts again, and is shown to readers of later requests",
    "bash.read_only": "more commands count as reading, and are never judged",
    "bash.write": "fewer commands are taken as writing",
}

LEAVES: dict[str, tuple[object, str]] = {
    "memory.share": (
        True,
        "Hosted readers are shown what you settled before, where a request bears on it: your own words, sanitized.",
    ),
    "evidence.symbols": (
        True,
        "Hosted readers are sent the names that a write touches and how many lines it adds and removes, not its text.",
    ),
    "evidence.lookups": (
        "targets",
        "Hosted readers are sent lines from what the agent read in its turn that name a write's target: single lines "
        "of files among them, at most 600 characters per check, secrets redacted.",
    ),
    "evidence.history": (
        True,
        "Hosted readers are sent your earlier messages in the session, each with the end of what the assistant then "
        "said, at most 2,400 characters per check, and the calls of the turn so far, by tool and command or target.",
    ),
    "hindsight.live": (
        True,
        "With each prompt hosted readers are asked twice about the turn before: what you asked for, what was said "
        "before it, the writes by tool and target or command, and what you said next, sanitized. At the default "
        "model's list prices about 0.22 USD for 100 turns, within the day's caps.",
    ),
}
"""Of keys without a direction: from which value on more leaves the machine, and what."""
SHOWN_MAX = 60


def loosens(key: Key, before: object, after: object) -> bool:
    """Whether the gate holds less once a setting was changed; false for a key without a direction."""
    return key.tighter is not None and before != after and not is_tighter(key, before, after)


def leaves(key: Key, before: object, after: object) -> str:
    """What leaves the machine from a changed setting on that did not before; empty for nothing."""
    value, told = LEAVES.get(key.path, (None, ""))
    return told if before != after == value else ""


def looser(key: Key) -> str:
    return LOOSER.get(key.path, "it holds less than before")


@dataclass(frozen=True, slots=True)
class InForce:
    """A key's value as JSON has it, and where it comes from: file and key, variable, or `default`."""

    value: object
    origin: str


@dataclass(frozen=True, slots=True)
class SettingChange:
    """`stated` is what the layer says afterwards (None: nothing), `differs` that it did not say so before.

    `outweighed_by` names what stands above the layer and decides, `means` what is looser; both may be empty.
    """

    key: Key
    layer: OwnLayer
    before: InForce
    after: InForce
    stated: InForce | None
    differs: bool
    outweighed_by: str
    means: str
    notes: tuple[str, ...]

    def document(self) -> dict[str, object]:
        return {
            "key": self.key.path,
            "file": self.layer.path,
            "for": self.layer.reach,
            "stated": None if self.stated is None else self.stated.value,
            "changed": self.differs,
            "before": {"value": self.before.value, "origin": self.before.origin},
            "after": {"value": self.after.value, "origin": self.after.origin},
            "outweighed_by": self.outweighed_by,
            "loosens": self.means,
            "notes": list(self.notes),
        }


def key_named(path: str, *, old: bool = False) -> Key:
    """The key of that name. Raises ConfigError. `old`: of what older versions took, too."""
    if path in KEYS:
        return KEYS[path]
    if old and (path in NO_LONGER or path in SPELLED):
        return Key(path, "table", None)
    if path in SPELLED:
        return KEYS[SPELLED[path]]
    if path in NO_LONGER:
        raise ConfigError(f"{path} is {no_longer(path)}")
    raise ConfigError(f"{path[:80]!r} is not a setting; `compass config list --all` shows them all")


def set_value(site: Site, key: Key, text: str, *, every_project: bool) -> SettingChange:
    """Sets a key in one of the user's own layers. Raises ConfigError for a value that the key does not take, and where
    the file cannot be kept whole."""
    raw = from_text(key, text)
    value, wrong = parse(key, raw)
    if wrong:
        raise ConfigError(f"{key.path} was not set: it {wrong}")
    wanted = raw if key.kind == "float" else plain(key, value)
    return _changed(site, key, wanted, every_project=every_project)


def take_out(site: Site, key: Key, *, every_project: bool) -> SettingChange:
    """Takes a key out of one of the user's own layers. Raises ConfigError, also for the word without which the gate of
    a project that was set up would be lost."""
    if key.path == ENABLED and not every_project and site.is_set_up:
        raise ConfigError(
            "enabled was not taken out: without it the gate of this project would be lost, not off. "
            "`compass config set enabled false` turns it off, `compass init --uninstall` takes it out"
        )
    return _changed(site, key, None, every_project=every_project, take_out=True)


def _changed(
    site: Site, key: Key, wanted: object, *, every_project: bool, take_out: bool = False
) -> SettingChange:
    layer = layer_of(site, every_project=every_project)
    done = "taken out" if take_out else "set"
    before = load(site.env, site.home, site.project_dir, host=site.host)
    try:
        with writing(site):
            # A file that holds something again would hide that the rest is lost.
            lost = "" if layer.hosted else before.lost
            stood, earlier = write(layer, key, wanted, take_out=take_out, refuse=lost)
    except ConfigError as error:
        raise ConfigError(f"{key.path} was not {done}: {error}") from error
    after = load(site.env, site.home, site.project_dir, host=site.host)
    old, new = before.values.get(key.path, key.default), after.values.get(key.path, key.default)
    # One number for all stakes, or none, stands against a cut of each.
    lowers_a_cut = any(
        after.settings.confidence(one) < before.settings.confidence(one) for one in STAKES_CLASSES
    )
    return SettingChange(
        key,
        layer,
        in_force(key, before),
        in_force(key, after),
        None if take_out else InForce(shown(key, wanted), layer.path),
        # True and 1 are equal to Python, and two values in a settings file.
        stood if take_out else not stood or json.dumps(earlier) != json.dumps(wanted),
        "" if take_out else _above(key, layer, after, wanted, site.project_dir),
        looser(key) if loosens(key, old, new) or lowers_a_cut else "",
        tuple(_notes(site, key, before, after)),
    )


def in_force(key: Key, loaded: Loaded) -> InForce:
    layer = loaded.origins.get(key.path)
    value = shown(key, plain(key, loaded.values.get(key.path, key.default)))
    return InForce(value, DEFAULT if layer is None else origin_of(key.path, layer, loaded))


def sentences(change: SettingChange) -> list[str]:
    """What a person reads: first what happened, then what that means here."""
    name, where = change.key.path, f"for {change.layer.reach} ({change.layer.path})"
    old, new = short(change.key, change.before.value), short(change.key, change.after.value)
    if change.stated is None and not change.differs:
        head = f"{name} is not set {where}; nothing was changed. In force: {new} ({change.after.origin})."
    elif change.outweighed_by:
        head = f"{name} is {short(change.key, change.stated and change.stated.value)} {where}."
    elif not change.differs:
        head = f"{name} is {new} {where} already; nothing was changed."
    elif change.before.value == change.after.value:
        head = f"{name} stays {new}, {where}."
    else:
        came = f" ({change.before.origin})" if change.before.origin == DEFAULT else ""
        goes = f" ({change.after.origin})" if change.stated is None else ""
        head = f"{name}: {old}{came} -> {new}{goes}, {where}."
    told = [head]
    if change.outweighed_by:
        told.append(f"It has no effect in this project: {change.outweighed_by}")
    if change.means:
        told.append(f"This loosens the gate: {change.means}.")
    return [*told, *change.notes]


def short(key: Key, value: object) -> str:
    text = str(value) if key.kind == "str" and value else json.dumps(value, ensure_ascii=False)
    text = safe(text)
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"


def _above(key: Key, layer: OwnLayer, after: Loaded, wanted: object, directory: str) -> str:
    """The layer of settings that decides in place of the changed one, and the way out; empty where that decides."""
    above = after.origins.get(key.path)
    value = plain(key, after.values.get(key.path, key.default))
    if above == layer.path or above is None or (key.kind == "table" and _holds(value, wanted)):
        return ""
    says = f"{origin_of(key.path, above, after)} says {short(key, shown(key, value))}"
    if above == ENVIRONMENT:
        return (
            f"{says}. `unset {COMPASS}{key.path.upper().replace('.', '__')}` in your shell takes that back."
        )
    if above == TEAM:
        return f"{says}, which tightens what you set; `compass team status` shows whose it is."
    files = {file.path for file in after.clean.project_files}
    if above.removesuffix(ENV_BLOCK) in files:
        way = "it is trusted" if after.clean.trusted else "a project may tighten what you set"
        return f"{says}, and {way}."
    own = user_project_file(after.clean.env, after.clean.home, directory)
    way = f"`compass config unset {key.path}` takes that out" if above == own else "take it out there"
    return f"{says}, and that takes precedence: {way}."


def _holds(value: object, wanted: object) -> bool:
    if not (isinstance(value, dict) and isinstance(wanted, dict)):
        return False
    rows = cast(dict[str, object], value)
    return all(name in rows and rows[name] == row for name, row in cast(dict[str, object], wanted).items())


def _notes(site: Site, key: Key, before: Loaded, after: Loaded) -> Sequence[str]:
    found: list[str] = []
    if key.path in WITHOUT_EFFECT:
        found.append(f"{key.path} is {WITHOUT_EFFECT[key.path]}.")
    old, new = before.values.get(key.path, key.default), after.values.get(key.path, key.default)
    if told := leaves(key, old, new):
        found.append(told)
    if key.path in MEASURED:
        found += _measured(site, key, after)
    if site.is_set_up and _entry_of(before) != _entry_of(after):
        found.append(
            "The hooks that `compass init` wrote still follow the old value where Compass itself fails, or do not see "
            "these tools: run `compass init`."
        )
    return found


def _entry_of(loaded: Loaded) -> tuple[object, ...]:
    """What of the settings stands in the hook's entry."""
    settings = loaded.settings
    return blocks_without(settings.mode, settings.error_policy), settings.gate.mcp_tools


def _measured(site: Site, key: Key, after: Loaded) -> list[str]:
    settings = after.settings
    path = calibration_file(site.env, site.home, site.project_dir)
    rule = rule_of(settings, backend_in_force(settings, site.env, site.home, site.project_dir), path)
    irreversible = key.path.endswith(".irreversible")
    thresholds = rule.irreversible if irreversible else rule.reversible
    holds = thresholds.deviation if key.path == "stddev_threshold" else thresholds.confidence
    stated = after.values.get(key.path, key.default)
    if stated is None or holds == stated:
        return []
    return [f"What `compass calibrate` measured here is stricter and applies: {holds:g}."]
