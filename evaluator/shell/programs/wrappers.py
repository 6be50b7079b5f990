"""Programs that run another program: labelled by what they run."""

from __future__ import annotations

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.rows.row import row, rows
from evaluator.shell.rows.wrapper import wrapper

SHELL = row("wrapper", does="unknown")
"""Without a command they start a shell."""
NICE = wrapper("-#", "-n --adjustment")
IONICE = wrapper("-t --ignore", "-c --class -n --classdata")
TIMEOUT = wrapper("--foreground --preserve-status -v --verbose -f -p", "-s --signal -k --kill-after", skip=1)
STDBUF = wrapper("", "-i --input -o --output -e --error")
SETSID = wrapper("-c --ctty -f --fork -w --wait")
TIME = wrapper("-v -p -a -q --verbose --portability --append --quiet", "-f --format", outputs="-o --output")
DOAS = wrapper("-n", "-u")
CPUS = wrapper("-a -c --all-tasks --cpu-list", skip=1)
CHRT = wrapper("-a -b -f -i -o -r -R -v --batch --fifo --idle --other --rr --verbose", "-T -P -D", skip=1)
NUMACTL = wrapper(
    "-l -s -H --localalloc --show --hardware",
    "-C -N -m -i -p --physcpubind --cpunodebind --membind --interleave --preferred",
)
CAFFEINATE = wrapper("-d -i -m -s -u", "-t")
PLAIN = wrapper()
XVFB = wrapper(
    "-a -l --auto-servernum --listen-tcp",
    "-n -s -w -p --server-num --server-args --wait --xauth-protocol",
    outputs="-e -f --error-file --auth-file",
)
CHROOT = wrapper("--skip-chdir", "--userspec --groups", skip=1, beyond=True, alone=SHELL)
UNSHARE = wrapper(
    "-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --cgroup --time --fork "
    "--map-root-user --map-current-user --mount-proc --kill-child --keep-caps",
    "-S -G --setuid --setgid --propagation --setgroups",
    base="-w --wd",
    alone=SHELL,
)
NSENTER = wrapper(
    "-m -u -i -n -p -U -C -a -F --mount --uts --ipc --net --pid --user --all --no-fork",
    "-t -S -G --target",
    beyond=True,
    alone=SHELL,
)
STRACE = wrapper(
    "-f -ff -F -c -C -q -t -r -y -i -v -x -k -T -n -w -d --follow-forks --summary-only --summary --quiet",
    "-e -s -a -P -b -X -O -S -I -U --trace --string-limit --signal --status",
    outputs="-o --output",
)
LTRACE = wrapper("-f -c -C -q -t -r -i -S -T -L", "-e -s -a -n -l -x -A -D", outputs="-o --output")
DTRUSS = wrapper("-a -b -c -d -e -f -l -o -s")
JC = wrapper(
    # With a command it runs that; with the name of a parser it reads its input.
    "-a -d -m -p -q -r -u -y -C -M --about --pretty --quiet --raw --yaml-out --monochrome --force-color --arp "
    "--blkid --crontab --csv --date --df --dig --dpkg-l --du --env --file --find --free --fstab --git-log --group "
    "--hash --history --hosts --id --ifconfig --ini --iostat --ip-address --ip-route --jobs --jwt --kv --last --ls "
    "--lsblk --lscpu --lsof --mount --netstat --os-release --passwd --path --ping --pip-list --pip-show --plist "
    "--ps --route --rpm-qi --ss --ssh-conf --stat --sysctl --systemctl --time --timestamp --toml --top "
    "--traceroute --uname --uptime --url --vmstat --w --wc --who --x509-cert --xml --yaml --zipinfo",
    "-s --slice",
)
WATCH = wrapper(
    "-d -t -g -e -b -c -p -w --differences --no-title --errexit --beep --chgexit --color --precise --no-wrap",
    "-n --interval",
    form="line",
)
HYPERFINE = wrapper(
    "-i -N --ignore-failure --show-output",
    "-w --warmup -r --runs -m --min-runs -M --max-runs -n --command-name -L --parameter-list -P --parameter-scan "
    "-D --parameter-step-size --style -u --time-unit --sort",
    runs="-p --prepare -c --cleanup -s --setup",
    outputs="--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode",
    form="lines",
)
CONCURRENTLY = wrapper(
    "-k -r -g --raw --group --kill-others --kill-others-on-fail --no-color --hide --timings",
    "-n --names -c --prefix-colors -p --prefix -l --prefix-length -m --max-processes -s --success --restart-tries "
    "--restart-after",
    form="lines",
)
SCRIPTS = wrapper(
    "-c -l -n -p -r -s --aggregate-output --continue-on-error --parallel --serial --sequential --print-label "
    "--print-name --race --silent",
    "--max-parallel",
    form="scripts",
)
DIRENV = wrapper("", "", verbs="exec", looks="status version show_dump", skip=1, beyond=True)
VARIABLES = wrapper(assigns=True)
OF_A_FILE = wrapper("", "-e -f -c", dashes=True, beyond=True, looks="get ls list")
VAULT = wrapper("--no-masking --preserve-env", "", verbs="run", looks="whoami", dashes=True)
AWS_VAULT = wrapper(
    "-n --no-session --json --debug",
    "-d --duration --region --mfa-token -t",
    verbs="exec",
    looks="list ls",
    skip=1,
    alone=SHELL,
)
SETTINGS = wrapper("", "-p -c -e --project --config --env --path", verbs="run", dashes=True)
CHAMBER = wrapper("", "", verbs="exec", looks="list list-services history", dashes=True)
XCRUN = wrapper("-v -l -n --verbose --log --no-cache", "--sdk -sdk --toolchain")
ARCH = wrapper("-arm64 -arm64e -x86_64 -i386 -32 -64", style="single")
AS_USER = wrapper(skip=1)
INHIBIT = wrapper("--no-pager --list", "--what --who --why --mode")
ENTR = wrapper("-a -c -d -n -p -r -x -z")
PERF = wrapper(
    "-a -d -v -A -B -S --all-cpus --detailed --verbose --no-big-num --sync --null",
    "-e -r -C -x -I --event --repeat --cpu --field-separator --interval-print --delay --timeout",
    outputs="-o --output",
    verbs="stat",
    looks="list --version version",
)

RTK_LOOKS = names("gain discover read json deps smart log session")
RTK_RUNS = names("err test summary proxy")
RTK_READS = row("wrapper", flags="-n -q", valued="-l --level -m --max-lines")


def _rtk(call: Call) -> list[Outcome]:
    """It shortens what another command prints; `rtk init` and its like are its own."""
    options = read_options(call.args, stop=True)
    if any(name not in ("-v", "--verbose", "-u", "--ultra-compact") for name, _ in options.flags):
        told = options.has(names("--help --version -h -V"))
        return [reads("wrapper") if told and not options.rest else unlisted("wrapper")]
    rest = options.rest
    verb = rest[0].text if rest else ""
    if verb in RTK_LOOKS:
        return RTK_READS(Call(verb, rest[1:], call.stdin, call.shell))
    command = rest[1:] if verb in RTK_RUNS and rest[1:] else rest
    if not command or verb in ("init", "config", "env"):
        return [unlisted("wrapper")]
    return call.shell.run_words(command, call.stdin)


PROGRAMS: dict[str, Handler] = {
    "rtk": _rtk,
    "nice": NICE,
    "ionice": IONICE,
    **rows("timeout gtimeout", TIMEOUT),
    **rows("stdbuf", STDBUF),
    "setsid": SETSID,
    **rows("time gtime", TIME),
    "doas": DOAS,
    "taskset": CPUS,
    "chrt": CHRT,
    "numactl": NUMACTL,
    "caffeinate": CAFFEINATE,
    **rows(
        "nohup chronic unbuffer cronic winpty rosetta dbus-run-session fakeroot eatmydata tini dumb-init firejail "
        "rlwrap proxychains proxychains4 tsocks torsocks",
        PLAIN,
    ),
    "xvfb-run": XVFB,
    "chroot": CHROOT,
    "unshare": UNSHARE,
    "nsenter": NSENTER,
    "strace": STRACE,
    "ltrace": LTRACE,
    "dtruss": DTRUSS,
    "jc": JC,
    "watch": WATCH,
    "hyperfine": HYPERFINE,
    "concurrently": CONCURRENTLY,
    **rows("npm-run-all run-p run-s", SCRIPTS),
    "direnv": DIRENV,
    **rows("cross-env cross-env-shell", VARIABLES),
    **rows("dotenv dotenvx summon env-cmd", OF_A_FILE),
    "op": VAULT,
    "aws-vault": AWS_VAULT,
    **rows("infisical doppler", SETTINGS),
    "chamber": CHAMBER,
    "xcrun": XCRUN,
    "arch": ARCH,
    **rows("gosu su-exec", AS_USER),
    "systemd-inhibit": INHIBIT,
    "entr": ENTR,
    "perf": PERF,
}
