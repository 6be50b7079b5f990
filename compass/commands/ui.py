"""`compass ui`: opens the service's page in a browser, by a link that counts once and for a minute."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import cast

from compass.install.consent import refuse_agents
from evaluator import wire
from evaluator.service import lifecycle
from evaluator.service.lifecycle import ServiceError
from evaluator.settings.places import set_by

START_SECONDS = 20.0
POLL_SECONDS = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-browser", action="store_true", help="print the link and open nothing")
    parser.epilog = (
        "The link works once, within a minute. The page is read-only: nothing on it releases a write or "
        "changes a setting. Reloading it needs a new link."
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises ConsentError where an agent runs it, and ServiceError without a service."""
    refuse_agents(os.environ)
    _have_service()
    found = _ask()
    url = str(found.get("url", ""))
    if not url:
        raise ServiceError(str(found.get("error") or "the service gave no link"))
    seconds = float(cast(float, found.get("seconds", 0)))
    if args.json:
        print(json.dumps({"url": url, "seconds": seconds}))
        return 0
    if not args.no_browser and _opens(url):
        print("Opened in your browser. Nothing there? `compass ui --no-browser` prints the link.")
        return 0
    print(url)
    print(f"It works once, within {seconds:.0f} seconds.", file=sys.stderr)
    return 0


def _have_service() -> None:
    """One of this version answers afterwards. Raises ServiceError."""
    from compass import ROOT, __version__
    from compass.composition.settings import home_of, load, project_of
    from compass.hook.dispatch import start_service
    from compass.service.process import ask, end

    found = ask(os.environ)
    if found is not None and (found.get("version"), found.get("root")) == (__version__, ROOT):
        return
    if found is not None and found.get("http"):
        raise ServiceError(
            f"process {found.get('pid')} serves {found['http']} for another Compass; restart it"
        )
    if found is not None:
        end(lifecycle.RuntimeFolder(os.fsdecode(wire.run_dir(os.environb))))
    settings = load(os.environ, home_of(os.environ), project_of(os.environ, _cwd()), _cwd()).settings
    if not settings.service.enabled:
        raise ServiceError(
            "no service is running, and service.enabled is off: `compass serve` runs one, "
            f"{set_by('service.enabled', 'true')} lets it start by itself"
        )
    start_service(os.environ, settings.service)
    latest = time.monotonic() + START_SECONDS
    while ask(os.environ) is None:
        if time.monotonic() > latest:
            raise ServiceError("no service came up; `compass serve` shows why")
        time.sleep(POLL_SECONDS)


def _ask() -> Mapping[str, object]:
    """What the service says to the request for a link. Raises ServiceError."""
    from hooks import client

    variables = b"\0".join(name + b"=" + value for name, value in os.environb.items())
    body = wire.pack(os.fsencode(_cwd()), variables)
    try:
        kind, found = client.call_service(wire.folder_variables(os.environ), wire.PAGE, body)
    except (client.NotJudged, client.Late):
        kind, found = wire.REFUSED, b""
    if kind != wire.ANSWER:
        raise ServiceError(
            "the service gave no link; `compass serve --stop` stops it, and the next call starts another"
        )
    return cast("dict[str, object]", json.loads(found))


def _opens(url: str) -> bool:
    """Whether a browser was found. Its own words go nowhere."""
    import webbrowser

    try:
        return webbrowser.open(url)
    except webbrowser.Error:
        return False


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep
