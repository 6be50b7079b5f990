"""What the shell room sees in lines by chance, held against what bash understood of them."""

from collections import Counter
from dataclasses import dataclass, field

from lines import understood
from lines.made import made

from evaluator.shell.analysis import analyse
from evaluator.shell.walk.walker import BashRules

CWD = "/repo"
SIGNS = frozenset((">", ">>", "&>", "&>>", ">|", ">&", "<>"))
CONDITIONS = ("[", "export")
BATCH = 2000


@dataclass
class Tally:
    lines: int = 0
    rejected: int = 0
    """By bash itself."""
    refused: Counter[str] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)


def compare(first, behind, folder):
    """The lines of these numbers."""
    tally = Tally()
    for start in range(first, behind, BATCH):
        some = [made(str(number)) for number in range(start, min(start + BATCH, behind))]
        for one, body in zip(some, understood.printed([one.text for one in some], folder), strict=True):
            tally.lines += 1
            if body is None:
                tally.rejected += 1
                continue
            problem, commands = seen(one)
            if problem:
                tally.refused[problem] += 1
            elif told_apart(commands) != told_apart(understood.commands(body, one, CWD)):
                tally.differing.append(one.text)
    return tally


def seen(one):
    """Why the text is refused, and what it runs."""
    found = analyse(one.text, CWD, BashRules())
    return found.problem, [_plain(ran, one) for ran in found.ran if ran.words[0] not in CONDITIONS]


def told_apart(commands):
    """The commands in order, and the redirections, whose order among them does not matter."""
    return [one for one in commands if one[2] is not None], sorted(
        one[:2] for one in commands if one[2] is None
    )


def _plain(ran, one):
    redirection = ran.words[0] in SIGNS
    words = tuple(_short(word, one) for word in ran.words[redirection:])
    return words, ran.cwd, None if redirection else ran.opened


def _short(word, one):
    for text in sorted(one.all_inner(), key=len, reverse=True):
        word = word.replace(f"$({text})", "$()")
    return word
