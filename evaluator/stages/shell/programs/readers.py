"""Programs that read files and text, and the options with which some of them write."""

from __future__ import annotations

from evaluator.stages.shell.call import Handler
from evaluator.stages.shell.row import row, rows, tree

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
LS = row(
    "read",
    flags="-a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -k -l -L -m -n -N -o -O -p -q -Q -r "
    "-R -s -S -t -u -U -v -x -X -Z -1 -@ --all --almost-all --author --escape "
    "--ignore-backups --color --directory --dired --classify --file-type --full-time "
    "--group-directories-first --no-group --human-readable --si "
    "--dereference-command-line --dereference-command-line-symlink-to-dir --hyperlink "
    "--inode --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars "
    "--show-control-chars --quote-name --reverse --recursive --size --context --zero",
    valued="-I -T -w --block-size --format --hide --indicator-style --ignore --quoting-style --sort --time "
    "--time-style --tabsize --width",
)
SUMS = row(
    "read",
    flags="-b -c -q -r -s -t -w -z -0 -l --binary --check --text --tag --zero --ignore-missing --quiet --status "
    "--strict --warn --untagged --base64",
    valued="-a --algorithm --length",
)
UNPACKED = row("read", flags="-c -d -f -k -n -q -v --stdout --decompress --force --keep --quiet --verbose")
XSV = row(
    "read",
    flags="-n -i -v -j -s -r -N -R --no-headers --ignore-case --invert-match --just-names --everything --cardinality "
    "--nulls --reverse --numeric --median --mode --left --right --full --cross --flexible",
    valued="-d -c -w -p -a -l -e -k --delimiter --select --limit --start --end --len --index "
    "--condense --width --pad --jobs",
    outputs="-o --output",
)
TEXT: dict[str, Handler] = {
    **rows("ls dir vdir", LS),
    **rows(
        "cat tac gcat",
        row(
            "read",
            flags="-A -b -e -E -l -n -s -t -T -u -v -r --show-all --number-nonblank --show-ends --number "
            "--squeeze-blank --show-tabs --show-nonprinting --before --regex",
            valued="--separator",
        ),
    ),
    **rows(
        "head tail",
        row(
            "read",
            flags="-# -f -F -q -r -v -z --follow --retry --quiet --silent --verbose --zero-terminated",
            valued="-c -n -s -b --bytes --lines --pid --sleep-interval --max-unchanged-stats",
        ),
    ),
    **rows(
        "wc",
        row(
            "read",
            flags="-c -m -l -L -w --bytes --chars --lines --max-line-length --words",
            valued="--files0-from --total",
        ),
    ),
    **rows(
        "cut",
        row(
            "read",
            flags="-n -s -z -w --complement --only-delimited --zero-terminated",
            valued="-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter",
        ),
    ),
    **rows("paste", row("read", flags="-s -z --serial --zero-terminated", valued="-d --delimiters")),
    **rows(
        "comm",
        row(
            "read",
            flags="-1 -2 -3 -i -z --check-order --nocheck-order --total --zero-terminated",
            valued="--output-delimiter",
        ),
    ),
    **rows(
        "join",
        row(
            "read",
            flags="-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated",
            valued="-a -e -j -o -t -v -1 -2",
        ),
    ),
    **rows(
        "column",
        row(
            "read",
            flags="-t -n -d -e -J -L -x --table --table-noheadings --table-header-repeat --json --keep-empty-lines "
            "--fillrows",
            valued="-c -o -s -N -H -R -O -T -W -E -l -r -i -p --table-name --table-columns --table-hide "
            "--table-right --table-order --table-truncate --table-wrap --table-noextreme --output-width "
            "--output-separator --separator --tree --tree-id --tree-parent",
        ),
    ),
    **rows(
        "fold fmt",
        row(
            "read",
            flags="-b -c -s -t -u -# --bytes --spaces --crown-margin --split-only --tagged-paragraph "
            "--uniform-spacing",
            valued="-w -p -g --width --prefix --goal",
        ),
    ),
    **rows(
        "nl",
        row(
            "read",
            flags="-p --no-renumber",
            valued="-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering "
            "--header-numbering --line-increment --join-blank-lines --number-format --number-separator "
            "--starting-line-number --number-width",
        ),
    ),
    **rows("expand unexpand", row("read", flags="-i -a -# --initial --all --first-only", valued="-t --tabs")),
    **rows(
        "tr",
        row(
            "read",
            flags="-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1",
        ),
    ),
    **rows("rev", row("read", flags="-0 --zero")),
    **rows("tsort", row("read")),
    **rows("col", row("read", flags="-b -f -p -x -h --no-backspaces --spaces --tabs", valued="-l --lines")),
    **rows(
        "pr",
        row(
            "read", flags="-a -b -d -e -f -F -i -J -m -n -r -s -S -t -T -v -#", valued="-h -l -o -w -W -N -D"
        ),
    ),
    **rows(
        "grep egrep fgrep ggrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep",
        GREP,
    ),
    **rows("zcat gzcat bzcat xzcat zstdcat lzcat", UNPACKED),
    **rows(
        "sort gsort",
        row(
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
    ),
    **rows(
        "shuf",
        row(
            "read",
            flags="-e -r -z --echo --repeat --zero-terminated",
            valued="-i -n --input-range --head-count --random-source",
            outputs="-o --output",
        ),
    ),
    **rows(
        "iconv",
        row(
            "text",
            flags="-l -c -s --list --silent --verbose",
            valued="-f -t --from-code --to-code",
            outputs="-o --output",
        ),
    ),
    **rows(
        "base64 base32 basenc",
        row(
            "text",
            flags="-d -D -i -b --decode --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --break",
            valued="-w --wrap",
            outputs="-o --output",
            most=1,
        ),
    ),
    **rows("envsubst", row("read", flags="-v --variables", most=1)),
}
FILES: dict[str, Handler] = {
    **rows(
        "stat gstat",
        row(
            "read",
            flags="-L -f -t -x -s -r -n -q -l -F --dereference --file-system --terse",
            valued="-c --format --printf --cached",
        ),
    ),
    **rows(
        "du gdu",
        row(
            "read",
            flags="-0 -a -b -c -D -H -h -k -g -L -l -m -P -S -s -x --null --all --apparent-size --bytes --total "
            "--dereference-args --inodes --human-readable --dereference --count-links --no-dereference "
            "--separate-dirs --si --summarize --one-file-system --time",
            valued="-B -d -t -X -I --block-size --max-depth --threshold --time-style --exclude --exclude-from "
            "--files0-from",
        ),
    ),
    **rows(
        "df",
        row(
            "read",
            flags="-a -h -H -i -k -l -m -g -P -T --all --human-readable --si --inodes --local --no-sync "
            "--portability --print-type --total --output",
            valued="-B -t -x --block-size --type --exclude-type",
        ),
    ),
    **rows("basename dirname", row("read", flags="-a -z --multiple --zero", valued="-s --suffix")),
    **rows(
        "realpath readlink",
        row(
            "read",
            flags="-f -e -m -n -L -P -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing "
            "--no-newline --logical --physical --quiet --silent --strip --no-symlinks --verbose --zero",
            valued="--relative-to --relative-base",
        ),
    ),
    **rows("pathchk", row("read", flags="-p -P --portability")),
    **rows("namei", row("read", flags="-l -m -o -v -x -n --long --modes --owners --vertical")),
    **rows("lsattr", row("read", flags="-R -V -a -d -l -p -v")),
    **rows(
        "getfacl",
        row("read", flags="-a -c -d -e -E -s -R -L -P -t -p -n --omit-header --recursive --absolute-names"),
    ),
    **rows(
        "cmp",
        row(
            "read",
            flags="-b -l -s --print-bytes --verbose --quiet --silent",
            valued="-i -n --ignore-initial --bytes",
        ),
    ),
    **rows(
        "diff colordiff",
        row(
            "read",
            flags="-a -b -B -c -d -e -E -i -n -N -p -P -q -r -s -t -T -u -v -w -y -Z -# --normal --brief "
            "--report-identical-files --context --unified --ed --rcs --side-by-side --left-column "
            "--suppress-common-lines --show-c-function --expand-tabs --initial-tab --suppress-blank-empty "
            "--recursive --no-dereference --new-file --unidirectional-new-file --ignore-case --ignore-tab-expansion "
            "--ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --text "
            "--strip-trailing-cr --minimal --speed-large-files --color --ignore-file-name-case",
            valued="-C -U -W -F -x -X -S -I -D --width --show-function-line --label --tabsize --exclude "
            "--exclude-from --starting-file --from-file --to-file --ignore-matching-lines --ifdef --line-format "
            "--old-line-format --new-line-format --unchanged-line-format --horizon-lines --palette",
        ),
    ),
    **rows(
        "diff3",
        row(
            "read",
            flags="-A -e -E -3 -x -X -i -m -a -T --show-all --ed --merge --text",
            valued="-L --label",
            loads="--diff-program",
        ),
    ),
    **rows(
        "sdiff",
        row(
            "read",
            flags="-a -b -B -d -E -H -i -l -s -t -W -Z --text --left-column --suppress-common-lines --ignore-case "
            "--ignore-all-space",
            valued="-w -I --width --ignore-matching-lines",
            outputs="-o --output",
            loads="--diff-program",
        ),
    ),
    **rows("diffstat", row("read", flags="-c -C -k -l -m -r -s -u -v", valued="-e -f -n -N -p -w")),
    **rows(
        "difft",
        row(
            "read",
            flags="--skip-unchanged",
            valued="--color --display --width --context --language --background",
        ),
    ),
    **rows(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum md5 xxhsum xxh64sum "
        "xxh128sum b3sum",
        SUMS,
    ),
    **rows(
        "od hexdump hd",
        row(
            "read",
            flags="-a -b -c -C -d -f -i -l -o -s -x -v --traditional --canonical --no-squeezing --output-duplicates",
            valued="-A -j -N -S -t -w -e -n --address-radix --skip-bytes --read-bytes --format --width "
            "--length --skip",
        ),
    ),
    **rows(
        "hexyl",
        row(
            "read",
            flags="-v -P --no-squeezing --plain",
            valued="-n -c -s -o -b --length --skip --color --border",
        ),
    ),
    **rows(
        "file",
        row(
            "read",
            flags="-b -c -E -h -i -I -k -l -L -n -N -p -r -s -v -z -Z -0 -d --brief --checking-printout --mime "
            "--apple --extension --mime-type --mime-encoding --keep-going --list --dereference --no-dereference "
            "--no-buffer --no-pad --preserve-date --print0 --raw --special-files --uncompress "
            "--uncompress-noreport --debug",
            valued="-m -f -F -e -P --magic-file --files-from --separator --exclude --exclude-quiet --parameter",
            changes={"-C": "create", "--compile": "create"},
        ),
    ),
    **rows(
        "tree",
        row(
            "read",
            flags="-a -d -l -f -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -A -S -n -C -X -J --dirsfirst "
            "--filesfirst --gitignore --noreport --prune --du --si --inodes --device --matchdirs --ignore-case "
            "--metafirst --info --fromfile --nolinks --sort --timefmt --charset --filelimit --gitfile --infofile",
            valued="-L -P -I -H -T",
            outputs="-o",
        ),
    ),
    **rows(
        "eza exa lsd",
        row(
            "read",
            flags="-1 -l -G -x -F -R -T -r -a -A -d -D -f -b -B -g -h -H -i -m -M -n -o -O -S -u -U -X -Z -@ -t -s "
            "--oneline --long --grid --across --recurse --tree --classify --all --almost-all --list-dirs --only-dirs "
            "--only-files --reverse --git --git-repos --git-ignore --header --icons --no-icons --group "
            "--group-directories-first --binary --bytes --links --inode --modified --accessed --created --changed "
            "--blocksize --no-permissions --no-filesize --no-user --no-time --octal-permissions --total-size "
            "--color --colour --icon --extended --human-readable --hyperlink --directory-only --blocks",
            valued="-L -I --level --depth --sort --time --time-style --ignore-glob --color-scale --date --width",
        ),
    ),
    **rows(
        "cloc",
        row(
            "read",
            flags="--by-file --by-file-by-lang --by-percent --csv --json --yaml --md --xml --quiet "
            "--hide-rate --skip-uniqueness --diff --git --show-lang --show-ext --autoconf "
            "--fullpath --follow-links --docstring-as-code",
            valued="--exclude-dir --exclude-ext --exclude-lang --include-lang --include-ext --match-d --not-match-d "
            "--match-f --not-match-f --list-file --exclude-list-file --timeout --csv-delimiter --progress-rate "
            "--max-file-size",
            outputs="--out --report-file --counted --found --ignored --write-lang-def --categorized",
        ),
    ),
    **rows(
        "tokei",
        row(
            "read",
            flags="-f -C -l -V --files --hidden --no-ignore --no-ignore-parent --no-ignore-vcs --no-ignore-dot "
            "--languages --compact --verbose -v",
            valued="-c -e -i -n -o -s -S -r -t --columns --exclude --input --num-format --output --sort "
            "--rsort --type --types",
        ),
    ),
    **rows(
        "scc",
        row(
            "read",
            flags="-a -c -d -l -m -p -u -v -w -z --by-file --no-cocomo --no-complexity --no-duplicates "
            "--wide --debug --no-min-gen --no-gitignore --no-ignore --languages --ci --no-hborder "
            "--no-size --uloc",
            valued="-f -i -M -s -x --format --include-ext --exclude-ext --exclude-dir --exclude-file --not-match "
            "--sort --size-unit --count-as",
            outputs="-o --output",
        ),
    ),
    **rows(
        "dust",
        row("read", flags="-p -L -x -s -r -c -b -f -i -F -H -R -P", valued="-d -n -X -e -v -t -w -z -o -I"),
    ),
    **rows(
        "duf",
        row(
            "read",
            flags="-all --all -json --json -inodes --inodes",
            valued="--hide --only --output --sort --style --theme --width",
        ),
    ),
    **rows("zipinfo", row("read", flags="-1 -2 -s -m -l -v -h -t -z -T -C")),
    **rows("zdump", row("read", flags="-v -V -i", valued="-c -t")),
}
STRUCTURED: dict[str, Handler] = {
    **rows(
        "xsv qsv",
        tree(
            "read",
            rows(
                "cat count fixlengths flatten fmt frequency headers input join reverse sample search select slice "
                "sort stats table",
                XSV,
            ),
        ),
    ),
    **rows(
        "jq gojq jaq",
        row(
            "read",
            flags="-a -b -c -C -e -h -j -M -n -r -R -s -S -V -# --ascii-output --binary --compact-output "
            "--color-output --exit-status --join-output --monochrome-output --null-input --raw-output "
            "--raw-output0 --raw-input --slurp --sort-keys --seq --stream --stream-errors --tab --unbuffered "
            "--args --jsonargs --build-configuration --yaml-input --yaml-output",
            valued="-f -L --from-file --library-path --indent --arg --argjson --slurpfile --rawfile --argfile",
        ),
    ),
    **rows(
        "pup htmlq",
        row(
            "read",
            flags="-c -p -n -t -i --color --plain --number --text --pretty --ignore-whitespace",
            valued="-a -l --attribute --limit --indent -f --filename",
            outputs="-o --output",
        ),
    ),
    **rows("jo", row("read", flags="-a -p -n -B", valued="-d")),
    **rows(
        "xmlstarlet xml",
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
                    changes={"-L": "overwrite", "--inplace": "overwrite"},
                ),
            },
        ),
    ),
    **rows(
        "csvlook csvcut csvgrep csvstat csvsort csvjoin csvjson csvstack csvformat",
        row(
            "read",
            flags="-t -b -S -H -l -v -n -x -I -y -i -a --no-header-row --names --tabs --blanks --no-inference "
            "--delete-empty-rows --invert-match --reverse --left --right --outer --stream --linenumbers --count "
            "--nulls --unique --min --max --sum --mean --median --stdev --len --freq --type --filenames --zero",
            valued="-d -q -u -p -z -e -L -K -c -C -m -r -f -g -k -D -Q -U -M -B -T --delimiter "
            "--quotechar --encoding --columns --not-columns --match --regex --max-rows "
            "--max-columns --max-column-width --indent --key --snifflimit --skip-lines "
            "--out-delimiter --freq-count",
        ),
    ),
}
PROGRAMS: dict[str, Handler] = {**TEXT, **FILES, **STRUCTURED}
