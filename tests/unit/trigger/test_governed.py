"""Control of processes, services and databases through the hook: held unless the user orders it."""

from __future__ import annotations

from pathlib import Path

from corpora import corpus
from running.doubting import doubting
from running.hookrun import Place, denial


@corpus(
    ("request_", "command"),
    [
        ("please stop vite, the dev server", "pkill -f vite"),
        ("please stop the dev server on port 3000 (vite)", "kill $(lsof -ti:3000)"),
        ("kill the server that still runs on port 3000", "npx kill-port 3000"),
        ("restart nginx", "sudo systemctl restart nginx"),
        ("reset the database with prisma", "npx prisma migrate reset --force"),
        ("drop the db and create it again", "rake db:drop"),
    ],
)
def test_what_the_user_orders_runs_and_what_nobody_ordered_reaches_readers(
    tmp_path: Path, request_: str, command: str
) -> None:
    place = Place(tmp_path)
    place.say(request_)
    payload = place.payload("Bash", {"command": command})
    assert denial(place.hook("pre-tool-use", payload)) is None
    place.env |= doubting()
    place.say("why is this slow?")
    assert denial(place.hook("pre-tool-use", {**payload, "session_id": "session-2"})) is not None


@corpus(
    ("said", "command"),
    [
        *(
            ("why is this slow?", command)
            for command in ("systemctl status nginx", "kill -0 1", "dmesg -T", "mount")
        ),
        *(("set the project up and try it", command) for command in ("./deploy.sh", "mytool --apply")),
    ],
)
def test_what_only_looks_and_an_everyday_command_that_nobody_listed_are_let_through(
    tmp_path: Path, said: str, command: str
) -> None:
    place = Place(tmp_path)
    place.say(said)
    assert denial(place.hook("pre-tool-use", place.payload("Bash", {"command": command}))) is None
