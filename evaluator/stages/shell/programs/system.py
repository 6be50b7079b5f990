"""The machine's disks, schedules, terminals and desktops."""

from __future__ import annotations

from dataclasses import replace

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.controls import ANY, Governs
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, governs, reads, unlisted, writes
from evaluator.stages.shell.spec import Spec, always, copied, programs


def _journal(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-u --unit -n --lines -S --since -U --until -p --priority -o --output -t")
    )
    return (
        [governs("system")]
        if options.may_have(names("--vacuum-size --vacuum-time --vacuum-files --rotate --flush"))
        else [reads("system")]
    )


def _wiped(call: Call) -> list[Outcome]:
    targets = [text for text in call.texts if text.startswith("/dev/")]
    return [writes("overwrite", targets, "system", "destructive")]


def _defaults(call: Call) -> list[Outcome]:
    return (
        [reads("system")]
        if call.texts[:1] in (["read"], ["read-type"], ["find"], ["domains"])
        else [unlisted("system")]
    )


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
    if verb in ("uninstall", "reboot"):
        return [governs("system")]
    return [reads("system")] if verb in looks else [writes("network", (), "system")]


def _fc(call: Call) -> list[Outcome]:
    looks = any(text.startswith("-") and "l" in text for text in call.texts)
    return [reads("system")] if looks else [unlisted("system")]


def _act(call: Call) -> list[Outcome]:
    looks = any(
        text in ("-l", "--list", "-n", "--dryrun", "-g", "--graph", "--version") for text in call.texts
    )
    return [reads("build")] if looks else [unlisted("build")]


PROGRAMS: dict[str, Handler] = {
    **programs("fdisk sfdisk", Governs(asks=names("-l --list -d --dump -V"), otherwise=_wiped)),
    **programs("sgdisk gdisk", Governs(asks=names("-p --print -i --info -v --verify"), otherwise=_wiped)),
    **programs(
        "parted",
        Governs(
            asks=names("-l --list"), mild=names("-s --script"), looks=names("print"), at=1, otherwise=_wiped
        ),
    ),
    **programs("diskutil", Governs(looks=names("list info activity"), otherwise=_wiped)),
    **programs(
        "wipefs",
        Governs(
            mild=names("-n --no-act -i --noheadings -J --json"),
            valued=names("-O --output"),
            free=ANY,
            otherwise=_wiped,
        ),
    ),
    **programs(
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.exfat mkfs.ntfs mke2fs "
        "mkdosfs mkswap blkdiscard cfdisk cgdisk lvremove vgremove pvremove lvreduce mdadm cryptsetup zpool zfs "
        "hdparm nvme badblocks",
        Governs(looks=names("list status get luksDump isLuks"), asks=names("--version"), otherwise=_wiped),
    ),
    **programs(
        "coredumpctl", Governs(looks=names("list info"), bare=True, mild=names("--no-pager -r -q -1"))
    ),
    **programs("systemd-analyze", always("read", "system")),
    **programs("journalctl", _journal),
    **programs("defaults", _defaults),
    **programs("xattr", _attributes),
    **programs("adb", _adb),
    **programs("fc", _fc),
    **programs("act", _act),
    **programs("pbcopy xclip xsel wl-copy notify-send say", Spec("system")),
    **programs("open xdg-open", Spec("system", "unknown")),
    **programs(
        "lsns pmap ulimit numastat slabtop iotop powertop nvidia-smi rocm-smi gpustat nvtop glances",
        Spec("system"),
    ),
}
