"""What the person said of the logged-in client as a reader, and what a sample of it showed; one file a project.

Read at each session's start; written by `init` and `doctor --ask` (`compass.install.agreed`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import cast

from evaluator.configuration.loading import user_project_file
from evaluator.configuration.settings import Settings
from evaluator.gate.run import ANSWER_SECONDS
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import Record

CLIENT = "claude-cli"
FILE_NAME = "readers.json"
LATEST = 1e11
"""Seconds since the epoch that each system can tell as a date."""


class Measured(Record):
    """One sample: of which program and model, how many seconds it took, what was wrong with it, and when (epoch)."""

    command: str
    model: str
    seconds: float
    fault: str
    at: float


class Agreement(Record):
    """`agreed` None: nobody was asked. `keeps_rules`: the person wants rules, whatever is ready."""

    agreed: bool | None = None
    measured: Measured | None = None
    keeps_rules: bool = False


NOBODY_ASKED = Agreement()


def agreement_file(env: Mapping[str, str], home: str, project_dir: str) -> str:
    return os.path.join(os.path.dirname(user_project_file(env, home, project_dir)), FILE_NAME)


def read_agreement(path: str) -> Agreement:
    """`NOBODY_ASKED` for a file that is missing or is not ours to understand."""
    try:
        with open(path, encoding="utf-8") as file:
            whole = cast(object, json.load(file))
    except (OSError, ValueError, RecursionError):
        return NOBODY_ASKED
    if not isinstance(whole, dict):
        return NOBODY_ASKED
    values = cast(dict[str, object], whole)
    agreed = values.get("agreed")
    return Agreement(
        agreed if isinstance(agreed, bool) else None,
        _measured(values.get("measured")),
        values.get("keeps_rules") is True,
    )


def agreement_of(env: Mapping[str, str], home: str, project_dir: str) -> Agreement:
    return read_agreement(agreement_file(env, home, project_dir))


def agreement_text(agreement: Agreement) -> str:
    """The whole file."""
    measured = agreement.measured
    whole = {
        "agreed": agreement.agreed,
        "measured": None
        if measured is None
        else {name: getattr(measured, name) for name in measured.__match_args__},
        "keeps_rules": agreement.keeps_rules,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def seconds_for(settings: Settings) -> float:
    """What of the deadline a check has for its readers."""
    return settings.deadline_seconds - ANSWER_SECONDS


def objection(settings: Settings, env: Mapping[str, str], agreement: Agreement) -> str:
    """Why the client does not read here; empty where it does."""
    program, measured = settings.claude_cli.command, agreement.measured
    missing = kind_of(CLIENT).missing(settings, env)
    if missing is not None:
        return missing
    if not agreement.agreed:
        return f"you want no calls by `{program}`" if agreement.agreed is False else "nobody asked you"
    if measured is None or (measured.command, measured.model) != (program, settings.evaluator.model):
        return f"`{program}` was not measured with this model"
    took = f"one sample of `{program}` took {measured.seconds:.1f} s of the {seconds_for(settings):g} that a check has"
    if measured.fault:
        return f"{took} and was not valid: {measured.fault}"
    return "" if measured.seconds <= seconds_for(settings) else f"{took}, which is too slow"


def _measured(raw: object) -> Measured | None:
    if not isinstance(raw, dict):
        return None
    values = cast(dict[str, object], raw)
    texts = [values.get(name) for name in ("command", "model", "fault")]
    numbers = [values.get(name) for name in ("seconds", "at")]
    if not all(isinstance(text, str) for text in texts):
        return None
    if not all(
        type(number) in (int, float) and 0 <= number < LATEST for number in cast(list[float], numbers)
    ):
        return None
    command, model, fault = cast(list[str], texts)
    seconds, at = cast(list[float], numbers)
    return Measured(command, model, float(seconds), fault, float(at))
