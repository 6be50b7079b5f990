"""Commands that start something which waits for orders: unknown where an agent can type on, unheard."""

from __future__ import annotations

import pytest
from corpora import corpus

from compass.composition.effects import classify, explain
from evaluator.shell import hosts
from evaluator.shell.hosts import HostPrograms
from evaluator.shell.waiting import waits

WAITS = [
    "bash",
    "git log | less",
    "python",
    "python3 -i",
    "python3 -i x.py",
    "node",
    "psql",
    "psql mydb",
    "sqlite3 a.db",
    "mysql -u root -psecret",
    "bash -i",
    "sh -s",
    "ssh host",
    "ssh -p 2 me@host",
    "vi f",
    "vim",
    "less f",
    "gdb ./a",
    "docker exec -it c bash",
    "docker run -it ubuntu",
    "docker exec -i c psql -U x",
    "kubectl exec -it p -- sh",
    "python -",
    "irb",
    "ed f",
    "nano f",
    "env bash",
    "exec bash",
    "nice bash -l",
    "bash &",
    "bash | cat",
    "(bash)",
    "python3 -q",
    "ipython",
    "emacs",
    "sftp h",
    "busybox sh",
    "poetry shell",
    "nix-shell",
    "uv run python",
    "npx ts-node",
    "poetry run python",
    "python -m pdb x.py",
    "rails console",
    "django-admin shell",
    "python manage.py shell",
    "deno",
    "bun repl",
    "fish",
    "tmux",
    "bash < /dev/tty",
    "cd x && bash",
    "bash -l",
    "if true; then python; fi",
    "bash -c bash",
    "x=$(bash)",
    "/bin/bash",
    "sudo bash",
    "timeout 5 python3",
    "./bash",
    "/opt/x/python3.11",
    "redis-cli",
    "FOO=1 python",
    "bash -o pipefail",
    "docker compose exec web bash",
    "time bash",
    "{ bash; } 2>&1",
    "nvim -c 'set ft=x' f",
]
ENDS = [
    "bash x.sh",
    "bash -c 'ls'",
    "bash -lc 'ls -la'",
    "bash < f.sh",
    "python x.py",
    "python3 -c 'print(1)'",
    "python -m pytest -q",
    "python - <<'E'\nprint(1)\nE",
    "psql -c 'select 1'",
    "psql -U me -d db -c 'select 1'",
    "psql -f x.sql",
    "psql db < x.sql",
    "sqlite3 a.db 'select 1'",
    "sqlite3 a.db .tables",
    "ls | bash",
    "echo hi | python",
    "node x.js",
    "node -e '1'",
    "node --test",
    "ssh host ls -la",
    "ssh -p 22 me@host 'uptime'",
    "docker exec -it c ls -la",
    "docker exec c bash -c ls",
    "docker run --rm ubuntu ls",
    "docker ps",
    "vim -es -c '%s/a/b/' -c 'wq' f",
    "emacs --batch -l x.el",
    "redis-cli get x",
    "python --version",
    "bash --version",
    "node -v",
    "python -V",
    "perl -pe 's/a/b/' f",
    "perl -i -pe 's/a/b/' f",
    "ruby x.rb",
    "ruby -e 'puts 1'",
    "php -l x.php",
    "php -r 'echo 1;'",
    "php artisan migrate",
    "deno test",
    "deno run x.ts",
    "bun test",
    "bash /dev/null",
    "python < x.py",
    "git status",
    "kubectl get pods",
    "kubectl exec p -- ls",
    "docker compose up -d",
    "poetry install",
    "nix develop -c make",
    "mysql -e 'show tables'",
    "gdb -batch -ex bt ./a",
    "tmux ls",
    "sed -n 1,20p f",
    "man ls",
    "bash -n x.sh",
    "python -u x.py",
    "perl x.pl",
    "perl -c x.pl",
    "Rscript x.R",
    "R --version",
    "R -e '1'",
    "tsx x.ts",
    "python -W ignore x.py",
    "sh ./x.sh -i",
    "python x.py -i",
    "bash -euo pipefail x.sh",
    "bash -x x.sh",
    "node --max-old-space-size 4096 x.js",
    "lua x.lua",
    "ts-node x.ts",
    "bash -c 'echo $0' x",
    "bash --norc -c ls",
    "elixir x.exs",
    "pwsh -Command ls",
    "rails db:migrate",
    "nix shell nixpkgs#jq -c jq",
    "adb shell ls",
    "php -i",
]


@pytest.fixture
def typing_host(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(hosts, "_LOADERS", dict(hosts._LOADERS))
    hosts.joined.cache_clear()
    hosts.join("typist", lambda: HostPrograms((), dict, types_on=True))
    hosts.join("other", lambda: HostPrograms((), dict))
    yield "typist"
    monkeypatch.undo()
    hosts.joined.cache_clear()


@corpus("command", WAITS)
def test_a_command_that_asks_for_orders_waits(command: str) -> None:
    assert waits(explain(command, "/p").ran)


@corpus("command", ENDS)
def test_a_command_that_was_told_what_to_do_does_not(command: str) -> None:
    assert not waits(explain(command, "/p").ran)


def test_what_waits_is_unknown_where_an_agent_types_on(typing_host: str) -> None:
    for command in ("bash", "deno", "echo x > f; python", "less f"):
        found = classify(command, "/p", host=typing_host)
        assert (found.verdict, found.operation_class) == ("unknown", "destructive"), command
        assert classify(command, "/p", host="other") == classify(command, "/p")
    kept = classify("echo x > f; python", "/p", host=typing_host)
    assert kept.targets == ("/p/f",) and kept.each[-1].operation == "unknown"
    assert classify("ls", "/p", host=typing_host) == classify("ls", "/p")
    assert classify("deno", "/p", host="nobody").verdict == "read_only"
