"""Programs that read, where an operand of some form makes them do more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluator.shell.acts.known import after
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import Options, names
from evaluator.shell.outcome import Outcome, dynamic, governs, unlisted, writes
from evaluator.shell.rows.row import row, rows
from evaluator.shell.words import Word

SHOWS_DATE = re.compile(r"-I\w+\Z")
MOVES_DATE = re.compile(r"-v[-+]?\w+\Z")
LISTS_FILES = re.compile(r"(-[abKlnNoOPQRtUVX]*[is])[\w@.:,^-]+\Z")
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
    shown = options.has(names("-j"))
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


def _second(call: Call, options: Options) -> list[Outcome]:
    """`uniq IN OUT`: a second operand is written."""
    if any(word.glob or (word.bare and word.made) for word in options.operands):
        return [unlisted("text")]
    files = [text for text in options.texts()[1:2] if text != "-"]
    return [writes("overwrite", files, "text")] if files else []


def _beside(call: Call, options: Options) -> list[Outcome]:
    """`pdftotext FILE.pdf` writes FILE.txt unless a second operand, or `-`, says where."""
    given = options.texts()
    if len(given) == 1 and given[0] != "-":
        return [writes("overwrite", (re.sub(r"\.pdf\Z", "", given[0]) + ".txt",), "text")]
    return _second(call, options)


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


def _nothing_more(call: Call, options: Options) -> list[Outcome]:
    return []


PROGRAMS: dict[str, Handler] = {
    **rows(
        "date",
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
    "hostname": after(
        row(
            "read",
            flags="-a -A -d -f -i -I -s -y --alias --all-fqdns --all-ip-addresses --domain --fqdn --long "
            "--ip-address --short --nis --yp",
            changes={"-F": "unknown", "--file": "unknown", "-b": "unknown", "--boot": "unknown"},
        ),
        _hostname,
    ),
    "lsof": after(
        row(
            "read",
            flags="-a -b -C -E -h -i -K -l -n -N -o -O -P -Q -R -s -t -U -v -V -w -X -F",
            valued="-c -d -g -p -r -S -u -x",
        ),
        _nothing_more,
        _without_places,
    ),
    **rows(
        "uniq",
        after(
            row(
                "text",
                flags="-c -d -D -i -u -z -# --count --repeated --all-repeated --group --ignore-case --unique "
                "--zero-terminated",
                valued="-f -s -w --skip-fields --skip-chars --check-chars",
            ),
            _second,
        ),
    ),
    "xxd": after(
        row(
            "text",
            flags="-a -b -C -d -E -e -i -p -ps -plain -postscript -r -u -revert -include -bits -uppercase "
            "-autoskip -ebcdic",
            valued="-c -cols -g -groupsize -l -len -n -name -o -s -seek -skip -R",
            style="single",
        ),
        _second,
    ),
    "pdftotext": after(
        row(
            "text",
            flags="-layout -raw -nopgbrk -htmlmeta -bbox -bbox-layout -listenc -q -v -simple -table -nodiag "
            "-cropbox",
            valued="-f -l -r -x -y -W -H -enc -eol -opw -upw -fixed -colspacing",
            style="single",
        ),
        _beside,
    ),
    "bc": row(
        "read", flags="-l -q -s -w -i --mathlib --quiet --standard --warn", valued="-e --expression", most=1
    ),
    "dc": after(row("read", valued="-e --expression"), _desk_calculator),
    "mlr": after(
        row(
            "text",
            flags="-n -I -N -S -A -O -a -c -f -g -r -x -q -u -v -o -nr -nf -t -p -# --csv --tsv --json --jsonl "
            "--icsv --ocsv --itsv --otsv --ijson --ojson --ojsonl --ijsonl --ixtab --oxtab --inidx --onidx "
            "--opprint --ipprint --xtab --nidx --pprint --c2p --c2j --c2t --c2m --c2d --c2n --c2b --t2c --t2j "
            "--t2p --j2c --j2t --j2p --j2m --barred --right --implicit-csv-header --headerless-csv-output "
            "--headerless-csv-input --allow-ragged-csv-input --implicit-pprint-header --omarkdown "
            "--no-auto-flatten --no-auto-unflatten --infer-none --infer-all --records-per-batch --quote-all",
            valued="--from --ifs --ofs --ips --ops --irs --ors --fs --ps --rs --ofmt --nr-progress-mod --tz",
            loads="--prepipe --prepipex --load --mload -s --s-no-comment-strip",
            style="single",
        ),
        _miller,
    ),
    **rows(
        "ast-grep sg",
        after(
            row(
                "text",
                flags="-U -i --update-all --interactive --json --no-ignore --heading --color --debug-query "
                "--follow --stdin --inspect",
                valued="-p -r -l -A -B -C -j --pattern --rewrite --lang --selector --globs --strictness --threads "
                "--context --filter --report-style --format",
                loads="-c --config --rule --inline-rules",
            ),
            _ast_grep,
        ),
    ),
    "pandoc": after(
        row(
            "text",
            flags="-s -N -i -p --standalone --toc --table-of-contents --number-sections --incremental "
            "--preserve-tabs --reference-links --ascii --atx-headers --strip-comments --quiet --verbose --trace "
            "--fail-if-warnings --list-input-formats --list-output-formats --list-extensions "
            "--list-highlight-languages --list-highlight-styles --sandbox --gladtex --mathjax --mathml --katex "
            "--webtex --wrap",
            valued="-f -t -r -w -V -M -c -H -B -A --from --to --read --write --variable --metadata --metadata-file "
            "--css --columns --tab-stop --shift-heading-level-by --toc-depth --template --include-in-header "
            "--include-before-body --include-after-body --highlight-style --markdown-headings --resource-path "
            "--bibliography --csl --eol --reference-doc",
            outputs="-o --output --extract-media --log",
            loads="-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir "
            "--syntax-definition -D",
        ),
        _pandoc,
    ),
    "xmllint": after(
        row(
            "read",
            flags="--format --noout --html --htmlout --recover --valid --noent --nonet --noblanks --nowarning "
            "--debug --huge --xinclude --nocatalogs --dropdtd --postvalid --timing --c14n --stream --quiet",
            valued="--xpath --schema --relaxng --schematron --dtdvalid --encode --pattern --pretty --maxmem",
            outputs="-o --output",
        ),
        _addresses,
    ),
}
