"""A project's folder may bear any name: no command that names it lets it act on the terminal."""

from __future__ import annotations

from corpora import corpus
from running.hookrun import Place

NAME = "a\x1b]0;own\x07\x1b[2J\u202eb"


@corpus(
    ("words", "code"),
    [
        (("config", "list"), 0),
        (("config", "get", "cooldown.seconds"), 0),
        (("config", "set", "cooldown.seconds", "60"), 0),
        (("doctor",), None),
        (("init", "--yes"), 0),
        (("init", "--uninstall"), 0),
        (("status",), 0),
        (("trust",), 0),
        (("log",), 0),
    ],
)
def test_nothing_of_it_reaches_the_terminal(tmp_path, words, code) -> None:
    place = Place(tmp_path)
    folder = place.project / NAME
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_text(
        '{"compass": {"cooldown": {"seconds": 3}, "enabled": false}}'
    )
    place.env["CLAUDE_PROJECT_DIR"] = str(folder)
    done = place.command(*words)
    assert code in (None, done.returncode), done.stderr
    said = (done.stdout + done.stderr).decode()
    assert said.strip()
    assert said.replace("\n", "").isprintable(), said
