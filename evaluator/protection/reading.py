"""Which commands may name a protected place because they are known to read alone. Data, and one look at the words.

This is not the shell's reading: a row there may believe a program by its name. Here a program stands only if nothing
that it can be given makes it write but what is listed beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluator.shell.options import names

READERS = names(
    "cat head tail wc stat file test [ [[ grep egrep fgrep rg jq diff cmp md5sum sha1sum sha256sum "
    "sha512sum cksum du tree realpath readlink dirname basename echo printf ls ll cd chdir pushd "
    "popd true false : pwd less more bat nl od hexdump strings cut tac column which type command "
    "read mapfile readarray export local declare readonly set unset source . sort awk gawk sed find "
    "fd fdfind git zcat yq ag batcat exa eza lsattr getfacl namei sleep exit return shift wait let"
)
"""A redirection is a command of its own: it is not in question here."""
INTERPRETERS = names("python python3 node nodejs ruby perl php lua deno bun awk gawk")
UNPROVEN: dict[str, tuple[str, ...]] = {
    "rg": ("--pre", "--hostname-bin"),
    "tree": ("-o", "--output"),
    "less": ("-o", "-O", "--log", "--LOG", "+", "-k", "--lesskey"),
    "bat": ("--pager", "--map"),
    "batcat": ("--pager",),
    "sort": ("-o", "--o", "--compress", "-T"),
    "git": ("--output", "-O", "--open", "--exec", "--ext-diff", "-c", "--upload", "--textconv", "--filters"),
    "yq": ("-i", "--inplace", "--in-place", "-s", "--split"),
    "find": ("-exec", "-ok", "-delete", "-fprint", "-fls"),
    "fd": ("-x", "-X", "--exec"),
    "fdfind": ("-x", "-X", "--exec"),
    "file": ("-C", "--compile"),
    "ag": ("--pager",),
}
"""Beginnings of options that take the proof back."""
PRINT_NAMES = names(
    "echo printf ls ll find fd fdfind realpath readlink dirname basename git tree stat file du read "
    "mapfile readarray export local declare readonly set"
)
"""What they print, or take up, may be the name of a place, which something else then takes for a target."""
SED_WRITES = re.compile(
    r"(?:^|[;{}\s/0-9$|#,I])[wWe](?:\s|$)|/[gpIiMm0-9]*[we](?:\s|$)|\bs(.).*\1.*\1[gpIiMm0-9]*[we]"
)
AWK_WRITES = re.compile(r">|\||system\s*\(|getline|close\s*\(|@load|@include|-i\b")
CODE_DOUBT = re.compile(
    r"remove|unlink|rmtree|rename|write|link|locals|globals|vars\b|getattr|setattr|__|eval|exec|compile|importlib|"
    r"import_module|subprocess|system|popen|spawn|chmod|truncate|mkdir|copy|move|shutil|Function|process|child|fork|"
    r"\bdump\b|rm\b|['\"][rwax]?b?[wax+][bt+]*['\"]|`|map\(\s*open|\bto_\w+\(|dlopen|ctypes|File\.(?!read|exist|open\()",
    re.IGNORECASE,
)


def reads_only(program: str, words: Sequence[str]) -> bool:
    """`words` of a call that the shell's reading has found to read. The first one may be a wrapper of `program`."""
    if program in INTERPRETERS and program not in ("awk", "gawk"):
        return _code_reads(words)
    if program not in READERS:
        return False
    own = words[1:]
    back = UNPROVEN.get(program, ())
    if back and any(word.startswith(back) for word in own):
        return False
    if program == "sed":
        return not any(word.startswith(("-i", "--in", "-n$", "-f")) or _scripted(word) for word in own)
    if program in ("awk", "gawk"):
        return not any(AWK_WRITES.search(word) for word in own)
    return True


def _scripted(word: str) -> bool:
    return (
        "$(" in word
        or "`" in word
        or (not word.startswith(("/", "~", "./")) and SED_WRITES.search(word) is not None)
    )


def _code_reads(words: Sequence[str]) -> bool:
    """Inline code, or a module that is known: nothing in it can write, or reach a function by another way."""
    if "-m" in words:
        at = words.index("-m")
        return words[at + 1 : at + 2] == ["json.tool"] or tuple(words[at + 1 : at + 2]) == ("json.tool",)
    return not any(CODE_DOUBT.search(word) for word in words[1:])
