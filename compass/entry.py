"""The console entry. A hook returns before anything that a command needs is imported."""

import sys

from compass import INSTALLATION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from hooks.client import Judge


def start() -> "NoReturn":
    """Run what the command line says, and end the process."""
    if (
        sys.argv[1:2] == ["hook"] and (len(sys.argv) == 3 or sys.argv[3:4] == ["--wired"])
    ) or _is_statusline_entry():
        # One call and then the end: nothing is worth collecting, and taking the interpreter apart, with the answer
        # out and the state closed, would be a tenth of a skipped call.
        import gc
        import posix

        gc.disable()
        posix._exit(main())  # pyright: ignore[reportPrivateUsage]
    from compass.composition.effects import enable_packages

    enable_packages()
    sys.exit(main())


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["hook"] and (len(words) == 2 or words[2:3] == ["--wired"]) and words[1][:1] != "-":
        from hooks.client import apply_entry, run

        apply_entry(words[3:])
        return run(words[1], _load_entry_judge, INSTALLATION)
    if _is_statusline_entry():
        from hooks.statusline import run as print_line

        return print_line(words[1:])
    from compass.cli import main as command_line

    return command_line(sys.argv[1:])


def _is_statusline_entry() -> bool:
    """The host's status line, unless a person asks what it is."""
    return sys.argv[1:2] == ["statusline"] and sys.argv[2:3] in ([], ["--wired"])


def _load_entry_judge() -> "Judge":
    from compass.hook.entry import judge

    return judge
