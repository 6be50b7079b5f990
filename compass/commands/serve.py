"""`compass serve` runs the service behind the hooks, or a team's evaluator, shows it or stops it; `compass ui` opens
the service's page in a browser, by a link that counts once and for a minute."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from contextlib import suppress
from typing import cast

from compass.service.process import ask, end
from evaluator import wire
from evaluator.service import lifecycle
from evaluator.service.credentials import DEFAULT_HOST, DEFAULT_PORT, TEAM_PORT
from evaluator.service.lifecycle import ServiceError
from evaluator.service.server import IDLE_SECONDS
from evaluator.settings.places import set_by

TEAM = "team"


def add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--status", action="store_true", help="show the running service")
    action.add_argument("--stop", action="store_true", help="let the running service finish, then stop it")
    action.add_argument("--detached", action="store_true", help=argparse.SUPPRESS)
    told = f"stop after this many seconds without a call (default {IDLE_SECONDS:g}; never with --http)"
    parser.add_argument("--idle", type=float, metavar="SECONDS", help=told)
    parser.add_argument("--http", action="store_true", help="also serve the HTTP API, until stopped")
    told = f"with --http, --team: listen here (default {DEFAULT_HOST}, this machine only)"
    parser.add_argument("--host", help=told)
    told = f"with --http, --team: this port (default {DEFAULT_PORT}, {TEAM_PORT})"
    parser.add_argument("--port", type=int, help=told)
    team = parser.add_argument_group("a team's evaluator")
    told = "serve a team's evaluator over HTTP, with its state in PostgreSQL"
    team.add_argument("--team", action="store_true", help=told)
    told = "with --team: migrate the database, create the team, print its first token, then exit"
    team.add_argument("--init", action="store_true", help=told)
    team.add_argument("--name", metavar="TEAM", help=f"with --init: the team's name (default {TEAM})")
    team.add_argument("--tls-cert", metavar="FILE", help="with --team: serve HTTPS with this certificate")
    team.add_argument("--tls-key", metavar="FILE", help="the certificate's key")
    told = (
        "with --team: allow plain HTTP on an address other than loopback, behind a proxy that terminates TLS"
    )
    team.add_argument("--plain-http", action="store_true", help=told)
    told = "with --team: at most N requests at once (default 600)"
    team.add_argument("--waiting-max", type=int, metavar="N", default=600, help=told)
    told = "with --team: at most N connections to PostgreSQL (default 16)"
    team.add_argument("--connections", type=int, metavar="N", default=16, help=told)


def run_serve(args: argparse.Namespace) -> int:
    """Exit code 0; 1 if no service runs (`--status`, `--stop`) or another one does already."""
    place = lifecycle.RuntimeFolder(os.fsdecode(wire.run_dir(os.environb)))
    if args.status:
        found, pid = ask(os.environ), lifecycle.holder(place)
        if args.json:
            told = {"running": found is not None, "pid": pid, "socket": place.socket, **(found or {})}
            print(json.dumps(told))
        elif found is None:
            hangs = f", though process {pid} holds its lock: `compass serve --stop` stops it" if pid else ""
            print(f"No service is answering at {place.socket}{hangs}. The next hook starts one.")
        else:
            print(f"Running: process {pid} at {place.socket}")
            for name, value in found.items():
                print(f"  {name.replace('_', ' '):<14} {value}")
        return 0 if found is not None else 1
    if args.stop:
        pid, stopped = end(place)
        if args.json:
            print(json.dumps({"stopped": stopped, "pid": pid}))
        elif pid is None:
            print("No service is running.")
        else:
            print(f"Process {pid} {'has stopped' if stopped else 'is still running'}.")
        return 0 if stopped else 1
    if args.team:
        return _serve_team(args)
    if any((args.init, args.name, args.tls_cert, args.tls_key, args.plain_http)):
        raise ServiceError("--init, --name, --tls-cert, --tls-key and --plain-http work only with --team")
    if args.http:
        return _serve_http(place, args)
    if args.host is not None or args.port is not None:
        raise ServiceError("--host and --port work only with --http or --team")
    from compass.service.process import serve

    idle = IDLE_SECONDS if args.idle is None else args.idle
    return serve(place, idle_seconds=idle, detached=args.detached)


def _serve_http(place: lifecycle.RuntimeFolder, args: argparse.Namespace) -> int:
    """The exit code of a service with HTTP, which takes the place of one without."""
    from compass.service.http import HttpSide
    from compass.service.process import serve, take_over

    found = ask(os.environ)
    if found is not None and found.get("http"):
        raise ServiceError(f"process {found.get('pid')} already serves {found['http']}")
    port = DEFAULT_PORT if args.port is None else args.port
    http = HttpSide(args.host or DEFAULT_HOST, port, dict(os.environ))
    try:
        take_over(place)
        idle = math.inf if args.idle is None else args.idle
        return serve(place, idle_seconds=idle, detached=False, http=http)
    finally:
        http.close()


def _serve_team(args: argparse.Namespace) -> int:
    from compass.team.serve import Listening, init_team, serve_team

    if args.http or args.idle is not None:
        raise ServiceError("--http and --idle do not work with --team")
    if args.init:
        return init_team(os.environ, args.name or TEAM, as_json=args.json)
    if args.name is not None:
        raise ServiceError("--name works only with --init: a service serves every team in its database")
    if (args.tls_cert is None) != (args.tls_key is None):
        raise ServiceError("--tls-cert and --tls-key must be used together")
    port = TEAM_PORT if args.port is None else args.port
    if args.waiting_max < 1 or args.connections < 2:
        raise ServiceError("--waiting-max must be at least 1, --connections at least 2")
    tls = (args.tls_cert, args.tls_key, args.plain_http)
    at = Listening(args.host or DEFAULT_HOST, port, *tls, args.waiting_max, args.connections)
    return serve_team(os.environ, at, as_json=args.json)


START_SECONDS = 20.0
POLL_SECONDS = 0.05


def add_ui_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-browser", action="store_true", help="print the link without opening it")
    parser.epilog = (
        "The link works once, within a minute. The page is read-only: nothing on it releases a write or "
        "changes a setting. Reloading it needs a new link."
    )


def run_ui(args: argparse.Namespace) -> int:
    """Exit code 0. Raises ConsentError where an agent runs it, and ServiceError without a service."""
    from compass.hook.dispatch import working_dir
    from compass.install.consent import refuse_agents
    from hooks import client

    refuse_agents(os.environ)
    _ensure_serve_process()
    variables = b"\0".join(name + b"=" + value for name, value in os.environb.items())
    body = wire.pack(os.fsencode(working_dir()), variables)
    try:
        kind, answer = client.call_service(wire.folder_variables(os.environ), wire.PAGE, body)
    except (client.NotJudged, client.Late):
        kind, answer = wire.REFUSED, b""
    if kind != wire.ANSWER:
        raise ServiceError(
            "the service returned no link; `compass serve --stop` stops it, and the next call starts another"
        )
    found = cast("dict[str, object]", json.loads(answer))
    url = str(found.get("url", ""))
    if not url:
        raise ServiceError(str(found.get("error") or "the service returned no link"))
    seconds = float(cast(float, found.get("seconds", 0)))
    if args.json:
        print(json.dumps({"url": url, "seconds": seconds}))
        return 0
    if not args.no_browser:
        import webbrowser

        # Its own words go nowhere.
        with suppress(webbrowser.Error):
            if webbrowser.open(url):
                print("Opened in your browser. Nothing there? `compass ui --no-browser` prints the link.")
                return 0
    print(url)
    print(f"It works once, within {seconds:.0f} seconds.", file=sys.stderr)
    return 0


def _ensure_serve_process() -> None:
    """One of this version answers afterwards. Raises ServiceError."""
    from compass import ROOT, __version__
    from compass.composition.settings import load, project_of
    from compass.hook.dispatch import start_service, working_dir
    from evaluator.settings.places import home_of

    found = ask(os.environ)
    if found is not None and (found.get("version"), found.get("root")) == (__version__, ROOT):
        return
    if found is not None and found.get("http"):
        raise ServiceError(
            f"process {found.get('pid')} is serving {found['http']} for another installation of Compass; restart it"
        )
    if found is not None:
        end(lifecycle.RuntimeFolder(os.fsdecode(wire.run_dir(os.environb))))
    project = project_of(os.environ, working_dir())
    settings = load(os.environ, home_of(os.environ), project, working_dir()).settings
    if not settings.service.enabled:
        raise ServiceError(
            "no service is running, and service.enabled is off: `compass serve` runs one, and "
            f"{set_by('service.enabled', 'true')} lets it start by itself"
        )
    start_service(os.environ, settings.service)
    latest = time.monotonic() + START_SECONDS
    while ask(os.environ) is None:
        if time.monotonic() > latest:
            raise ServiceError("the service did not start; `compass serve` shows why")
        time.sleep(POLL_SECONDS)
