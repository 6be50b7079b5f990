"""`make team-demo`: a team's evaluator from nothing, and one write of a laptop that is held through it.

PostgreSQL, a scripted model, three replicas and HAProxy run as processes in a folder of their own, on loopback, and end
with it. No key is needed, no container, and nothing of the user's own is read or written.
"""

import sys
import tempfile
import textwrap
from functools import partial
from pathlib import Path

from running.hookrun import Place, denial
from team.running.team import TEAM, Team, team

SAID = "Could the report be a bit faster, perhaps?"
FILE = "src/case-demo-s20.py"
"""The scripted model reads the score off a file's name: 0.20."""
EDIT = {"file_path": FILE, "old_string": "rows = load()", "new_string": "rows = cached(load)"}


said = partial(print, flush=True)


def shown(text: str) -> None:
    said(textwrap.indent(text.strip(), "    | "))


def laptop(root: Path, here: Team) -> Place:
    """A developer's machine: a token for this server, and no key of a model."""
    place = Place(root, forked=False)
    for name in [name for name in place.environment() if name.startswith("COMPASS_EVALUATOR")]:
        place.env[name] = "team"
    token = here.make_token("ada")
    done = place.command("team", "login", here.proxy.url, "--yes", stdin=f"{token}\n".encode())
    if done.returncode:
        sys.exit(f"compass team login: {done.stderr.decode()}")
    shown(done.stdout.decode())
    return place


def held(place: Place) -> str:
    """What the agent is told instead of its write."""
    place.say(SAID, prior="The report loads all rows again for each page.")
    said(f'   The person says: "{SAID}"; the agent edits {FILE}')
    done = place.hook("pre-tool-use", place.payload("Edit", EDIT))
    reason = denial(done)
    if reason is None:
        sys.exit(f"the write was not held: {done.stdout.decode()}{done.stderr.decode()}")
    return reason


def main() -> None:
    parts = "PostgreSQL, a scripted model, three replicas of `compass serve --team`, HAProxy in front of them"
    said(f"1. {parts}")
    with (
        tempfile.TemporaryDirectory(prefix="compass-team-") as folder,
        team(Path(folder), people=0, delay=0.2) as here,
    ):
        ports = [one.port for one in here.replicas]
        said(f"   the team {TEAM!r} is served at {here.proxy.url}; replicas: {ports}")
        said("2. A laptop logs in: `compass team login URL`")
        place = laptop(Path(folder) / "laptop", here)
        said("3. The hook sends sanitized evidence to the team's evaluator, and holds")
        shown(held(place))
        usd, samples = here.spent()
        (kept,) = here.evaluations()
        said(f"4. The team's record: {kept['evaluation_id']} of {kept['person']}, mean {kept['mean']:.2f}")
        said(f"   {here.api.counts().requests} requests to the model, all of them by replicas;")
        said(f"   {usd:.6f} US dollars for {samples} samples")
    said("5. All of it was stopped, and its folder is gone")


if __name__ == "__main__":
    main()
