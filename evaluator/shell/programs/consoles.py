"""Programs that take orders while they run: shells, interpreters, clients, editors, pagers. Rows only.

An agent that can type into a running program runs by them what no command line shows.
"""

from __future__ import annotations

import re

from evaluator.shell.options import names
from evaluator.shell.rows.console import Console, Inside

SHELL = Console(
    ends=names("-c -n"),
    valued=names("-o -O +o +O --rcfile --init-file -C --init-command"),
    stays=names("-i -s"),
    most=0,
)
CODE = "-e --eval -E -p --print -r --run --execute --expr -c --check --test -l --syntax-check -m --modules"
INTERPRETER = Console(
    ends=names(CODE),
    valued=names("--input-type -W -X -I -F --max-old-space-size -M"),
    stays=names("-i --interactive -a"),
    most=0,
    tells=names("-v -V -VV"),
)
PYTHON = Console(
    ends=names("-c -m"), valued=names("-W -X"), stays=names("-i"), most=0, tells=names("-V -VV -h")
)
SQL = Console(
    ends=names("-c -f -e -l --command --file --execute --list -V"),
    valued=names(
        "-h --host -d --dbname -u -U --username --user -p --port -P --password -D --database -v --set"
    ),
)
EDITOR = Console(
    leaves=re.compile(r"(?:^|[|:+\s])(?:q|wq|x|qa|wqa|xa|quit|exit|cq|qall)!?\s*\Z"), terminal=True
)
LINES = Console()
PAGER = Console(terminal=True)
IN_PLACE = names("exec run attach debug")
RUNS = names(
    "-e --env -w --workdir -u --user --env-file --detach-keys -v --volume --mount --name --network --net -p --publish "
    "--entrypoint -h --hostname -m --memory --cpus --platform --label -l --add-host --cap-add --security-opt --gpus "
    "--shm-size --ulimit --index -n --namespace -c --container --context --image --overrides -f --filename"
)

CONSOLES: dict[str, Console] = {
    **dict.fromkeys(names("bash sh zsh dash ksh ash fish mksh rbash busybox"), SHELL),
    **dict.fromkeys(names("python pypy"), PYTHON),
    **dict.fromkeys(
        names(
            "node nodejs lua luajit Rscript R julia elixir iex scala groovy swipl octave racket guile sbcl "
            "clojure clj bb tclsh ghci ocaml erl tsx ts-node irb ipython bpython ptpython jshell kotlin "
            "bun-repl psysh pry nu xonsh elvish expect wish python2"
        ),
        INTERPRETER,
    ),
    "php": Console(
        ends=names("-r --run -l -i -m -f --info --modules --ini"),
        stays=names("-a"),
        most=0,
        tells=names("-v"),
    ),
    "perl": Console(
        ends=names("-e -E -c"), valued=names("-M -m -I -F"), stays=names("-d"), most=0, tells=names("-v -V")
    ),
    "ruby": Console(ends=names("-e -c"), valued=names("-r -I -E -F -C"), most=0, tells=names("-v")),
    **dict.fromkeys(
        names("pwsh powershell"),
        Console(leaves=re.compile(r"(?i)^-(?:c|f|command|file|ec|encodedcommand|version|v)\Z|\.ps1\Z")),
    ),
    "deno": Console(most=0, tells=names("-V")),
    **dict.fromkeys(
        names("psql mysql mariadb mongosh mongo cqlsh clickhouse-client sqlcmd isql usql pgcli mycli"), SQL
    ),
    **dict.fromkeys(
        names("sqlite3 sqlite duckdb litecli"), Console(valued=names("-cmd -separator -init"), most=1)
    ),
    "redis-cli": Console(
        ends=names("--eval --pipe"), valued=names("-h -p -a -n -u -s --user --pass"), most=0
    ),
    **dict.fromkeys(
        names("ssh mosh"),
        Console(
            ends=names("-N -V -Q -O -G -f"),
            valued=names("-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"),
            most=1,
        ),
    ),
    **dict.fromkeys(names("telnet ftp sftp lftp"), Console(ends=names("-b -c -e -f"))),
    **dict.fromkeys(names("vi vim nvim view vimdiff nvi gvim kak hx helix"), EDITOR),
    **dict.fromkeys(names("ed red ex dc"), LINES),
    **dict.fromkeys(
        names("emacs emacsclient"), Console(ends=names("--batch -batch --eval --script"), terminal=True)
    ),
    **dict.fromkeys(names("nano pico micro joe mcedit mc ranger nnn lf tig lazygit gitui"), PAGER),
    **dict.fromkeys(names("less more most lesspipe"), PAGER),
    **dict.fromkeys(names("gdb lldb pdb ipdb rdbg"), Console(ends=names("--batch -batch -b --batch-silent"))),
    **dict.fromkeys(
        names("tmux screen zellij"),
        Console(
            ends=names("-V -ls -list -dmS -X -d -D"), valued=names("-L -S -f -s -t -n"), most=0, terminal=True
        ),
    ),
    **dict.fromkeys(names("poetry pipenv hatch"), Console(verbs=names("shell"))),
    **dict.fromkeys(names("rails artisan"), Console(verbs=names("console c dbconsole db tinker"))),
    **dict.fromkeys(names("django-admin manage.py flask"), Console(verbs=names("shell dbshell shell_plus"))),
    "bun": Console(verbs=names("repl")),
    "adb": Console(verbs=names("shell"), most=1),
    "nix-shell": Console(ends=names("--run --command"), valued=names("-p --packages -I -A --attr")),
    "nix": Console(ends=names("-c --command"), verbs=names("develop shell repl")),
}
INSIDE: dict[str, Inside] = {
    **dict.fromkeys(
        names("docker podman nerdctl docker-compose podman-compose kubectl oc lxc incus"),
        Inside(IN_PLACE, RUNS),
    ),
}
MODULES = names("pdb code IPython asyncio ipdb bpython sqlite3 ptpython pudb")
"""Modules of Python that ask."""
