"""`make team-demo`: a team's evaluator from nothing, and one write of a laptop that is held through it.

PostgreSQL, a scripted model, three replicas and HAProxy run as processes in a folder of their own, on loopback, and end
with it. No key is needed, no container, and nothing of the user's own is read or written.
"""

from __future__ import annotations

import json
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from repository import ROOT
from running.hookrun import Place, denial
from team.running.team import TEAM, Team, team

ROW, PERSON = "demo-h", "ada"


def row(name: str) -> dict[str, Any]:
    """Of the shipped examples, by the id ROW."""
    lines = (ROOT / "fixtures/demo" / name).read_text(encoding="utf-8").splitlines()
    found: dict[str, Any] = next(one for one in map(json.loads, lines) if one["id"] == ROW)
    return found


def said(text: str) -> None:
    print(text, flush=True)


def shown(text: str) -> None:
    said(textwrap.indent(text.strip(), "    | "))


def laptop(root: Path, here: Team) -> Place:
    """A developer's machine: a token for this server, and no key of a model."""
    place = Place(root, forked=False)
    for name in [name for name in place.environment() if name.startswith("COMPASS_EVALUATOR")]:
        place.env[name] = "team"
    token = here.make_token(PERSON)
    done = place.command("team", "login", here.proxy.url, "--yes", stdin=f"{token}\n".encode())
    if done.returncode:
        sys.exit(f"compass team login: {done.stderr.decode()}")
    shown(done.stdout.decode())
    return place


def held(place: Place) -> str:
    """What the agent is told instead of its write."""
    given = row("rows.jsonl")
    place.say(given["user_message"], prior=given["prior_assistant_turn"])
    said(f'  The person says: "{given["user_message"]}"')
    said(f"  The agent edits: {given['file_path']}")
    edit = {
        "file_path": given["file_path"],
        "old_string": "rows = load()",
        "new_string": "rows = cached(load)",
    }
    done = place.hook("pre-tool-use", place.payload("Edit", edit))
    reason = denial(done)
    if reason is None:
        sys.exit(f"the write was not held: {done.stdout.decode()}{done.stderr.decode()}")
    return reason


def play(here: Team, root: Path) -> None:
    said("4. A laptop logs in: `compass team login URL`")
    place = laptop(root / "laptop", here)
    said("5. Its agent wants to write; the hook sends sanitized evidence to the team's evaluator, and holds")
    shown(held(place))
    counts = here.api.counts()
    usd, samples = here.spent()
    (kept,) = here.evaluations()
    said("6. What the team's evaluator knows of it")
    said(f"   the model was asked {counts.requests} times, by replicas alone: the laptop has no key")
    said(f"   spent today: {usd:.6f} US dollars for {samples} samples")
    scores = [sample["score"] for sample in kept["samples"]]
    said(f"   kept: {kept['evaluation_id']} of {kept['person']}, scores {scores}, mean {kept['mean']:.2f}")


def main() -> None:
    words = json.dumps(row("readers.jsonl")["answers"][0])
    with tempfile.TemporaryDirectory(prefix="compass-team-") as folder:
        said(
            "1. PostgreSQL, a scripted model on loopback, `compass serve --team --init`: an administrator's token"
        )
        said("2. Three replicas: `compass serve --team`")
        said("3. HAProxy in front of them, by deploy/haproxy.cfg")
        with team(Path(folder), people=0, delay=0.2, answers=words) as here:
            said(f"   the team {TEAM!r} is served at {here.proxy.url}; replicas: {here.replicas.ports}")
            play(here, Path(folder))
    said("7. All of it was stopped, and its folder is gone")


if __name__ == "__main__":
    main()
