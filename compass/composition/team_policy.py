"""What a laptop asks its team's evaluator beside its checks: whose a token is, who reads, and what the team pushes.

The policy is fetched beside the calls that it is for, and kept in the user's state.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from evaluator.breaker import without_secrets
from evaluator.errors import CompassError
from evaluator.files import FaultLog, replace_private
from evaluator.model import NamedReaders
from evaluator.readers.team.wire import Evaluation
from evaluator.record import values_of
from evaluator.settings.files import kept_policy, policy_path
from evaluator.settings.keys import Settings
from evaluator.settings.places import state_dir

if TYPE_CHECKING:
    from compass.composition.process import Aside
    from evaluator.readers.team.documents import PolicyDocument
    from evaluator.readers.team.transport import TeamLine


ASK_SECONDS = 10.0
"""What a command waits for one answer."""
SECONDS = 5.0
START_SECONDS = 2.0
"""What a session's start may wait where no service does it beside."""


def asked(
    line: TeamLine, method: str, path: str, body: object = None, *, seconds: float = ASK_SECONDS
) -> object:
    """The JSON of the answer. Raises ReaderError, and Refusal for an answer that is an error."""
    from evaluator.readers import event_loop

    def sent(_left: float, _waited: float) -> object:
        return body

    given = None if body is None else sent
    return event_loop.run_to_end(line.ask(method, path, seconds, given), line.aclose())


def note_answer(
    answer: Evaluation, settings: Settings, env: Mapping[str, str], home: str, aside: Aside | None
) -> None:
    """Told of each answer: another policy or other readers than the kept ones are fetched aside, and no answer waits
    for that. Without a service the next session's start fetches them."""
    found = kept_policy(state_dir(env, home))
    who = found.readers
    kept = (found.digest, *(("", "", "") if who is None else (who.backend, who.model, who.prompt)))
    if aside is not None and kept != (answer.policy, answer.backend, answer.model, answer.prompt):
        aside.start(lambda: fetch_policy_quietly(settings, env, home))


def fetch_policy_at_start(settings: Settings, env: Mapping[str, str], home: str, aside: Aside | None) -> None:
    """At a session's start: asks where a login is kept for the server that is configured."""
    from evaluator.readers.team.login import token_path

    if not settings.evaluator.base_url or not os.path.exists(token_path(state_dir(env, home))):
        return
    from evaluator.readers.kinds.team import KIND

    if KIND.missing(settings, env) is not None:
        return
    if aside is not None:
        aside.start(lambda: fetch_policy_quietly(settings, env, home))
    else:
        fetch_policy_quietly(settings, env, home, START_SECONDS)


def fetch_policy_quietly(
    settings: Settings, env: Mapping[str, str], home: str, seconds: float = SECONDS
) -> None:
    """The boundary of what runs aside: a fault is logged, and the kept policy stays."""
    try:
        fetch_policy(settings, env, home, seconds)
    except (CompassError, OSError) as error:
        FaultLog(state_dir(env, home), time.time).note("your team's policy", str(error))


def fetch_policy(
    settings: Settings, env: Mapping[str, str], home: str, seconds: float = SECONDS
) -> PolicyDocument:
    """Fetches the team's policy and who reads, and keeps both. Raises ReaderError, PayloadError and OSError."""
    from evaluator.readers.kinds.team import remote
    from evaluator.readers.team.documents import PolicyDocument, read

    found = read(PolicyDocument, asked(remote(settings, env), "GET", "/v1/policy", seconds=seconds))
    kept = {
        "address": without_secrets(settings.evaluator.base_url or ""),
        "digest": found.digest,
        "settings": dict(found.settings),
        "readers": values_of(who_reads(settings, env, seconds)),
    }
    replace_private(policy_path(state_dir(env, home)), json.dumps(kept, indent=1) + "\n")
    return found


def who_reads(settings: Settings, env: Mapping[str, str], seconds: float = SECONDS) -> NamedReaders:
    """The readers that the team's evaluator names now. Raises ReaderError and PayloadError."""
    from evaluator.readers.kinds.team import remote
    from evaluator.readers.team.documents import ReadersDocument, read

    return read(ReadersDocument, asked(remote(settings, env), "GET", "/v1/readers", seconds=seconds)).record()


def forget_policy(folder: str) -> None:
    """Deletes what the team's evaluator had pushed. Raises OSError."""
    with suppress(FileNotFoundError):
        os.unlink(policy_path(folder))
