"""An argument parser whose errors say what was probably meant, with the usage of the command that they are about."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn, cast

from compass.usage.near import did_you_mean, near


class UsageError(Exception):
    """The command line cannot be read. `usage` is that of the command which the mistake is in."""

    def __init__(self, prog: str, usage: str, message: str, near: Sequence[str] = ()) -> None:
        self.prog = prog
        self.usage = usage
        self.message = message
        self.near = tuple(near)
        super().__init__(message)


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print and exit. Parsers below one are of this class, too."""

    _near: tuple[str, ...] = ()

    def __init__(self, *args: Any, **named: Any) -> None:
        """As argparse's, but an option counts only where it is written out."""
        super().__init__(*args, **{"allow_abbrev": False, **named})

    @property
    def options(self) -> tuple[str, ...]:
        """As they are written."""
        return tuple(self._option_string_actions)

    @property
    def arguments(self) -> tuple[argparse.Action, ...]:
        """Options and what is not one, without the choice of a command."""
        return tuple(one for one in self._actions if not _is_choice(one))

    @property
    def commands(self) -> dict[str, Parser]:
        """Those right below, by name."""
        found = next((one for one in self._actions if _is_choice(one)), None)
        return cast(dict[str, Parser], found.choices) if found is not None else {}

    def error(self, message: str) -> NoReturn:
        raise UsageError(self.prog, self.format_usage(), message, self._near)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Nothing is left over: a command's own parser names what it does not know."""
        found, rest = super().parse_known_args(args, namespace or argparse.Namespace())
        if rest:
            message, self._near = self.unknown(rest)
            self.error(message)
        return found, rest

    def unknown(self, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """What is said of words that nothing takes, and which options they may have meant."""
        meant = (
            one for word in words if word[:1] == "-" for one in near(word.partition("=")[0], self.options)
        )
        found = tuple(dict.fromkeys(meant))
        what = "option" if all(word[:1] == "-" for word in words) else "argument"
        told = f"unrecognized {what}{'s' if len(words) > 1 else ''}: {' '.join(words)}"
        return f"{told}{did_you_mean(found)}".rstrip(";"), found

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        self._near = near(str(value), choices)
        shown = repr(str(value)[:60])
        if choices == list(self.commands):
            told = f"no command {shown}{did_you_mean(self._near, self.prog)} `{self.prog} --help` lists them"
            raise argparse.ArgumentError(None, told)
        told = f"{shown} is none of {', '.join(choices)}{did_you_mean(self._near)}"
        raise argparse.ArgumentError(action, told.rstrip(";"))


def _is_choice(action: argparse.Action) -> bool:
    """Whether it takes the name of a command."""
    return action.nargs == argparse.PARSER
