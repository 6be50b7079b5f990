"""The words by which the user speaks to Compass, as data: verbs in eleven languages, and what may follow them."""

from __future__ import annotations

WORDS: dict[str, tuple[str, ...]] = {
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
    "status": (
        "status", "état", "etat", "statut", "estado", "stato", "статус", "состояние", "状态", "状態", "ステータス",
        "상태", "स्थिति",
    ),
}  # fmt: skip
"""{verb: its words}; a person who answers in their own language means the same."""
ALL = (
    "all", "alle", "alles", "tout", "tous", "todo", "todos", "tudo", "tutto", "все", "всё", "全部", "すべて", "全て",
    "모두", "सभी",
)  # fmt: skip
SETTINGS = ("settings", "setting", "einstellungen")
VERB_OF = {word: verb for verb, words in WORDS.items() for word in words}

YES = frozenset(
    {
        "yes", "yep", "yeah", "yes please", "ja", "ja bitte", "oui", "sí", "si", "sim", "sì", "да", "是", "是的", "好",
        "好的", "はい", "네", "예", "हाँ", "हां", "जी हाँ", "जी हां",
    }
)  # fmt: skip
"""Nothing but yes: "ok" may only tell that something was read."""
GO = frozenset(
    {"proceed", "please proceed", "yes proceed", "yes, proceed", "go ahead", "yes go ahead", "yes, go ahead"}
)
NO = frozenset({"no", "nope", "nein", "non", "não", "нет", "不", "いいえ", "아니요", "नहीं"})
SLASH = "/compass:"
COMMANDS: dict[str, tuple[str, ...]] = {
    "help": (),
    "status": ("compass: status",),
    "proceed": ("compass: proceed", "compass: proceed all"),
    "cancel": ("compass: cancel",),
    "pause": ("compass: pause", "compass: pause 30"),
    "resume": ("compass: resume",),
}
"""{slash command of the plugin: the words that it shows}. Whoever defines a command of that name, it is none."""
