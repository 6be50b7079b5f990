"""Settings from their layers: files, then the environment. Says where each value came from.

A layer that the repository owns may only move a key in its tighter direction; keys without a direction
are the user's alone. What is wrong is named and ignored, never fatal.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import cast

from evaluator.record import Record, replace
from evaluator.settings import environment, files, places
from evaluator.settings.keys import KEYS, SPELLED, Key, Settings, build

ENV_BLOCK = " (env)"
ENABLED = "enabled"
ENVIRONMENT = "environment"
"""The layer of the user's own variables."""
SECTION = "compass"
"""Under which a key stands in every file but the user's own for one project."""
_OURS = tuple(f"env.{name}" for name in ("ONLOOKER_", "ANTHROPIC_", "OPENAI_", environment.COMPASS))
USER_ONLY = "only the user may set this key; ignored"
ONLY_TIGHTER = "a project may only tighten this key; ignored"
TURNED_OFF = "ignored, because the user turned the gate off here"
NOT_A_PROJECTS = "a project may not set this variable; ignored"
"""The reasons for which a value does not count that would if the project were trusted."""


class Layer(Record):
    """One source of values. `values` is the raw `compass` object; `trusted` False marks the repository's."""

    name: str
    values: Mapping[str, object]
    trusted: bool = True


SYMBOLS, HISTORY, LOOKUPS = "evidence.symbols", "evidence.history", "evidence.lookups"
SHARE = "memory.share"
ASKED: Mapping[str, str] = {
    SYMBOLS: "the names that a write touches and how many lines it adds and removes, never its text",
    HISTORY: "your latest messages in the session, each with the end of the agent's answer, and this turn's calls",
    LOOKUPS: "lines the agent has read that name the write's target",
    SHARE: "your earlier answers about what you meant, in your own words",
}
"""Keys of what leaves only once its user said so where an older version ran, and what that is."""
UNANSWERED = Layer(
    "not answered yet",
    {"evidence": {"symbols": False, "history": False, "lookups": "off"}, "memory": {"share": False}},
)
"""Below all that the user says where the gate was turned on, or off again: a kind of evidence that an older version did
not send waits for a yes. `init` of a project that it had not seen states each and writes the yes; elsewhere it asks."""


class Ignored(Record):
    """A value, or a whole file where `key` is empty, that does not count, and why."""

    origin: str
    key: str
    why: str
    value: object = None

    def __str__(self) -> str:
        return ": ".join(part for part in (self.origin, self.key, self.why) if part)


class Loaded(Record):
    """`origins` tells per dotted key which layer set it; keys at their default are absent.

    `clean` is the environment that the settings, and everything after them, stand on. `lost` says what is wrong
    with the user's own settings of a project where the gate was turned on; `settings` are then what is left of
    them, enabled. `refused` is what the `env` blocks of an untrusted project name besides settings of Compass;
    `hosted` are the files where a key stands under `compass`: the host's, and the two that count on every host.
    """

    settings: Settings
    origins: Mapping[str, str]
    ignored: tuple[Ignored, ...]
    values: Mapping[str, object] = files.EMPTY
    clean: environment.CleanEnvironment = environment.CleanEnvironment({}, "")
    lost: str = ""
    refused: tuple[Ignored, ...] = ()
    hosted: frozenset[str] = frozenset()

    def waits_for_yes(self, key: str) -> bool:
        """Somebody turned the gate on or off, and the user has not said whether what `key` is about may be sent:
        one of ASKED."""
        return self.origins.get(key) == UNANSWERED.name

    def is_answered(self, key: str) -> bool:
        return self.origins.get(key, UNANSWERED.name) != UNANSWERED.name

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(map(str, self.ignored))


def user_project_file(
    env: Mapping[str, str], home: str, project_dir: str, name: str = "settings.json"
) -> str:
    """The user's own settings for this project, written by `init` and `calibrate`, or what lies beside them."""
    state = places.state_dir(env, home)
    return os.path.join(state, places.recorded_key(state, project_dir), name)


def calibration_file(env: Mapping[str, str], home: str, project_dir: str) -> str:
    """What `compass calibrate` measured for this project."""
    return user_project_file(env, home, project_dir, "calibration.json")


def thresholds_file(env: Mapping[str, str], home: str, project_dir: str) -> str:
    """What of it the gate reads."""
    return user_project_file(env, home, project_dir, "thresholds.json")


def load(
    env: Mapping[str, str],
    home: str,
    project_dir: str,
    cwd: str = "",
    *,
    at: places.HostFiles,
    honour_trust: bool = True,
) -> Loaded:
    """Read every layer. An unreadable file is a problem, not a failure; want of descriptors alone raises OSError.

    `env` and `home` as the process has them; `Loaded.clean` holds those to go on with. `at`: where the host keeps
    its settings.
    """
    clean = environment.trusted_environment(env, home, project_dir, cwd, at=at, honour_trust=honour_trust)
    problems: list[Ignored] = []
    layers: list[Layer] = []
    everywhere = files.read_settings(places.user_file(clean.env, clean.home))
    users = at.of_user(clean.home)
    for file in (everywhere, *map(files.read_settings, users)):
        _add_file_layer(layers, file, SECTION, problems)
    own = files.read_settings(user_project_file(clean.env, clean.home, project_dir))
    _add_file_layer(layers, own, None, problems)
    here = (clean.common_file.path, *at.of_project(os.path.realpath(project_dir)))
    for file in clean.project_files:
        if file.path in here:
            _add_file_layer(layers, file, SECTION, problems, trusted=clean.trusted)
    problems += [*_ignored_outside_section(everywhere), *_ignored_outside_section(clean.common_file)]
    # The COMPASS_* of the project's `env` blocks, one layer a file.
    for path in dict.fromkeys(clean.sources[name] for name in clean.project_values):
        named = {name: text for name, text in clean.project_values.items() if clean.sources[name] == path}
        layers.append(replace(env_layer(path + ENV_BLOCK, named, problems), trusted=False))
    layers.append(env_layer(ENVIRONMENT, clean.env, problems))
    policy = files.kept_policy(places.state_dir(clean.env, clean.home))
    if policy.problem:
        problems.append(Ignored(files.TEAM_LAYER, "", policy.problem))
    if policy.settings:
        # Above all others: what any of them says is tightened.
        layers.append(Layer(files.TEAM_LAYER, policy.settings, trusted=False))
    if own.value.get(ENABLED) is False:
        layers = [_layer_without_enabled(layer, problems) for layer in layers]
    if any("enabled" in layer.values for layer in layers):
        layers.insert(0, UNANSWERED)
    refused = _refused_env_variables(clean, at)
    problems += [item for item in refused if item.key.startswith(_OURS)]
    found = resolve(layers, problems)
    gone = _lost_settings_reason(own, everywhere, found.origins, clean, project_dir)
    settings = _settings_when_lost(found, clean.env) if gone else found.settings
    settings = replace(settings, readers=policy.readers)
    hosted = frozenset((everywhere.path, *users, *here))
    return Loaded(settings, found.origins, found.ignored, found.values, clean, gone, refused, hosted)


def _lost_settings_reason(
    own: files.SettingsFile,
    everywhere: files.SettingsFile,
    origins: Mapping[str, str],
    clean: environment.CleanEnvironment,
    directory: str,
) -> str:
    """What is wrong with the user's settings for this project, for a sentence; empty where nothing is: they are lost
    where the gate was turned on, and nothing says how.

    A gate is off only by its user: by `enabled` false in settings of theirs that can be read, or by
    `compass init --uninstall`, which writes that and takes the entries and the records out. A project that nobody set
    up has lost nothing. A wrong value of a key is no loss: the layer below holds.

    `own` is their file, `everywhere` the one for all their projects.
    """
    broken = bool(own.problem) and not own.missing
    # What the user's shell says stands above the file, whatever was in it.
    if origins.get(ENABLED) == ENVIRONMENT or (ENABLED in origins and not broken):
        return ""
    for file in (own, everywhere):
        if file.problem and not file.missing:
            return f"{file.path}: {file.problem}"
    if everywhere.section("compass") is None:
        return f"{everywhere.path}: compass must be an object"
    if ENABLED in own.value:
        return ""
    turned_on = places.word_of(clean.env) in (places.CLOSED, places.OPEN)
    # A file with other keys may be that of `compass calibrate`, in a project that nobody turned on.
    if not turned_on and own.value:
        return ""
    # A project's `env` block that names the HOME in force may have moved it away from the records.
    state, moved = places.state_dir(clean.env, clean.home), "HOME" in clean.sources
    if not (turned_on or moved or places.was_set_up(state, clean.home, directory)):
        return ""
    return f"{own.path} {'is gone' if own.missing else 'does not say whether the gate is on'}"


def _settings_when_lost(found: Loaded, env: Mapping[str, str]) -> Settings:
    """The settings of a gate whose own are lost: the policy is the user's where they can be read, else the entry's."""
    # Whatever the user said of these names is lost too.
    unsaid = {SYMBOLS: False, HISTORY: False, LOOKUPS: "off", SHARE: False}
    values = {**unsaid, **found.values, "enabled": True}
    if places.word_of(env) == places.OPEN and not {"mode", "error_policy"} & set(found.origins):
        values["error_policy"] = "open"
    return build(values)


def _layer_without_enabled(layer: Layer, problems: list[Ignored]) -> Layer:
    """What a project says to a user who turned the gate off in it: all but that."""
    if layer.trusted or ENABLED not in layer.values:
        return layer
    problems.append(Ignored(layer.name, ENABLED, TURNED_OFF, layer.values[ENABLED]))
    return replace(layer, values={word: raw for word, raw in layer.values.items() if word != ENABLED})


def _refused_env_variables(clean: environment.CleanEnvironment, at: places.HostFiles) -> tuple[Ignored, ...]:
    blocks = () if clean.trusted else environment.blocks_of(clean.files, at)
    return tuple(
        Ignored(block.path, f"env.{name}", NOT_A_PROJECTS, value)
        for block in blocks
        for name, value in block.values.items()
        if not environment.is_setting(name) and name not in at.sets
    )


def resolve(layers: Sequence[Layer], problems: list[Ignored] | None = None) -> Loaded:
    """Merge in order, latest wins; pure but for `problems`, to which it appends."""
    found = problems if problems is not None else []
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    for layer in layers:
        flat: dict[str, object] = {}
        _flatten_layer(layer.values, "", flat, layer.name, found)
        for path, raw in flat.items():
            _apply_layer_value(layer, KEYS[path], raw, values, origins, found)
    return Loaded(build(values), origins, tuple(found), values)


def counts_nowhere(settings: Mapping[str, object]) -> Ignored | None:
    """The first setting of a policy that no gate would take, whatever its user set."""
    ignored = resolve([Layer(files.TEAM_LAYER, settings, trusted=False)]).ignored
    return next((one for one in ignored if one.why != ONLY_TIGHTER), None)


def _apply_layer_value(
    layer: Layer,
    key: Key,
    raw: object,
    values: dict[str, object],
    origins: dict[str, str],
    problems: list[Ignored],
) -> None:
    """Adds a layer's value for a key where it counts."""
    value, wrong = files.parse(key, raw)
    if wrong:
        # What stands below an address is another one: nothing may go there unasked.
        stays = key.address and layer.trusted and isinstance(raw, str)
        what = (
            "no reader is asked until it is corrected" if stays else "the value from the layer below applies"
        )
        problems.append(Ignored(layer.name, key.path, f"{wrong}; {what}", raw))
        if stays:
            values[key.path], origins[key.path] = raw, layer.name
        return
    before = values.get(key.path, key.default)
    if key.kind == "table":
        value = files.merged_tables(before, value)
    if not layer.trusted and key.tighter is None:
        problems.append(Ignored(layer.name, key.path, USER_ONLY, raw))
    elif layer.trusted or files.is_tighter(key, _setting_in_force(key, before, values), value):
        values[key.path], origins[key.path] = value, layer.name
    elif value != before:
        problems.append(Ignored(layer.name, key.path, ONLY_TIGHTER, raw))


def _setting_in_force(key: Key, before: object, values: Mapping[str, object]) -> object:
    """What a project may only tighten: without one confidence for all stakes, the strictest of theirs."""
    if key.path != "confidence_threshold" or before is not None:
        return before
    paths = [path for path in KEYS if path.startswith("confidence_by_stakes.")]
    return max(cast(float, values.get(path, KEYS[path].default)) for path in paths)


def _flatten_layer(
    values: Mapping[str, object], prefix: str, flat: dict[str, object], name: str, problems: list[Ignored]
) -> None:
    for word, raw in values.items():
        path = prefix + word
        if path in KEYS:
            flat[path] = raw
        elif path in SPELLED:
            flat.setdefault(SPELLED[path], raw)
        elif not any(known.startswith(path + ".") for known in KEYS):
            problems.append(Ignored(name, path, "unknown key", raw))
        elif isinstance(raw, dict):
            _flatten_layer(cast(Mapping[str, object], raw), path + ".", flat, name, problems)
        else:
            problems.append(Ignored(name, path, f"must be an object, not {str(raw)[:60]!r}"))


def _add_file_layer(
    layers: list[Layer],
    file: files.SettingsFile,
    section: str | None,
    problems: list[Ignored],
    *,
    trusted: bool = True,
) -> None:
    """`section` None: the whole file is the layer. Nothing is added for a file that says nothing."""
    if file.problem:
        problems.append(Ignored(file.path, "", f"{file.problem}; ignored"))
        return
    values = file.value if section is None else file.section(section)
    if values is None:
        problems.append(Ignored(file.path, str(section), "must be an object; ignored"))
    elif values:
        layers.append(Layer(file.path, values, trusted))


def _ignored_outside_section(file: files.SettingsFile) -> list[Ignored]:
    """What stands in a file for every host beside the one section that counts there."""
    words = (word for word in file.value if word != SECTION)
    return [Ignored(file.path, "", f"{word[:60]!r} is outside {SECTION!r}; ignored") for word in words]


def env_layer(origin: str, env: Mapping[str, str], problems: list[Ignored]) -> Layer:
    """COMPASS_EVALUATOR__N=7 sets evaluator.n; lists and tables are JSON, or words with commas."""
    values: dict[str, object] = {}
    for name, text in env.items():
        if not environment.is_setting(name):
            continue
        path = name[len(environment.COMPASS) :].lower().replace("__", ".")
        path = SPELLED.get(path, path)
        if path in KEYS:
            values[path] = files.from_text(KEYS[path], text)
        else:
            problems.append(Ignored(origin, name, "no such key"))
    return Layer(origin, values)
