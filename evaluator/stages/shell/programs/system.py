"""The machine itself: processes, services, users, disks, schedules."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import Spec, programs

READING_SERVICE = names(
    "status show cat is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers "
    "list-sockets list-dependencies list-jobs "
    "list-machines list-sessions list-users list-seats session-status user-status show-session show-user "
    "get-default help --version show-environment list blame critical-chain print info"
)


def _kill(call: Call) -> list[Outcome]:
    looking = call.texts[:1] in (["-0"], ["-l"], ["-L"]) or call.texts[:2] == ["-s", "0"]
    return [reads("system")] if looking else [unlisted("system")]


def _service(call: Call) -> list[Outcome]:
    given = read_options(
        call.args, names("-u --unit -t --type -p --property -n --lines -H --host -M -o --output --state")
    ).texts()
    verbs = given[:2] if call.name in ("service", "rc-service") else given[:1]
    return (
        [reads("system")]
        if not given or any(verb in READING_SERVICE for verb in verbs)
        else [unlisted("system")]
    )


def _journal(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-u --unit -n --lines -S --since -U --until -p --priority -o --output -t")
    )
    return (
        [unlisted("system")]
        if options.may_have(names("--vacuum-size --vacuum-time --vacuum-files --rotate --flush"))
        else [reads("system")]
    )


def _crontab(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-u"))
    if options.has(names("-l")):
        return [reads("system")]
    return (
        [writes("delete", (), "system")] if options.has(names("-r")) else [writes("overwrite", (), "system")]
    )


def _mount(call: Call) -> list[Outcome]:
    return [reads("system")] if not call.args or call.texts[0] == "-l" else [unlisted("system")]


def _sysctl(call: Call) -> list[Outcome]:
    changing = any("=" in text or text in ("-w", "-p", "--write", "--load") for text in call.texts)
    return [unlisted("system")] if changing else [reads("system")]


def _disk(call: Call) -> list[Outcome]:
    listing = any(text in ("-l", "--list", "print", "list", "info") for text in call.texts)
    targets = [text for text in call.texts if text.startswith("/dev/")]
    return [reads("system")] if listing else [writes("overwrite", targets, "system", "destructive")]


def _firewall(call: Call) -> list[Outcome]:
    listing = any(
        text in ("-L", "-S", "--list", "status", "list", "--list-all", "-nL", "-vnL", "-nvL")
        for text in call.texts
    )
    return [reads("system")] if listing else [unlisted("system")]


def _defaults(call: Call) -> list[Outcome]:
    return (
        [reads("system")]
        if call.texts[:1] in (["read"], ["read-type"], ["find"], ["domains"])
        else [unlisted("system")]
    )


def _tmux(call: Call) -> list[Outcome]:
    given = read_options(call.args, names("-t -S -L -f -F")).texts()
    reading = names(
        "ls list-sessions lsw list-windows list-panes lsp capture-pane capturep has-session has show-options "
        "info display-message display"
    )
    return [reads("system")] if given and given[0] in reading else [unlisted("system")]


def _settings(call: Call) -> list[Outcome]:
    return [unlisted("system")] if any(text.startswith("set") for text in call.texts) else [reads("system")]


def _compass(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else "--help"
    looking = verb in ("bash", "explain", "check", "doctor", "demo", "--version", "--help")
    return [reads("system")] if looking and "--record" not in call.texts else [unlisted("system")]


PROGRAMS: dict[str, Handler] = {
    **programs("kill pkill killall xkill", _kill),
    **programs(
        "loginctl coredumpctl systemctl service rc-service launchctl supervisorctl pm2 systemd-analyze",
        _service,
    ),
    **programs("journalctl", _journal),
    **programs("crontab", _crontab),
    **programs("mount", _mount),
    **programs("sysctl", _sysctl),
    **programs("fdisk parted sgdisk sfdisk diskutil", _disk),
    **programs("mkfs mkfs.ext4 mkfs.xfs mkswap wipefs blkdiscard", _disk),
    **programs("iptables ip6tables nft ufw firewall-cmd", _firewall),
    **programs("defaults", _defaults),
    **programs("tmux screen", _tmux),
    **programs("timedatectl hostnamectl localectl resolvectl", _settings),
    **programs("pbcopy xclip xsel wl-copy notify-send say", Spec("system")),
    **programs("open xdg-open", Spec("system", "unknown")),
    **programs(
        "lsns pmap ulimit numastat slabtop iotop powertop nvidia-smi rocm-smi gpustat nvtop glances",
        Spec("system"),
    ),
    **programs("compass", _compass),
}
