"""The machine's disks: what is not known to look at one wipes it."""

from __future__ import annotations

from evaluator.shell.call import Call, Handler
from evaluator.shell.outcome import Outcome, writes
from evaluator.shell.rows.governing import ANY, governing
from evaluator.shell.rows.row import rows


def _wiped(call: Call) -> list[Outcome]:
    targets = [text for text in call.texts if text.startswith("/dev/")]
    return [writes("overwrite", targets, "system", "destructive")]


PROGRAMS: dict[str, Handler] = {
    **rows("fdisk sfdisk", governing(asks="-l --list -d --dump -V", otherwise=_wiped)),
    **rows("sgdisk gdisk", governing(asks="-p --print -i --info -v --verify", otherwise=_wiped)),
    "parted": governing(asks="-l --list", mild="-s --script", looks="print", at=1, otherwise=_wiped),
    "diskutil": governing(looks="list info activity", otherwise=_wiped),
    "wipefs": governing(
        mild="-n --no-act -i --noheadings -J --json", valued="-O --output", free=ANY, otherwise=_wiped
    ),
    **rows(
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.exfat mkfs.ntfs mke2fs "
        "mkdosfs mkswap blkdiscard cfdisk cgdisk lvremove vgremove pvremove lvreduce mdadm cryptsetup zpool zfs "
        "hdparm nvme badblocks",
        governing(looks="list status get luksDump isLuks", asks="--version", otherwise=_wiped),
    ),
}
