"""A project's number of readers, where its user's is the one that thresholds were calibrated for."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.backends import AUTO
from evaluator.configuration import loading
from evaluator.configuration.calibrated import Calibrated, read_thresholds

READERS = "evaluator.n"


def held_to_calibrated(
    loaded: loading.Loaded, env: Mapping[str, str], home: str, project_dir: str
) -> loading.Loaded:
    """Without the number of readers of a project that would take its user's calibrated thresholds out of force.

    A project may only tighten, and what is calibrated for one number says nothing of another: what stands for the
    project's number may be looser than what stands for its user's. Where nothing stands for that, the project's counts.
    """
    if READERS not in loaded.below:
        return loaded
    try:
        found = read_thresholds(loading.thresholds_file(env, home, project_dir))
    except ValueError:
        return loaded
    if found is None or loaded.settings.evaluator.backend not in (AUTO, found.backend):
        return loaded
    kept = loading.without_projects(loaded, READERS, "")
    users, projects = _readers(found, kept), _readers(found, loaded)
    if users is None or projects is None or users == projects or not _is_set(found, users):
        return loaded
    why = f"thresholds are calibrated for {users} readers, not for {projects}, and a project may only tighten; ignored"
    return loading.without_projects(loaded, READERS, why)


def _readers(found: Calibrated, loaded: loading.Loaded) -> int | None:
    """How many the backend of the calibration asks by these settings; None where it is stale."""
    from compass.joining.thresholds import standing_of
    from evaluator.readers.kinds.kind import find_kind

    if find_kind(found.backend) is None:
        return None
    now = standing_of(loaded.settings, found.backend)
    return None if found.staleness(now.backend, now.model, now.prompt) else now.n


def _is_set(found: Calibrated, n: int) -> bool:
    """Whether anything stands there for `n` readers."""
    return n in found.per_n
