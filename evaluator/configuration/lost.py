"""Whether the user's own settings of a project are lost: the gate was turned on there, and nothing says how.

A gate is off only by its user: by `enabled` false in settings of theirs that can be read, or by
`compass init --uninstall`, which writes that and takes the entries and the records out. A project that nobody set up
has lost nothing. Reads a record or two, and those only where no settings turn the gate on or off.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.configuration.files import SettingsFile
from evaluator.configuration.places import state_dir
from evaluator.configuration.record import was_set_up
from evaluator.configuration.wired_entry import CLOSED, OPEN, word_of

ENABLED = "enabled"
ENVIRONMENT = "environment"
"""The layer of the user's own variables."""


def lost(
    own: SettingsFile,
    everywhere: SettingsFile,
    origins: Mapping[str, str],
    env: Mapping[str, str],
    home: str,
    directory: str,
    moved: bool,
) -> str:
    """What is wrong with the user's settings for this project, for a sentence; empty where nothing is.

    `own` is their file, `everywhere` the one for all their projects, which may have turned the gate on where nothing
    else says whether it is; `origins` tells which keys were set by anybody, `moved` that a project's `env` block
    names the HOME in force. A wrong value of a key is no loss: the layer below holds.
    """
    broken = bool(own.problem) and not own.missing
    # What the user's shell says stands above the file, whatever was in it.
    if origins.get(ENABLED) == ENVIRONMENT or (ENABLED in origins and not broken):
        return ""
    if broken:
        return f"{own.path} {own.problem}"
    if everywhere.problem and not everywhere.missing:
        return f"{everywhere.path} {everywhere.problem}"
    if everywhere.section("compass") is None:
        return f"{everywhere.path}: compass must be an object"
    if ENABLED in own.value:
        return ""
    turned_on = word_of(env) in (CLOSED, OPEN)
    # A file with other keys may be that of `compass calibrate`, in a project that nobody turned on.
    if not turned_on and (own.value or not (moved or was_set_up(state_dir(env, home), home, directory))):
        return ""
    if own.missing:
        return f"{own.path} is gone"
    return f"{own.path} {'does not say whether the gate is on' if own.value else 'is empty'}"
