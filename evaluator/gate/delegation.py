"""A session that a tool call started: its prompts are a task, and the request is that of the call."""

from __future__ import annotations

from evaluator.gate.run import Run
from evaluator.model import Exchange, Origin
from evaluator.record import replace


def inherited(run: Run, own: Exchange, origin: Origin) -> Exchange:
    """The exchange behind the call that a person's session made; no request where nobody can find it."""
    task = "\n\n".join(text for text in (*own.request, own.delegated_task) if text)
    if not origin.parents:
        return Exchange(delegated_task=task)
    first, store = origin.parents[-1], run.parts.store
    kept = store.prompts(first.session_id)
    asked = replace(
        run.pending,
        session_id=first.session_id,
        transcript_path=first.transcript_path or None,
        prompt_id=kept[-1].prompt_id if kept else None,
        agent_id=None,
    )
    found = run.parts.transcripts.exchange(asked, kept)
    # The call ran long after its prompt was written: what is not there orders no destruction.
    known = tuple(text for text in found.request if text not in found.unwritten)
    return replace(
        found, request=known if run.destructive else found.request, unwritten=(), delegated_task=task
    )
