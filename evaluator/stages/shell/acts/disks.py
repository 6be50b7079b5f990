"""The machine's disks: what is not known to look at one wipes it."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.controls import ANY, Governs
from evaluator.stages.shell.hazards import names
from evaluator.stages.shell.outcome import Outcome, writes
from evaluator.stages.shell.row import rows


def _wiped(call: Call) -> list[Outcome]:
    targets = [text for text in call.texts if text.startswith("/dev/")]
    return [writes("overwrite", targets, "system", "destructive")]


PROGRAMS: dict[str, Handler] = {
    **rows("fdisk sfdisk", Governs(asks=names("-l --list -d --dump -V"), otherwise=_wiped)),
    **rows("sgdisk gdisk", Governs(asks=names("-p --print -i --info -v --verify"), otherwise=_wiped)),
    **rows(
        "parted",
        Governs(
            asks=names("-l --list"), mild=names("-s --script"), looks=names("print"), at=1, otherwise=_wiped
        ),
    ),
    **rows("diskutil", Governs(looks=names("list info activity"), otherwise=_wiped)),
    **rows(
        "wipefs",
        Governs(
            mild=names("-n --no-act -i --noheadings -J --json"),
            valued=names("-O --output"),
            free=ANY,
            otherwise=_wiped,
        ),
    ),
    **rows(
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.exfat mkfs.ntfs mke2fs "
        "mkdosfs mkswap blkdiscard cfdisk cgdisk lvremove vgremove pvremove lvreduce mdadm cryptsetup zpool zfs "
        "hdparm nvme badblocks",
        Governs(looks=names("list status get luksDump isLuks"), asks=names("--version"), otherwise=_wiped),
    ),
    **rows("coredumpctl", Governs(looks=names("list info"), bare=True, mild=names("--no-pager -r -q -1"))),
}
