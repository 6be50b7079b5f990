"""What an administrator does of `compass team`: tokens, settings, policy, spend, records. All of it over HTTP."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from compass.composition.settings import load_for, project_of
from compass.install.consent import ask_person, refuse_agents
from compass.team.administration import (
    STDIN,
    Evaluator,
    export,
    policy_in,
    said,
    seconds_of,
    segment,
    setting_of,
    token_of,
)
from evaluator.readers.team.wire import SCOPES

if TYPE_CHECKING:
    Actions = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

LASTS: Final = "90d"
Action = Callable[[argparse.Namespace, Evaluator], Any]


def add_actions(actions: Actions) -> None:
    """Below `compass team`; `run` takes what they parse where `action` is one of ACTIONS."""
    token = _action(actions, "token", "make, list and revoke personal tokens")
    below = token.add_subparsers(dest="what", metavar="WHAT", required=True)
    create = _asking(_action(below, "create", "make a token, and print it this once"))
    create.add_argument(
        "person", metavar="PERSON", help="whose it is; the same name for all tokens of a person"
    )
    create.add_argument(
        "--scope",
        action="append",
        choices=SCOPES,
        help="what it may, again for more; evaluate, which stands alone, is for a laptop and the default",
    )
    create.add_argument(
        "--expires", metavar="TIME", default=LASTS, help=f"such as 12h or 30d (default {LASTS})"
    )
    _asking(_action(below, "list", "the team's tokens, without their secrets"))
    revoke = _asking(_action(below, "revoke", "take a token back; refused everywhere within seconds"))
    revoke.add_argument("token_id", metavar="ID")

    settings = _asking(_action(actions, "settings", "show caps, rate and retention, or set one"))
    settings.add_argument("key", metavar="KEY", nargs="?")
    settings.add_argument(
        "value", metavar="VALUE", nargs="?", help="a number, true or false; null for no cap"
    )

    policy = _action(actions, "policy", "what is pushed to the team's gates, which only tightens them")
    shown = policy.add_subparsers(dest="what", metavar="WHAT", required=True)
    _asking(_action(shown, "show", "the policy in force"))
    put = _asking(_action(shown, "set", "push another one"))
    put.add_argument("file", metavar="FILE", help='JSON: {"settings": {...}, "backends": [...] or null}')

    spend = _asking(_action(actions, "spend", "what the team and its people took on a day"))
    spend.add_argument("--day", metavar="DAY", default=None, help="such as 2026-01-31, UTC; today without it")

    out = _asking(_action(actions, "export", "kept evaluations into a file of JSON lines"))
    for name, told in (
        ("since", "from this day or moment on"),
        ("until", "before this one"),
        ("person", "of this one alone"),
        ("repository", "of this one alone: 12 hexadecimal digits"),
    ):
        out.add_argument(f"--{name}", metavar=name.upper(), default=None, help=told)
    out.add_argument("file", metavar="FILE", help="replaced whole, readable by you alone")

    erase = _asking(_action(actions, "erase", "delete a person's records and revoke their tokens"))
    erase.add_argument("person", metavar="PERSON")
    erase.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises CompassError, ConsentError where an agent asks."""
    refuse_agents(os.environ)
    loaded = load_for(os.environ, project_of(os.environ, os.getcwd()))
    settings = loaded.settings.evaluator
    url = args.url or settings.base_url or ""
    team = Evaluator(url, token_of(args.token_file), plain_http=settings.plain_http)
    found = ACTIONS[args.action](args, team)
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        for line in said(args.action, getattr(args, "what", ""), found):
            print(line)
    return 0


def _token(args: argparse.Namespace, team: Evaluator) -> Any:
    if args.what == "create":
        wanted = {
            "person": args.person,
            "scopes": args.scope or ["evaluate"],
            "seconds": seconds_of(args.expires),
        }
        return team.ask("POST", "/v1/tokens", wanted)
    if args.what == "revoke":
        return team.ask("DELETE", f"/v1/tokens/{segment(args.token_id)}")
    return team.ask("GET", "/v1/tokens")


def _settings(args: argparse.Namespace, team: Evaluator) -> Any:
    found = team.ask("GET", "/v1/settings")
    if args.key is None:
        return found
    return team.ask("PUT", "/v1/settings", found | setting_of(args.key, args.value, found))


def _policy(args: argparse.Namespace, team: Evaluator) -> Any:
    if args.what == "show":
        return team.ask("GET", "/v1/policy")
    return team.ask("PUT", "/v1/policy", policy_in(args.file))


def _spend(args: argparse.Namespace, team: Evaluator) -> Any:
    return team.ask("GET", "/v1/spend", **({"day": args.day} if args.day else {}))


def _export(args: argparse.Namespace, team: Evaluator) -> Any:
    names = ("since", "until", "person", "repository")
    query = {name: getattr(args, name) for name in names if getattr(args, name)}
    count = export(team.lines("/v1/evaluations", **query), args.file)
    return {"file": args.file, "records": count}


def _erase(args: argparse.Namespace, team: Evaluator) -> Any:
    if not args.yes:
        ask_person(f"Delete every record of {args.person!r} and revoke their tokens? This cannot be undone.")
    return {"person": args.person, **team.ask("DELETE", f"/v1/people/{segment(args.person)}")}


ACTIONS: dict[str, Action] = {
    "token": _token,
    "settings": _settings,
    "policy": _policy,
    "spend": _spend,
    "export": _export,
    "erase": _erase,
}


def _action(actions: Actions, name: str, told: str) -> argparse.ArgumentParser:
    sub = actions.add_parser(name, help=told, description=told)
    sub.set_defaults(touches="controls")
    return sub


def _asking(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document"
    )
    parser.add_argument(
        "--url", default=None, help="the team's evaluator (default: the one that is configured)"
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        required=True,
        help=f"an administrator's token, in a file of yours alone; {STDIN} reads it from stdin",
    )
    return parser
