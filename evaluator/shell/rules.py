"""The user's own rules about commands (`bash.read_only`, `bash.write`, `bash.ignore`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.settings.keys import Bash
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.words import Word


@dataclass(frozen=True, slots=True)
class BashRules:
    """Each rule is the leading words of a command. `write` beats the others."""

    write: tuple[tuple[str, ...], ...] = ()
    harmless: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, settings: Bash) -> BashRules:
        return cls(_split(settings.write), (*_split(settings.read_only), *_split(settings.ignore)))

    def judge(self, words: Sequence[Word], program: str, found: list[Outcome]) -> list[Outcome]:
        """`found` is what the tables say; a rule turns it round."""
        if not (self.write or self.harmless):
            return found
        if any(_leads(rule, words, program) for rule in self.write):
            return found if any(one.verdict != "read_only" for one in found) else [unlisted("configured")]
        if any(_leads(rule, words, program) for rule in self.harmless):
            return [reads("configured")]
        return found


def _split(rules: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(words for words in (tuple(rule.split()) for rule in rules) if words)


def _leads(rule: tuple[str, ...], words: Sequence[Word], program: str) -> bool:
    if len(words) < len(rule) or any(not word.plain for word in words[: len(rule)]):
        return False
    given = [word.text for word in words[: len(rule)]]
    return tuple(given[1:]) == rule[1:] and rule[0] in (given[0], program)
