"""What the agent read in this turn, as far as it speaks of what the pending write acts on."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.egress.evidence import cleaner
from evaluator.egress.lookups import looked_up, names_of
from evaluator.gate.run import Run
from evaluator.model import Lookup
from evaluator.record import replace
from evaluator.trigger.tools import CLIENT_TOOLS, in_own_terms, parsed, row_for

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
            yield call if call.tool_name.startswith(MCP_PREFIX) else _in_own_terms(run, call)


def _reads(run: Run, call: Lookup) -> bool:
    """Files and searches, a command that provably only reads, a server's tool that is not known to write, and a tool
    that the user's rows call reading. What the web or another agent says is no finding about this machine.
    """
    if call.tool_name in READING_TOOLS or _is_said_to_read(run, call.tool_name):
        return True
    server = call.tool_name.startswith(MCP_PREFIX)
    if not server and _in_own_terms(run, call).tool_name != "Bash":
        return False
    effects = run.parts.effects_of(replace(run.called, tool_name=call.tool_name, tool_input=call.tool_input))
    return effects is None or effects.verdict == "read_only"


def _is_said_to_read(run: Run, tool: str) -> bool:
    row = row_for(tool, run.settings.gate.mcp_tools)
    return isinstance(row, str) and tool not in CLIENT_TOOLS and parsed(row)[0] == "read"


def _in_own_terms(run: Run, call: Lookup) -> Lookup:
    """A shell by another name is Bash: its line is looked at as one."""
    if call.tool_name in CLIENT_TOOLS:
        return call
    called = replace(run.called, tool_name=call.tool_name, tool_input=call.tool_input)
    found = in_own_terms(called, run.settings.gate.mcp_tools)
    return replace(call, tool_name="Bash", tool_input=found.tool_input) if found.tool_name == "Bash" else call
