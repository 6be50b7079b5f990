"""What happened before the pending write, for hosted readers: earlier messages, the calls of the turn so far, and lines
about the targets from what the agent read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from evaluator.egress.evidence import cleaner, earlier_messages, turn_so_far
from evaluator.egress.lookups import looked_up
from evaluator.egress.targets import target_names
from evaluator.gate.run import Run
from evaluator.intervention.control import is_control_reply
from evaluator.model import Effects, Lookup
from evaluator.record import replace
from evaluator.text import is_continuation
from evaluator.trigger.tools import CLIENT_TOOLS, in_own_terms, parsed, row_for

READ_MAX = 24
"""Reading calls, the newest, that are looked through."""
CALLS_MAX = 40
"""Calls of the turn, the newest, whose effects are worked out."""
READING_TOOLS = frozenset(("Read", "Grep", "Glob", "LS", "NotebookRead"))
MCP_PREFIX = "mcp__"


def add_background(run: Run) -> None:
    """Adds to the evidence what happened before the write, as far as the settings say. Nothing where no text of the
    exchange leaves the machine."""
    settings = run.settings
    told = settings.evidence
    if not settings.sends_exchange:
        return
    calls = run.parts.transcripts.lookups(run.called, run.prompts)
    if told.lookups != "off":
        run.evidence = replace(run.known_evidence, looked_up=_background_target_lines(run, calls))
    if told.history:
        # Calls that only read are left out. Files that another agent of the turn wrote, or whose write the transcript
        # does not hold yet, are told by their names.
        found = ((call, _background_call_effects(run, call)) for call in reversed(calls[:CALLS_MAX]))
        acts = [(call, effects) for call, effects in found if effects and effects.verdict != "read_only"]
        shown = {target for _, effects in acts for target in effects.targets}
        files = (file.target for file in run.parts.store.written(run.known_turn))
        written = [target for target in files if target not in shown]
        run.evidence = replace(
            run.known_evidence,
            earlier_messages=_background_messages(run),
            turn_so_far=turn_so_far(written, acts, run.pending.project_dir, run.settings),
        )


def _background_messages(run: Run) -> tuple[str, ...]:
    """None in a session that a tool call started: nobody typed what its file holds."""
    if run.origin is not None:
        return ()
    exchange, voices = run.known_exchange, run.parts.transcripts.voices(run.pending)
    wanted = {" ".join(text.split()) for text in exchange.request}
    own = [at for at, voice in enumerate(voices) if " ".join(voice.text.split()) in wanted]
    # The newest belong to the current request, or came after it. One that is not in the file yet is newer than all of
    # it; another spelling of it is the newest.
    since = own[0] + 1 if own else int(not exchange.unwritten)
    while own and since in own and since < own[0] + len(exchange.request):
        since += 1
    # What the assistant said after a message stands with the next newer one; the newest reply is the prior turn.
    replies = ["", *(voice.after for voice in voices[since:])]
    each = zip((voice.text for voice in voices[since:]), replies, strict=False)
    said = [one for one in each if not is_continuation(one[0]) and not is_control_reply(one[0])]
    return earlier_messages(said, run.settings)


def _background_target_lines(run: Run, calls: Sequence[Lookup]) -> tuple[str, ...]:
    names = target_names(run.pending, run.known_effects)
    if not names.ranks:
        return ()
    reading = (call for call in calls if call.text.strip() and _is_background_read(run, call))
    return looked_up(
        [
            call if call.tool_name.startswith(MCP_PREFIX) else _background_call_as_bash(run, call)
            for call in islice(reading, READ_MAX)
        ],
        names,
        project_dir=run.pending.project_dir,
        written=[file.target for file in run.parts.store.written(run.known_turn)],
        clean=cleaner(run.settings),
    )


def _is_background_read(run: Run, call: Lookup) -> bool:
    """Files and searches, a command that provably only reads, a server's tool that is not known to write, and a tool
    that the user's rows call reading. What the web or another agent says is no finding about this machine."""
    row = row_for(call.tool_name, run.settings.gate.mcp_tools)
    said_to_read = isinstance(row, str) and call.tool_name not in CLIENT_TOOLS and parsed(row)[0] == "read"
    if said_to_read or call.tool_name in READING_TOOLS:
        return True
    server = call.tool_name.startswith(MCP_PREFIX)
    if not server and _background_call_as_bash(run, call).tool_name != "Bash":
        return False
    effects = _background_call_effects(run, call)
    return effects is None or effects.verdict == "read_only"


def _background_call_effects(run: Run, call: Lookup) -> Effects | None:
    return run.parts.effects_of(replace(run.called, tool_name=call.tool_name, tool_input=call.tool_input))


def _background_call_as_bash(run: Run, call: Lookup) -> Lookup:
    """A shell by another name is Bash: its line is looked at as one."""
    if call.tool_name in CLIENT_TOOLS:
        return call
    called = replace(run.called, tool_name=call.tool_name, tool_input=call.tool_input)
    found = in_own_terms(called, run.settings.gate.mcp_tools)
    return replace(call, tool_name="Bash", tool_input=found.tool_input) if found.tool_name == "Bash" else call
