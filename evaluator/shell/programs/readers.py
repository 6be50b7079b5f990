"""Programs that read text and data, and the options with which some of them write."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

GREP = row(
    "read",
    flags="-E -F -G -P -i -y -w -x -z -s -v -b -n -H -h -o -q -a -I -r -R -L -l -c -T -Z -U -u -p -S -V -# "
    "--extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --word-regexp "
    "--line-regexp --null-data --no-messages --invert-match --byte-offset --line-number --line-buffered "
    "--with-filename --no-filename --only-matching --quiet --silent --text --recursive --dereference-recursive "
    "--files-without-match --files-with-matches --count --initial-tab --null --color --colour --binary "
    "--no-group-separator",
    valued="-e -f -m -d -D -A -B -C --regexp --file --max-count --label --binary-files --directories --devices "
    "--include --exclude --exclude-from --exclude-dir --before-context --after-context --context --group-separator",
)
UNPACKED = row("read", flags="-c -d -f -k -n -q -v --stdout --decompress --force --keep --quiet --verbose")
TEXT: dict[str, Handler] = {
    **rows(
        "cat tac",
        "read",
        flags="-A -b -e -E -l -n -s -t -T -u -v -r --show-all --number-nonblank --show-ends --number "
        "--squeeze-blank --show-tabs --show-nonprinting --before --regex",
        valued="--separator",
    ),
    **rows(
        "head tail",
        "read",
        flags="-# -f -F -q -r -v -z --follow --retry --quiet --silent --verbose --zero-terminated",
        valued="-c -n -s -b --bytes --lines --pid --sleep-interval --max-unchanged-stats",
    ),
    "wc": row(
        "read",
        flags="-c -m -l -L -w --bytes --chars --lines --max-line-length --words",
        valued="--files0-from --total",
    ),
    "cut": row(
        "read",
        flags="-n -s -z -w --complement --only-delimited --zero-terminated",
        valued="-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter",
    ),
    "paste": row("read", flags="-s -z --serial --zero-terminated", valued="-d --delimiters"),
    "comm": row(
        "read",
        flags="-1 -2 -3 -i -z --check-order --nocheck-order --total --zero-terminated",
        valued="--output-delimiter",
    ),
    "join": row(
        "read",
        flags="-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated",
        valued="-a -e -j -o -t -v -1 -2",
    ),
    "column": row(
        "read",
        flags="-t -n -d -e -J -L -x --table --table-noheadings --table-header-repeat --json --keep-empty-lines "
        "--fillrows",
        valued="-c -o -s -N -H -R -O -T -W -E -l -r -i -p --table-name --table-columns --table-hide --table-right "
        "--table-order --table-truncate --table-wrap --table-noextreme --output-width --output-separator "
        "--separator --tree --tree-id --tree-parent",
    ),
    **rows(
        "fold fmt",
        "read",
        flags="-b -c -s -t -u -# --bytes --spaces --crown-margin --split-only --tagged-paragraph --uniform-spacing",
        valued="-w -p -g --width --prefix --goal",
    ),
    "nl": row(
        "read",
        flags="-p --no-renumber",
        valued="-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering "
        "--header-numbering --line-increment --join-blank-lines --number-format --number-separator "
        "--starting-line-number --number-width",
    ),
    **rows("expand unexpand", "read", flags="-i -a -# --initial --all --first-only", valued="-t --tabs"),
    "tr": row("read", flags="-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1"),
    "rev": row("read", flags="-0 --zero"),
    "tsort": row("read"),
    "col": row("read", flags="-b -f -p -x -h --no-backspaces --spaces --tabs", valued="-l --lines"),
    "pr": row(
        "read", flags="-a -b -d -e -f -F -i -J -m -n -r -s -S -t -T -v -#", valued="-h -l -o -w -W -N -D"
    ),
    **rows("grep egrep fgrep ggrep zgrep xzgrep", GREP),
    **rows("zcat gzcat xzcat zstdcat", UNPACKED),
    **rows(
        "sort",
        "text",
        flags="-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order "
        "--ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort "
        "--numeric-sort --random-sort --reverse --version-sort --check --debug --merge --stable --unique "
        "--zero-terminated",
        valued="-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel --batch-size "
        "--sort --random-source --files0-from",
        outputs="-o --output",
        loads="--compress-program",
    ),
    "shuf": row(
        "read",
        flags="-e -r -z --echo --repeat --zero-terminated",
        valued="-i -n --input-range --head-count --random-source",
        outputs="-o --output",
    ),
    "iconv": row(
        "text",
        flags="-l -c -s --list --silent --verbose",
        valued="-f -t --from-code --to-code",
        outputs="-o --output",
    ),
    **rows(
        "base64 base32",
        "text",
        flags="-d -D -i -b --decode --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --break",
        valued="-w --wrap",
        outputs="-o --output",
        most=1,
    ),
    "envsubst": row("read", flags="-v --variables", most=1),
}
STRUCTURED: dict[str, Handler] = {
    **rows(
        "jq gojq",
        "read",
        flags="-a -b -c -C -e -h -j -M -n -r -R -s -S -V -# --ascii-output --binary --compact-output "
        "--color-output --exit-status --join-output --monochrome-output --null-input --raw-output --raw-output0 "
        "--raw-input --slurp --sort-keys --seq --stream --stream-errors --tab --unbuffered --args --jsonargs "
        "--build-configuration --yaml-input --yaml-output",
        valued="-f -L --from-file --library-path --indent --arg --argjson --slurpfile --rawfile --argfile",
    ),
    **rows(
        "xmlstarlet",
        tree(
            "text",
            {
                "sel": row(
                    "text",
                    flags="-t -n -T -B -I -D -Q --template --nl --text --net",
                    valued="-v -c -m -s -o -e -a -i -N --value-of --copy-of --match --sort --output --if",
                ),
                "el": row("text", flags="-a -u -v"),
                "val": row("text", flags="-w -e -q -g -b", valued="-d -s -r --dtd --xsd --relaxng"),
                "fo": row("text", flags="-n -t -R -o -H", valued="-s -e"),
                "ed": row(
                    "text",
                    targets="last",
                    flags="-P -S -O --pf --ps --omit-decl",
                    valued="-u -v -d -i -a -s -t -n -r -m -N -x --update --value --delete --insert --append "
                    "--subnode --type --name --rename",
                    changes="-L --inplace",
                ),
            },
        ),
    ),
}
PROGRAMS: dict[str, Handler] = {**TEXT, **STRUCTURED}
