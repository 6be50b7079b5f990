"""Inline JavaScript, Ruby, Perl and PHP: a scan by names, since no parser of theirs is at hand.

Strings and comments are set apart first. A call that is neither known to read nor known to write is unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evaluator.model import Operation
from evaluator.shell.code.scan import Scan, unknown

CODE_MAX = 50_000


@dataclass(frozen=True, slots=True)
class Language:
    """`literals` finds strings, patterns and comments; `writes` are calls whose first literals are targets.

    `pure` are the names that may be called; `variable` is how an assignment of a literal looks. `handed` finds a
    name of a writing call that is handed on instead of called; `by_name` calls that take another by its name in a text.
    """

    literals: re.Pattern[str]
    writes: tuple[tuple[re.Pattern[str], Operation, int], ...]
    shells: re.Pattern[str]
    dangerous: re.Pattern[str]
    call: re.Pattern[str]
    pure: frozenset[str]
    defines: re.Pattern[str]
    handed: re.Pattern[str] | None = None
    by_name: re.Pattern[str] | None = None
    opens: tuple[re.Pattern[str], ...] = ()
    """Openings with groups `target` and `mode`, both holes; an opening that is not of such a form is `dangerous`."""
    assigns: re.Pattern[str] = field(
        default=re.compile(r"(?:const|let|var|my|our)?\s*([$@]?\w+)\s*=\s*\x00(\d+)\x00\s*(?:[;\n]|$)")
    )


HOLE = re.compile(r"\x00(\d+)\x00")
ARGUMENT = re.compile(
    r"\s*(?:\x00(\d+)\x00|([$@]?[A-Za-z_]\w*))\s*(?:,|\)|;|\n|$|\}|\bif\b|\bunless\b|\bor\b|\|\|)"
)


NAMES_TAKEN = re.compile(r"\{[\w\s,]*\}\s*(?:=|from\b)")


def scan_script(code: str, language: Language) -> Scan:
    if len(code) > CODE_MAX or "\0" in code:
        return unknown()
    texts: list[str | None] = []

    def lift(found: re.Match[str]) -> str:
        raw = found.group()
        if raw.startswith(("//", "/*", "#")):
            return " "
        dynamic = (raw[0] == "`" and "${" in raw) or (
            raw[0] == '"' and re.search(r"[#$@]\{|[$@]\w", raw) is not None
        )
        texts.append(None if dynamic or raw[0] not in "'\"`" else raw[1:-1])
        return f"{'' if found.start() == 0 else ' '}\0{len(texts) - 1}\0"

    plain = language.literals.sub(lift, code)
    if any(
        text is None and language.dangerous.search(raw.group())
        for text, raw in zip(texts, language.literals.finditer(code), strict=False)
    ):
        return unknown()
    values = _values(plain, language, texts)
    scan = Scan()
    for pattern in language.opens:
        plain = pattern.sub(lambda found: _opened(scan, found, texts), plain)
    if language.dangerous.search(plain):
        scan.unknown = True
    if language.handed is not None and language.handed.search(NAMES_TAKEN.sub("", plain)):
        scan.unknown = True
    if language.by_name is not None and language.by_name.search(plain):
        scan.unknown |= any(text is None or _is_call(text, language) for text in texts)
    for found in language.shells.finditer(plain):
        command = _argument(plain, found.end(), texts, values)
        if command is None:
            scan.unknown = True
        else:
            scan.commands.append(command[0])
    for pattern, operation, count in language.writes:
        for found in pattern.finditer(plain):
            _written(scan, plain, found.end(), texts, values, operation, count)
    names = {name for found in language.defines.finditer(plain) for name in found.groups() if name}
    covered = {found.start() for pattern, _, _ in language.writes for found in pattern.finditer(plain)}
    covered |= {found.start() for found in language.shells.finditer(plain)}
    for found in language.call.finditer(plain):
        if (
            found.group(1) not in language.pure
            and found.group(1) not in names
            and not _inside(found.start(), covered, plain)
        ):
            scan.unknown = True
    return scan


def _opened(scan: Scan, found: re.Match[str], texts: list[str | None]) -> str:
    """Leaves a harmless call in place of an opening that was understood."""
    groups = found.groupdict()
    target = texts[int(groups["target"])]
    mode = texts[int(groups["mode"])] if groups.get("mode") else ""
    if groups.get("mode") is None and target is not None and "perl" in groups:
        sign = re.match(r"\s*(\+?>{0,2}|<)\s*", target)
        mode, target = (sign.group(1), target[sign.end() :]) if sign else ("", target)
    if target is None or mode is None or "|" in mode or "|" in target[:1] + target[-1:]:
        return found.group()
    if any(sign in mode for sign in "wxc+>"):
        scan.write("overwrite", target)
    elif "a" in mode:
        scan.write("append", target)
    if ">>" in mode:
        scan.written[-1] = ("append", (target,))
    return " print("


def _is_call(text: str, language: Language) -> bool:
    """Whether a text names a call that is more than pure."""
    called = f"{text}("
    patterns = (*(pattern for pattern, _, _ in language.writes), language.shells, language.dangerous)
    return text.isidentifier() and any(pattern.match(called) for pattern in patterns)


def _inside(at: int, covered: set[int], plain: str) -> bool:
    return any(start <= at <= start + 40 and not re.search(r"[(;\n]", plain[start:at]) for start in covered)


def _values(plain: str, language: Language, texts: list[str | None]) -> dict[str, str]:
    found: dict[str, str] = {}
    twice: set[str] = set()
    for name, index in language.assigns.findall(plain):
        text = texts[int(index)]
        if name in found or text is None:
            twice.add(name)
        else:
            found[name] = text
    return {name: text for name, text in found.items() if name not in twice}


def _argument(plain: str, at: int, texts: list[str | None], values: dict[str, str]) -> tuple[str, int] | None:
    found = ARGUMENT.match(plain, at)
    if not found:
        return None
    text = texts[int(found.group(1))] if found.group(1) else values.get(found.group(2))
    return None if text is None else (text, found.end())


def _written(
    scan: Scan,
    plain: str,
    at: int,
    texts: list[str | None],
    values: dict[str, str],
    operation: Operation,
    count: int,
) -> None:
    """`count` 1: the first argument is the target; 2: both are; -1: only the second."""
    targets: list[str] = []
    for index in range(abs(count) if count > 0 else 2):
        found = _argument(plain, at, texts, values)
        if found is None and (count > 0 or index == 1):
            scan.unknown = True
            break
        if found is None:
            skip = re.compile(r"[^,]*,").match(plain, at)
            at = skip.end() if skip else at
            continue
        text, at = found
        if count > 0 or index == 1:
            targets.append(text)
    if targets:
        scan.write(operation, *targets)
