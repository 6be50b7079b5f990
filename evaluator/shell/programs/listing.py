"""Programs that list, compare, sum up and show files."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

LS = row(
    "read",
    flags="-a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -k -l -L -m -n -N -o -O -p -q -Q -r -R -s -S -t -u -U "
    "-v -x -X -Z -1 -@ --all --almost-all --author --escape --ignore-backups --color --directory --dired "
    "--classify --file-type --full-time --group-directories-first --no-group --human-readable --si "
    "--dereference-command-line --dereference-command-line-symlink-to-dir --hyperlink --inode --kibibytes "
    "--dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse "
    "--recursive --size --context --zero",
    valued="-I -T -w --block-size --format --hide --indicator-style --ignore --quoting-style --sort --time "
    "--time-style --tabsize --width",
)
SUMS = row(
    "read",
    flags="-b -c -q -r -s -t -w -z -0 -l --binary --check --text --tag --zero --ignore-missing --quiet --status "
    "--strict --warn --untagged --base64",
    valued="-a --algorithm --length",
)
PROGRAMS: dict[str, Handler] = {
    **rows("ls dir vdir", LS),
    **rows(
        "stat",
        "read",
        flags="-L -f -t -x -s -r -n -q -l -F --dereference --file-system --terse",
        valued="-c --format --printf --cached",
    ),
    **rows(
        "du",
        "read",
        flags="-0 -a -b -c -D -H -h -k -g -L -l -m -P -S -s -x --null --all --apparent-size --bytes --total "
        "--dereference-args --inodes --human-readable --dereference --count-links --no-dereference --separate-dirs "
        "--si --summarize --one-file-system --time",
        valued="-B -d -t -X -I --block-size --max-depth --threshold --time-style --exclude --exclude-from "
        "--files0-from",
    ),
    "df": row(
        "read",
        flags="-a -h -H -i -k -l -m -g -P -T --all --human-readable --si --inodes --local --no-sync --portability "
        "--print-type --total --output",
        valued="-B -t -x --block-size --type --exclude-type",
    ),
    **rows("basename dirname", "read", flags="-a -z --multiple --zero", valued="-s --suffix"),
    **rows(
        "realpath readlink",
        "read",
        flags="-f -e -m -n -L -P -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing "
        "--no-newline --logical --physical --quiet --silent --strip --no-symlinks --verbose --zero",
        valued="--relative-to --relative-base",
    ),
    "pathchk": row("read", flags="-p -P --portability"),
    "namei": row("read", flags="-l -m -o -v -x -n --long --modes --owners --vertical"),
    "lsattr": row("read", flags="-R -V -a -d -l -p -v"),
    "cmp": row(
        "read",
        flags="-b -l -s --print-bytes --verbose --quiet --silent",
        valued="-i -n --ignore-initial --bytes",
    ),
    **rows(
        "diff",
        "read",
        flags="-a -b -B -c -d -e -E -i -n -N -p -P -q -r -s -t -T -u -v -w -y -Z -# --normal --brief "
        "--report-identical-files --context --unified --ed --rcs --side-by-side --left-column "
        "--suppress-common-lines --show-c-function --expand-tabs --initial-tab --suppress-blank-empty --recursive "
        "--no-dereference --new-file --unidirectional-new-file --ignore-case --ignore-tab-expansion "
        "--ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --text "
        "--strip-trailing-cr --minimal --speed-large-files --color --ignore-file-name-case",
        valued="-C -U -W -F -x -X -S -I -D --width --show-function-line --label --tabsize --exclude --exclude-from "
        "--starting-file --from-file --to-file --ignore-matching-lines --ifdef --line-format --old-line-format "
        "--new-line-format --unchanged-line-format --horizon-lines --palette",
    ),
    "diff3": row(
        "read",
        flags="-A -e -E -3 -x -X -i -m -a -T --show-all --ed --merge --text",
        valued="-L --label",
        loads="--diff-program",
    ),
    "sdiff": row(
        "read",
        flags="-a -b -B -d -E -H -i -l -s -t -W -Z --text --left-column --suppress-common-lines --ignore-case "
        "--ignore-all-space",
        valued="-w -I --width --ignore-matching-lines",
        outputs="-o --output",
        loads="--diff-program",
    ),
    **rows(
        "md5sum sha1sum sha256sum sha512sum shasum b2sum cksum sum md5",
        SUMS,
    ),
    **rows(
        "od hexdump hd",
        "read",
        flags="-a -b -c -C -d -f -i -l -o -s -x -v --traditional --canonical --no-squeezing --output-duplicates",
        valued="-A -j -N -S -t -w -e -n --address-radix --skip-bytes --read-bytes --format --width --length --skip",
    ),
    "file": row(
        "read",
        flags="-b -c -E -h -i -I -k -l -L -n -N -p -r -s -v -z -Z -0 -d --brief --checking-printout --mime --apple "
        "--extension --mime-type --mime-encoding --keep-going --list --dereference --no-dereference --no-buffer "
        "--no-pad --preserve-date --print0 --raw --special-files --uncompress --uncompress-noreport --debug",
        valued="-m -f -F -e -P --magic-file --files-from --separator --exclude --exclude-quiet --parameter",
        changes={"-C": "create", "--compile": "create"},
    ),
    "tree": row(
        "read",
        flags="-a -d -l -f -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -A -S -n -C -X -J --dirsfirst "
        "--filesfirst --gitignore --noreport --prune --du --si --inodes --device --matchdirs --ignore-case "
        "--metafirst --info --fromfile --nolinks --sort --timefmt --charset --filelimit --gitfile --infofile",
        valued="-L -P -I -H -T",
        outputs="-o",
    ),
    **rows(
        "eza exa",
        "read",
        flags="-1 -l -G -x -F -R -T -r -a -A -d -D -f -b -B -g -h -H -i -m -M -n -o -O -S -u -U -X -Z -@ -t -s "
        "--oneline --long --grid --across --recurse --tree --classify --all --almost-all --list-dirs --only-dirs "
        "--only-files --reverse --git --git-repos --git-ignore --header --icons --no-icons --group "
        "--group-directories-first --binary --bytes --links --inode --modified --accessed --created --changed "
        "--blocksize --no-permissions --no-filesize --no-user --no-time --octal-permissions --total-size --color "
        "--colour --icon --extended --human-readable --hyperlink --directory-only --blocks",
        valued="-L -I --level --depth --sort --time --time-style --ignore-glob --color-scale --date --width",
    ),
    "cloc": row(
        "read",
        flags="--by-file --by-file-by-lang --by-percent --csv --json --yaml --md --xml --quiet --hide-rate "
        "--skip-uniqueness --diff --git --show-lang --show-ext --autoconf --fullpath --follow-links "
        "--docstring-as-code",
        valued="--exclude-dir --exclude-ext --exclude-lang --include-lang --include-ext --match-d --not-match-d "
        "--match-f --not-match-f --list-file --exclude-list-file --timeout --csv-delimiter --progress-rate "
        "--max-file-size",
        outputs="--out --report-file --counted --found --ignored --write-lang-def --categorized",
    ),
    "zipinfo": row("read", flags="-1 -2 -s -m -l -v -h -t -z -T -C"),
}
