"""Programs that tell about the machine, its processes and its objects; and the shell's own words that only speak."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

WORDS: dict[str, Handler] = {
    **rows(
        "echo printf test [ true false : yes expr type help times exit logout "
        "return break continue unset unalias shopt caller dirs wait fg bg disown suspend umask",
        "shell",
        anything=True,
    ),
    "pwd": row("shell", flags="-L -P -W --logical --physical"),
    "sleep": row("shell"),
    "compgen": row(
        "shell", flags="-a -b -c -d -e -f -g -j -k -s -u -v", valued="-A", loads="-W -C -F -X -G -P -S -o -V"
    ),
    "complete": row("shell", flags="-p", loads="-C -F -W -r -o -A -G -X -P -S -D -E -I"),
}
NUMBERS: dict[str, Handler] = {
    "seq": row("read", flags="-w -# --equal-width", valued="-f -s -t --format --separator"),
    "factor": row("read", flags="-h --exponents"),
    "numfmt": row(
        "read",
        flags="-z --debug --grouping --header --zero-terminated",
        valued="-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to "
        "--to-unit",
    ),
    **rows(
        "cal",
        "read",
        flags="-1 -3 -y -Y -j -m -s -w -h -M -S -C -N -b --one --three --sunday --monday --julian --year --week",
        valued="-n -A -B -d --months --color --reform",
    ),
    "uuidgen": row("read", flags="-r -t --random --time"),
}
MACHINE: dict[str, Handler] = {
    "id": row(
        "read",
        flags="-a -g -G -n -r -u -z -Z -p -F -P --context --group --groups --name --real --user --zero",
    ),
    **rows("groups users", "read"),
    **rows(
        "whoami tty nproc",
        "read",
        flags="-s --silent --quiet --all",
        valued="--ignore",
        most=0,
    ),
    **rows(
        "who w",
        "read",
        flags="-a -b -d -f -h -H -i -l -m -o -p -q -r -s -t -T -u -w --all --boot --count --heading --users "
        "--short --no-header",
        most=2,
    ),
    "uname": row(
        "read",
        flags="-a -i -m -n -o -p -r -s -v --all --kernel-name --nodename --kernel-release --kernel-version "
        "--machine --processor --hardware-platform --operating-system",
        most=0,
    ),
    "uptime": row("read", flags="-p -s -V --pretty --since", most=0),
    "free": row(
        "read",
        flags="-b -k -m -g -h -l -t -v -w -V --bytes --kilo --mega --giga --kibi --mebi --gibi --human --si --lohi "
        "--total --wide --committed",
        valued="-s -c --seconds --count",
        most=0,
    ),
    "vmstat": row(
        "read",
        flags="-a -f -m -n -s -d -D -w -t -y --active --forks --slabs --stats --disk --wide --timestamp",
        valued="-p -S --partition --unit",
    ),
    **rows(
        "vm_stat sw_vers",
        "read",
        flags="-productName -productVersion -buildVersion --productName --productVersion --buildVersion",
        style="single",
    ),
    "ps": row(
        "read",
        flags="-A -a -c -d -e -f -F -H -h -j -J -l -L -m -M -N -P -r -R -S -T -v -V -w -x -X -y -Z -# --forest "
        "--no-headers --no-heading --headers --deselect --cumulative --context --info",
        valued="-C -g -G -n -o -O -p -q -s -t -u -U --pid --ppid --quick-pid --sort --user --User --group --Group "
        "--format --cols --columns --width --rows --lines --tty --sid",
    ),
    "pstree": row(
        "read",
        flags="-a -A -c -C -g -G -h -l -n -p -s -S -t -T -u -U -Z --arguments --ascii --show-pids --long "
        "--show-parents --thread-names --hide-threads",
        valued="-H -N",
    ),
    "pgrep": row(
        "read",
        flags="-a -c -f -i -l -n -o -v -w -x --list-full --list-name --count --full --ignore-case --newest "
        "--oldest --inverse --exact --lightweight",
        valued="-d -F -g -G -P -r -s -t -u -U --delimiter --pgroup --group --parent --runstates --session "
        "--terminal --euid --uid --pidfile --ns --nslist",
    ),
    "pidof": row("read", flags="-c -q -s -w -x -z", valued="-o -S"),
    "top": row(
        "read",
        flags="-b -c -H -i -O -s -S -1 --batch-mode --threads-show",
        valued="-d -E -e -n -o -p -u -U -w -l --delay --iterations --pid --sort-override",
        most=0,
    ),
    "ss": row(
        "read",
        flags="-n -r -a -l -o -e -m -p -T -i -s -b -E -Z -z -4 -6 -0 -t -M -S -u -d -w -x -H -O --numeric "
        "--resolve --all --listening --options --extended --memory --processes --threads --info --summary --ipv4 "
        "--ipv6 --tcp --udp --raw --unix --no-header --oneline --cgroup",
        valued="-f -A -F --family --query --socket --filter",
        outputs="-D --diag",
    ),
    "netstat": row(
        "read",
        flags="-a -A -b -c -C -d -e -F -g -i -l -L -m -M -n -N -o -p -r -R -s -t -u -v -w -W -x -4 -6 --all "
        "--listening --numeric --programs --route --interfaces --statistics --tcp --udp --extend --continuous "
        "--wide",
        valued="-f -I",
    ),
    **rows(
        "lscpu",
        "read",
        flags="-a -b -B -c -e -J -p -r -x -y --all --json --extended --parse --hex --output-all",
        valued="-o --output",
        most=0,
    ),
    "lsblk": row(
        "read",
        flags="-A -D -J -M -O -P -S -T -a -b -d -f -i -l -m -n -p -r -s -t -z --all --bytes --nodeps --fs --ascii "
        "--list --perms --noheadings --paths --pairs --raw --inverse --topology --json --tree --scsi --output-all "
        "--zoned",
        valued="-E -I -e -o -w -x --exclude --include --output --sort --width",
    ),
    "lsmod": row("read", most=0),
    "findmnt": row(
        "read",
        flags="-s -m -k -A -a -b -c -D -d -e -f -i -J -l -n -P -r -R -u -U -v -x --fstab --mtab --kernel --all "
        "--ascii --bytes --df --evaluate --first-only --invert --json --list --noheadings --pairs --raw "
        "--submounts --verify --real",
        valued="-F -M -N -o -O -p -S -T -t -w --mountpoint --output --options --source --target --types",
    ),
    "last": row(
        "read",
        flags="-a -d -F -i -R -w -x -# --fulltimes --hostlast --dns --ip --fullnames --system",
        valued="-f -n -p -s -t --limit --since --until --present --file",
    ),
    "printenv": row("read", flags="-0 --null"),
    "getconf": row("read", flags="-a", valued="-v"),
    "locale": row(
        "read", flags="-a -m -c -k -v --all-locales --charmaps --category-name --keyword-name --verbose"
    ),
    "lsb_release": row(
        "read", flags="-a -i -d -r -c -s -v --all --id --description --release --codename --short", most=0
    ),
    "tput": row("read", valued="-T"),
    "stty": row("read", flags="-a -g --all --save", most=1),
    **rows("clear reset", "read", flags="-x", valued="-T", most=0),
    "pbpaste": row("read", valued="-pboard -Prefer", style="single", most=0),
    "ldd": row("read", flags="-v -u -d -r --verbose --unused --data-relocs --function-relocs"),
}
PROGRAMS: dict[str, Handler] = {**WORDS, **NUMBERS, **MACHINE}
