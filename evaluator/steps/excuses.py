"""Rules 1 to 6 and 8 of the trigger gate, and coverage: what is let through, or denied, unread."""

from __future__ import annotations

from evaluator.model import Check, Effect
from evaluator.record import replace
from evaluator.run import Run
from evaluator.stages import trigger
from evaluator.stages.control import parse_control
from evaluator.stages.cooldown import EXCUSABLE, cooled_down, directory_and_stem, is_named
from evaluator.stages.effect import CLASS_OF
from evaluator.steps.voices import stands


def not_write_class(run: Run) -> Check | None:
    run.effect = run.parts.effect_of(run.pending)
    if run.effect is None or run.effect.verdict == "read_only":
        return run.skip("not_write_class")
    return None


def disabled(run: Run) -> Check | None:
    return run.skip("disabled") if not run.settings.enabled or run.parts.nested() else None


def read_exchange(run: Run) -> Check | None:
    session, store = run.pending.session_id, run.parts.store
    if run.parts.attended:
        store.note_attended(session)
    run.prompts = store.prompts(session)
    run.exchange = run.said = run.parts.transcripts.exchange(run.pending, run.prompts)
    run.turn = store.turn(session, run.pending.agent_id)
    run.effect = _softened(run)
    return None


def self_protection(run: Run) -> Check | None:
    """Denied in every mode: a gate that can be talked out of itself is none."""
    cause = run.parts.protects(run.pending, run.known_effect)
    if not cause:
        return None
    newest = run.prompts[-1] if run.prompts else None
    control = parse_control(newest.text) if newest else None
    if newest and control and control.verb == "proceed_settings" and stands(run, newest):
        run.notes.append(f"the user allowed it: {cause}")
        return None
    detail = (
        f"Compass does not let an agent do this: it {cause}.\n"
        "Nothing was changed. The user can do it themselves, or allow it for the current request by typing "
        "`compass: proceed settings`."
    )
    return run.check("failed", "self_protection", "deny", detail=detail)


def paused(run: Run) -> Check | None:
    for prompt in reversed(run.prompts):
        control = parse_control(prompt.text)
        if control is None or control.verb not in ("pause", "resume"):
            continue
        if control.verb == "resume":
            return None
        ends = prompt.at + control.minutes * 60
        return run.skip("paused") if prompt.at <= run.at < ends and stands(run, prompt) else None
    return None


def skip_sentinel(run: Run) -> Check | None:
    trusted = run.settings.skip_sentinel.trust_tool_input
    if trigger.has_sentinel(run.known_exchange.request, run.pending.tool_input, trust_tool_input=trusted):
        return run.skip("skip_sentinel")
    return None


def skip_glob(run: Run) -> Check | None:
    targets, project_dir = run.known_effect.targets, run.pending.project_dir
    if trigger.all_skipped(targets, project_dir, run.settings.skip_globs, run.parts.translate):
        return run.skip("skip_glob")
    return None


def cooldown(run: Run) -> Check | None:
    seconds, effect = run.settings.cooldown.seconds, run.known_effect
    if not seconds or run.rechecking:
        return None
    found = run.parts.store.cooldowns(run.known_turn, run.at - seconds)
    if cooled_down(effect.targets, effect.operation, effect.operation_class, found, run.at, seconds):
        return run.skip("dir_plus_stem_cooldown")
    return None


def covered(run: Run) -> Check | None:
    """A passed check of this turn stands for more files directly in the same folder."""
    effect = run.known_effect
    if run.rechecking or effect.operation not in EXCUSABLE or not effect.targets:
        return None
    if not all(is_named(target) for target in effect.targets):
        return None
    folders = [directory_and_stem(target)[0] for target in effect.targets]
    if run.parts.store.use_coverage(run.known_turn, folders, effect.operation_class):
        return run.skip("covered")
    return None


def _softened(run: Run) -> Effect:
    """Edits of a file that this turn created are additive: what they change is the turn's own."""
    effect = run.known_effect
    if effect.operation not in ("edit", "overwrite", "append") or not effect.targets:
        return effect
    created = {file.target for file in run.parts.store.written(run.known_turn) if file.created}
    return replace(effect, operation_class=CLASS_OF["create"]) if set(effect.targets) <= created else effect
