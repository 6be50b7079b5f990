"""The machine itself: processes, services, users, disks, schedules."""

from __future__ import annotations

from dataclasses import replace

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import Spec, copied, programs

READING_SERVICE = names(
    "status show cat is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers "
    "list-sockets list-dependencies list-jobs "
    "list-machines list-sessions list-users list-seats session-status user-status show-session show-user "
    "get-default help --version show-environment list ls logs describe jlist prettylist monit id pid blame "
    "critical-chain print info"
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


def _screen(call: Call) -> list[Outcome]:
    looks = any(text in ("-ls", "-list", "-v", "--version") for text in call.texts)
    return [reads("system")] if looks else [unlisted("system")]


def _attributes(call: Call) -> list[Outcome]:
    """`xattr`: `-w`, `-d` and `-c` change."""
    options = read_options(call.args)
    given = options.texts()
    if not options.has(names("-w -d -c")):
        return [reads("system")]
    named = 2 if options.has(names("-w")) else 1 if options.has(names("-d")) else 0
    return [writes("permissions", given[named:], "system")]


def _adb(call: Call) -> list[Outcome]:
    """`adb shell` is labelled by what it runs on the device, where files are no files here."""
    options = read_options(call.args, names("-s -t -H -P -L"), stop=True)
    verb, rest = (options.rest[0].text, options.rest[1:]) if options.rest else ("help", ())
    if verb == "shell" and rest:
        for word in rest:
            call.hide_code(word)
        found = call.shell.run_code(" ".join(word.text for word in rest))
        return [replace(one, family="system", targets=()) for one in found]
    if verb == "pull":
        texts = [word.text for word in rest]
        local = texts[1] if len(texts) > 1 else "."
        return [writes("overwrite", copied(texts[:1], local), "system")] if texts else [reads("system")]
    looks = names(
        "devices logcat version help get-state get-serialno bugreport jdwp features host-features forward:list"
    )
    return [reads("system")] if verb in looks else [writes("network", (), "system")]


def _fc(call: Call) -> list[Outcome]:
    looks = any(text.startswith("-") and "l" in text for text in call.texts)
    return [reads("system")] if looks else [unlisted("system")]


def _act(call: Call) -> list[Outcome]:
    looks = any(
        text in ("-l", "--list", "-n", "--dryrun", "-g", "--graph", "--version") for text in call.texts
    )
    return [reads("build")] if looks else [unlisted("build")]


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
    **programs("tmux", _tmux),
    **programs("screen", _screen),
    **programs("xattr", _attributes),
    **programs("adb", _adb),
    **programs("fc", _fc),
    **programs("act", _act),
    **programs("timedatectl hostnamectl localectl resolvectl", _settings),
    **programs("pbcopy xclip xsel wl-copy notify-send say", Spec("system")),
    **programs("open xdg-open", Spec("system", "unknown")),
    **programs(
        "lsns pmap ulimit numastat slabtop iotop powertop nvidia-smi rocm-smi gpustat nvtop glances",
        Spec("system"),
    ),
    **programs("compass", _compass),
}
