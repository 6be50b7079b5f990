"""Programs that only read, and the options with which some of them write or run something."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, governs, reads, unlisted, writes
from evaluator.stages.shell.spec import Spec, by_output, programs

READS = Spec("read")


def _second_written(valued: str) -> Handler:
    """`uniq IN OUT`: a second operand is written."""
    options_with_value = names(valued)

    def handle(call: Call) -> list[Outcome]:
        given = read_options(call.args, options_with_value).texts()
        return (
            [writes("overwrite", (given[1],), "text")]
            if len(given) > 1 and given[1] != "-"
            else [reads("text")]
        )

    return handle


def _date(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-d --date -f --file -r --reference -s --set -v -j"))
    setting = options.may_have(names("-s --set")) or (
        any(not text.startswith("+") for text in options.texts()) and not options.has(names("-j -f"))
    )
    return [governs("system")] if setting else [reads()]


def _hostname(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-F --file"))
    return [governs("system")] if options.operands or options.may_have(names("-F --file -b")) else [reads()]


def _calculator(call: Call) -> list[Outcome]:
    """`dc` and `bc` run a line that begins with `!`."""
    code = " ".join([*call.texts, call.stdin.text])
    return [dynamic()] if call.name == "dc" and "!" in code else [reads()]


def _pager(call: Call) -> list[Outcome]:
    if any(text.startswith("+") and "!" in text for text in call.texts):
        return [dynamic()]
    return Spec(
        "read",
        outputs={"-o": "overwrite", "-O": "overwrite", "--log-file": "overwrite", "--LOG-FILE": "overwrite"},
        valued=names("-b -h -j -k -p -P -t -T -x -y -z -D"),
    )(call)


def _fzf(call: Call) -> list[Outcome]:
    """Its key bindings may run anything, its preview runs for every line."""
    options = read_options(
        call.args, names("--preview --bind -q --query -f --filter -d --delimiter --prompt --header")
    )
    if any(
        re.search(r"execute|become|reload|transform", value.text) for value in options.values(names("--bind"))
    ):
        return [dynamic()]
    found = [one for value in options.values(names("--preview")) for one in call.shell.run_code(value.text)]
    return found or [reads()]


MILLER_ACTS = re.compile(r"\b(?:tee|emit\w*|print\w*|dump)\b[^;]*[>|]|\b(?:system|exec|hostname_to)\b")


def _miller(call: Call) -> list[Outcome]:
    """`mlr -I` edits its files; its verbs `tee` and `split` and its language can write others."""
    texts = call.texts
    for at, word in enumerate(call.args):
        if at and texts[at - 1] in ("put", "filter", "-q", "-S", "-e"):
            call.hide_code(word)
    if any(text in ("tee", "split") or MILLER_ACTS.search(text) for text in texts):
        return [dynamic("text")]
    if "-I" in texts:
        named = [text for text in texts if re.search(r"\.\w{1,6}\Z", text) and not text.startswith("-")]
        return [writes("overwrite", named, "text")]
    return [reads("text")]


def _ast_grep(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("-p --pattern -r --rewrite -l --lang --selector --rule -c --config --globs --strictness"),
    )
    given = options.texts()
    if given[:1] in (["new"], ["lsp"]):
        return [unlisted("text")]
    places = given[1:] if given[:1] in (["run"], ["scan"]) else given
    rewrites = options.has(names("-U --update-all -i --interactive"))
    return [writes("overwrite", places or ["."], "text")] if rewrites else [reads("text")]


PROGRAMS: dict[str, Handler] = {
    **programs(
        ": true false cat tac nl head tail wc cut paste comm join column fold fmt expand unexpand tr "
        "rev basename dirname "
        "realpath readlink pwd ls dir vdir stat du df id whoami who w users groups uname arch nproc uptime "
        "free ps pstree top "
        "htop btop lsof lscpu lsblk lsusb lspci lsmod vmstat iostat mpstat pgrep pidof cal sleep echo printf "
        "type which whereis "
        "whatis apropos zcat bzcat xzcat zstdcat zless zmore zgrep bzgrep xzgrep zdiff strings "
        "od hexdump hd cmp diff "
        "diff3 colordiff delta md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum b2sum "
        "sum seq yes "
        "factor expr numfmt getent locale tty tput stty reset clear logname getconf ulimit umask wait fg "
        "bg disown times "
        "help return exit logout break continue unalias shopt compopt bind caller dirs "
        "suspend export declare "
        "local unset tsort jq gron pup xpath ts-prune grep egrep fgrep zipinfo exa eza lsd tokei cloc "
        "dust duf tldr cheat host dig "
        "nslookup drill ping ping6 traceroute tracepath mtr whois netstat ss lastlog last lslocks tac "
        "pathchk "
        "printenv size ldd nm objdump readelf addr2line c++filt otool identify exif mediainfo "
        "pdfinfo pdffonts namei getfacl getfattr lsattr findmnt blkid sensors acpi dmidecode mdfind sw_vers "
        "system_profiler vm_stat ccze banner figlet toilet cowsay fortune lolcat sl cmatrix bc look units "
        "dircolors "
        "pgrep pbpaste wl-paste nproc diffstat "
        "lsb_release envsubst cpuid hostid runlevel zdump gcov-dump llvm-objdump llvm-nm rustfilt sha3sum "
        "xxhsum xxh64sum "
        "col colrm pr csvlook csvcut csvgrep csvstat csvsort csvjoin csvjson csvstack csvformat glow mdcat "
        "difft "
        "icdiff lsar lsipc getcap zipgrep fq jless jo jc vd icat",
        READS,
    ),
    **programs(
        "rg",
        Spec(
            "read",
            runs=names("--pre --hostname-bin"),
            valued=names("-e -f -g -t -T -A -B -C -m -M -r -j -d --type --glob --max-count"),
        ),
    ),
    **programs("mlr", _miller),
    **programs("ugrep ug", Spec("read", changes={"--save-config": "create"}, runs=names("--pager --view"))),
    **programs(
        "xsv qsv",
        Spec(
            "read",
            outputs={"-o": "overwrite", "--output": "overwrite"},
            changes={"-I": "overwrite"},
            valued=names("-d --delimiter -s --select -f"),
        ),
    ),
    **programs("ast-grep sg", _ast_grep),
    **programs("comby", Spec("text", changes={"-i": "overwrite", "-in-place": "overwrite"}, style="single")),
    **programs("ag ack bat batcat", Spec("read", runs=names("--pager"))),
    **programs("fzf", _fzf),
    **programs("xmllint ffprobe htmlq info", by_output("", "read")),
    **programs("diff3", Spec("read", runs=names("--diff-program"))),
    **programs("compgen complete", Spec("shell", runs=names("-C -F"), valued=names("-A -G -W -P -S -X -o"))),
    **programs(
        "man", Spec("read", runs=names("-P --pager -H --html"), valued=names("-s -S -M -L -m -e -p -E"))
    ),
    **programs("less more most", _pager),
    **programs(
        "file", Spec("read", changes={"-C": "create", "--compile": "create"}, valued=names("-m -f -F -e -P"))
    ),
    **programs(
        "tree",
        Spec("read", outputs={"-o": "overwrite"}, valued=names("-L -P -I --filelimit --charset -H -T")),
    ),
    **programs("scc", Spec("read", outputs={"-o": "overwrite", "--output": "overwrite"})),
    **programs(
        "sdiff",
        Spec("read", outputs={"-o": "overwrite", "--output": "overwrite"}, runs=names("--diff-program")),
    ),
    **programs(
        "shuf",
        Spec(
            "read", outputs={"-o": "overwrite", "--output": "overwrite"}, valued=names("-n -i --head-count")
        ),
    ),
    **programs(
        "xmlstarlet", Spec("text", changes={"-L": "overwrite", "--inplace": "overwrite"}, targets="last")
    ),
    **programs(
        "pandoc",
        Spec(
            "text",
            outputs={"-o": "overwrite", "--output": "overwrite"},
            valued=names("-f -t --from --to -s -F --filter"),
            runs=names("--filter -F"),
        ),
    ),
    **programs(
        "iconv",
        Spec(
            "text",
            outputs={"-o": "overwrite", "--output": "overwrite"},
            valued=names("-f -t --from-code --to-code"),
        ),
    ),
    **programs(
        "base64 base32 basenc",
        Spec("text", outputs={"-o": "overwrite", "--output": "overwrite"}, valued=names("-w --wrap -b")),
    ),
    **programs("uniq", _second_written("-f -s -w --skip-fields --skip-chars --check-chars")),
    **programs("xxd", _second_written("-c -g -l -o -s -n -R -cols -len -seek -name")),
    **programs("date", _date),
    **programs("hostname", _hostname),
    **programs("dc", _calculator),
    **programs("ncdu", Spec("read", outputs={"-o": "overwrite"}, valued=names("-f"))),
    **programs("pdftotext", _second_written("-f -l -r -x -y -W -H -enc -eol -opw -upw")),
    **programs("gcov", Spec("build")),
}
