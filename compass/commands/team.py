"""`compass team`: a team's evaluator. A developer logs in and out, shares or takes thresholds; an administrator sees
to tokens, settings, policy, spend and records, all of it over HTTP. A token goes to the address that was named, and
nowhere else."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import quote

import httpx2

from compass.cli import add_action
from compass.composition.automatic_backend import backend_in_force
from compass.composition.settings import load, load_for, project_of
from compass.configuration import team_login
from compass.install.consent import agrees, ask_person, at_terminal, refuse_agents
from compass.install.installation import Site, site_here
from compass.show.terminal import say
from evaluator.errors import CompassError, ConfigError
from evaluator.files import private_text
from evaluator.readers.addresses import address_fault, is_of_loopback
from evaluator.readers.team.login import holds, normal, token_path
from evaluator.readers.team.wire import SCOPES
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by
from evaluator.text import DAY_SECONDS, safe

if TYPE_CHECKING:
    from compass.cli import Actions

    Act = Callable[[argparse.Namespace], int]

SECONDS: Final = 30.0
TOKEN_CHARS_MAX: Final = 400
STDIN: Final = "-"
FOR_ALL = "--user"
LASTS_DAYS: Final = 90


class ServiceRefusedError(CompassError):
    """The evaluator answered with a refusal, or is out of reach."""


def token_of(path: str) -> str:
    """The token in a file of the user's alone, or on stdin for `-`. Raises ConfigError."""
    if path == STDIN:
        found: str | None = sys.stdin.readline(TOKEN_CHARS_MAX).strip()
    else:
        try:
            found = private_text(path)
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror or error}: chmod 600 {path}") from error
    if not found or len(found) >= TOKEN_CHARS_MAX or not found.isascii() or not found.isprintable():
        raise ConfigError(f"{'stdin' if path == STDIN else path}: contains no token for a team's evaluator")
    return found


class Evaluator:
    """The service at `url`. Raises ConfigError for an address that a token must not go to."""

    def __init__(self, url: str, token: str) -> None:
        if not url:
            raise ConfigError(
                f"which evaluator? Pass --url URL, or run {set_by('evaluator.base_url', 'URL')}"
            )
        if fault := address_fault(url, "the token"):
            raise ConfigError(fault)
        # No proxy stands before this machine itself, and no redirect is followed: the token would be sent on.
        self._client = httpx2.Client(
            base_url=normal(url),
            headers={"Authorization": f"Bearer {token}"},
            timeout=SECONDS,
            trust_env=not is_of_loopback(url),
            follow_redirects=False,
        )

    def ask(self, method: str, path: str, body: object = None, **query: str) -> Any:
        """The document that comes back. Raises ServiceRefusedError."""
        try:
            answer = self._client.request(method, path, json=body, params=query)
            if answer.is_success:
                return answer.json()
        except (httpx2.HTTPError, ValueError, RecursionError) as error:
            raise ServiceRefusedError(f"the answer was cut off or missing: {error}") from error
        try:
            said = str(answer.json()["error"])
        except (ValueError, KeyError, TypeError, RecursionError):
            said = f"status {answer.status_code}: this does not look like a team's evaluator"
        raise ServiceRefusedError(said)


# What is stated on the command line


def setting_of(key: str, value: str | None, known: Mapping[str, object]) -> dict[str, object]:
    """One of the team's settings with its new value. Raises ConfigError."""
    if key not in known:
        raise ConfigError(f"{key[:60]!r} is not one of {', '.join(known)}")
    try:
        return {key: json.loads(value or "")}
    except ValueError:
        raise ConfigError(f"{key}: must be a number, true or false, or null for no cap") from None


def policy_in(path: str) -> object:
    """The policy in a file. Raises ConfigError."""
    try:
        with open(path, "rb") as file:
            return cast(object, json.load(file))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError):
        raise ConfigError(f"{path}: not JSON") from None


# What came back


def said(action: str, what: str, found: Mapping[str, Any]) -> Iterator[str]:
    """An answer in lines for people. `what` is the word behind the action, empty where it has none."""
    if action == "token" and what == "create":
        # Alone on its line: a script takes it from there.
        yield safe(str(found["token"]))
    elif action == "token" and what == "revoke":
        yield f"{safe(found['revoked'])} is revoked."
    elif action == "token":
        yield from map(_render_admin_token, found["tokens"])
    elif action == "spend":
        for row in found["spent"]:
            who = safe(row["person"]) if row["person"] else "the whole team"
            yield f"{found['day']}  {who:<24} ${row['usd']:.4f}  {row['samples']} samples"
        if not found["spent"]:
            yield f"{found['day']}: nothing"
    elif action == "erase":
        yield f"{found['records']} records of {safe(found['person'])} were deleted, and their tokens revoked."
    elif action == "settings":
        yield from (f"{name:<22} {json.dumps(value)}" for name, value in found.items())
    else:
        yield json.dumps(found, indent=2)


def _render_admin_token(row: Mapping[str, Any]) -> str:
    state = f"until {_render_admin_time(row['expires_at'])}"
    if row["revoked_at"] is not None:
        state = f"revoked {_render_admin_time(row['revoked_at'])}"
    elif row["expires_at"] <= time.time():
        state = f"expired {_render_admin_time(row['expires_at'])}"
    return f"{safe(row['token_id'])}  {safe(row['person']):<24} {','.join(row['scopes']):<12} {state}"


def _render_admin_time(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(moment))


def add_team_arguments(parser: argparse.ArgumentParser) -> None:
    """A developer's own actions say by `act` which function runs them; `_administer` runs all others."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    told = "store your token for your team's evaluator, read from stdin or a hidden prompt"
    login = add_action(actions, "login", told, "controls")
    login.set_defaults(act=_login)
    told = "the address of your team's evaluator, such as https://compass.example"
    login.add_argument("url", metavar="URL", help=told)
    login.add_argument("--yes", action="store_true", help="use that server from now on, in all your projects")
    told = "delete the token, and what the team pushed to this machine"
    add_action(actions, "logout", told, "controls").set_defaults(act=_logout)
    shared = actions.add_parser("thresholds", help="share a project's calibration, or use the shared one")
    ways = shared.add_subparsers(dest="direction", metavar="ACTION", required=True)
    pull = add_action(ways, "pull", "use what your team measured for this project", "controls")
    pull.set_defaults(act=_pull_team_thresholds)
    pull.add_argument("--yes", action="store_true", help="do not ask, even at a terminal")
    push = add_action(ways, "push", "share this project's calibration with the team", "controls")
    push.set_defaults(act=_push_team_thresholds)
    told = "an administrator's token, in a file that only you can read (0600)"
    push.add_argument("--token-file", metavar="FILE", required=True, help=told)
    _add_team_administration(actions)


def run_team(args: argparse.Namespace) -> int:
    """The action's exit code. Raises CompassError, ConsentError where an agent asks."""
    refuse_agents(os.environ)
    return cast("Act", args.act)(args) if hasattr(args, "act") else _administer(args)


def _login(args: argparse.Namespace) -> int:
    site = site_here()
    settings = _load_site_settings(site)
    # An address that no token may go to is refused before the token is asked for.
    team_login.with_address(settings, args.url)
    login, policy = team_login.log_in(site, settings, args.url, _read_team_token())
    asks = args.yes or (
        at_terminal() and not args.json and agrees(f"Use {login.address} from now on, in all your projects?")
    )
    if asks:
        team_login.use_server(site, login)
    if args.json:
        document = {
            "team": login.team, "person": login.person, "address": login.address, "expires_at": login.expires_at,
            "file": token_path(site.state_dir), "set": asks, "policy": None if policy is None else policy.digest,
        }  # fmt: skip
        print(json.dumps(document, indent=2))
        return 0
    until = holds(login.expires_at, time.time())
    say(f"Logged in at {login.address} as {login.person} of team {login.team}; the token is valid {until}.")
    kept = token_path(site.state_dir)
    say(f"It is kept in {kept}, which only you can read; it is never read from an environment variable.")
    if policy is None:
        say("Its policy could not be fetched yet; it will come with the first answers.")
    else:
        keys = len(policy.settings)
        say(f"Your team's policy {policy.digest} sets {keys} keys: `compass config list` shows them.")
    if asks:
        say(
            "The team's evaluator is now used in every project that sets no other backend; `compass doctor` shows "
            "details."
        )
        return 0
    stated = team_login.server_settings(login)
    ways = " and ".join(f"`compass config set {FOR_ALL} {key} {value}`" for key, value in stated)
    say(
        f"The team's evaluator is not in use yet. To use it, run {ways}; leave out {FOR_ALL} to use it in this "
        "project only."
    )
    return 0


def _logout(args: argparse.Namespace) -> int:
    site = site_here()
    gone = team_login.log_out(site)
    asks = _load_site_settings(site).evaluator.backend == "team"
    if args.json:
        print(json.dumps({"deleted": gone, "asked": asks}, indent=2))
        return 0
    told = "The token is deleted here; it stays valid until whoever runs the evaluator revokes it."
    say(told if gone else "Nobody was logged in.")
    if asks:
        way = set_by("evaluator.backend", "auto")
        say(f"The backend is still team, which is no longer available: {way} switches to one that is ready.")
    return 0


def _pull_team_thresholds(args: argparse.Namespace) -> int:
    site = site_here()
    settings = _load_site_settings(site)
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    offer = team_login.fetch_thresholds(site, settings, backend)
    if not args.json:
        for line in offer.lines:
            say(line)
    if offer.changes and not args.yes:
        ask_person("Use them instead of the ones in force here?")
    team_login.take_thresholds(offer)
    if args.json:
        print(json.dumps(offer.document(), indent=2))
    elif offer.changes:
        say(f"Taken: {offer.path}.")
    else:
        say("Nothing was changed: they are already in force here.")
    return 0


def _push_team_thresholds(args: argparse.Namespace) -> int:
    site = site_here()
    told = team_login.push_thresholds(site, _load_site_settings(site), token_of(args.token_file))
    if args.json:
        print(json.dumps(told, indent=2))
    else:
        say(f"Shared for {told['repository']}: the calibration from {told['date']}.")
    return 0


def _load_site_settings(site: Site) -> Settings:
    return load(site.env, site.home, site.project_dir, host=site.host).settings


def _read_team_token() -> str:
    """From stdin, or at a terminal from a prompt that shows nothing; never from an argument. Raises ConfigError."""
    if sys.stdin.isatty():
        import getpass

        try:
            return getpass.getpass("Token (not shown): ").strip()
        except EOFError:
            raise ConfigError("no token was given; nothing was saved") from None
    return sys.stdin.readline(team_login.TOKEN_CHARS_MAX + 2).strip()


def _add_team_administration(actions: Actions) -> None:
    """Below `compass team`; `_administer` takes what they parse where an administrator asks."""
    token = _add_team_action(actions, "token", "create, list and revoke personal tokens")
    below = token.add_subparsers(dest="what", metavar="WHAT", required=True)
    create = _add_team_admin_action(below, "create", "create a token and print it once")
    told = "who it belongs to; use the same name for all of a person's tokens"
    create.add_argument("person", metavar="PERSON", help=told)
    create.add_argument(
        "--scope",
        action="append",
        choices=SCOPES,
        help="what it may do; repeat for more. The default, evaluate, is for a laptop and cannot be combined with "
        "others",
    )
    told = f"how long it is valid, in days (default {LASTS_DAYS})"
    create.add_argument("--days", type=float, default=LASTS_DAYS, help=told)
    _add_team_admin_action(below, "list", "the team's tokens, without their secrets")
    _add_team_admin_action(below, "revoke", "revoke a token").add_argument("token_id", metavar="ID")

    settings = _add_team_admin_action(actions, "settings", "show caps, rate and retention, or set one")
    settings.add_argument("key", metavar="KEY", nargs="?")
    told = "a number, true or false; null for no cap"
    settings.add_argument("value", metavar="VALUE", nargs="?", help=told)

    policy = _add_team_action(
        actions, "policy", "what is pushed to the team's gates; it can only tighten them"
    )
    shown = policy.add_subparsers(dest="what", metavar="WHAT", required=True)
    _add_team_admin_action(shown, "show", "the policy in force")
    put = _add_team_admin_action(shown, "set", "push another one")
    put.add_argument("file", metavar="FILE", help='JSON: {"settings": {...}}')

    spend = _add_team_admin_action(actions, "spend", "what the team and its members spent on a given day")
    spend.add_argument("--day", metavar="DAY", help="such as 2026-01-31, UTC; by default, today")

    erase = _add_team_admin_action(actions, "erase", "delete a person's records and revoke their tokens")
    erase.add_argument("person", metavar="PERSON")
    erase.add_argument("--yes", action="store_true", help="do not ask")


def _administer(args: argparse.Namespace) -> int:
    """Exit code 0. Raises CompassError, ConsentError where an agent asks."""
    settings = load_for(os.environ, project_of(os.environ, os.getcwd())).settings.evaluator
    found = _ask_team_evaluator(
        args, Evaluator(args.url or settings.base_url or "", token_of(args.token_file))
    )
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        for line in said(args.action, getattr(args, "what", ""), found):
            print(line)
    return 0


def _ask_team_evaluator(args: argparse.Namespace, at: Evaluator) -> Any:
    """What the evaluator answers to the administrator's action."""
    match args.action, getattr(args, "what", ""):
        case "token", "create":
            wanted = {"person": args.person, "scopes": args.scope or ["evaluate"]}
            return at.ask("POST", "/v1/tokens", wanted | {"seconds": args.days * DAY_SECONDS})
        case "token", "revoke":
            return at.ask("DELETE", f"/v1/tokens/{quote(args.token_id, safe='')}")
        case "token", _:
            return at.ask("GET", "/v1/tokens")
        case "settings", _:
            found = at.ask("GET", "/v1/settings")
            if args.key is None:
                return found
            return at.ask("PUT", "/v1/settings", found | setting_of(args.key, args.value, found))
        case "policy", "show":
            return at.ask("GET", "/v1/policy")
        case "policy", _:
            return at.ask("PUT", "/v1/policy", policy_in(args.file))
        case "spend", _:
            return at.ask("GET", "/v1/spend", **({"day": args.day} if args.day else {}))
        case _:  # erase
            if not args.yes:
                gone = f"Delete every record of {args.person!r} and revoke their tokens?"
                ask_person(f"{gone} This cannot be undone.")
            gone = at.ask("DELETE", f"/v1/people/{quote(args.person, safe='')}")
            return {"person": args.person, **gone}


def _add_team_action(actions: Actions, name: str, told: str) -> argparse.ArgumentParser:
    sub = actions.add_parser(name, help=told, description=told)
    sub.set_defaults(touches="controls")
    return sub


def _add_team_admin_action(actions: Actions, name: str, told: str) -> argparse.ArgumentParser:
    parser = add_action(actions, name, told, "controls")
    parser.add_argument("--url", help="the team's evaluator (default: the one that is configured)")
    told = f"an administrator's token, in a file that only you can read; {STDIN} reads it from stdin"
    parser.add_argument("--token-file", metavar="FILE", required=True, help=told)
    return parser
