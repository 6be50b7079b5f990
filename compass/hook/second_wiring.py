"""Whether another entry of the host's settings already calls this very program, so that a call is judged once.

A project's own file may hold anything that looks like an entry: who is silent for its sake must know that it runs. So
only what `compass init` writes counts there, to the letter: program, places, matcher, time and what a failure does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

import compass
from compass.hook.policy import Policy
from evaluator.configuration.wired_entry import entry_words
from hooks import registry
from hooks.entries import hook_command


def is_second_wiring(
    policy: Policy, by_user: Sequence[str], files: Sequence[Mapping[str, object]], event: str, tool: str
) -> bool:
    """`by_user` are files of the user, which are believed; `files` the contents of the project's. `event` is the
    host's.
    """
    setup = policy.host.setup()
    if any(setup.wires(setup.read_object(path), event) for path in by_user):
        return True
    script = os.path.join(os.path.dirname(os.path.abspath(compass.__file__)), "__main__.py")
    commands = expected_commands(
        policy.event, sys.executable, script, policy.env, policy.home, registry.named(policy.host)
    )
    return any(setup.is_called(file, event, tool, commands) for file in files)


def expected_commands(
    event: str, interpreter: str, script: str, env: Mapping[str, str], home: str, host: str = ""
) -> frozenset[str]:
    """What init writes for this project, with every policy, and what 0.1.0 wrote. `event` in Compass's word."""
    said = [entry_words(env, home, of_project=True, blocks=blocks, host=host) for blocks in (True, False)]
    return frozenset(hook_command(interpreter, script, event, words) for words in (*said, ()))
