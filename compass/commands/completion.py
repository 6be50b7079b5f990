"""`compass completion SHELL`: the script by which that shell completes the commands, their options and choices."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from compass.usage import tree
from compass.usage.parser import Parser
from evaluator.configuration.settings import KEYS
from evaluator.errors import CompassError

SHELLS = {
    "bash": "~/.local/share/bash-completion/completions/compass",
    "zsh": "~/.zfunc/_compass",
    "fish": "~/.config/fish/completions/compass.fish",
}
"""Each with a file that it reads at the first completion."""
TAKES = {"FILE": "file", "FILE|-": "file", "PATH": "file", "TRANSCRIPT": "file", "DIR": "folder"}
"""By metavar."""
EPILOG = """\
Saved where the shell looks for it (mkdir -p its folder first):
  bash  compass completion bash \\
          > {bash}
  zsh   compass completion zsh > {zsh}
        (with `fpath+=~/.zfunc` above `compinit` in ~/.zshrc)
  fish  compass completion fish > {fish}
or as a line of its start-up file, half a second at each start:
  bash  eval "$(compass completion bash)"
  zsh   eval "$(compass completion zsh)"
  fish  compass completion fish | source
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(SHELLS), help="the shell that is to complete them")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG.format(**SHELLS)


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises CompassError without the package that writes it."""
    try:
        import shtab
    except ImportError:
        raise CompassError("shtab is not installed: pip install shtab") from None
    parser = tree.parser_with(tree.COMMANDS)
    _hint(parser, {"file": shtab.FILE, "folder": shtab.DIRECTORY})
    script = shtab.complete(parser, args.shell)
    if args.json:
        print(json.dumps({"shell": args.shell, "file": SHELLS[args.shell], "script": script}))
    else:
        print(script)
    return 0


def _hint(parser: Parser, completes: Mapping[str, object]) -> None:
    """What an argument takes that has no choices: the names of settings, files, folders."""
    for action in parser.arguments:
        if action.metavar == "KEY":
            action.choices = tuple(KEYS)
        elif action.metavar in TAKES:
            setattr(action, "complete", completes[TAKES[action.metavar]])  # noqa: B010 - an attribute of shtab's
    for sub in parser.commands.values():
        _hint(sub, completes)
