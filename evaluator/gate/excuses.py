"""Rules 1 to 6 and 8 of the trigger gate, self-protection first, and coverage: what passes, or is denied, unread."""

from __future__ import annotations

from evaluator.effects import CLASS_OF, digest, effect, folded, is_excusable, is_named, narrowed
from evaluator.gate.run import Run
from evaluator.gate.user_messages import is_request_written, is_voiced, voice_of
from evaluator.intervention.control import parse_control, pause_in
from evaluator.model import Check, Effect, Exchange, Operation, Origin
from evaluator.record import replace
from evaluator.trigger import calls
from evaluator.trigger.calls import directory_and_stem, has_cooled_down, relative_to

CODE = (
    ".py", ".pyi", ".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx", ".sh", ".bash", ".zsh", ".rb", ".go",
    ".rs", ".java", ".kt", ".scala", ".php", ".pl", ".lua", ".c", ".cc", ".cpp", ".h", ".hpp", ".cs", ".swift", ".ex",
    ".exs", ".vue", ".svelte",
)  # fmt: skip
OF_FILES: frozenset[Operation] = frozenset(
    ("create", "append", "edit", "overwrite", "permissions", "delete", "move")
)
"""What touches a file itself; to run one is another matter."""
OWN = "scratch files, or files this session made"


def self_protection(run: Run) -> Check | None:
    """Denied in every mode, whatever else would let the call pass: a gate that can be talked out of itself is none."""
    if not run.settings.enabled:
        return None
    run.effects = run.parts.effects_of(run.pending)
    cause = run.parts.protects(run.pending, run.effects)
    if not cause:
        return None
    if run.effects is None:
        run.effects = folded([effect("run", identity=digest(run.pending.tool_name))])
    read_exchange(run)
    newest = run.prompts[-1] if run.prompts else None
    control = parse_control(newest.text) if newest else None
    if newest and control and control.verb == "proceed_settings" and voice_of(run, newest):
        run.notes.append(f"the user allowed it: {cause}")
        return None
    from evaluator.gate.holds import held_thing
    from evaluator.intervention import messages

    texts = messages.guarded(held_thing(run), cause)
    return run.check("failed", "self_protection", "deny", detail=texts.agent, told=texts.person)


def not_write_class(run: Run) -> Check | None:
    if run.effects is None:
        run.effects = run.parts.effects_of(run.pending)
    if run.effects is None:
        return run.skip("not_write_class")
    if run.effects.verdict == "read_only":
        # A build or a test loads files: what of them this turn wrote and nobody judged is judged with it.
        loaded: list[Effect] = []
        if run.pending.tool_name == "Bash" and run.settings.enabled and run.parts.builds(run.pending):
            run.turn = run.parts.store.turn(run.pending.session_id, run.pending.agent_id)
            loaded = _unexcused_build_loads(run)
        if not loaded:
            return run.skip("not_write_class")
        run.effects = folded(loaded, command=run.effects.command)
    return None


def disabled(run: Run) -> Check | None:
    return run.skip("disabled") if not run.settings.enabled or run.parts.nested() else None


def read_exchange(run: Run) -> Check | None:
    session, store = run.pending.session_id, run.parts.store
    if run.parts.attended:
        store.note_attended(session)
    run.prompts = store.prompts(session)
    exchange = run.parts.transcripts.exchange(run.pending, run.prompts)
    run.origin = run.parts.origin(run.pending)
    if run.origin is not None:
        exchange = inherited(run, exchange, run.origin)
    run.exchange = run.said = exchange
    run.turn = store.turn(session, run.pending.agent_id)
    _excuse_edits_of_created(run)
    # What this session made is its own, but for what runs by itself.
    effects = run.known_effects
    asked = [one.target for one in effects.each if one.stakes != "own" and is_named(one.target)]
    found = run.parts.store.made(run.pending.session_id, asked) if asked else ()
    made = {target for target in found if not _runs_by_itself(target, run.pending.project_dir)}
    if made:
        each = (replace(one, stakes="own") if one.target in made else one for one in effects.each)
        run.effects = replace(effects, each=tuple(each))
    _add_effects_of_scripts(run)
    if run.destructive and run.exchange.unwritten and not is_request_written(run):
        # Words that nobody can prove order no destruction.
        told = run.known_exchange.unwritten
        request = tuple(text for text in run.known_exchange.request if text not in told)
        run.exchange = run.said = replace(run.known_exchange, request=request, unwritten=())
    return None


def paused(run: Run) -> Check | None:
    found = pause_in(run.prompts, run.at)
    return run.skip("paused") if found is not None and voice_of(run, found.prompt) else None


def skip_sentinel(run: Run) -> Check | None:
    if run.settings.skip_sentinel.trust_tool_input and calls.SENTINEL in str(run.pending.tool_input):
        return run.skip("skip_sentinel")
    marked = (text for text in run.known_exchange.request if calls.SENTINEL in text)
    typed = any(calls.is_typed_sentinel(text) and is_voiced(run, text) for text in marked)
    return run.skip("skip_sentinel") if typed else None


def skip_glob(run: Run) -> Check | None:
    each, globs = run.known_effects.each, run.settings.skip_globs
    named = calls.skipped_by_globs(each, run.pending.project_dir, globs, run.parts.translate)
    script = calls.holds_script(run.pending.tool_input)
    # A file is more than its name says where it has a further name elsewhere, or is new and can be run.
    plain = (one for one in named if not (one.operation == "create" and script))
    found = [one for one in plain if not run.parts.linked(one.target)]
    return run.skip("skip_glob") if run.excuse(found) else None


def own(run: Run) -> Check | None:
    """Scratch, build outputs and what this session made need no check, nor does destroying them; a write to a file with
    a further name elsewhere does."""
    each = (one for one in run.known_effects.each if one.stakes == "own" and one.operation in OF_FILES)
    linked = run.parts.linked
    found = [one for one in each if one.operation in ("delete", "move") or not linked(one.target)]
    return run.skip("covered", OWN) if run.excuse(found) else None


def cooldown(run: Run) -> Check | None:
    seconds, each = run.settings.cooldown.seconds, run.known_effects.each
    if not seconds or run.rechecking or not any(one.excusable for one in each):
        return None
    known = run.parts.store.cooldowns(run.known_turn, run.at - seconds)
    found = [one for one in each if has_cooled_down(one, known, run.at, seconds)]
    if found:
        # A stem tells notes of a file from the file: what runs, or would be lost, is known by its whole name.
        judged = {file.target for file in run.parts.store.written(run.known_turn) if file.judged}
        directory = run.pending.project_dir
        found = [
            one
            for one in found
            if one.target in judged or not (one.stakes == "lossy" or _runs_by_itself(one.target, directory))
        ]
    return run.skip("dir_plus_stem_cooldown") if run.excuse(found) else None


def covered(run: Run) -> Check | None:
    """A passed check of this turn stands for more files directly in the same folder, but for those that run, and for
    what would be lost."""
    effects, directory = run.known_effects, run.pending.project_dir
    if run.rechecking or not is_excusable(effects) or effects.acts:
        return None
    if any(relative_to(one, directory) is None or _runs_by_itself(one, directory) for one in effects.targets):
        return None
    folders = [directory_and_stem(target)[0] for target in effects.targets]
    if run.parts.store.use_coverage(run.known_turn, folders, effects.operation_class):
        return run.skip("covered")
    return None


def _add_effects_of_scripts(run: Run) -> None:
    """A script of the turn is judged by what it would do, and a build by what it loads that nobody judged."""
    effects = run.known_effects
    if run.pending.tool_name != "Bash":
        return
    more: tuple[Effect, ...] = ()
    if any(one.operation == "unknown" and one.operation_class == "modifying" for one in effects.each):
        files = {file.target: file.judged for file in run.parts.store.written(run.known_turn)}
        more = run.parts.scripts(run.pending, files) if files else ()
    if run.parts.builds(run.pending):
        more = (*more, *_unexcused_build_loads(run))
    if more:
        dark = any(one.operation == "unknown" and one.operation_class == "destructive" for one in more)
        opaque = effects.verdict == "unknown" or dark
        each = [*dict.fromkeys((*effects.each, *more))]
        run.effects = folded(each, opaque=opaque, command=effects.command, lines=effects.lines)


def _unexcused_build_loads(run: Run) -> list[Effect]:
    """What a build or a test loads of what the turn wrote and nobody judged: what runs by itself, and code of a folder
    that skip globs excuse, where nobody looks for any."""
    unjudged = [file.target for file in run.parts.store.written(run.known_turn) if not file.judged]
    if not unjudged:
        return []
    project_dir, settings = run.pending.project_dir, run.settings
    code = [effect("edit", target) for target in unjudged if target.endswith(CODE)]
    found = calls.skipped_by_globs(code, project_dir, settings.skip_globs, run.parts.translate)
    skipped = {one.target for one in found}
    return [
        effect("run", target)
        for target in unjudged
        if target in skipped or _runs_by_itself(target, project_dir, in_builds=True)
    ]


def _runs_by_itself(target: str, project_dir: str, *, in_builds: bool = False) -> bool:
    return calls.runs_by_itself(relative_to(target, project_dir) or target, in_builds=in_builds)


def _excuse_edits_of_created(run: Run) -> None:
    """Edits of a file that this turn created are additive: what they change is the turn's own."""
    effects = run.known_effects
    if not any(one.excusable and one.operation_class == "modifying" for one in effects.each):
        return
    created = {file.target for file in run.parts.store.written(run.known_turn) if file.created}
    if not created.isdisjoint(effects.targets):
        each = list(effects.each)
        for at, one in enumerate(each):
            if one.excusable and one.target in created:
                each[at] = replace(one, operation_class=CLASS_OF["create"])
        run.effects = narrowed(replace(effects, each=()), each)


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
    request = known if run.destructive else found.request
    return replace(found, request=request, unwritten=(), delegated_task=task)


DETAIL = (
    "Compass does not let an agent type into a terminal, or schedule anything to run later, while a write waits for "
    "the user's answer.\nNothing was run. The user must first settle the held write with `compass: proceed` "
    "or `compass: cancel`."
)


def typing_while_held(run: Run) -> Check | None:
    if all(one.kind != "keyboard" for one in run.known_effects.each):
        return None
    from evaluator.intervention import resolution as model

    origin = run.origin
    for session in (run.pending.session_id, *(one.session_id for one in (origin.parents if origin else ()))):
        waiting = model.waiting(run.parts.store.intervention(session), run.at)
        # What nobody could judge waits as well, but to be judged again it does not wait for the user.
        if any(one.binding or not model.concerns(one.call, run.call) for one in waiting):
            return run.check("failed", "self_protection", "deny", detail=DETAIL)
    return None
