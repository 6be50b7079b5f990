"""The option: was another one chosen, or one that is not there? Pure."""

from __future__ import annotations

from evaluator.language import words
from evaluator.readers.embedded.aim import about
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.rules.rule import Example, Objection, Rule, Rules, short

LEAST = 0.5


def _share(options: tuple[str, ...], others: tuple[str, ...], wanted: dict[str, float]) -> float:
    """How much of the write these options say and the others do not, in weight."""
    said, left = (
        {term for option in each for word in words.split(option) for term in words.pieces(word)}
        for each in (options, others)
    )
    return sum(weight for term, weight in wanted.items() if term in said - left)


def fits(case: Case) -> float:
    """How far the write is what was chosen (to 1) or left (to -1); 0 where nothing was chosen or told apart."""
    chosen, rejected = case.pick.chosen, case.pick.rejected
    if not chosen:
        return 0.0
    wanted = about(case.change)
    taken, left = _share(chosen, rejected, wanted), _share(rejected, chosen, wanted)
    for target in case.change.targets:
        by_chosen, by_rejected = ("\n".join(side).count(target.base) for side in (chosen, rejected))
        taken, left = taken + (by_chosen > by_rejected), left + (by_rejected > by_chosen)
    most = max(taken, left)
    return (taken - left) / most if most >= LEAST else 0.0


def another_option(case: Case) -> Objection | None:
    if case.pick.beyond is not None:
        return Objection(
            "context", f"option {case.pick.beyond} does not exist; the menu has {case.pick.size}"
        )
    if fits(case) > -LEAST:
        return None
    return Objection(
        "target", f"the user chose {short(case.pick.chosen[0], 32)}; this write touches another option"
    )


def none_picked(case: Case) -> Objection | None:
    if not case.pick.size or case.pick.chosen:
        return None
    return Objection("context", "the reply picks none of the options that the agent showed")


def _support(case: Case) -> float:
    return 1.0 if fits(case) > 0 else 0.4


MENU = "Where should it go?\n1. config/flags.yaml\n2. the database"
RULES = Rules((
    Rule("another option or none such", "option",
         "the write is of an option that was not chosen, or one was chosen that is not there",
         Example(MENU, "2", "config/flags.yaml"), 22, 23, another_option),
    Rule("none picked", "option", "the agent showed options, and the reply picks none of them",
         Example(MENU, "whatever Ana prefers", "config/flags.yaml"), 11, 16, none_picked),
), _support)  # fmt: skip
