"""The page of every flag, from the parsers themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from cells import code, sentence, table, words

from compass.cli import COMMANDS, parser_with


def cli() -> str:
    """Every command with its usage and its flags."""
    parser = parser_with(COMMANDS)
    parts = [
        "# Every flag\n",
        "Generated from the parsers themselves. Agents may not run a command that *controls* the gate; they may run "
        "one that *reads*. See [commands](../commands.md) for what each is for.\n",
    ]
    for name, sub in _below(parser):
        parts += _command(name, sub, 2)
    return "\n".join(parts)


def _below(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _command(name: str, parser: argparse.ArgumentParser, level: int) -> Iterator[str]:
    inner = list(_below(parser))
    touches = parser.get_default("touches")
    yield f"\n{'#' * level} compass {name}\n"
    yield f"{sentence(parser.description or '')}{f' *{touches.capitalize()}.*' if touches and not inner else ''}\n"
    formatter = argparse.HelpFormatter(parser.prog, width=100, max_help_position=100)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups, prefix="")
    yield f"```text\n{formatter.format_help().strip()}\n```\n"
    rows = list(_flags(parser))
    if rows:
        yield table(("argument", "default", "what it does"), rows)
    if parser.epilog:
        yield f"{words(sentence(parser.epilog))}\n"
    for sub, held in inner:
        yield from _command(f"{name} {sub}", held, level + 1)


def _flags(parser: argparse.ArgumentParser) -> Iterator[tuple[str, ...]]:
    formatter = parser._get_formatter()
    for action in parser._actions:
        if (
            isinstance(action, (argparse._SubParsersAction, argparse._HelpAction))
            or action.help == argparse.SUPPRESS
        ):
            continue
        shown = (
            formatter._format_action_invocation(action)
            if action.option_strings
            else str(action.metavar or action.dest)
        )
        plain = action.default in (None, False, argparse.SUPPRESS, []) or not action.option_strings
        told = (action.help or "") % {**vars(action), "prog": parser.prog} if action.help else ""
        yield code(shown), "" if plain else code(str(action.default)), words(told)
