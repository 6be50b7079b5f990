"""Programs that make and remove files, and guard them."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

PROGRAMS: dict[str, Handler] = {
    **rows(
        "rm grm",
        "files",
        does="delete",
        targets="operands",
        flags="-d -f -i -I -P -r -R -v -W -x --force --interactive --one-file-system --no-preserve-root "
        "--preserve-root --recursive --dir --verbose",
    ),
    "rmdir": row(
        "files",
        does="delete",
        targets="operands",
        flags="-p -v --ignore-fail-on-non-empty --parents --verbose",
    ),
    "unlink": row("files", does="delete", targets="operands"),
    **rows(
        "trash trash-put rimraf del-cli srm wipe",
        "files",
        does="delete",
        targets="operands",
        flags="-f -r -R -i -v -d -rf -F -q -g --force --glob --verbose --recursive",
    ),
    "shred": row(
        "files",
        does="delete",
        targets="operands",
        flags="-f -u -v -x -z --force --remove --verbose --exact --zero",
        valued="-n --iterations -s --size --random-source",
    ),
    "link": row("files", does="create", targets="last"),
    **rows(
        "touch",
        "files",
        does="create",
        targets="operands",
        flags="-a -c -f -h -m --no-create --no-dereference",
        valued="-r --reference -d --date -t -A --time",
    ),
    **rows(
        "mkdir mkfifo",
        "files",
        does="create",
        targets="operands",
        flags="-p -v -Z --parents --verbose --context",
        valued="-m --mode",
    ),
    "mknod": row("files", does="create", targets="first", flags="-Z", valued="-m --mode"),
    "truncate": row(
        "files",
        does="overwrite",
        targets="operands",
        flags="-c -o --no-create --io-blocks",
        valued="-s --size -r --reference",
    ),
    "fallocate": row(
        "files",
        does="overwrite",
        targets="operands",
        flags="-c -d -i -n -p -v -x -z --collapse-range --dig-holes --insert-range --keep-size --punch-hole "
        "--zero-range --posix --verbose",
        valued="-o --offset -l --length",
    ),
    "setfacl": row(
        "files",
        does="permissions",
        targets="operands",
        flags="-b -k -n -d -R -L -P --remove-all --remove-default --no-mask --mask --default --recursive --logical "
        "--physical",
        valued="-m --modify -x --remove -M -X --set --set-file --restore",
        tells="--test",
    ),
    "chattr": row(
        "files", does="permissions", targets="rest", flags="-R -V -f -i -a -u -s -S -d -A -c -e -j -t"
    ),
    "sync": row("files", flags="-d -f --data --file-system"),
}
