"""What governs the machine: services, power, networks, processes, users, the kernel. Each row says what only looks."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.controls import ANY, Governs, phrases
from evaluator.stages.shell.options import names
from evaluator.stages.shell.outcome import Outcome, governs, reads
from evaluator.stages.shell.spec import programs


def _kill(call: Call) -> list[Outcome]:
    """Signal 0 asks whether a process lives; `-l` of `kill` and `killall` lists signals."""
    texts = call.texts
    asks = texts[:1] == ["-0"] or texts[:2] == ["-s", "0"]
    lists = call.name in ("kill", "killall") and texts[:1] in (["-l"], ["-L"], ["--list"])
    # Of `kill` only the first option is a signal; what follows it names processes.
    known = call.name == "kill" or not any(word.may_be_option for word in call.args)
    return [reads("system")] if (asks or lists) and known else [governs("system")]


SHOWN = names(
    "--no-pager -l --full -a --all -r --recursive --user --system --global --session --failed --plain --no-legend "
    "--value -q --quiet --reverse --after --before --show-types --no-ask-password --legend=false"
)
SHOWN_VALUED = names(
    "-n --lines -o --output -t --type -p --property --state -u --unit -H --host -M --machine -P"
)
SERVICES: dict[str, Handler] = {
    **programs(
        "systemctl",
        Governs(
            looks=names(
                "status show cat help is-active is-enabled is-failed is-system-running list-units list-unit-files "
                "list-timers list-sockets list-paths list-automounts list-dependencies list-jobs list-machines "
                "get-default show-environment service-log-level whoami"
            ),
            mild=SHOWN,
            valued=SHOWN_VALUED,
            bare=True,
        ),
    ),
    **programs(
        "loginctl",
        Governs(
            looks=names(
                "list-sessions session-status show-session list-users user-status show-user list-seats seat-status "
                "show-seat"
            ),
            mild=SHOWN,
            valued=SHOWN_VALUED,
            bare=True,
        ),
    ),
    **programs(
        "machinectl networkctl",
        Governs(
            looks=names("list status show list-images lldp label"), mild=SHOWN, valued=SHOWN_VALUED, bare=True
        ),
    ),
    **programs("service", Governs(looks=names("status"), at=1, asks=names("--status-all"))),
    **programs(
        "rc-service", Governs(looks=names("status describe"), at=1, asks=names("-l --list -e --exists"))
    ),
    **programs(
        "rc-status", Governs(mild=names("-a --all -l --list -s -C --nocolor -r --runlevel"), free=ANY)
    ),
    **programs(
        "rc-update chkconfig", Governs(looks=names("show"), asks=names("--list"), mild=names("-v -a"))
    ),
    **programs(
        "launchctl",
        Governs(
            looks=names(
                "list print print-disabled print-cache blame dumpstate hostinfo version getenv error help"
            )
        ),
    ),
    **programs(
        "supervisorctl",
        Governs(looks=names("status tail avail pid version maintail help"), valued=names("-c -s -u -p")),
    ),
    **programs(
        "pm2",
        Governs(
            looks=names(
                "list ls l status describe show info logs jlist prettylist monit id pid ping env report help"
            ),
            mild=names("--nostream --raw --err --out --json -v --version --timestamp --no-color"),
            valued=names("--lines"),
        ),
    ),
    **programs("sv", Governs(looks=names("status check"))),
    **programs(
        "monit", Governs(looks=names("status summary report"), asks=names("-t -V"), valued=names("-c"))
    ),
    **programs("svcadm s6-rc s6-svc", Governs()),
    **programs("brew-services", Governs(looks=names("list info"), bare=True)),
    **programs("nginx", Governs(asks=names("-t -T -v -V"), mild=names("-q"), valued=names("-c -p -g"))),
    **programs(
        "apachectl apache2ctl httpd apache2",
        Governs(
            looks=names("configtest status fullstatus"),
            asks=names("-t -v -V -l -L -M -S"),
            valued=names("-f -d"),
        ),
    ),
    **programs("pg_ctl", Governs(looks=names("status"), valued=names("-D --pgdata -l -o"))),
    **programs(
        "pg_ctlcluster pg_dropcluster pg_resetwal pg_rewind a2ensite a2dissite a2enmod a2dismod rabbitmqctl "
        "rabbitmq-plugins invoke-rc.d update-rc.d insserv initctl start-stop-daemon",
        Governs(
            looks=names(
                "status list_queues list_users list_vhosts list_exchanges list_bindings version help list"
            )
        ),
    ),
    **programs("pg_lsclusters", Governs(mild=names("-h --no-header -j --json"), bare=True)),
}
POWER: dict[str, Handler] = {
    **programs("shutdown", Governs(asks=names("--show"))),
    **programs(
        "reboot halt poweroff telinit init pm-suspend pm-hibernate pm-powersave rtcwake kexec", Governs()
    ),
    **programs("pmset", Governs(asks=names("-g"))),
}
IP_OBJECTS = (
    "a|ddress addrs r|oute ru|le n|eighbour neighbor nt|able m|address mr|oute tu|nnel netns nex|thop x|frm vrf "
    "tc|p_metrics to|ken"
)
NETWORK: dict[str, Handler] = {
    **programs(
        "ip",
        Governs(
            "network",
            alone=((IP_OBJECTS + " l|ink mo|nitor h|elp",),),
            # `ip link s` sets, in all other objects it shows.
            ways=(
                (IP_OBJECTS, "s|how l|ist ls lst g|et h|elp"),
                ("l|ink", "sh|ow l|ist ls lst h|elp xstats afstats"),
                ("netns", "id|entify p|ids"),
                ("x|frm", "s|tate p|olicy mo|nitor"),
            ),
            looks=names("mo mon monitor"),
            asks=names("-V -Version"),
            mild=names(
                "-4 -6 -0 -s -stats -statistics -d -details -o -oneline -br -brief -c -color -c=auto -j -json -p "
                "-pretty -h -human -human-readable -iec -t -timestamp -ts -r -resolve -a -all"
            ),
            valued=names("-f -family -n -netns -rc -rcvbuf -l -loops"),
            style="single",
        ),
    ),
    **programs("ifconfig", Governs("network", mild=names("-a -s -v -l"), free=1)),
    **programs("route", Governs("network", mild=names("-n -e -ee -v -4 -6"), looks=names("get"), bare=True)),
    **programs("arp", Governs("network", mild=names("-a -n -e -v"), valued=names("-i -H"), free=ANY)),
    **programs(
        "nmcli",
        Governs(
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
            looks=names("m monitor"),
            mild=names("-t --terse -p --pretty -o --overview -a --ask -s --show-secrets -v --version"),
            valued=names("-f --fields -g --get-values -m --mode -c --colors -e --escape -w --wait"),
            bare=True,
        ),
    ),
    **programs(
        "tc",
        Governs(
            "network",
            alone=(("q|disc cl|ass f|ilter",),),
            ways=(("q|disc cl|ass f|ilter actions act ch|ain", "s|how l|ist ls lst"),),
            mild=names("-s -d -r -p -j -g -i -statistics -details -raw -pretty -json -graph -iec -c -color"),
            valued=names("-n -netns"),
            style="single",
        ),
    ),
    **programs(
        "bridge",
        Governs(
            "network",
            alone=(("l|ink f|db m|db v|lan mo|nitor",),),
            ways=(("l|ink f|db m|db v|lan", "sh|ow l|ist ls lst"),),
            mild=names("-s -d -j -p -c -o -stats -details -json -pretty"),
            style="single",
        ),
    ),
    **programs("brctl", Governs("network", looks=names("show showmacs showstp"))),
    **programs(
        "ethtool",
        Governs("network", asks=names("-i -S -k -c -g -a -l -m -T -n -x -P -u --show-ring"), free=ANY),
    ),
    **programs("iwconfig", Governs("network", bare=True)),
    **programs(
        "iw", Governs("network", looks=names("list phy event"), pairs=phrases("dev info"), alone=(("dev",),))
    ),
    **programs("wg", Governs("network", looks=names("show showconf genkey pubkey genpsk"), bare=True)),
    **programs(
        "wg-quick ifup ifdown ifreload dhclient dhcpcd udhcpc iptables-restore ip6tables-restore ebtables-restore "
        "resolvconf openvpn pppd rfkill",
        Governs("network", asks=names("--version")),
    ),
    **programs(
        "iptables-save ip6tables-save",
        Governs("network", mild=names("-c --counters"), valued=names("-t --table"), bare=True),
    ),
    **programs(
        "iptables ip6tables ebtables arptables iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft",
        Governs(
            "network",
            asks=names("-L --list -S --list-rules -V --version -h"),
            mild=names("-n --numeric -v --verbose -x --exact --line-numbers"),
            valued=names("-t --table -w --wait"),
        ),
    ),
    **programs(
        "nft",
        Governs("network", looks=names("list describe monitor"), mild=names("-a -n -nn -j -s -t -y -N -S")),
    ),
    **programs(
        "ufw", Governs("network", looks=names("status version show"), pairs=phrases("app list, app info"))
    ),
    **programs(
        "firewall-cmd",
        Governs(
            "network",
            asks=names(
                "--state --get-default-zone --get-active-zones --get-zones --get-services --get-icmptypes "
                "--list-all --list-all-zones --list-ports --list-services --list-rich-rules --list-interfaces "
                "--list-sources --list-protocols --list-forward-ports --get-log-denied --version"
            ),
            mild=names("--permanent -q --quiet -v --verbose"),
            valued=names("--zone --policy"),
        ),
    ),
    **programs("pfctl", Governs("network", valued=names("-s"), mild=names("-v -q"), bare=True)),
    **programs(
        "networksetup scutil",
        Governs(
            "network",
            asks=names(
                "--dns --proxy --nwi -listallnetworkservices -getinfo -getdnsservers -listallhardwareports"
            ),
            style="single",
            free=ANY,
        ),
    ),
    **programs("netplan", Governs("network", looks=names("get status info help"))),
    **programs(
        "tailscale zerotier-cli",
        Governs("network", looks=names("status ip ping netcheck version whois info listnetworks peers help")),
    ),
    **programs(
        "resolvectl systemd-resolve",
        Governs(
            "network",
            looks=names("status query statistics service openpgp tlsa dns domain"),
            asks=names("--status --statistics"),
            mild=names("-4 -6 --no-pager --legend"),
            valued=names("-i --interface -t --type -p -c"),
            bare=True,
        ),
    ),
}
PROCESSES: dict[str, Handler] = {
    **programs("kill pkill killall xkill skill snice taskkill", _kill),
    **programs("renice", Governs()),
    **programs(
        "fuser",
        Governs(
            mild=names("-v -u -a -m -c -f -l -s -4 -6 -V --verbose --user --all --mount --list-signals"),
            valued=names("-n --namespace"),
            free=ANY,
        ),
    ),
    **programs("kill-port fkill fkill-cli kill-port-process", Governs()),
}
USERS: dict[str, Handler] = {
    **programs("passwd", Governs(asks=names("-S --status"), mild=names("-a --all"))),
    **programs("chage", Governs(asks=names("-l --list"), mild=names("-i --iso8601"))),
    **programs(
        "visudo", Governs(asks=names("-c --check"), mild=names("-s -q -O -P"), valued=names("-f --file"))
    ),
    **programs(
        "useradd userdel usermod adduser deluser chpasswd groupadd groupdel groupmod gpasswd addgroup delgroup "
        "newusers vipw vigr chsh chfn newgrp sysadminctl dseditgroup",
        Governs(asks=names("--help")),
    ),
    **programs("dscl", Governs(asks=names("-list -read -search -ls"), style="single")),
}
MACHINE: dict[str, Handler] = {
    **programs(
        "dmesg",
        Governs(
            mild=names(
                "-T -H -w -W -k -u -x -L -r -t -P -p -J -e -d -S --ctime --human --follow --kernel --userspace "
                "--decode --color --raw --notime --nopager --reltime --json -V --version"
            ),
            valued=names("-l --level -f --facility -s --buffer-size --since --until --time-format"),
            bare=True,
        ),
    ),
    **programs("rmmod insmod depmod", Governs()),
    **programs(
        "modprobe",
        Governs(
            asks=names("-n --dry-run --show --show-depends -D -c --showconfig -R --resolve-alias"),
            mild=names("-v --verbose -a --all"),
        ),
    ),
    **programs(
        "modinfo", Governs(mild=names("-a -d -l -p -n -0"), valued=names("-F --field -k -b"), free=ANY)
    ),
    **programs(
        "sysctl",
        Governs(
            mild=names("-a -A -X --all -n -e -N -b -q --values --names --ignore --deprecated --binary"),
            valued=names("-r --pattern"),
            free=ANY,
        ),
    ),
    **programs("mount", Governs(mild=names("-l -v"), valued=names("-t --types"), bare=True)),
    **programs(
        "swapon", Governs(asks=names("-s --summary --show"), mild=names("--raw --noheadings --bytes"))
    ),
    **programs("umount swapoff losetup setenforce pivot_root", Governs(asks=names("--version"))),
    **programs(
        "timedatectl",
        Governs(
            looks=names("status show timesync-status show-timesync list-timezones"),
            mild=SHOWN,
            valued=SHOWN_VALUED,
            bare=True,
        ),
    ),
    **programs(
        "hostnamectl localectl",
        Governs(
            looks=names("status list-locales list-keymaps"),
            mild=names("--static --transient --pretty --no-pager --json=short"),
            bare=True,
        ),
    ),
    **programs(
        "hwclock ntpdate", Governs(asks=names("-r --show --get -q"), mild=names("-u --utc -l --localtime -v"))
    ),
}
PROGRAMS: dict[str, Handler] = {**SERVICES, **POWER, **NETWORK, **PROCESSES, **USERS, **MACHINE}
