"""The words in which a person is told of a held call: their language, what the call does and to what, and which of the
offered readings is that. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from evaluator.effects import text_of
from evaluator.model import STAKES, Effect, Effects, PendingWrite
from evaluator.text import Vocabulary, fold, safe, table, width
from evaluator.trigger.calls import display, display_target

if TYPE_CHECKING:
    from evaluator.shell.bash import Segment

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "hi")
WORDS_MIN = 2
"""Words of another language that a request has; with an English one among them two more for each of those."""
LETTERS_MIN = {"ja": 5, "ko": 5, "zh": 5, "ru": 10, "hi": 10}
"""Letters of another script, for each English word of the request, that have to be exceeded."""
_SCRIPTS = {
    "ja": ("\u3040", "\u30ff"), "ko": ("\uac00", "\ud7af"), "zh": ("\u4e00", "\u9fff"), "ru": ("\u0400", "\u04ff"),
    "hi": ("\u0900", "\u097f"),
}  # fmt: skip
# Patterns are compiled when a text is first looked at.
_QUOTED = (
    r"(?sm)```.*?(?:```|\Z)|`[^`]*`|<(\w+)[^<>]*>.*?</\1>|<[^<>\n]*>|\[[^\[\]\n]*\]"
    r"""|"[^"\n]*"|“[^”]*”|„[^“”"]*[“”"]|«[^»]*»|「[^」]*」|『[^』]*』|(?<!\w)'[^'\n]+'(?!\w)|(?<!\w)‘[^’\n]+’(?!\w)"""
    r"|^[ \t]*(?:>|\d[\d:./T -]{7,}|(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b|at |File )[^\n]*$"
)
"""Code, markup, what stands between quotes, and lines of a log."""
_ASCII = r"[!-~\u00a1-\u024f]"
_NO_WORDS = (
    rf"(?a)https?://{_ASCII}+|(?<!{_ASCII}){_ASCII}*[/\\_@]{_ASCII}*|(?<![\w-])[\w-]+\.[a-zA-Z]\w*"
    rf"|(?<!\S)--?\w{_ASCII}*|\b[A-Z]{{2,}}\b"
)
"""Addresses, paths, names, options and acronyms are of no language."""
_WORD = r"[¿¡]|[^\W\d_]+(?:'[^\W\d_]+)?"
_HEAD = r"[^:：\n]+(?=[:：]\s)"
"""What introduces something pasted."""
_NAMED = r"[A-Za-z]\W* [\u3040-\u9fff]+ \W*[A-Za-z]"
_LOOKED_AT = 2_000


class _LanguageWords:
    """The words of `language.toml`; `words` and `verbs` by language, without what English has too."""

    def __init__(self) -> None:
        file, english = Vocabulary("intervention/language"), Vocabulary("intervention/language", "english")
        messages = cast("str", table("intervention/language")["messages"]).replace("\n", "")
        self.messages = re.compile(rf"\b(?:{messages})\b", re.IGNORECASE)
        self.english, self.terms = english.words("words"), english.words("terms")
        self.shared, self.codes, self.loans = file.sets("shared"), file.words("codes"), file.words("loans")
        self.particles: frozenset[str] = frozenset(*file.words("particles"))
        self.words, self.verbs = (
            {language: listed - self.english - self.terms for language, listed in file.sets(key).items()}
            for key in ("words", "verbs")
        )


_language_words = cache(_LanguageWords)


def language_of(text: str, earlier: Iterable[str] = ()) -> str:
    """That of the text, or where nothing in it tells, of the newest of `earlier` that does; else English.

    Another language than English is told by its script, or by two of its words and no English one. Quotes, code and
    names do not count; nor do commands and terms that are English everywhere. In a request of some length one English
    word outweighs two others.
    """
    for one in (text, *earlier):
        plain = re.sub(_NO_WORDS, " ", re.sub(_QUOTED, " ", one[:_LOOKED_AT].replace("’", "'")))
        head = re.match(_HEAD, plain)
        if head and (told := _language_of_plain_text(head.group())) and (told != "en" or " " in head.group()):
            return told
        if told := _language_of_plain_text(plain):
            return told
    return "en"


def _language_of_plain_text(text: str) -> str:
    """Empty where nothing tells."""
    known = _language_words()
    words, typed = _split_language_words(text), _split_language_words(known.messages.sub(" ", text))
    if not words:
        return ""
    best, count = _likeliest_language(typed)
    here = known.english.intersection(typed)
    # A request that opens in English is English, whatever it speaks of.
    opens = len(here) >= WORDS_MIN and words[0] in here
    if not opens and (language := _language_by_script(text, len(here))):
        return language
    english = len(here - known.shared.get(best, frozenset()))
    if not opens and count >= WORDS_MIN + 2 * english + (words[0] in known.terms):
        return best if best in LANGUAGES else "en"
    return "" if known.english.isdisjoint(words) and known.terms.isdisjoint(words) else "en"


def _language_by_script(text: str, english: int) -> str:
    each = {name: [char for char in text if low <= char <= high] for name, (low, high) in _SCRIPTS.items()}
    language = next((name for name, chars in each.items() if chars), "")
    found = [char for chars in each.values() for char in chars]
    if not language or len(found) <= LETTERS_MIN[language] * english:
        return ""
    named = re.search(_NAMED, text) if language in ("zh", "ja") else None
    english_order = named is not None and _language_words().particles.isdisjoint(found)
    return "" if english_order and len(found) <= len(re.findall("[A-Za-z]+", text)) else language


def _split_language_words(text: str) -> list[str]:
    """In "l'erreur" there are two words, in "don't" is one."""
    found: list[str] = []
    for word in re.findall(_WORD, text.casefold()):
        first, mark, rest = word.partition("'")
        found += [first + mark, rest] if mark and word not in _language_words().english else [word]
    return found


def _likeliest_language(words: list[str]) -> tuple[str, int]:
    """The language that most words are of, and how many. The verb that opens a request counts twice."""
    if not words:
        return "en", 0
    known, said = _language_words(), frozenset(words)
    found = {"en": (0, 0)}
    for language, listed in known.words.items():
        verbs = known.verbs.get(language, frozenset())
        of_it = said & (listed | verbs)
        letters = sum(len(word) == 1 and word.isascii() for word in of_it)
        # Codes of locales and single letters tell nothing by themselves.
        count = len(of_it) - letters + min(letters, 1) if len(of_it - known.codes) > letters else 0
        accent = any(len(word) > 1 and not word.isascii() for word in of_it - known.loans)
        found[language] = (count + (words[0] in verbs) + accent, letters)
    best = max(found, key=lambda language: found[language])
    return best, found[best][0]


IN_FILES = ("create", "append", "edit", "overwrite", "delete", "move", "permissions")
PUBLISHING = ("commit", "push")
SEGMENTS_COLUMNS = 75
"""Commands that are wider are told by those of them with the most at stake."""
_PUSH = re.compile(r"git push(?: -u| --set-upstream)? (?!-)([\w.-]+)(?: ([\w./-]+))?")
_STAGES = re.compile(r"git(?: -C \S+)? (?:add|stage)\b")
_COMMITS = re.compile(r"git(?: -C \S+)? commit\b(?!.* --amend)")
_GOES_ON = re.compile(r"(?:[|&;({\\]|\b(?:do|then|else))$")
"""A line after which the command is not over."""
_BACKSLASH = "\\"
_OUTPUT = re.compile(r" 2>&1(?: \| (?:tail|head) [\w -]+)?$")
"""What a command does with its output is not what it waits for."""
_SUBJECT = re.compile(
    r"""-\w*m[\s=]*(?:"?\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*(.+)|"([^"\n$`]+)|'([^'\n]+))"""
)
_MESSAGE = re.compile(r"""\$\(cat <<-?\s*['"]?(\w+)['"]?\s*\n\s*(.+)(?:\n.*)*?\n\s*\1\s*\)""")
"""A text that is handed to a command as a heredoc; its first line tells it."""
_NAME = re.compile(r"[^\s`'\"(),;:=]+")
_REMOTE = re.compile(r"[^/]*[:@]|.*://")
_PART = re.compile(r"[^\W_]{3,}")


def act_of(pending: PendingWrite, effects: Effects, objected: Effect | None = None) -> tuple[str, ...]:
    """The kind of the call, a key of the texts' `acts`, and its file, remote, command or tool; of files each, of
    commands those that the first leaves out. `objected` is the effect for which it is held, told before others."""

    def weight(one: Effect) -> tuple[int, bool]:
        return STAKES[one.stakes], one.operation == "vcs" and bool(one.act)

    worst = objected or max(effects.each, key=weight, default=None)
    operation = effects.operation if worst is None else worst.operation
    in_files = operation in IN_FILES and (worst is None or worst.target) and effects.targets
    if in_files and not (effects.command and _is_act_hidden_by_files(effects, operation)):
        # The files of a call in words, what it is held for first, then what is lost.
        each = sorted(effects.each, key=lambda one: (one != objected, -STAKES[one.stakes]))
        targets = [one.target for one in each if one.target and one.operation == operation]
        named = (display(one, pending.project_dir) for one in targets or effects.targets)
        return operation, *(dict.fromkeys(named) or (display_target(pending, ()),))
    if not effects.command:
        return "call", safe(pending.tool_name.removeprefix("mcp__").replace("__", ": "), " ")
    script = text_of(pending.tool_input, "command")
    told, left_out = _commands_telling_act(pending, effects, script, objected)
    if all(map(_COMMITS.match, told)) and told and not left_out:
        subject = _SUBJECT.search(script)
        said = next(filter(None, subject.groups())) if subject else ""
        return "commit", " ".join(safe(said, " ").replace('"', "'").split())
    command = _act_on_one_line((" && " if "&&" in effects.command else "; ").join(told) or effects.command)
    pushed = _PUSH.fullmatch(command)
    kind, what = ("push", "/".join(filter(None, pushed.groups()))) if pushed else ("run", command)
    return kind, what, *left_out


def _is_act_hidden_by_files(effects: Effects, operation: str) -> bool:
    """Whether names of files would hide something of a command that cannot be taken back, or weighs as much."""
    least = min(STAKES[effects.stakes], STAKES["outward"])
    weighty = (one for one in effects.each if STAKES[one.stakes] >= least)
    return any(not one.target or one.operation != operation for one in weighty)


def _commands_telling_act(
    pending: PendingWrite, effects: Effects, script: str, objected: Effect | None
) -> tuple[list[str], list[str]]:
    """Those commands of a held line that tell what it does, and those left out for their room; none where the whole
    line tells more."""
    from evaluator.shell.bash import explain

    stakes: dict[str, int] = {}
    held_for: set[str] = set()
    for one in explain(script or effects.command, pending.cwd or "/").segments:
        text = _act_on_one_line(_MESSAGE.sub(r"\2", one.text))
        if one.verdict == "read_only" or _STAGES.match(text):
            continue
        if one.family == "unreadable" or re.search(rf"(?<!\|)\|\s*{re.escape(one.text)}", script):
            return [], []
        weights = (STAKES[each.stakes] for each in effects.each if _is_act_of_segment(each, one))
        stakes[text] = max(weights, default=0)
        if objected and _is_act_of_segment(objected, one):
            held_for.add(text)
    if width(" && ".join(stakes)) <= SEGMENTS_COLUMNS:
        return list(stakes), []
    most = max(stakes.values())
    told = [text for text, weight in stakes.items() if weight == most or text in held_for]
    return told, [text for text in stakes if text not in told]


def _is_act_of_segment(one: Effect, segment: Segment) -> bool:
    if one.target:
        return one.target in segment.targets and one.operation == segment.operation
    publishes = one.act in ("git commit", "git push")
    same = one.act in segment.text if publishes else one.operation == segment.operation
    return same and (one.stakes == "lossy") == (segment.operation_class == "destructive")


def _act_on_one_line(command: str) -> str:
    lines = [line.strip() for line in command.splitlines() if not line.lstrip().startswith("#")]
    goes_on = ((line, _GOES_ON.search(line) is not None) for line in lines if line)
    joined = "".join(f"{line.rstrip(_BACKSLASH)} " if more else f"{line}; " for line, more in goes_on)
    plain = safe(joined.removesuffix("; "), " ").replace("\\`", "'").replace("`", "'")
    return _OUTPUT.sub("", " ".join(plain.split()))


def named_within(names: Sequence[str], columns: int) -> str:
    """As many of the paths as fit, each by its end where they do not."""
    if width(", ".join(names)) <= columns:
        return ", ".join(names)
    short = [_act_path_ending(one, columns) if len(names) == 1 else _act_path_last_part(one) for one in names]
    more = ""
    for count in range(len(short), 0, -1):
        more = f" (+{len(short) - count} more)" if count < len(short) else ""
        text = ", ".join(short[:count]) + more
        if width(text) <= columns:
            return text
    return _act_path_ending(short[0], columns - len(more)) + more


def _act_path_ending(path: str, columns: int) -> str:
    shown = path
    while width(shown) > columns:
        shown = "…" + shown[2:]
    return shown


def _act_path_last_part(path: str) -> str:
    """The last part of a path; a place on another machine as it is."""
    if _REMOTE.match(path):
        return path
    folder, _, name = path.rstrip("/").rpartition("/")
    return f"…/{name}" if folder.strip("…") else path


def shortened(command: str, columns: int) -> str:
    """A command that is too wide, with its longer paths told by their ends."""
    if width(command) <= columns:
        return command
    return " ".join(
        _act_path_last_part(one) if one.count("/") > 1 and one[0] not in "'\"-" else one
        for one in command.split(" ")
    )


def is_act_named(names: Sequence[str], command: str, readings: Sequence[str]) -> bool:
    """Whether the held act is among the readings: one alone has words of it that no other one has, or all name it."""
    known = _act_name_words(" ".join((*names, command)))
    words = [_act_name_words(one) & known for one in readings]
    others = [words[:place] + words[place + 1 :] for place in range(len(words))]
    if sum(bool(own.difference(*rest)) for own, rest in zip(words, others, strict=True)) == 1:
        return True
    named = [fold(one).rstrip("/").rpartition("/")[2] for one in names]
    return any(all(name in fold(one) for one in readings) for name in named)


def _act_name_words(text: str) -> set[str]:
    """Of a path those of its last part, and that itself and what its dots part behind a slash."""
    found = (word.rstrip("/.").rpartition("/")[2].replace("_", "-") for word in _NAME.findall(fold(text)))
    last = [word for word in found if len(word) > 1]
    parts = {part for word in last for part in _PART.findall(word)}
    return parts | {f"/{part}" for word in last for part in (word, *word.split(".")) if len(part) > 1}
