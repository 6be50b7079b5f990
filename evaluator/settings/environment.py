"""The environment without what an untrusted project's settings put into it.

A host may set the `env` block of a project's settings files in the environment of its hooks, of a folder that
nobody trusts too; which files those are, and what it sets after them, stands in its `HostFiles`. So a variable
counts as the project's if a block names it with the value that it has: another value came from elsewhere.

HOME, ONLOOKER_DIR and XDG_RUNTIME_DIR, which decide where state and service lie, are those of the wired entry
(`places`) where it names them and the home that it names belongs to this user; no block counts
then. Under sudo, for an entry of 0.1.0 and at a terminal they are the environment's, but what a block of the
project, of its git root or of the folder where the agent works may have set: HOME is then the password
database's (where the account has an entry there), ONLOOKER_DIR the recorded one.

What cannot be known: the value that a variable had before the block replaced it. It is taken from the `env` of
the user's own first settings file of the host where that names it, ONLOOKER_DIR else from where `compass init` was
run (`places`), HOME from the password database; any other is as if it were not set, so a gate that
only COMPASS_ENABLED of a shell turns on can be turned off, one that `compass init` turned on cannot. Nor can a
block be known that the host has applied and that was taken out of its file since (self-protection guards the
file), and what acts before Python runs (LD_PRELOAD) is out of reach.

Beside the user's settings of a project lies the pin of what they trust of the project's own: `compass trust` writes
it. What is pinned is content: the sections `compass` and `env` of every settings file of the project, and the real
path of its folder, since clones share a key. Any change of them ends the trust. The pin lies at the place that holds
without the project's `env` block.

Nothing here changes the process; `compass.composition.settings` does.
"""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from evaluator.files import raise_want
from evaluator.record import Record, replace
from evaluator.settings import places
from evaluator.settings.files import NO_FILE, SettingsFile, bytes_of, read_settings

COMPASS = "COMPASS_"
DATABASE = "COMPASS_DATABASE"
"""The PostgreSQL of a team's evaluator."""
RESERVED = frozenset(
    {"COMPASS_NESTED", "COMPASS_VIA_PLUGIN", "COMPASS_HTTP_TOKEN", DATABASE, places.VARIABLE}
)
_NOTHING: Mapping[str, str] = MappingProxyType({})
_NOT_VISIBLE = r"[^\x21-\x7e]"
DOTENV_BYTES_MAX = 1024 * 1024
_DOTENV_LINE = (
    r"^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)"
    r"(\s*'(?:\\'|[^'])*'|\s*\"(?:\\\"|[^\"])*\"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$"
)


class Block(Record):
    """The `env` of one settings file. `anything`: it could not be read, so it may name every variable."""

    path: str
    values: Mapping[str, object]
    anything: bool = False


class CleanEnvironment(Record):
    """`env` and `home` are what Compass may use.

    `project_values` are the COMPASS_* that count as project layer; `sources` names the file for each of them and of the
    other variables, which were taken out or put back to the user's own value. `files` are the
    host's settings files of the project, `common_file` is its file for every host, which sets no variable. `trusted`
    says that the user has pinned what all of them hold, in `trust_file`.
    """

    env: Mapping[str, str]
    home: str
    project_values: Mapping[str, str] = _NOTHING
    sources: Mapping[str, str] = _NOTHING
    files: tuple[SettingsFile, ...] = ()
    trusted: bool = False
    trust_file: str = ""
    common_file: SettingsFile = NO_FILE

    @property
    def project_files(self) -> tuple[SettingsFile, ...]:
        """All that the project can set keys in, in the order in which they win."""
        return (self.common_file, *self.files)


def trusted_environment(
    env: Mapping[str, str],
    home: str,
    project_dir: str,
    cwd: str = "",
    *,
    at: places.HostFiles,
    honour_trust: bool = True,
) -> CleanEnvironment:
    """Read the project's blocks and clean `env` of them. Raises as `read_settings` does.

    The blocks of `cwd`, where the agent works, count too: on a host where a block could point the variable of the
    project's folder elsewhere it would hide itself.
    """
    directory = os.path.realpath(project_dir)
    files = settings_files_of(directory, at)
    around = settings_files_of(cwd, at) if cwd and os.path.realpath(cwd) != directory else ()
    safe_home = _safe_environment_home(env, home, (*around, *files) if at.env_blocks else ())
    own = {os.path.realpath(path) for path in at.of_user(safe_home)}
    files = tuple(file for file in files if os.path.realpath(file.path) not in own)
    known = own | {os.path.realpath(file.path) for file in files}
    around = tuple(file for file in around if os.path.realpath(file.path) not in known)
    # All .env files above count, though a host takes the nearest alone: which one that was is not told.
    named = (dotenv_files_above(folder, at.dotenv, safe_home) for folder in (cwd, directory) if folder)
    paths = dict.fromkeys(path for each in named for path in each)
    listed = tuple(Block(path, dotenv_variables(path)) for path in paths)
    blocks = (*listed, *blocks_of((*around, *files), at))
    instead = _environment_fallbacks(safe_home, directory, blocks, at)
    cleaned = clean(env, safe_home, instead, blocks, at.sets)
    # The pin is looked up where it lies without the block: a block cannot bring one along.
    state = places.state_dir(cleaned.env, cleaned.home)
    trust_file = os.path.join(state, places.recorded_key(state, directory), "trust.json")
    common_file = read_settings(places.project_file(directory))
    digest = digest_of(directory, (common_file, *files)) if honour_trust else None
    trusted = digest is not None and read_pins(trust_file).get(directory) == digest
    if trusted:
        cleaned = clean(env, home, instead, (*listed, *blocks_of(around, at)), at.sets)
    return replace(cleaned, files=files, trusted=trusted, trust_file=trust_file, common_file=common_file)


def clean(
    env: Mapping[str, str],
    home: str,
    instead: Mapping[str, str],
    blocks: Sequence[Block],
    untouched: frozenset[str] = frozenset(),
) -> CleanEnvironment:
    """`env` without what `blocks`, the latest of which wins, set there; `instead` has the user's own values.

    `untouched` no block can set; were they dropped, a block could at least take them away.
    """
    kept = dict(env)
    values: dict[str, str] = {}
    sources: dict[str, str] = {}
    out_of_reach = untouched | places.fixed(env)
    for block in blocks:
        for name, value in env.items():
            named = name in block.values and may_be(block.values[name], value)
            if name not in out_of_reach and (named or (block.anything and name != "HOME")):
                sources[name] = block.path
    for name in sources:
        if is_setting(name):
            values[name] = env[name]
        kept.pop(name)
        if name in instead:
            kept[name] = instead[name]
    # A terminal has no block applied: what the hook will find is told there too.
    for block in blocks:
        for name, raw in block.values.items():
            if is_setting(name) and name not in env:
                values[name], sources[name] = _javascript_env_string(raw), block.path
    return CleanEnvironment(kept, home, values, sources)


def adopt(clean: CleanEnvironment) -> None:
    """Clean os.environ too: the model SDK, TLS and child processes read it themselves."""
    for name in clean.sources:
        if name in clean.env:
            os.environ[name] = clean.env[name]
        else:
            os.environ.pop(name, None)


def settings_paths_of(directory: str, at: places.HostFiles) -> tuple[str, ...]:
    """The settings files that the host may read for a project: of its git root too."""
    folders = dict.fromkeys((places.project_root(directory), os.path.realpath(directory)))
    return tuple(path for folder in folders for path in at.of_project(folder))


def settings_files_of(directory: str, at: places.HostFiles) -> tuple[SettingsFile, ...]:
    return tuple(map(read_settings, settings_paths_of(directory, at)))


def blocks_of(files: Iterable[SettingsFile], at: places.HostFiles) -> tuple[Block, ...]:
    """Empty for a host that sets none."""
    if not at.env_blocks:
        return ()
    return tuple(Block(file.path, file.section("env") or {}, file.opaque) for file in files)


def is_setting(name: str) -> bool:
    """Whether a variable stands for a key of the settings."""
    return name.startswith(COMPASS) and name not in RESERVED


def _environment_fallbacks(
    home: str, directory: str, blocks: Sequence[Block], at: places.HostFiles
) -> dict[str, str]:
    """What a variable falls back to where a block set it; only asked for where there is a block."""
    if not any(block.values or block.anything for block in blocks):
        return {}
    recorded = places.recorded_onlooker_dir(home, directory)
    found = {"ONLOOKER_DIR": recorded} if recorded else {}
    user = read_settings(at.of_user(home)[0]).section("env") or {} if at.user else {}
    return found | {name: _javascript_env_string(raw) for name, raw in user.items()} | {"HOME": home}


def may_be(set_to: object, found: str) -> bool:
    """Whether a variable that holds `found` may have been set by a block that says `set_to`.

    The way from JSON to the environment changes what is not plain text (half a surrogate pair becomes
    U+FFFD), so only a difference in visible ASCII tells. Numbers are compared as numbers; what a list or an
    object becomes is not worth telling.
    """
    if isinstance(set_to, list | dict):
        return True
    if isinstance(set_to, int | float) and not isinstance(set_to, bool):
        try:
            return float(found) == float(set_to)
        except ValueError:
            return False
        except OverflowError:
            return found == "Infinity"
    return re.sub(_NOT_VISIBLE, "", _javascript_env_string(set_to)) == re.sub(_NOT_VISIBLE, "", found)


def _javascript_env_string(raw: object) -> str:
    if isinstance(raw, str):
        return raw
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return "null" if raw is None else str(raw)


def _safe_environment_home(env: Mapping[str, str], home: str, files: Sequence[SettingsFile]) -> str:
    """`home`, or the password database's where a block may have set HOME, as the client tried does not."""
    if "HOME" in places.fixed(env):
        return home
    named = [file.section("env") or {} for file in files]
    texts = [block["HOME"] for block in named if isinstance(block.get("HOME"), str)]
    if not any(may_be(text, env.get("HOME", "")) for text in texts):
        return home
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return home


def dotenv_variables(path: str) -> Mapping[str, str]:
    """What a file of NAME=value sets, read as a host's `dotenv` package does; nothing for one that cannot be read.

    Raises OSError for want of descriptors alone.
    """
    try:
        raw = bytes_of(path, DOTENV_BYTES_MAX) or b""
    except (OSError, ValueError) as error:
        raise_want(error)
        return {}
    return parsed_dotenv(raw.decode("utf-8", "replace"))


def parsed_dotenv(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in re.finditer(_DOTENV_LINE, re.sub(r"\r\n?", "\n", text), re.MULTILINE | re.ASCII):
        value = (line[2] or "").strip()
        quote = value[:1]
        value = re.sub(r"^(['\"`])([\s\S]*)\1$", r"\2", value)
        if quote == '"':
            value = value.replace("\\n", "\n").replace("\\r", "\r")
        found[line[1]] = value
    return found


def dotenv_files_above(folder: str, names: tuple[str, ...], home: str) -> Iterator[str]:
    """The .env files that may set variables for an agent working in `folder`, but for the user's own, in the home."""
    at, own = os.path.realpath(folder), os.path.realpath(home)
    while names:
        if at != own:
            yield from (path for name in names if os.path.lexists(path := os.path.join(at, name)))
        if os.path.dirname(at) == at:
            return
        at = os.path.dirname(at)


SECTIONS = ("compass", "env")
"""What of a settings file is pinned."""


def digest_of(directory: str, files: Sequence[SettingsFile]) -> str | None:
    """SHA-256 of the canonical JSON of what is pinned.

    None where there is nothing to trust, and where a file cannot be read whole, so that nobody can know it.
    """
    content: dict[str, dict[str, object]] = {}
    for file in files:
        held = {name: file.value[name] for name in SECTIONS if file.value.get(name) not in (None, {})}
        if held:
            content[os.path.relpath(file.path, directory)] = held
    if not content or any(file.opaque for file in files):
        return None
    import hashlib
    import json

    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_pins(path: str) -> dict[str, str]:
    """{real path of a project folder: digest}; empty for a file that is missing or not ours to understand."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            whole = cast(object, json.load(file))
    except (OSError, ValueError, RecursionError) as error:
        raise_want(error)
        return {}
    pins = cast(dict[str, object], whole).get("trusted") if isinstance(whole, dict) else None
    if not isinstance(pins, dict):
        return {}
    return {name: pin for name, pin in cast(dict[str, object], pins).items() if isinstance(pin, str)}
