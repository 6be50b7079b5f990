"""A laptop at its team's evaluator: the login, and a project's calibration as the team shares it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compass.composition import team_policy
from compass.composition.team_policy import asked, who_reads
from compass.composition.thresholds import cuts_told, readers_now, rule_of, thresholds_told
from compass.configuration.change import set_value
from compass.install import settings_file
from compass.install.installation import Site
from evaluator.errors import CompassError, ConfigError
from evaluator.readers.addresses import address_fault
from evaluator.readers.kinds.team import KIND, TOKEN, login_at, remote
from evaluator.readers.response import as_object
from evaluator.readers.team.login import Login, is_token, normal, read_login, token_path, write_login
from evaluator.record import replace
from evaluator.settings import layers
from evaluator.settings.keys import KEYS, Settings
from evaluator.settings.places import project_key
from evaluator.verdict.calibrated_thresholds import (
    Calibrated,
    calibrated_as_dict,
    calibrated_of,
    usable_thresholds,
)

if TYPE_CHECKING:
    from evaluator.readers.team.documents import PolicyDocument
    from evaluator.readers.team.transport import TeamLine


ONLY = ("evaluate",)
"""The scopes of a laptop's token."""
TOKEN_CHARS_MAX = 400
SHARED = "/v1/thresholds/"


def with_address(settings: Settings, url: str) -> Settings:
    """The settings with that team server's address. Raises ConfigError for an address that no token may go to."""
    address = normal(url)
    if "@" in address.partition("//")[2].partition("/")[0]:
        raise ConfigError(
            "the address contains a user name or password; the token replaces both, so remove them"
        )
    refused = address_fault(address or "nothing", TOKEN)
    if refused:
        raise ConfigError(refused)
    return replace(settings, evaluator=replace(settings.evaluator, base_url=address))


def log_in(site: Site, settings: Settings, url: str, token: str) -> tuple[Login, PolicyDocument | None]:
    """Keeps a token that the server knows and that may evaluate alone; what its team pushes, None where that could
    not be had. Raises ConfigError, ReaderError, and PayloadError for what no team's evaluator answers; keeps nothing
    then."""
    from evaluator.readers.team.documents import Me, read

    if not is_token(token):
        raise ConfigError(
            "this is not a token for a team's evaluator (those begin with cmp_); nothing was saved"
        )
    at = with_address(settings, url)
    address = at.evaluator.base_url or ""
    who = read(Me, asked(_open_team_line(Login(token, address)), "GET", "/v1/me"))
    if who.scopes != ONLY:
        raise ConfigError(
            f"this token may {' and '.join(who.scopes) or 'do nothing'}. A laptop's token may only evaluate, so that "
            "whoever gets hold of it cannot read records or change anything. Ask for one with only that scope; "
            "nothing was saved"
        )
    login = Login(token, address, who.team, who.person, who.expires_at)
    try:
        with suppress(ConfigError):
            before = read_login(site.state_dir)
            if before is not None and (before.address, before.team) != (address, who.team):
                team_policy.forget_policy(site.state_dir)
        write_login(site.state_dir, login)
    except OSError as error:
        raise ConfigError(f"{token_path(site.state_dir)}: cannot be written: {error.strerror}") from error
    policy: PolicyDocument | None = None
    with suppress(CompassError, OSError):
        policy = team_policy.fetch_policy(at, site.env, site.home)
    return login, policy


def log_out(site: Site) -> bool:
    """Deletes the token and what the team had pushed; False where there was no token. Raises ConfigError."""
    path = token_path(site.state_dir)
    try:
        team_policy.forget_policy(site.state_dir)
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigError(f"{error.filename or path}: cannot be deleted: {error.strerror}") from error
    return True


def use_server(site: Site, login: Login) -> None:
    """Takes the server for every project of the user's. Raises ConfigError."""
    for path, value in server_settings(login):
        set_value(site, KEYS[path], value, every_project=True)


def server_settings(login: Login) -> tuple[tuple[str, str], ...]:
    """(key, value) of the settings with which the server is asked."""
    return (("evaluator.base_url", login.address), ("evaluator.backend", KIND.name))


def _open_team_line(login: Login) -> TeamLine:
    from evaluator.readers.team.transport import TeamLine as Opened

    return Opened(login.address, lambda: login, refused=address_fault(login.address, TOKEN))


@dataclass(frozen=True, slots=True)
class OfferedThresholds:
    """What the team shares for a project. `changes`: other than what holds here. `lines` tell people."""

    found: Calibrated
    path: str
    changes: bool
    lines: tuple[str, ...]

    def document(self) -> dict[str, object]:
        return {"date": self.found.date, "changed": self.changes, "file": self.path}


def fetch_thresholds(site: Site, settings: Settings, backend: str) -> OfferedThresholds:
    """The thresholds that the team shares for this project. Raises ConfigError where nothing is shared that could count
    here, and ReaderError."""
    from evaluator.readers.team.transport import LineRefusal

    settings = replace(settings, readers=who_reads(settings, site.env))
    repository = project_key(site.project_dir)
    login_at(settings, site.env)
    try:
        shared = as_object(asked(remote(settings, site.env), "GET", f"{SHARED}{repository}"))
    except LineRefusal as refusal:
        if refusal.status != 404:
            raise
        raise ConfigError(
            f"your team has not shared any thresholds for this project ({repository}): anyone who has calibrated "
            "it can run `compass team thresholds push`"
        ) from refusal
    try:
        found = calibrated_of(shared.get("document"))
    except (ValueError, TypeError, OverflowError) as error:
        raise ConfigError(f"the calibration shared for {repository} cannot be used: {error}") from error
    now = readers_now(settings, backend)
    stale = found.staleness(now.backend, now.model, now.prompt)
    if stale or not found.per_n:
        why = f"was measured with other readers: {stale}" if stale else "sets no thresholds"
        raise ConfigError(f"the calibration shared for {repository} {why}; nothing was changed")
    path = layers.thresholds_file(site.env, site.home, site.project_dir)
    there = usable_thresholds(path)
    changes = there is None or calibrated_as_dict(there) != calibrated_as_dict(found)
    by = shared.get("person") or "your team"
    head = f"Shared by {by}, measured on {found.date} with {found.backend} {found.model}"
    held = f"In force here: {thresholds_told(rule_of(settings, backend, path))}."
    return OfferedThresholds(found, path, changes, (f"{head.rstrip()}:", *cuts_told(found), held))


def take_thresholds(offer: OfferedThresholds) -> None:
    """Puts the team's shared thresholds in force here. Raises ConfigError."""
    if offer.changes:
        settings_file.replace(
            offer.path, json.dumps(calibrated_as_dict(offer.found), indent=1) + "\n", private=True
        )


def push_thresholds(site: Site, settings: Settings, token: str) -> dict[str, object]:
    """Shares what is calibrated here with the team, by an administrator's token. Raises ConfigError and ReaderError."""
    path = layers.thresholds_file(site.env, site.home, site.project_dir)
    found = usable_thresholds(path)
    if found is None or not found.per_n:
        raise ConfigError(f"{path}: there is no calibration here to share: run `compass calibrate` first")
    repository = project_key(site.project_dir)
    administrator = Login(token, settings.evaluator.base_url or "")
    asked(_open_team_line(administrator), "PUT", f"{SHARED}{repository}", calibrated_as_dict(found))
    return {"repository": repository, "date": found.date}
