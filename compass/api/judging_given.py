"""`judge_payload` and `judge_case`: a call as a host's hook is told it, or as a row of labelled cases states it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from compass.api.checks import checking_given
from compass.api.driving import drive_async
from compass.api.given import expect
from compass.api.host import ProgramHost
from compass.api.kept import kept
from compass.api.place import folder_of, loaded_for
from compass.api.verdict import Verdict, verdict_of
from compass.joining.clock import SystemClock
from compass.joining.inputs import of_case, of_payload
from evaluator.errors import ConfigError, PayloadError
from evaluator.gate.run import Waiting, drive
from hooks import registry

if TYPE_CHECKING:
    from os import PathLike


def judge_payload(
    payload: Mapping[str, object],
    *,
    host: str | None = None,
    transcript: str | PathLike[str] | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """Judges a call by what the agent tells a hook before it; what was said is read from the session's own file.

    `host` is the agent by the name that `compass init --host` has; without it the payload's shape tells. `transcript`
    is another file to read, `project` another folder than the payload names. The settings are those that count for
    that agent in that project.

    Raises CompassError for what cannot be judged. Readers that fail are no error: the error policy answers.
    """
    return drive(_of_payload(payload, host, transcript, backend, project, record=record), SystemClock())


async def judge_payload_async(
    payload: Mapping[str, object],
    *,
    host: str | None = None,
    transcript: str | PathLike[str] | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """The same, awaited: any number may wait at once, and all share the connections of this process."""
    return await drive_async(_of_payload(payload, host, transcript, backend, project, record=record))


def judge_case(
    case: Mapping[str, object],
    *,
    host: str | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """Judges a row of labelled cases, as `compass calibrate --cases` reads them: what was said and what the call would
    do are stated, nothing is looked up. Its label is for whoever compares.

    The settings are those of `project`, by default the working directory; with `host` also that agent's own files.

    Raises CompassError for a row that cannot be used. Readers that fail are no error: the error policy answers.
    """
    return drive(_of_case(case, host, backend, project, record=record), SystemClock())


async def judge_case_async(
    case: Mapping[str, object],
    *,
    host: str | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """The same, awaited: any number may wait at once, and all share the connections of this process."""
    return await drive_async(_of_case(case, host, backend, project, record=record))


def _of_payload(
    payload: Mapping[str, object],
    host: str | None,
    transcript: str | PathLike[str] | None,
    backend: str | None,
    project: str | PathLike[str] | None,
    *,
    record: bool,
) -> Waiting[Verdict]:
    expect(host=host, transcript=transcript, backend=backend, project=project)
    env = dict(os.environ)
    given = of_payload(
        _json(payload),
        env,
        _known(host),
        transcript=os.fspath(transcript) if transcript is not None else "",
        project=folder_of(project) if project is not None else "",
    )
    at, where = registry.host_of(given.host), given.pending.project_dir
    loaded = loaded_for(at, where, given.pending.cwd)
    check = yield from checking_given(given, at, where, loaded, backend=backend, record=record, keeps=kept())
    return verdict_of(check, check.told)


def _of_case(
    case: Mapping[str, object],
    host: str | None,
    backend: str | None,
    project: str | PathLike[str] | None,
    *,
    record: bool,
) -> Waiting[Verdict]:
    expect(host=host, backend=backend, project=project)
    given, where = of_case(_mapping(case, "a case"), _known(host)), folder_of(project)
    at = registry.host_of(host) if host else ProgramHost(where)
    check = yield from checking_given(
        given, at, where, loaded_for(at, where, where), backend=backend, record=record, keeps=kept()
    )
    return verdict_of(check, check.told)


def _known(host: str | None) -> str | None:
    if host is not None and host not in registry.HOSTS:
        raise ConfigError(f"no such host: {host!r}; one of {', '.join(registry.HOSTS)}")
    return host


def _json(payload: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(dict(_mapping(payload, "a payload"))).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise PayloadError(f"the payload is no JSON: {error}") from None


def _mapping(given: Mapping[str, object], what: str) -> Mapping[str, object]:
    if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - a caller's word
        raise PayloadError(f"{what} has to be a mapping")
    return given
