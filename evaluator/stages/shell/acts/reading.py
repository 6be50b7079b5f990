"""Programs that read, where an operand of some form makes them do more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluator.stages.shell.acts.known import Act, after, literal, no_files_of_options
from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.hazards import HARMLESS_PAGERS
from evaluator.stages.shell.options import NONE, Options, names
from evaluator.stages.shell.outcome import Outcome, dynamic, governs, unlisted, writes
from evaluator.stages.shell.row import Row, row, rows
from evaluator.stages.shell.words import Word

SHOWS_DATE = re.compile(r"-I\w+\Z")
MOVES_DATE = re.compile(r"-v[-+]?\w+\Z")
LISTS_FILES = re.compile(r"(-[abKlnNoOPQRtUVX]*[is])[\w@.:,^-]+\Z")
STARTS_AT = re.compile(r"\+(?:\d*[GgFp%]?|/[^\n\r]*)\Z")
RUNS_LUA = re.compile(r"\.lua\b")
MILLER_ACTS = re.compile(r"\b(?:tee|emit\w*|print\w*|dump)\b[^;]*[>|]|\b(?:system|exec|hostname_to)\b")
MILLER_VERBS = names(
    "altkv bar bootstrap cat count count-distinct count-similar cut decimate fill-down fill-empty filter flatten "
    "fraction gap grep group-by group-like having-fields head histogram json-parse json-stringify join label "
    "least-frequent merge-fields most-frequent nest nothing put regularize rename reorder repeat reshape sec2gmt "
    "sec2gmtdate sparsify sort sort-within-records stats1 stats2 step summary tac tail template top unflatten uniq "
    "unspace unsparsify nl nidx"
)


def _date(call: Call, options: Options) -> list[Outcome]:
    if options.may_have(names("-s --set")):
        return [governs("system")]
    shown = options.has(names("-j -f"))
    sets = [word for word in options.operands if not word.text.startswith("+") and not shown]
    return [governs("system")] if sets else []


def _spelled_out(words: Sequence[Word]) -> Sequence[Word]:
    return [
        Word("-I") if SHOWS_DATE.match(one.text) else Word("-j") if MOVES_DATE.match(one.text) else one
        for one in words
    ]


def _hostname(call: Call, options: Options) -> list[Outcome]:
    return [governs("system")] if options.operands else []


def _without_places(words: Sequence[Word]) -> Sequence[Word]:
    """`-ti:3000` as `-ti`, `+D src` as `src`: what is listed is never written."""
    short = [
        Word(found.group(1)) if one.plain and (found := LISTS_FILES.match(one.text)) else one for one in words
    ]
    return [one for one in short if one.text not in ("+D", "+d", "+c", "+L1", "+w")]


def _second(family: str) -> Act:
    """`uniq IN OUT`: a second operand is written."""

    def act(call: Call, options: Options) -> list[Outcome]:
        if any(word.glob or (word.bare and word.made) for word in options.operands):
            return [unlisted(family)]
        files = [text for text in options.texts()[1:2] if text != "-"]
        return [writes("overwrite", files, family)] if files else []

    return act


def _pager(call: Call, options: Options) -> list[Outcome]:
    """`+COMMAND` is typed at its start: it may save, edit or run."""
    typed = [text for text in options.texts() if text.startswith("+")]
    patterns = options.values(names("-p --pattern"))
    runs = any(not STARTS_AT.match(text) for text in typed) or any("\n" in one.text for one in patterns)
    return [dynamic("read")] if runs else []


def _desk_calculator(call: Call, options: Options) -> list[Outcome]:
    """`dc` runs a line that begins with `!`."""
    code = " ".join([*call.texts, call.stdin.text])
    if "!" in code:
        return [dynamic("read")]
    unseen = options.operands or call.stdin.kind in ("pipe", "names", "file")
    return [unlisted("read")] if unseen or any(word.dynamic for word in call.args) else []


def _miller(call: Call, options: Options) -> list[Outcome]:
    """Its verbs `tee` and `split`, and its language, can write and run. Its verbs stand behind its own options."""
    for before, word in zip(call.args, call.args[1:], strict=False):
        if before.text in ("put", "filter", "-q", "-S", "-e"):
            call.hide_code(word)
    texts = options.texts()
    if any(text in ("tee", "split") or MILLER_ACTS.search(text) for text in call.texts):
        return [dynamic("text")]
    found: list[Outcome] = []
    verbs = [*texts[:1], *(texts[at + 1] for at, text in enumerate(texts[:-1]) if text == "then")]
    coded = "put" in verbs or "filter" in verbs
    if any(verb not in MILLER_VERBS for verb in verbs) or (coded and any(word.dynamic for word in call.args)):
        found.append(unlisted("text"))
    if coded and any(flag == "-f" for flag, _ in options.flags):
        found.append(unlisted("text"))
    if options.has(names("-I")):
        named = [text for text in texts[1:] if re.search(r"\.\w{1,6}\Z", text)]
        found.append(writes("overwrite", named, "text"))
    return found


def _ast_grep(call: Call, options: Options) -> list[Outcome]:
    """`sg` is also the program that runs a command as another group: without a pattern it is not known."""
    given = options.texts()
    searches = bool(options.values(names("-p --pattern"))) or given[:1] == ["scan"]
    if not searches:
        return [unlisted("text")]
    places = given[1:] if given[:1] in (["run"], ["scan"]) else given
    rewrites = options.may_have(names("-U --update-all -i --interactive"))
    return [writes("overwrite", places or ["."], "text")] if rewrites else []


def _pandoc(call: Call, options: Options) -> list[Outcome]:
    if any(
        RUNS_LUA.search(word.text) for word in options.values(names("-f -t -r -w --from --to --read --write"))
    ):
        return [dynamic("text")]
    return _addresses(call, options)


def _addresses(call: Call, options: Options) -> list[Outcome]:
    """An operand may be an address, which reads only where it is known."""
    return [unlisted("read")] if any(word.dynamic and "://" in word.text for word in call.args) else []


def _paged(known: Row) -> Handler:
    """What its pager runs is known for a few pagers alone."""

    def act(call: Call, options: Options) -> list[Outcome]:
        pagers = options.values(names("--pager") | (names("-P") if call.name == "man" else NONE))
        return [dynamic(known.family)] if any(one.text not in HARMLESS_PAGERS for one in pagers) else []

    return after(known, act)


LESS = row(
    "read",
    flags="-a -c -d -e -E -f -F -g -G -i -I -J -L -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X "
    "-~ -# --RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines --no-init "
    "--quit-if-one-screen --quit-at-eof --QUIT-AT-EOF --LINE-NUMBERS --line-numbers "
    "--ignore-case --IGNORE-CASE --squeeze-blank-lines --long-prompt --no-lessopen "
    "--quiet --silent --clear-screen --force --use-color --mouse",
    valued="-b -h -j -p -P -x -y -z -D --buffers --jump-target --pattern --prompt --tabs --window --color --shift",
    outputs="-o -O --log-file --LOG-FILE",
    loads="-k -t -T --lesskey-file --lesskey-src --lesskey-content --tag --tag-file",
)
MORE = row(
    "read",
    flags="-c -d -e -f -l -p -s -u -# --silent --logical --no-pause --print-over --clean-print "
    "--exit-on-eof --squeeze --plain",
    valued="-n --lines",
)
NETWORK: dict[str, Handler] = {
    **rows(
        "dig",
        literal(row("network", flags="-4 -6 -m -r -u -v", valued="-b -c -p -q -t -x")),
    ),
    **rows(
        "host",
        literal(
            row("network", flags="-4 -6 -a -A -C -d -l -r -s -T -U -v -w", valued="-c -m -N -p -R -t -W")
        ),
    ),
    **rows(
        "nslookup",
        literal(row("network", flags="-debug -all", valued="-type -query -port -timeout", style="single")),
    ),
    **rows(
        "ping ping6",
        literal(
            row(
                "network",
                flags="-4 -6 -a -A -B -D -d -n -O -o -q -R -U -v",
                valued="-c -i -I -m -M -s -S -t -T -w -W -Q",
            )
        ),
    ),
    **rows(
        "traceroute traceroute6 tracepath",
        literal(
            row(
                "network",
                flags="-4 -6 -a -b -d -e -F -I -n -r -S -T -U -v",
                valued="-f -i -l -m -N -p -q -s -w -z",
            )
        ),
    ),
    **rows(
        "mtr",
        literal(
            row(
                "network",
                flags="-4 -6 -b -C -j -l -n -r -T -u -w -x -z --report --report-wide --json --csv --raw "
                "--xml --no-dns --show-ips --tcp --udp",
                valued="-a -c -f -G -i -I -m -o -P -Q -s --report-cycles --interval --port",
            )
        ),
    ),
    **rows(
        "whois",
        literal(
            row(
                "network",
                flags="-a -B -b -c -d -H -I -l -L -m -M -r -R -x --verbose --no-recursion",
                valued="-h -p -i -T --host --port",
            )
        ),
    ),
    **rows("getent", literal(row("read", flags="-i --no-idn", valued="-s --service"))),
    **rows(
        "gron",
        literal(
            row(
                "read",
                flags="-u -s -c -m -j -v --ungron --stream --colorize --monochrome --no-sort --json --values",
            )
        ),
    ),
}
PAGED: dict[str, Handler] = {
    **rows(
        "man",
        _paged(
            row(
                "read",
                flags="-a -c -f -k -K -w -W -i -I -7 --whatis --apropos --where --path --all --regex "
                "--wildcard --names-only --ignore-case --match-case --no-hyphenation --nh "
                "--no-justification --nj --ascii",
                valued="-P --pager -s -S -L -m -e -r -E --sections --locale --systems --extension "
                "--prompt --encoding",
                loads="-C --config-file -H --html -p --preprocessor -M --manpath -l --local-file",
            ),
        ),
    ),
    **rows(
        "ag",
        _paged(
            row(
                "read",
                flags="-a -c -D -f -F -H -i -l -L -n -o -Q -r -R -s -S -t -u -U -v -w -z -0 -# --ackmate "
                "--all-text --all-types --nocolor --color --column --count --no-numbers --numbers "
                "--group --nogroup --heading --noheading --filename --nofilename --files-with-matches "
                "--files-without-matches --follow --hidden --ignore-case --literal --fixed-strings "
                "--case-sensitive --smart-case --invert-match --word-regexp --only-matching --stats "
                "--nobreak --break --vimgrep --null --unrestricted --skip-vcs-ignores --search-zip "
                "--nopager --python --js --ts --go --rust --java --ruby --html --css --json --yaml "
                "--md --markdown --sql --shell",
                valued="--pager -A -B -C -g -G -m -p -W --after --before --context --depth --file-search-regex "
                "--ignore --ignore-dir --max-count --path-to-ignore --width",
            ),
        ),
    ),
    **rows(
        "ack ack-grep",
        _paged(
            row(
                "read",
                flags="-1 -c -f -F -h -H -i -I -k -l -L -n -o -Q -r -R -s -S -v -w -x --color --nocolor "
                "--column --count --follow --group --nogroup --heading --noheading --break --nobreak "
                "--ignore-case --literal --invert-match --word-regexp --passthru --print0 --noenv "
                "--sort-files --with-filename --no-filename --python --js --go --rust --java --ruby "
                "--html --css --json --yaml --sql --shell --perl --php --nopager",
                valued="--pager -A -B -C -g -m --after-context --before-context --context --ignore-dir "
                "--ignore-file --max-count "
                "--type --output --match --proximate",
                loads="--ackrc",
            ),
        ),
    ),
    **rows(
        "bat batcat",
        _paged(
            row(
                "read",
                flags="-A -d -f -n -p -P -s -u -V --show-all --diff --force-colorization --number --plain --unbuffered "
                "--no-paging --squeeze-blank --list-languages --list-themes --diagnostic --no-config",
                valued="--pager -l -H -m -r -L --language --highlight-line --file-name --diff-context --tabs --wrap "
                "--terminal-width --color --italic-text --decorations --paging --map-syntax --theme --style "
                "--line-range --theme-dark --theme-light --squeeze-limit --binary --strip-ansi --nonprintable-notation",
            ),
        ),
    ),
    **rows(
        "delta",
        _paged(
            row(
                "read",
                flags="-s -n --side-by-side --line-numbers --no-gitconfig --color-only --dark --light --navigate "
                "--raw --keep-plus-minus-markers --hyperlinks",
                valued="--pager -w --width --features --syntax-theme --max-line-length --paging --file-style --tabs",
            ),
        ),
    ),
}
BINARIES: dict[str, Handler] = {
    **rows(
        "strings",
        no_files_of_options(
            row(
                "read",
                flags="-a -d -f -o -w -# --all --data --print-file-name --include-all-whitespace",
                valued="-n -t -e -s -U --bytes --radix --encoding --output-separator --unicode",
            )
        ),
    ),
    **rows(
        "nm llvm-nm gnm",
        no_files_of_options(
            row(
                "read",
                flags="-a -A -B -C -D -g -j -l -n -o -p -P -r -S -s -u -U -v -W --debug-syms "
                "--print-file-name --demangle --no-demangle --dynamic --extern-only --just-symbols "
                "--line-numbers --numeric-sort --no-sort --portability --reverse-sort --print-size "
                "--print-armap --quiet --size-sort --special-syms --synthetic --undefined-only "
                "--defined-only --no-weak --with-symbol-versions",
                valued="-f -t --format --radix",
                loads="--plugin",
            )
        ),
    ),
    **rows(
        "objdump llvm-objdump gobjdump",
        no_files_of_options(
            row(
                "read",
                flags="-a -f -p -h -x -d -D -S -s -g -G -t -T -r -R -i -l -F -C -w -z --archive-headers "
                "--file-headers --private-headers --headers --section-headers --all-headers "
                "--disassemble --disassemble-all --source --full-contents --debugging --syms "
                "--dynamic-syms --reloc --dynamic-reloc --info --line-numbers --file-offsets "
                "--demangle --wide --disassemble-zeroes --no-show-raw-insn --no-addresses",
                valued="-b -m -j -M --target --architecture --section --disassembler-options --start-address "
                "--stop-address",
            )
        ),
    ),
    **rows(
        "readelf greadelf",
        no_files_of_options(
            row(
                "read",
                flags="-a -h -l -S -g -t -e -s -C -n -r -u -d -V -A -c -D -I -W -T -z --all --file-header "
                "--program-headers --segments --section-headers --sections --section-groups "
                "--section-details --headers --syms --symbols --dyn-syms --demangle --notes --relocs "
                "--unwind --dynamic --version-info --arch-specific --archive-index --use-dynamic "
                "--histogram --wide --decompress",
                valued="-x -p -R --hex-dump --string-dump --relocated-dump",
            )
        ),
    ),
    **rows(
        "size",
        no_files_of_options(
            row("read", flags="-A -B -G -d -o -x -t -m -l --common --totals", valued="--format --radix")
        ),
    ),
    **rows(
        "addr2line",
        no_files_of_options(
            row(
                "read",
                flags="-a -i -s -f -p -C --addresses --inlines --basenames --functions --pretty-print --demangle",
                valued="-e -j --exe --section",
            )
        ),
    ),
    **rows(
        "c++filt rustfilt",
        no_files_of_options(row("read", flags="-_ -n -p -t -i --no-verbose --types", valued="-s --format")),
    ),
    **rows("otool", row("read", flags="-a -h -l -L -D -s -d -t -V -v -X -r -S -T -o -I -f")),
}
PROGRAMS: dict[str, Handler] = {
    **NETWORK,
    **BINARIES,
    **PAGED,
    **rows(
        "date gdate",
        after(
            row(
                "read",
                flags="-u -R -I -j -n --utc --universal --rfc-email --iso-8601 --rfc-3339 --debug --resolution",
                valued="-s --set -d -f -r --date --file --reference",
            ),
            _date,
            _spelled_out,
        ),
    ),
    **rows(
        "hostname",
        after(
            row(
                "read",
                flags="-a -A -d -f -i -I -s -y --alias --all-fqdns --all-ip-addresses --domain --fqdn "
                "--long --ip-address --short --nis --yp",
                changes={"-F": "unknown", "--file": "unknown", "-b": "unknown", "--boot": "unknown"},
            ),
            _hostname,
        ),
    ),
    **rows(
        "lsof",
        after(
            row(
                "read",
                flags="-a -b -C -E -h -i -K -l -n -N -o -O -P -Q -R -s -t -U -v -V -w -X -F",
                valued="-c -d -g -p -r -S -u -x",
            ),
            lambda call, options: [],
            _without_places,
        ),
    ),
    **rows(
        "uniq guniq",
        after(
            row(
                "text",
                flags="-c -d -D -i -u -z -# --count --repeated --all-repeated --group --ignore-case "
                "--unique --zero-terminated",
                valued="-f -s -w --skip-fields --skip-chars --check-chars",
            ),
            _second("text"),
        ),
    ),
    **rows(
        "xxd",
        after(
            row(
                "text",
                flags="-a -b -C -d -E -e -i -p -ps -plain -postscript -r -u -revert -include -bits "
                "-uppercase -autoskip -ebcdic",
                valued="-c -cols -g -groupsize -l -len -n -name -o -s -seek -skip -R",
                style="single",
            ),
            _second("text"),
        ),
    ),
    **rows(
        "pdftotext",
        after(
            row(
                "text",
                flags="-layout -raw -nopgbrk -htmlmeta -bbox -bbox-layout -listenc -q -v -simple -table "
                "-nodiag -cropbox",
                valued="-f -l -r -x -y -W -H -enc -eol -opw -upw -fixed -colspacing",
                style="single",
            ),
            _second("text"),
        ),
    ),
    **rows("less zless", after(LESS, _pager)),
    **rows("more", after(MORE, _pager)),
    **rows(
        "bc",
        row(
            "read",
            flags="-l -q -s -w -i --mathlib --quiet --standard --warn",
            valued="-e --expression",
            most=1,
        ),
    ),
    **rows("dc", after(row("read", valued="-e --expression"), _desk_calculator)),
    **rows(
        "mlr",
        after(
            row(
                "text",
                flags="-n -I -N -S -A -O -a -c -f -g -r -x -q -u -v -o -nr -nf -t -p -# --csv --tsv --json "
                "--jsonl --icsv --ocsv --itsv --otsv --ijson --ojson --ojsonl --ijsonl --ixtab "
                "--oxtab --inidx --onidx --opprint --ipprint --xtab --nidx --pprint --c2p --c2j --c2t "
                "--c2m --c2d --c2n --c2b --t2c --t2j --t2p --j2c --j2t --j2p --j2m --barred --right "
                "--implicit-csv-header --headerless-csv-output --headerless-csv-input "
                "--allow-ragged-csv-input --implicit-pprint-header --omarkdown --no-auto-flatten "
                "--no-auto-unflatten --infer-none --infer-all --records-per-batch --quote-all",
                valued="--from --ifs --ofs --ips --ops --irs --ors --fs --ps --rs --ofmt --nr-progress-mod --tz",
                loads="--prepipe --prepipex --load --mload -s --s-no-comment-strip",
                style="single",
            ),
            _miller,
        ),
    ),
    **rows(
        "ast-grep sg",
        after(
            row(
                "text",
                flags="-U -i --update-all --interactive --json --no-ignore --heading --color --debug-query "
                "--follow --stdin --inspect",
                valued="-p -r -l -A -B -C -j --pattern --rewrite --lang --selector --globs --strictness "
                "--threads --context --filter --report-style --format",
                loads="-c --config --rule --inline-rules",
            ),
            _ast_grep,
        ),
    ),
    **rows(
        "pandoc",
        after(
            row(
                "text",
                flags="-s -N -i -p --standalone --toc --table-of-contents --number-sections --incremental "
                "--preserve-tabs --reference-links --ascii --atx-headers --strip-comments --quiet "
                "--verbose --trace --fail-if-warnings --list-input-formats --list-output-formats "
                "--list-extensions --list-highlight-languages --list-highlight-styles --sandbox "
                "--gladtex --mathjax --mathml --katex --webtex --wrap",
                valued="-f -t -r -w -V -M -c -H -B -A --from --to --read --write --variable --metadata "
                "--metadata-file --css --columns --tab-stop --shift-heading-level-by --toc-depth "
                "--template --include-in-header --include-before-body --include-after-body "
                "--highlight-style --markdown-headings --resource-path --bibliography --csl --eol "
                "--reference-doc",
                outputs="-o --output --extract-media --log",
                loads="-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir "
                "--syntax-definition -D",
            ),
            _pandoc,
        ),
    ),
    **rows(
        "xmllint",
        after(
            row(
                "read",
                flags="--format --noout --html --htmlout --recover --valid --noent --nonet --noblanks "
                "--nowarning --debug --huge --xinclude --nocatalogs --dropdtd --postvalid --timing "
                "--c14n --stream --quiet",
                valued="--xpath --schema --relaxng --schematron --dtdvalid --encode --pattern --pretty --maxmem",
                outputs="-o --output",
            ),
            _addresses,
        ),
    ),
}
