"""The laptop's login at a team's evaluator: a token tried before it is kept, and taken out again."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compass.configuring.change import set_value
from compass.install.site import Site
from compass.joining import team
from compass.joining.team import who_am_i
from evaluator.configuration.settings import KEYS, Settings
from evaluator.configuration.team import NONE, kept_policy
from evaluator.errors import CompassError, ConfigError, ReaderError
from evaluator.readers.kinds.team import KIND, TOKEN
from evaluator.readers.ready import unfit
from evaluator.readers.team.login import (
    AGAIN,
    Login,
    is_token,
    normal,
    read_login,
    token_path,
    write_login,
)
from evaluator.readers.team.wire import Policy, Principal
from evaluator.record import replace

if TYPE_CHECKING:
    from evaluator.readers.team.line import TeamLine

ONLY = ("evaluate",)
"""The scopes of a laptop's token."""
TOKEN_CHARS_MAX = 400


@dataclass(frozen=True, slots=True)
class Standing:
    """Of the login that is kept. `fault`: why the server could not be asked, or refuses; `who` None then."""

    login: Login | None
    who: Principal | None
    fault: str
    policy: str
    backends: tuple[str, ...] | None
    in_force: bool


def with_address(settings: Settings, url: str) -> Settings:
    """The same with that server. Raises ConfigError for an address that no token may go to."""
    address = normal(url)
    if "@" in address.partition("//")[2].partition("/")[0]:
        raise ConfigError("the address holds a name or a password, which a token stands in for: leave it out")
    refused = unfit(settings, address or "nothing", TOKEN)
    if refused:
        raise ConfigError(refused)
    return replace(settings, evaluator=replace(settings.evaluator, base_url=address))


def log_in(site: Site, settings: Settings, url: str, token: str) -> tuple[Login, Policy | None]:
    """Keeps a token that the server knows and that may evaluate alone; what its team pushes, None where that could
    not be had. Raises ConfigError and ReaderError, and keeps nothing then.
    """
    if not is_token(token):
        raise ConfigError("this is no token of a team's evaluator, which begins with cmp_; nothing was kept")
    at = with_address(settings, url)
    address = at.evaluator.base_url or ""
    who = who_am_i(_line(at, Login(token, address)))
    if who.scopes != ONLY:
        raise ConfigError(
            f"this token may {' and '.join(who.scopes) or 'do nothing'}. A laptop's may evaluate and nothing else, so "
            "that who gets hold of it reads nobody's records and changes nothing: ask for one with that scope alone; "
            "nothing was kept"
        )
    login = Login(token, address, who.team, who.person, who.expires_at)
    try:
        with suppress(ConfigError):
            before = read_login(site.state_dir)
            if before is not None and (before.address, before.team) != (address, who.team):
                team.forget(site.state_dir)
        write_login(site.state_dir, login)
    except OSError as error:
        raise ConfigError(f"{token_path(site.state_dir)}: cannot be written: {error.strerror}") from error
    policy: Policy | None = None
    with suppress(CompassError, OSError):
        policy = team.refresh(at, site.env, site.home)
    return login, policy


def log_out(site: Site) -> bool:
    """Deletes the token and what the team had pushed; False where there was no token. Raises ConfigError."""
    path = token_path(site.state_dir)
    try:
        team.forget(site.state_dir)
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigError(f"{error.filename or path}: cannot be deleted: {error.strerror}") from error
    return True


def set_up(site: Site, login: Login) -> None:
    """Takes the server for every project of the user's. Raises ConfigError."""
    for path, value in wanted(login):
        set_value(site, KEYS[path], value, every_project=True)


def wanted(login: Login) -> tuple[tuple[str, str], ...]:
    """(key, value) of the settings with which the server is asked."""
    return (("evaluator.base_url", login.address), ("evaluator.backend", KIND.name))


def standing(site: Site, settings: Settings, backend: str) -> Standing:
    """`backend` is the one in force. Raises ConfigError for a login that cannot be read."""
    login = read_login(site.state_dir)
    kept = kept_policy(site.state_dir) or NONE
    if login is None:
        return Standing(None, None, f"not logged in: {AGAIN}", kept.digest, kept.backends, False)
    who, fault = None, ""
    try:
        who = who_am_i(_line(with_address(settings, login.address), login))
    except (ConfigError, ReaderError) as error:
        fault = str(error)
    asks = backend == KIND.name and normal(settings.evaluator.base_url or "") == login.address
    return Standing(login, who, fault, kept.digest, kept.backends, asks)


def _line(settings: Settings, login: Login) -> TeamLine:
    from evaluator.readers.team.line import TeamLine as Opened

    return Opened(login.address, lambda: login, refused=unfit(settings, login.address, TOKEN))
