"""The user's yes: to a command that changes trust or wiring, taken at a terminal and never from an agent; and what they
said of the logged-in client, as it is kept."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping

from compass.composition.automatic_backend import Agreement, agreement_file, agreement_of, agreement_text
from compass.install import settings_file
from compass.install.installation import Site
from compass.show.terminal import columns_of, wrapped
from evaluator.errors import CompassError
from hooks import registry


class ConsentError(CompassError):
    """The user did not agree, or an agent asks in the user's place."""


def agent_marks() -> tuple[str, ...]:
    """Variables that the tools of any host set in what they start."""
    return tuple(
        dict.fromkeys(mark for host in registry.every_host() for mark in host.setup().table.agent_marks)
    )


def refuse_agents(env: Mapping[str, str]) -> None:
    """Raises ConsentError where an agent's tool started this process, whatever its options say."""
    mark = next((name for name in agent_marks() if env.get(name)), "")
    if mark:
        raise ConsentError(
            f"only you may do this, but an agent started it ({mark} is set); nothing was changed. Run it in a "
            "terminal of your own."
        )


def at_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def agrees(question: str) -> bool:
    """Asks at the terminal; anything but a yes is a no."""
    lines = wrapped(f"{question} [y/N]", columns_of(sys.stderr))
    print("\n".join(lines), end=" ", file=sys.stderr, flush=True)
    with contextlib.suppress(EOFError):
        return input().strip().casefold() in ("y", "yes")
    return False


def ask(question: str) -> None:
    """Asks at a terminal; without one the command line itself is the yes, as in a script of the user's.

    Raises ConsentError for anything but a yes.
    """
    if at_terminal() and not agrees(question):
        raise ConsentError("nothing was changed")


def ask_person(question: str) -> None:
    """As `ask`, for what cannot be undone: without a terminal only --yes is the yes. Raises ConsentError."""
    if not at_terminal():
        raise ConsentError(
            "nothing was changed: there is no terminal to prompt on; pass --yes to agree beforehand"
        )
    ask(question)


def agreement_here(site: Site) -> Agreement:
    return agreement_of(site.env, site.home, site.project_dir)


def keep_agreement(site: Site, agreement: Agreement | None) -> None:
    """Writes down what the user agreed to about readers; None: a new installation asks again. Raises ConfigError."""
    path = agreement_file(site.env, site.home, site.project_dir)
    if agreement is None:
        settings_file.remove(path)
    else:
        settings_file.replace(path, agreement_text(agreement), private=True)
