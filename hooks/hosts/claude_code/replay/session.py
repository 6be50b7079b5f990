"""A session with its subagents, in the order of time."""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator
from dataclasses import replace

from hooks.hosts.claude_code.replay.files import agent_transcripts
from hooks.hosts.claude_code.replay.walk import Reach, moments
from hooks.moments import Called, Moment, Passed


def session_moments(path: str, passed: Passed) -> Iterator[Moment]:
    """What the hooks of the session at `path` were told. A subagent's call has the session's own prompt and file,
    as far as that reached at the time."""
    name = os.path.basename(path).removesuffix(".jsonl")
    reach = Reach()
    own = moments(path, name, passed=passed, reach=reach)
    agents = [
        moments(file, name, agent_id=agent_id, passed=passed, reach=Reach())
        for agent_id, file in agent_transcripts(path)
    ]
    for moment in heapq.merge(own, *agents, key=lambda moment: moment.at):
        if isinstance(moment, Called) and moment.agent_id is not None:
            then = reach.until(moment.at)
            prompt_id = then.prompt_id or moment.prompt_id
            yield replace(moment, prompt_id=prompt_id, end=then.end, heard=then.heard)
        else:
            yield moment
