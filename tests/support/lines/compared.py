"""The commands that the shell room sees in a text, in the form of `understood`."""

from evaluator.shell.analysis import analyse
from evaluator.shell.rules import BashRules

SIGNS = frozenset((">", ">>", "&>", "&>>", ">|", ">&", "<>"))
RULES = BashRules()


def seen(made, cwd):
    """None for a text that is refused."""
    found = analyse(made.text, cwd, RULES)
    if found.problem:
        return None
    return [_plain(one, made) for one in found.ran if one.words[0] not in ("[", "export")]


def told_apart(commands):
    """The order of a command's redirections and substitutions does not matter."""
    return [one for one in commands if one[2] is not None], sorted(one[:2] for one in commands if one[2] is None)


def _plain(one, made):
    words = one.words[1:] if one.words[0] in SIGNS else one.words
    return (tuple(_short(word, made) for word in words), one.cwd, None if one.words[0] in SIGNS else one.opened)


def _short(word, made):
    for text in sorted(made.all_inner(), key=len, reverse=True):
        word = word.replace(f"$({text})", "$()")
    return word
