"""What governs the machine: services, power, networks, processes, users, the kernel. Each row says what only looks."""

from __future__ import annotations

import re

from evaluator.shell.call import Call, Handler
from evaluator.shell.outcome import Outcome, governs, reads
from evaluator.shell.rows.governing import ANY, governing
from evaluator.shell.rows.row import rows

SIGNAL = re.compile(r"-(?:\d+|[A-Z]+\d?)")
OWN = re.compile(r"0|%[\w%+-]*|\$!|\$\{!\}")
"""The shell's own group and jobs."""


def _kill(call: Call) -> list[Outcome]:
    """Signal 0 asks whether a process lives; `-l` lists signals; a line may end its own jobs."""
    texts = call.texts
    asks = texts[:1] == ["-0"] or texts[:2] == ["-s", "0"]
    lists = call.name in ("kill", "killall") and texts[:1] in (["-l"], ["-L"], ["--list"])
    # Of `kill` only the first option is a signal; what follows it names processes.
    known = call.name == "kill" or not any(word.may_be_option for word in call.args)
    operands = texts[1:] if texts and SIGNAL.fullmatch(texts[0]) else texts
    own = call.name == "kill" and bool(operands) and all(map(OWN.fullmatch, operands))
    return [reads("system")] if ((asks or lists) and known) or own else [governs("system")]


SHOWN = (
    "--no-pager -l --full -a --all -r --recursive --user --system --global --session --failed --plain --no-legend "
    "--value -q --quiet --reverse --after --before --show-types --no-ask-password --legend=false"
)
SHOWN_VALUED = "-n --lines -o --output -t --type -p --property --state -u --unit -H --host -M --machine -P"
LAUNCHCTL = governing(
    looks="list print print-disabled print-cache blame dumpstate hostinfo version getenv error help"
)
"""Its jobs run later: its row stands among what types."""
SERVICES: dict[str, Handler] = {
    "systemctl": governing(
        looks="status show cat help is-active is-enabled is-failed is-system-running list-units list-unit-files "
        "list-timers list-sockets list-paths list-automounts list-dependencies list-jobs list-machines get-default "
        "show-environment service-log-level whoami",
        mild=SHOWN,
        valued=SHOWN_VALUED,
        bare=True,
    ),
    "loginctl": governing(
        looks="list-sessions session-status show-session list-users user-status show-user list-seats seat-status "
        "show-seat",
        mild=SHOWN,
        valued=SHOWN_VALUED,
        bare=True,
    ),
    "service": governing(looks="status", at=1, asks="--status-all"),
    "rc-service": governing(looks="status describe", at=1, asks="-l --list -e --exists"),
    "supervisorctl": governing(looks="status tail avail pid version maintail help", valued="-c -s -u -p"),
    "pm2": governing(
        looks="list ls l status describe show info logs jlist prettylist monit id pid ping env report help",
        mild="--nostream --raw --err --out --json -v --version --timestamp --no-color",
        valued="--lines",
    ),
    "nginx": governing(asks="-t -T -v -V", mild="-q", valued="-c -p -g"),
    **rows(
        "apachectl apache2ctl httpd apache2",
        governing(looks="configtest status fullstatus", asks="-t -v -V -l -L -M -S", valued="-f -d"),
    ),
    "pg_ctl": governing(looks="status", valued="-D --pgdata -l -o"),
    **rows(
        "pg_dropcluster pg_resetwal rabbitmqctl",
        governing(
            looks="status list_queues list_users list_vhosts list_exchanges list_bindings version help list"
        ),
    ),
}
POWER: dict[str, Handler] = {
    "shutdown": governing(asks="--show"),
    **rows("reboot halt poweroff telinit init kexec", governing()),
    "pmset": governing(asks="-g"),
}
IP_OBJECTS = (
    "a|ddress addrs r|oute ru|le n|eighbour neighbor nt|able m|address mr|oute tu|nnel netns nex|thop x|frm vrf "
    "tc|p_metrics to|ken"
)
NETWORK: dict[str, Handler] = {
    "ip": governing(
        "network",
        alone=((IP_OBJECTS + " l|ink mo|nitor h|elp",),),
        # `ip link s` sets, in all other objects it shows.
        ways=(
            (IP_OBJECTS, "s|how l|ist ls lst g|et h|elp"),
            ("l|ink", "sh|ow l|ist ls lst h|elp xstats afstats"),
            ("netns", "id|entify p|ids"),
            ("x|frm", "s|tate p|olicy mo|nitor"),
        ),
        looks="mo mon monitor",
        asks="-V -Version",
        mild="-4 -6 -0 -s -stats -statistics -d -details -o -oneline -br -brief -c -color -c=auto -j -json -p "
        "-pretty -h -human -human-readable -iec -t -timestamp -ts -r -resolve -a -all",
        valued="-f -family -n -netns -rc -rcvbuf -l -loops",
        style="single",
    ),
    "ifconfig": governing("network", mild="-a -s -v -l", free=1),
    "route": governing("network", mild="-n -e -ee -v -4 -6", looks="get", bare=True),
    "nmcli": governing(
        "network",
        alone=(
            ("g|eneral n|etworking r|adio c|onnection d|evice m|onitor",),
            ("d|evice", "w|ifi l|ldp"),
            ("d|evice", "w|ifi", "l|ist"),
            ("r|adio", "w|ifi wwan a|ll"),
        ),
        ways=(
            ("g|eneral", "s|tatus p|ermissions l|ogging"),
            ("n|etworking", "c|onnectivity"),
            ("c|onnection", "s|how m|onitor"),
            ("d|evice", "s|tatus sh|ow m|onitor"),
        ),
        looks="m monitor",
        mild="-t --terse -p --pretty -o --overview -a --ask -s --show-secrets -v --version",
        valued="-f --fields -g --get-values -m --mode -c --colors -e --escape -w --wait",
        bare=True,
    ),
    "tc": governing(
        "network",
        alone=(("q|disc cl|ass f|ilter",),),
        ways=(("q|disc cl|ass f|ilter actions act ch|ain", "s|how l|ist ls lst"),),
        mild="-s -d -r -p -j -g -i -statistics -details -raw -pretty -json -graph -iec -c -color",
        valued="-n -netns",
        style="single",
    ),
    "ethtool": governing("network", asks="-i -S -k -c -g -a -l -m -T -n -x -P -u --show-ring", free=ANY),
    **rows(
        "ifup ifdown ip6tables-restore",
        governing("network", asks="--version"),
    ),
    **rows(
        "ip6tables-save",
        governing("network", mild="-c --counters", valued="-t --table", bare=True),
    ),
    **rows(
        "iptables ip6tables iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft",
        governing(
            "network",
            asks="-L --list -S --list-rules -V --version -h",
            mild="-n --numeric -v --verbose -x --exact --line-numbers",
            valued="-t --table -w --wait",
        ),
    ),
    "nft": governing("network", looks="list describe monitor", mild="-a -n -nn -j -s -t -y -N -S"),
    "ufw": governing("network", looks="status version show", pairs="app list, app info"),
    "firewall-cmd": governing(
        "network",
        asks="--state --get-default-zone --get-active-zones --get-zones --get-services --get-icmptypes --list-all "
        "--list-all-zones --list-ports --list-services --list-rich-rules --list-interfaces --list-sources "
        "--list-protocols --list-forward-ports --get-log-denied --version",
        mild="--permanent -q --quiet -v --verbose",
        valued="--zone --policy",
    ),
    **rows(
        "networksetup",
        governing(
            "network",
            asks="--dns --proxy --nwi -listallnetworkservices -getinfo -getdnsservers -listallhardwareports",
            style="single",
            free=ANY,
        ),
    ),
    **rows(
        "tailscale",
        governing("network", looks="status ip ping netcheck version whois info listnetworks peers help"),
    ),
    **rows(
        "resolvectl",
        governing(
            "network",
            looks="status query statistics service openpgp tlsa dns domain",
            asks="--status --statistics",
            mild="-4 -6 --no-pager --legend",
            valued="-i --interface -t --type -p -c",
            bare=True,
            remote=True,
        ),
    ),
}
PROCESSES: dict[str, Handler] = {
    **rows("kill pkill killall xkill skill taskkill", _kill),
    "renice": governing(),
    "fuser": governing(
        mild="-v -u -a -m -c -f -l -s -4 -6 -V --verbose --user --all --mount --list-signals",
        valued="-n --namespace",
        free=ANY,
    ),
    **rows("kill-port kill-port-process", governing()),
}
USERS: dict[str, Handler] = {
    "passwd": governing(asks="-S --status", mild="-a --all"),
    "chage": governing(asks="-l --list", mild="-i --iso8601"),
    "visudo": governing(asks="-c --check", mild="-s -q -O -P", valued="-f --file"),
    **rows(
        "useradd userdel usermod adduser deluser chpasswd groupadd groupdel groupmod gpasswd addgroup delgroup vipw "
        "chsh",
        governing(asks="--help"),
    ),
}
MACHINE: dict[str, Handler] = {
    "dmesg": governing(
        mild="-T -H -w -W -k -u -x -L -r -t -P -p -J -e -d -S --ctime --human --follow --kernel --userspace "
        "--decode --color --raw --notime --nopager --reltime --json -V --version",
        valued="-l --level -f --facility -s --buffer-size --since --until --time-format",
        bare=True,
    ),
    **rows("rmmod insmod depmod", governing()),
    "modprobe": governing(
        asks="-n --dry-run --show --show-depends -D -c --showconfig -R --resolve-alias",
        mild="-v --verbose -a --all",
    ),
    "sysctl": governing(
        mild="-a -A -X --all -n -e -N -b -q --values --names --ignore --deprecated --binary",
        valued="-r --pattern",
        free=ANY,
    ),
    "mount": governing(mild="-l -v", valued="-t --types", bare=True),
    "swapon": governing(asks="-s --summary --show", mild="--raw --noheadings --bytes"),
    **rows("umount swapoff losetup", governing(asks="--version")),
    "timedatectl": governing(
        looks="status show timesync-status show-timesync list-timezones",
        mild=SHOWN,
        valued=SHOWN_VALUED,
        bare=True,
    ),
    **rows(
        "hostnamectl",
        governing(
            looks="status list-locales list-keymaps",
            mild="--static --transient --pretty --no-pager --json=short",
            bare=True,
        ),
    ),
}
PROGRAMS: dict[str, Handler] = {**SERVICES, **POWER, **NETWORK, **PROCESSES, **USERS, **MACHINE}
