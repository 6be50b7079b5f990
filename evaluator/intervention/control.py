"""What the user tells Compass itself: `compass: proceed` and the like. Pure; built-ins only."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from evaluator.exchange.replies import CONTROL_PREFIX
from evaluator.record import Record

Verb = Literal["proceed", "proceed_all", "proceed_settings", "cancel", "pause", "resume", "unknown"]

PAUSE_MINUTES = 10.0
PAUSE_MINUTES_MAX = 24 * 60.0
_CHARS_MAX = 200

# The words of ten languages for each verb; a person who answers in their own language means the same.
_WORDS: dict[str, tuple[str, ...]] = {
    "proceed": (
        "proceed", "go ahead", "allow", "weiter", "fortfahren", "erlauben", "continuer", "autoriser", "continuar",
        "permitir", "proceder", "prosseguir", "procedi", "продолжить", "продолжай", "разрешить", "继续", "允许",
        "続行", "許可", "계속", "허용", "जारी रखें", "अनुमति",
    ),
    "cancel": (
        "cancel", "stop", "deny", "abbrechen", "annuler", "cancelar", "annulla", "отмена", "отменить", "取消",
        "キャンセル", "中止", "취소", "रद्द करें",
    ),
    "pause": ("pause", "pausieren", "pausar", "pausa", "пауза", "暂停", "一時停止", "일시정지", "일시 정지", "रोकें"),
    "resume": (
        "resume", "fortsetzen", "reprendre", "reanudar", "retomar", "riprendi", "возобновить", "恢复", "再開", "재개",
        "फिर शुरू करें",
    ),
}  # fmt: skip
_ALL = (
    "all",
    "alle",
    "alles",
    "tout",
    "tous",
    "todo",
    "todos",
    "tudo",
    "tutto",
    "все",
    "всё",
    "全部",
    "すべて",
    "全て",
    "모두",
    "सभी",
)
_SETTINGS = ("settings", "setting", "einstellungen")
_MINUTES = r"^(?:for )?(\d{1,5})\s*(m|min|mins|minute|minutes|minuten|分|분|h|hour|hours|stunden)?$"
_VERB_OF = {word: verb for verb, words in _WORDS.items() for word in words}


class Control(Record):
    """`minutes` is set for a pause alone."""

    verb: Verb
    minutes: float = 0.0


def parse_control(text: str) -> Control | None:
    """The control reply in a prompt; None for a prompt that is not addressed to Compass.

    The whole message must be the control reply: words that follow make it `unknown`, which does nothing.
    """
    folded = " ".join(unicodedata.normalize("NFKC", text[: _CHARS_MAX * 2]).casefold().split())
    if not folded.startswith(CONTROL_PREFIX):
        return None
    words = folded[len(CONTROL_PREFIX) :].strip().rstrip(".!。！").strip()
    if len(text) > _CHARS_MAX:
        return Control("unknown")
    for start in sorted(_VERB_OF, key=len, reverse=True):
        if words == start or words.startswith(start + " "):
            return _control(_VERB_OF[start], words[len(start) :].strip())
    return Control("unknown")


def _control(verb: str, rest: str) -> Control:
    if verb == "proceed":
        if rest in _ALL:
            return Control("proceed_all")
        if rest in _SETTINGS:
            return Control("proceed_settings")
        return Control("proceed" if not rest else "unknown")
    if verb == "pause":
        if not rest:
            return Control("pause", PAUSE_MINUTES)
        found = re.match(_MINUTES, rest)
        if not found:
            return Control("unknown")
        hours = (found[2] or "").startswith(("h", "stunde"))
        return Control("pause", min(float(found[1]) * (60 if hours else 1), PAUSE_MINUTES_MAX))
    if verb == "cancel":
        return Control("cancel" if not rest else "unknown")
    return Control("resume" if not rest else "unknown")
