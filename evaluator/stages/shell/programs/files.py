"""Programs that make and remove files, and guard them."""

from __future__ import annotations

from evaluator.stages.shell.call import Handler
from evaluator.stages.shell.row import rows

PROGRAMS: dict[str, Handler] = {
    **rows(
        "rm grm",
        "files",
        does="delete",
        targets="operands",
        flags="-d -f -i -I -P -r -R -v -W -x --force --interactive --one-file-system --no-preserve-root "
        "--preserve-root --recursive --dir --verbose",
    ),
    **rows(
        "rmdir",
        "files",
        does="delete",
        targets="operands",
        flags="-p -v --ignore-fail-on-non-empty --parents --verbose",
    ),
    **rows("unlink", "files", does="delete", targets="operands"),
    **rows(
        "trash trash-put rimraf del-cli srm wipe",
        "files",
        does="delete",
        targets="operands",
        flags="-f -r -R -i -v -d -rf -F -q -g --force --glob --verbose --recursive",
    ),
    **rows(
        "shred",
        "files",
        does="delete",
        targets="operands",
        flags="-f -u -v -x -z --force --remove --verbose --exact --zero",
        valued="-n --iterations -s --size --random-source",
    ),
    **rows("link", "files", does="create", targets="last"),
    **rows(
        "touch gtouch",
        "files",
        does="create",
        targets="operands",
        flags="-a -c -f -h -m --no-create --no-dereference",
        valued="-r --reference -d --date -t -A --time",
    ),
    **rows(
        "mkdir mkfifo gmkdir",
        "files",
        does="create",
        targets="operands",
        flags="-p -v -Z --parents --verbose --context",
        valued="-m --mode",
    ),
    **rows("mknod", "files", does="create", targets="first", flags="-Z", valued="-m --mode"),
    **rows(
        "truncate",
        "files",
        does="overwrite",
        targets="operands",
        flags="-c -o --no-create --io-blocks",
        valued="-s --size -r --reference",
    ),
    **rows(
        "fallocate",
        "files",
        does="overwrite",
        targets="operands",
        flags="-c -d -i -n -p -v -x -z --collapse-range --dig-holes --insert-range --keep-size --punch-hole "
        "--zero-range --posix --verbose",
        valued="-o --offset -l --length",
    ),
    **rows(
        "setfacl",
        "files",
        does="permissions",
        targets="operands",
        flags="-b -k -n -d -R -L -P --remove-all --remove-default --no-mask --mask --default --recursive --logical "
        "--physical",
        valued="-m --modify -x --remove -M -X --set --set-file --restore",
        tells="--test",
    ),
    **rows(
        "chattr",
        "files",
        does="permissions",
        targets="rest",
        flags="-R -V -f -i -a -u -s -S -d -A -c -e -j -t",
    ),
    **rows("sync", "files", flags="-d -f --data --file-system"),
}
