"""What the agent read in this turn, as far as it speaks of what the pending write acts on."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.egress.evidence import cleaner
from evaluator.egress.lookups import looked_up, names_of
from evaluator.gate.run import Run
from evaluator.model import Lookup
from evaluator.record import replace

READ_MAX = 24
"""Reading calls, the newest, that are looked through."""
READING_TOOLS = frozenset(("Read", "Grep", "Glob", "LS", "NotebookRead"))
MCP_PREFIX = "mcp__"


def add(run: Run) -> None:
    """To the evidence. Nothing where no text of the exchange leaves the machine."""
    settings = run.settings
    if not settings.sends_exchange:
        return
    names = names_of(run.pending, run.known_effects)
    if not names.ranks:
        return
    lines = looked_up(
        list(_reading(run)),
        names,
        project_dir=run.pending.project_dir,
        written=[file.target for file in run.parts.store.written(run.known_turn)],
        clean=cleaner(settings),
    )
    run.evidence = replace(run.known_evidence, looked_up=lines)


def _reading(run: Run) -> Iterator[Lookup]:
    found = 0
    for call in run.parts.transcripts.lookups(run.called, run.prompts):
        if found < READ_MAX and _reads(run, call):
            found += 1
            yield call


def _reads(run: Run, call: Lookup) -> bool:
    """Files and searches, a command that provably only reads, and a server's tool that is not known to write. What the
    web or another agent says is no finding about this machine.
    """
    if call.tool_name in READING_TOOLS:
        return True
    if call.tool_name != "Bash" and not call.tool_name.startswith(MCP_PREFIX):
        return False
    effects = run.parts.effects_of(replace(run.called, tool_name=call.tool_name, tool_input=call.tool_input))
    return effects is None or effects.verdict == "read_only"
