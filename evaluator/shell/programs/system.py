"""The machine's journals, clipboards and meters."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

GOVERNING = (
    "--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate", "--flush", "--sync", "--relinquish-var",
    "--setup-keys", "--update-catalog"
)  # fmt: skip
JOURNAL = row(
    "system",
    flags="-x -e -f -r -k -q -a -m -b -N -# --no-pager --follow --reverse --dmesg --catalog --quiet --all "
    "--no-tail --utc --no-hostname --list-boots --disk-usage --header --no-full --pager-end --user --system "
    "--merge --verify --fields --boot",
    valued="-u --unit -n --lines -S --since -U --until -p --priority -o --output -t --identifier -g --grep "
    "--user-unit -c --cursor --after-cursor -F --field --output-fields --facility --namespace -D --directory --file",
    changes=dict.fromkeys(GOVERNING, "unknown"),
)
DEFAULTS = tree(
    "system", rows("read read-type find domains", "system", flags="-g"), flags="-currentHost", style="single"
)
CLIPBOARD = row(
    "system",
    flags="-i -o -b -p -s -n -r -f -in -out -rmlastnl -filter -quiet -silent --clipboard --input --output "
    "--primary --secondary --trim-newline",
    valued="-selection -sel -target -t -pboard --type",
    style="single",
)
NOTIFY = row(
    "system", flags="-e -p --transient", valued="-u -t -a -i -c -h --urgency --expire-time --app-name --icon"
)
SAY = row("system", flags="-#", valued="-v -r --voice --rate", outputs="-o --output-file")
NAMESPACES = row(
    "system",
    flags="-l -n -r -u -J -W --json --noheadings --list --raw --notruncate",
    valued="-t -o -p --type --output --task",
)
LIMITS = row(
    "system", flags="-a -S -H -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T", most=1
)
"""Of this shell alone."""
NVIDIA = row(
    "system",
    flags="-L -q -x --list-gpus --query --xml-format",
    valued="-i -d -l --id --display --loop --query-gpu --format --query-compute-apps --query-accounted-apps -lms",
    outputs="-f --filename",
    most=0,
    style="single",
)

PROGRAMS: dict[str, Handler] = {
    "journalctl": JOURNAL,
    "defaults": DEFAULTS,
    **rows("pbcopy xclip xsel", CLIPBOARD),
    "notify-send": NOTIFY,
    "say": SAY,
    "ulimit": LIMITS,
    "nvidia-smi": NVIDIA,
}
