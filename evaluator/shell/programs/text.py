"""Programs that edit the files they are given, and the editors."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

PROGRAMS: dict[str, Handler] = {
    "sponge": row("text", does="overwrite", targets="operands", changes={"-a": "append"}),
    **rows(
        "nano emacs emacsclient micro helix hx",
        "text",
        does="overwrite",
        targets="operands",
        flags="-n -w -l -nw -t -c --wait --no-wait",
    ),
    **rows(
        "code cursor",
        "text",
        does="overwrite",
        targets="operands",
        flags="-n -r -w -g -a --new-window --reuse-window --wait --goto --add",
        tells="--list-extensions --status --show-versions",
    ),
    **rows(
        "dos2unix unix2dos",
        "text",
        does="overwrite",
        targets="operands",
        flags="-f -k -q -s -b -m -r -l -o --force --keepdate --quiet --safe --keep-bom --oldfile",
        tells="-i --info",
    ),
    "sd": row(
        "text",
        does="overwrite",
        targets="operands",
        skip=2,
        flags="-F -s --fixed-strings --string-mode -A --across",
        valued="-n -f --max-replacements --flags",
        tells="-p --preview",
    ),
}
