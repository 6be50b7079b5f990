"""What hosted readers are shown: every field sanitized, cut to its limit, without contents by default."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from evaluator.effects import PATCH_TOOL, edits_of, text_of
from evaluator.egress.excerpt import MARK, excerpt
from evaluator.egress.sanitizer import sanitize, sanitize_path
from evaluator.model import Effects, Evidence, Exchange, Lookup, PendingWrite, ResolvedOption
from evaluator.record import replace, values_of
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES, Settings
from evaluator.text import width
from evaluator.trigger.calls import relative_to

if TYPE_CHECKING:
    from evaluator.egress.change_summary import Touched

PATH_CHARS_MAX = 400
NAMES_MAX = 20
"""Names in a list; of a longer one both ends are shown, and how many are between."""
SYMBOL_CHARS_MAX = 40
QUESTION_CHARS_MAX = 200
COMMAND_CHARS_MAX = 1000
CONTENT_CHARS_MAX = 2000
SOURCE_CHARS_MAX = 200_000
"""In which an excerpt looks for what matters."""
SOURCE_CHARS_MAX_WIDE = 50_000
"""The same for text that is not ASCII: NFKC can make eighteen characters of one."""
SOURCE_TIMES = 16
"""So many times what is sent is sanitized: some 20 µs a character at worst."""
TARGET_CHARS_MAX = 4096
"""Of a path, as much as a system takes."""
EARLIER_CHARS_MAX = 2400
"""All earlier messages of a check together, wide characters double."""
MESSAGE_CHARS_MAX, REPLY_CHARS_MAX = 480, 240
"""Of one earlier message, and of the end of what the assistant then said."""
_LEAST_CHARS = 60
"""Room below which a further message says nothing."""
SAID_CHARS_MAX = 6_000
"""What is looked at of one message or call before it is cut."""
CALL_CHARS_MAX = 160
"""Of one call of the turn so far."""
CUT = "\n[...]\n"
LINE_CHARS_MAX = 4096
"""How far a cut of the source may move to fall between lines: half a secret would not be recognised."""


def cleaner(settings: Settings, by: Callable[..., str] = sanitize) -> Callable[[str, int | None], str]:
    """The sanitizer as the user set it, `sanitize(text, limit)` or another."""

    def clean(text: str, limit: int | None) -> str:
        return by(
            text,
            limit,
            settings.sanitization.strip_sequences,
            strip_null_bytes=settings.sanitization.strip_null_bytes,
        )

    return clean


def cleaned(evidence: Evidence) -> Evidence:
    """What another machine says that it sanitized, sanitized here: the same, where it did. Its bounds stay its own."""
    fields: dict[str, object] = {}
    for name, value in values_of(evidence).items():
        if isinstance(value, str):
            fields[name] = sanitize(value, None, DEFAULT_STRIP_SEQUENCES)
        elif isinstance(value, tuple):
            fields[name] = tuple(sanitize_path(str(one), None) for one in cast("tuple[object, ...]", value))
    return replace(evidence, **fields)


def build_evidence(
    pending: PendingWrite,
    effects: Effects,
    exchange: Exchange,
    settings: Settings,
    *,
    resolved: ResolvedOption | None = None,
    turn_so_far: Sequence[str] = (),
    excused: Sequence[str] = (),
    touched: Touched | None = None,
) -> Evidence:
    """Bounded by the excerpt limits of `settings`; where both are 0 neither the exchange nor the names that the change
    touches leave anything, its size does."""
    context = settings.context_chars_max
    prior_max = settings.transcript.prior_turn_chars_max
    sends_exchange = settings.sends_exchange

    clean, path = cleaner(settings), _evidence_path_cleaner(pending.project_dir, settings)

    def pattern(target: str) -> str:
        return path(_without_substitutions(target))

    targets = _bound_evidence_names(effects.targets, pattern if pending.tool_name == "Bash" else path)
    names = dict.fromkeys(
        name
        for target in (*targets, *effects.targets[:NAMES_MAX])
        for base in (os.path.basename(target),)
        for name in (target, base, os.path.splitext(base)[0])
    )
    keep = tuple(name for name in names if 1 < len(name) <= PATH_CHARS_MAX)

    def whole(text: str, limit: int) -> str:
        near = _cut_evidence_at_lines(text, SOURCE_CHARS_MAX if text.isascii() else SOURCE_CHARS_MAX_WIDE)
        return clean(excerpt(near, SOURCE_TIMES * limit, keep, LINE_CHARS_MAX), None)

    def said(text: str) -> str:
        return " ".join(whole(text, QUESTION_CHARS_MAX).split()).replace('"', "'")

    def cut(text: str, limit: int) -> str:
        if not limit or not text:
            return ""
        return clean(excerpt(whole(text, limit), limit, keep), limit)

    approved = [plan.text for plan in exchange.plans if plan.approved]
    symbols: dict[str, None] = {}
    if touched is not None and sends_exchange:
        shown = (clean(name[:LINE_CHARS_MAX], SYMBOL_CHARS_MAX) for name in touched.names[:NAMES_MAX])
        # A name that holds a secret or a delimiter is left out.
        symbols = dict.fromkeys(name for name in shown if name and "[" not in name)
    return Evidence(
        tool_name=clean(pending.tool_name, 100),
        operation=effects.operation,
        operation_class=effects.operation_class,
        targets=targets,
        current_request=cut(exchange.request_text, context),
        prior_assistant_turn=cut(exchange.prior_assistant_turn, prior_max),
        command=cut(effects.command, COMMAND_CHARS_MAX),
        lines=effects.lines,
        delegated_task=cut(exchange.delegated_task, context),
        resolved_option=cut(_evidence_of_answers(exchange, resolved, said), context)
        if sends_exchange
        else "",
        plan=cut(approved[-1] if approved else "", context),
        turn_so_far=_bound_evidence_names(turn_so_far, pattern),
        excused=_bound_evidence_names(excused, pattern),
        contents=clean(
            _ends(whole(_evidence_contents(pending), 2 * CONTENT_CHARS_MAX), 2 * CONTENT_CHARS_MAX),
            2 * CONTENT_CHARS_MAX,
        )
        if settings.include_file_contents
        else "",
        symbols=tuple(symbols),
        added=touched.added if touched is not None else None,
        removed=touched.removed if touched is not None else None,
    )


def earlier_messages(said: Sequence[tuple[str, str]], settings: Settings) -> tuple[str, ...]:
    """What was said before in the session, as readers are shown it. `said`: (what the user said, what the assistant
    said then), newest first. As many of the newest as there is room for, each on one line in quotes, so that no text
    can pose as another message; where an excerpt limit is 0, what it limits stays out."""
    if not settings.context_chars_max:
        return ()
    clean, room = cleaner(settings), EARLIER_CHARS_MAX
    replies = REPLY_CHARS_MAX if settings.transcript.prior_turn_chars_max else 0

    def quoted(who: str, text: str, limit: int, cut: Callable[[str, int], str]) -> str:
        whole = clean(_cut_evidence_at_lines(text, SAID_CHARS_MAX), None).strip().replace('"', "'")
        return clean(f'{who}: "{" ".join(cut(whole, limit).split())}"', None) if whole else ""

    found: list[str] = []
    for message, reply in said:
        limit = min(MESSAGE_CHARS_MAX, room - len('user: ""'))
        user = quoted("user", message, limit, lambda text, most: excerpt(text, most, ()))
        if limit < _LEAST_CHARS or width(user) > room:
            break
        if not user:
            continue
        ended = quoted("assistant", reply, replies, _evidence_text_end) if replies else ""
        whole = f"{user} {ended}" if ended else user
        found.append(whole if width(whole) <= room else user)
        room -= width(found[-1])
    return tuple(found)


def turn_so_far(
    written: Sequence[str], acts: Sequence[tuple[Lookup, Effects]], project_dir: str, settings: Settings
) -> tuple[str, ...]:
    """Files that were written, by name, then the turn's calls with what they do, oldest first, by tool and command or
    target. Of more than NAMES_MAX the first and the last."""
    clean, path = cleaner(settings), _evidence_path_cleaner(project_dir, settings)

    def act(call: Lookup, effects: Effects) -> str:
        what = effects.command or ", ".join(map(path, effects.targets[:3]))
        told = " ".join(
            clean(_cut_evidence_at_lines(f"{call.tool_name} {what}", SAID_CHARS_MAX), None).split()
        )
        return clean(told, CALL_CHARS_MAX) + (" (failed)" if call.failed else "")

    lines = dict.fromkeys(
        [*(path(_without_substitutions(name)) for name in written), *(act(*one) for one in acts)]
    )
    return _bound_evidence_names(tuple(lines), str)


def _evidence_path_cleaner(project_dir: str, settings: Settings) -> Callable[[str], str]:
    """A path as it is shown: relative to the project, else by its last parts."""
    clean_path = cleaner(settings, sanitize_path)

    def path(target: str) -> str:
        shown, parts = relative_to(target, project_dir), target.split(os.sep)
        if not shown:
            # The first parts of a path outside of the project may name the user.
            shown = target if len(parts) <= 4 else os.sep.join(("...", *parts[-3:]))
        return clean_path(shown[-TARGET_CHARS_MAX:], PATH_CHARS_MAX)

    return path


def _evidence_text_end(text: str, limit: int) -> str:
    """The end of a text, at most `limit` wide, the cut marked."""
    if width(text) <= limit:
        return text
    kept = text[-(limit - len(MARK) - 1) :]
    while width(kept) > limit - len(MARK) - 1:
        kept = kept[len(kept) // 8 + 1 :]
    return f"{MARK} {kept.partition(' ')[2] or kept}"


def _bound_evidence_names(names: Sequence[str], shown: Callable[[str], str]) -> tuple[str, ...]:
    """As shown; of more than NAMES_MAX the first and the last, and what stands for the others."""
    if len(names) <= NAMES_MAX:
        return tuple(map(shown, names))
    half = NAMES_MAX // 2
    left_out = f"[... {len(names) - NAMES_MAX} more ...]"
    return (*map(shown, names[:half]), left_out, *map(shown, names[-half:]))


def _without_substitutions(target: str) -> str:
    """A shell target that could not be expanded, without the code in it: from the first `$(`, backtick,
    `<(` or `>(` to the last end of one. Inline code and heredoc bodies are never sent."""
    start = min((at for opening in ("$(", "`", "<(", ">(") if (at := target.find(opening)) >= 0), default=-1)
    if start < 0:
        return target
    end = max(target.rfind(closing) for closing in ")`")
    return target[:start] + "$(...)" + (target[end + 1 :] if end > start else "")


def _evidence_of_answers(
    exchange: Exchange, resolved: ResolvedOption | None, said: Callable[[str], str]
) -> str:
    """One fact a line, with what the agent worded in quotes: it cannot pose as a further fact."""

    def quoted(labels: Sequence[str]) -> str:
        return ", ".join(f'"{said(label)}"' for label in labels)

    lines = [
        f'"{_ends(said(item.question), QUESTION_CHARS_MAX, " [...] ")}" -> {quoted(item.answers)}'
        for item in exchange.questions
    ]
    if resolved is not None:
        lines.append(f"The user's reply selects: {quoted(resolved.labels)}")
    return "\n".join(lines)


def _evidence_contents(pending: PendingWrite) -> str:
    given = pending.tool_input
    whole = text_of(given, "content") or text_of(given, "new_source")
    if pending.tool_name == PATCH_TOOL:
        return text_of(given, "input") or text_of(given, "patch")
    return whole or "\n".join(f"- {old}\n+ {new}" for old, new in edits_of(given) if old or new)


def _cut_evidence_at_lines(text: str, limit: int) -> str:
    """As `_ends`, with both cuts between lines, or else between words."""
    if len(text) <= limit:
        return text
    half = (limit - len(CUT)) // 2
    head, tail = text[:half], text[-half:]
    near_head, near_tail = head[-LINE_CHARS_MAX:], tail[:LINE_CHARS_MAX]
    end = next((near_head.rfind(space) for space in "\n " if space in near_head), len(near_head))
    start = next((near_tail.find(space) for space in "\n " if space in near_tail), 0)
    return head[: len(head) - len(near_head) + end] + CUT + tail[start:]


def _ends(text: str, limit: int, cut: str = CUT) -> str:
    """Both ends of a text that is longer than `limit` characters, the cut marked."""
    if len(text) <= limit:
        return text
    half = (limit - len(cut)) // 2
    return text[:half] + cut + text[-half:]


def leaving(settings: Settings, *, names: bool) -> str:
    """To follow "sends". `names`: those that a write touches, unless no text of the exchange leaves either."""
    said, before = settings.context_chars_max > 0, settings.transcript.prior_turn_chars_max > 0
    found = ["your request"] * said + ["what the agent said right before it"] * before
    touched = " and the names that it touches" if names and settings.sends_exchange else ""
    found.append(f"the write's command or targets{touched}")
    if settings.evidence.lookups != "off" and settings.sends_exchange:
        found.append("lines the agent looked up about the targets")
    if settings.evidence.history and settings.sends_exchange:
        found += ["your earlier messages in the session"] * said + ["the calls of the turn so far"]
    if settings.include_file_contents:
        return ", ".join(
            (*found, f"and {CONTENT_CHARS_MAX:,} characters from each end of the text to be written")
        )
    return ", ".join((*found, "but never file contents"))
