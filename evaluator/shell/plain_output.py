"""Commands that print nothing but names, numbers and places: no word of what they print is an option or holds code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from evaluator.text import Vocabulary, names

VOCABULARY = Vocabulary("shell/plain_output")

Told = Literal["", "all", "colon", "first"]
"""What holds it: nothing, every word, what stands before the first colon of each line, or the first field that `read`
takes from it."""

# The command -> the options with which that holds; an option may have a value behind `=` or in the next word.
TELLERS = VOCABULARY.sets("tellers")
"""`git diff` and `git ls-tree` only with `--name-only`, `git log` only with the hash as its format."""
NEEDS = VOCABULARY.sets("needs")
NPM = names("root bin prefix")
SEARCHES = names("grep egrep fgrep rg")
COUNTS = re.compile(r"-[hHiInrRsvwxEFP]*[cl][hHiInrRsvwxEFP]*\Z|--count\Z|--files-with-matches\Z")
PATTERNS = names("-e -f --regexp --file")
KEEPING = names("head tail sort uniq tac shuf grep egrep fgrep tee")
"""What they print stood in what they read."""
FIELD = re.compile(r"awk \{ ?print \$\d+ ?\}|cut (?:-d ? )?-f ?\d+")
BEFORE_COLON = re.compile(r"cut -d ?: -f ?1|awk -F ?: \{ ?print \$1 ?\}")
NUMBERS = re.compile(r"-[iIsvwxEFPo]*n[iIsvwxEFPo]*\Z")
GREP_WORDS = 4
"""`grep -n PATTERN FILE`: with more files their names stand in front of the numbers."""
LEADS_TO_DASH = re.compile(r"(?:^|[\s/+])-")
OPENED = re.compile(r"\s(?:2>\s*/dev/null|<\s*[\"']?[\w./${}-]+[\"']?)(?=\s|\Z)")
RUNS_ON = re.compile(r"[<>`()\n]")
PLAIN = re.compile(r"(?:\d+|HEAD|main|master|none|unknown)?")
CODE_MAX = 400
"""Characters of a substitution that is looked at."""
SILENT = names("cd rm touch mkdir true : test [")


def tells(words: Sequence[str]) -> bool:
    """Whether the command, given as its words, prints only such."""
    program, args = words[0], list(words[1:])
    if program == "echo":
        return all(PLAIN.fullmatch(word) for word in args)
    if program == "wc" or (
        program in SEARCHES and any(map(COUNTS.match, args)) and PATTERNS.isdisjoint(args)
    ):
        return True
    if program == "git" and args[:1] == ["-C"]:
        args = args[2:]
    key = f"{program} {args.pop(0)}" if program in ("git", "go") and args else program
    if program == "npm" and (not args or args.pop(0) not in NPM):
        return False
    if key == "git rev-parse" and "--verify" not in args and any(word[:1] in ("$", "`") for word in args):
        # It prints options that it does not know.
        return False
    known, needed = TELLERS.get(key), NEEDS.get(key)
    if known is None or (needed is not None and needed.isdisjoint(args)):
        return False
    return all(
        not LEADS_TO_DASH.search(word)
        or word == "--"
        or word[1:].isdigit()
        or word in (needed or known)
        or (word.partition("=")[0] in known and not LEADS_TO_DASH.search(word.partition("=")[2]))
        for word in args
    )


def told_on(words: Sequence[str], told: Told) -> Told:
    """What is known of the output of a stage of a pipeline that reads what is known so far."""
    if tells(words):
        return "all"
    if words[0] == "grep" and len(words) <= GREP_WORDS and any(map(NUMBERS.match, words)):
        return "colon"
    if not told:
        return ""
    part = " ".join(words)
    if told == "colon" and BEFORE_COLON.fullmatch(part):
        return "all"
    if words[0] in KEEPING:
        return told
    return told if told == "all" and (part.startswith("tr -d ") or FIELD.fullmatch(part)) else ""


def substitution_tells(raw: str) -> bool:
    """`$(...)`, `<(...)` or backquotes around plain commands."""
    if len(raw) > CODE_MAX:
        return False
    code = OPENED.sub("", raw[1:-1] if raw.startswith("`") else raw[2:-1])
    if RUNS_ON.search(code):
        return False
    import shlex

    lexer = shlex.shlex(code, posix=True, punctuation_chars="|;&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    told: Told = ""
    stage: list[str] = []
    try:
        for word in [*lexer, ";"]:
            if word.strip("|;&"):
                stage.append(word)
                continue
            if not stage:
                return False
            told, silent, stage = told_on(stage, told), stage[0] in SILENT, []
            if word != "|":
                if told != "all" and not silent:
                    return False
                told = ""
    except ValueError:
        return False
    return True
