"""A project's calibration as a team shares it: taken over, or shared."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compass.install import settings_file
from compass.install.consent import ask_person
from compass.install.site import Site
from compass.joining.team import asked, who_reads
from compass.joining.thresholds import rule_of, standing_of
from evaluator.configuration import loading
from evaluator.configuration.calibrated import THRESHOLDS_NAME, Calibrated, as_dict, of, read_thresholds
from evaluator.configuration.project import project_key
from evaluator.configuration.settings import Settings
from evaluator.errors import ConfigError
from evaluator.files import private_text
from evaluator.gate.run import Rule
from evaluator.model import STAKES_CLASSES, Thresholds
from evaluator.readers.kinds.team import TOKEN, login_at, remote
from evaluator.readers.message import as_object
from evaluator.readers.ready import unfit
from evaluator.readers.team.login import Login, is_token
from evaluator.record import replace

if TYPE_CHECKING:
    from evaluator.readers.team.line import TeamLine

SHARED = "/v1/thresholds/"
LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Offered:
    """What the team shares for a project, against what holds here. `lines` tell people what would change."""

    found: Calibrated
    digest: str
    person: str
    path: str
    repository: str
    changes: bool
    loosens: bool
    lines: tuple[str, ...]

    def document(self) -> dict[str, object]:
        return {
            "repository": self.repository,
            "digest": self.digest,
            "shared_by": self.person,
            "date": self.found.date,
            "changed": self.changes,
            "loosens": self.loosens,
            "file": self.path,
        }


def offered(site: Site, settings: Settings, backend: str) -> Offered:
    """Raises ConfigError where nothing is shared that could count here, and ReaderError."""
    named = who_reads(settings, site.env)
    settings = replace(settings, readers=named)
    repository = project_key(site.project_dir)
    document, digest, person = _fetched(site, settings, repository)
    try:
        found = of(document)
    except (ValueError, TypeError, OverflowError) as error:
        raise ConfigError(f"what is shared for {repository} cannot be used: {error}") from error
    now = standing_of(settings, backend)
    stale = found.staleness(now.backend, now.model, now.prompt)
    if stale:
        why = f"was measured with other readers: {stale}"
        raise ConfigError(f"what is shared for {repository} {why}; nothing was changed")
    if not found.per_n:
        raise ConfigError(f"what is shared for {repository} sets no thresholds; nothing was changed")
    path = loading.thresholds_file(site.env, site.home, site.project_dir)
    there = _there(path)
    said: list[tuple[bool, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        taken = os.path.join(folder, THRESHOLDS_NAME)
        _write(taken, found)
        for n in sorted({now.n, *found.per_n}, key=lambda n: (n != now.n, n)):
            # How many readers are asked is no part of a calibration, and may be changed.
            chosen = replace(settings, readers=replace(named, n=n))
            compared = _compared(rule_of(chosen, backend, path), rule_of(chosen, backend, taken))
            said += [(loose, text if n == now.n else f"{text}, with {n} readers") for loose, text in compared]
    loosens = any(loose for loose, _ in said)
    head = f"Shared by {person or 'your team'}, measured on {found.date} with {found.backend} {found.model}".rstrip()
    lines = (f"{head}.", *(text for _, text in said))
    changes = there is None or as_dict(there) != as_dict(found)
    return Offered(found, digest, person, path, repository, changes, loosens, lines)


def ask_to_loosen() -> None:
    """Raises ConsentError for anything but the user's own yes."""
    ask_person("This loosens the gate here. Take it?")


def take(site: Site, offer: Offered) -> None:
    """Raises ConfigError."""
    if offer.changes:
        _write(offer.path, offer.found)


def push(site: Site, settings: Settings, token_file: str) -> dict[str, object]:
    """Shares what is calibrated here, by the token in a file of the user's. Raises ConfigError and ReaderError."""
    path = loading.thresholds_file(site.env, site.home, site.project_dir)
    found = _there(path)
    if found is None or not found.per_n:
        raise ConfigError(
            f"{path}: nothing is calibrated here that could be shared: run `compass calibrate` first"
        )
    repository, token = project_key(site.project_dir), _token_in(token_file)
    answer = asked(_admins(settings, token), "PUT", f"{SHARED}{repository}", as_dict(found))
    values = as_object(answer)
    return {"repository": repository, "digest": str(values.get("digest") or ""), "date": found.date}


def _fetched(site: Site, settings: Settings, repository: str) -> tuple[object, str, str]:
    """(document, digest, who shared it). Raises ConfigError and ReaderError."""
    from evaluator.readers.team.line import Refusal

    login_at(settings, site.env)
    try:
        answer = asked(remote(settings, site.env), "GET", f"{SHARED}{repository}")
    except Refusal as refusal:
        if refusal.status != 404:
            raise
        raise ConfigError(
            f"your team shares no thresholds for this project ({repository}): who has calibrated it runs "
            "`compass team thresholds push`"
        ) from refusal
    values = as_object(answer)
    return values.get("document"), str(values.get("digest") or ""), str(values.get("person") or "")


def _compared(before: Rule, after: Rule) -> list[tuple[bool, str]]:
    """(whether it loosens, what a person reads), of each class of stakes where something changes."""
    found: list[tuple[bool, str]] = []
    for name in STAKES_CLASSES:
        old, new = (
            rule.reversible if name == "reversible" else rule.irreversible for rule in (before, after)
        )
        if old != new:
            loose = _looser(old, new)
            told = "looser" if loose else "tighter"
            found.append((loose, f"{name}: {_shown(old)} -> {_shown(new)}, {told}"))
    return found


def _looser(old: Thresholds, new: Thresholds) -> bool:
    """Whether anything passes more easily."""
    less = new.agreement is None or (old.agreement is not None and new.agreement < old.agreement)
    return (
        new.confidence < old.confidence - LEAST
        or new.deviation > old.deviation + LEAST
        or (old.agreement is not None and less)
    )


def _shown(held: Thresholds) -> str:
    return f"mean {held.confidence:.3g}" + (f", deviation {held.deviation:.3g}" if held.deviation < 1 else "")


def _there(path: str) -> Calibrated | None:
    try:
        return read_thresholds(path)
    except ValueError:
        return None


def _write(path: str, found: Calibrated) -> None:
    settings_file.replace(path, json.dumps(as_dict(found), indent=1) + "\n", private=True)


def _token_in(path: str) -> str:
    """Raises ConfigError."""
    try:
        text = private_text(os.path.abspath(path))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}: chmod 600 {path}") from error
    if text is None:
        raise ConfigError(f"{path}: no such file")
    if not is_token(text):
        raise ConfigError(f"{path}: holds no token of a team's evaluator")
    return text


def _admins(settings: Settings, token: str) -> TeamLine:
    from evaluator.readers.team.line import TeamLine as Opened

    url = settings.evaluator.base_url or ""
    return Opened(url, lambda: Login(token, url), refused=unfit(settings, url, TOKEN))
