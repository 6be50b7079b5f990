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
ANALYZE = tree(
    "system",
    rows(
        "blame time critical-chain plot dump cat-config unit-files calendar timespan timestamp verify security "
        "condition",
        "system",
        flags="--user --system --no-pager --man",
        valued="--iterations --fuzz --base-time --order --recursive-errors",
    ),
    flags="--user --system --no-pager",
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
MEMORY = row("system", flags="-x -X -d -q -p -c -m -n -s -v -z --extended --device --quiet --show-path")
LIMITS = row(
    "system", flags="-a -S -H -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T", most=1
)
"""Of this shell alone."""
METERS = row(
    "system",
    flags="-o --once -b -P -a -k -t -q --batch --processes --only",
    valued="-d -s -n --delay --sort --iter -p -u",
)
GPUS = row(
    "system",
    flags="-c -u -p -a --json --no-color --show-user --show-cmd --show-pid --show-all",
    valued="-n --id",
)
NVIDIA = row(
    "system",
    flags="-L -q -x --list-gpus --query --xml-format",
    valued="-i -d -l --id --display --loop --query-gpu --format --query-compute-apps --query-accounted-apps -lms",
    outputs="-f --filename",
    most=0,
    style="single",
)
ROCM = row(
    "system",
    flags="-a -i -t -u --showuse --showmeminfo --showtemp --showproductname --showid --showpower --showclocks "
    "--json --csv --showallinfo",
    valued="-d --device",
)

PROGRAMS: dict[str, Handler] = {
    "journalctl": JOURNAL,
    "systemd-analyze": ANALYZE,
    "defaults": DEFAULTS,
    **rows("pbcopy xclip xsel wl-copy", CLIPBOARD),
    "notify-send": NOTIFY,
    "say": SAY,
    "lsns": NAMESPACES,
    **rows("pmap numastat", MEMORY),
    "ulimit": LIMITS,
    **rows("slabtop iotop", METERS),
    "gpustat": GPUS,
    "nvidia-smi": NVIDIA,
    "rocm-smi": ROCM,
}
