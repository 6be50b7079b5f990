"""What the user's own words forbid, and what they did not order to be lost: held before any reader, whoever reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.backends import EMBEDDED
from evaluator.effects import is_named, text_of
from evaluator.gate import evaluation
from evaluator.gate.run import Run
from evaluator.model import Check, Concern, Convergence, Effect, Reading, Sample
from evaluator.record import replace

if TYPE_CHECKING:
    from evaluator.intervention.telling import BlockTexts, HeldThing

MESSAGES_MAX = 40
"""How far back bans of the session are looked for."""


def objection(run: Run) -> Check | None:
    """Holds a call that breaks a ban, or loses what nobody ordered to go; else does nothing."""
    if all(one.stakes == "own" and _is_outside(run, one) for one in run.known_effects.each):
        return None
    if run.chose_reading and (unfit := evaluation.unfit(run)):
        return unfit
    taken = _taken(run)
    return _banned(run, taken) or _lost(run, taken)


def _is_outside(run: Run, one: Effect) -> bool:
    return not one.target.startswith(run.pending.project_dir.rstrip("/") + "/")


def _messages(run: Run) -> list[str]:
    """What the user typed in this session as far as it is known, oldest first; of a delegated one what it inherits."""
    kept = () if run.origin is not None else run.prompts
    typed = [one.text for one in kept if not one.text.lower().lstrip().startswith(("compass:", "<"))]
    request = [text for text in run.known_exchange.request if text not in typed]
    return [*typed, *request][-MESSAGES_MAX:]


def _banned(run: Run, taken: str) -> Check | None:
    from evaluator.rules import banned

    found = banned(
        run.known_exchange,
        run.known_effects,
        run.pending,
        _messages(run),
        instructions=run.parts.instructions(run.pending),
        agreed=run.explained,
        taken=taken,
    )
    if found is None:
        return None
    from evaluator.intervention import telling

    ban, broken = found
    cause: telling.Cause = "rule" if ban.source else "ban"
    texts = telling.held(_thing(run, broken), cause, quote=ban.quote, file=ban.source, ran=not run.enforces)
    says = f"{ban.source} says" if ban.source else "the user said"
    return _held(run, texts, "scope", f'{says} "{ban.quote}"', f"ban: {ban.sort}")


def _lost(run: Run, taken: str) -> Check | None:
    from evaluator.rules import LOST, losses

    if all(one.stakes != "lossy" for one in run.known_effects.each):
        return None
    # Words that nobody can prove order no destruction: only what stands in the transcript frees.
    own_words = run.origin is None and not run.pending.agent_id
    typed = [] if not own_words else [one.text for one in run.parts.transcripts.voices(run.pending)]
    effects = run.known_effects
    undoes = all(one.operation == "vcs" for one in effects.each if one.stakes == "lossy")
    own = {one.target for one in run.parts.store.written(run.known_turn) if one.created or undoes}
    asked = [one.target for one in effects.each if is_named(one.target)]
    own |= run.parts.store.made(run.pending.session_id, asked) if asked else set()
    command = text_of(run.pending.tool_input, "command")
    content = losses.content_of(run.pending)
    # "Yes, delete it" takes up nothing where the agent named several things.
    named = losses.candidates(run.known_exchange)
    taken = "" if named and not run.chose_reading else taken
    lost = losses.loss(
        effects, run.known_exchange, typed, run.pending.project_dir,
        own=own, command=command, ran=_ran(run), content=content, taken=taken,
    )  # fmt: skip
    if lost is None:
        return None
    from evaluator.gate.holds import offered
    from evaluator.intervention import telling

    readings = [Reading("delete", name, "one_file") for name in named]
    found = offered(_samples("loss", "destructive", LOST, readings), run.pending, effects, run.known_exchange)
    listed = found if len(found) > 1 else ()
    chosen = " / ".join(run.resolved.labels) if run.chose_reading and run.resolved else ""
    cause: telling.Cause = "unfit" if chosen else "ambiguous" if listed else "destructive"
    texts = telling.held(_thing(run, lost), cause, listed, quote=chosen, ran=not run.enforces)
    return _held(run, texts, "destructive", LOST, "loss", readings)


def _taken(run: Run) -> str:
    """What a reply agrees to, though it came after a hold: what the agent then asked, or the reading that was shown."""
    from evaluator.rules import taken_up

    if run.chose_reading and run.resolved:
        return "\n".join(run.resolved.labels)
    return taken_up(run.said or run.known_exchange)


def _ran(run: Run) -> list[str]:
    """The commands of this turn before this one; a file that a tool wrote whole, as a command would."""
    found = run.parts.transcripts.lookups(run.pending, run.prompts)
    return [
        text_of(one.tool_input, "command") or f"> {text_of(one.tool_input, 'file_path')}"
        for one in found
        if "command" in one.tool_input or "content" in one.tool_input
    ]


def _thing(run: Run, one: Effect) -> HeldThing:
    """Of a call that does more than one thing, the one that is objected to."""
    from evaluator.gate.holds import held_thing

    targets = (one.target,) if one.target else ()
    return held_thing(run, replace(run.known_effects, operation=one.operation, targets=targets))


def _samples(rule: str, concern: Concern, why: str, readings: Sequence[Reading]) -> tuple[Sample, ...]:
    """One for each thing that the user may mean."""
    if not readings:
        return (Sample(rule, 0.0, concern, why, cost_usd=0.0),)
    return tuple(
        Sample(f"{rule} {number}", 0.0, concern, why, reading=one, cost_usd=0.0)
        for number, one in enumerate(readings, 1)
    )


def _held(
    run: Run, texts: BlockTexts, concern: Concern, why: str, rule: str, readings: Sequence[Reading] = ()
) -> Check:
    from evaluator.verdict.readings import clusters

    samples = _samples(rule, concern, why, readings)
    return run.check(
        "failed",
        "low_confidence",
        "deny" if run.enforces else "allow",
        convergence=Convergence(0.0, 0.0, len(samples), concern, why),
        thresholds=run.thresholds(),
        samples=samples,
        clusters=clusters(samples, run.pending.project_dir, run.known_exchange) if readings else (),
        backend=EMBEDDED,
        detail=texts.agent,
        told=texts.person,
    )
