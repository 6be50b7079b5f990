"""Pagers, and what hands its text to one."""

from __future__ import annotations

import re

from evaluator.shell.acts.known import after
from evaluator.shell.call import Call, Handler
from evaluator.shell.hazards import HARMLESS_PAGERS
from evaluator.shell.options import NONE, Options, names
from evaluator.shell.outcome import Outcome, dynamic
from evaluator.shell.rows.row import Row, row, rows

STARTS_AT = re.compile(r"\+(?:\d*[GgFp%]?|/[^\n\r]*)\Z")


def _pager(call: Call, options: Options) -> list[Outcome]:
    """`+COMMAND` is typed at its start: it may save, edit or run."""
    typed = [text for text in options.texts() if text.startswith("+")]
    patterns = options.values(names("-p --pattern"))
    runs = any(not STARTS_AT.match(text) for text in typed) or any("\n" in one.text for one in patterns)
    return [dynamic("read")] if runs else []


def _paged(known: Row) -> Handler:
    """What its pager runs is known for a few pagers alone."""

    def act(call: Call, options: Options) -> list[Outcome]:
        pagers = options.values(names("--pager") | (names("-P") if call.name == "man" else NONE))
        return [dynamic(known.family)] if any(one.text not in HARMLESS_PAGERS for one in pagers) else []

    return after(known, act)


LESS = row(
    "read",
    flags="-a -c -d -e -E -f -F -g -G -i -I -J -L -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X -~ -# "
    "--RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines --no-init --quit-if-one-screen --quit-at-eof "
    "--QUIT-AT-EOF --LINE-NUMBERS --line-numbers --ignore-case --IGNORE-CASE --squeeze-blank-lines --long-prompt "
    "--no-lessopen --quiet --silent --clear-screen --force --use-color --mouse",
    valued="-b -h -j -p -P -x -y -z -D --buffers --jump-target --pattern --prompt --tabs --window --color --shift",
    outputs="-o -O --log-file --LOG-FILE",
    loads="-k -t -T --lesskey-file --lesskey-src --lesskey-content --tag --tag-file",
)
MORE = row(
    "read",
    flags="-c -d -e -f -l -p -s -u -# --silent --logical --no-pause --print-over --clean-print --exit-on-eof "
    "--squeeze --plain",
    valued="-n --lines",
)
PROGRAMS: dict[str, Handler] = {
    **rows("less zless", after(LESS, _pager)),
    "more": after(MORE, _pager),
    "man": _paged(
        row(
            "read",
            flags="-a -c -f -k -K -w -W -i -I -7 --whatis --apropos --where --path --all --regex --wildcard "
            "--names-only --ignore-case --match-case --no-hyphenation --nh --no-justification --nj --ascii",
            valued="-P --pager -s -S -L -m -e -r -E --sections --locale --systems --extension --prompt --encoding",
            loads="-C --config-file -H --html -p --preprocessor -M --manpath -l --local-file",
        )
    ),
    "ag": _paged(
        row(
            "read",
            flags="-a -c -D -f -F -H -i -l -L -n -o -Q -r -R -s -S -t -u -U -v -w -z -0 -# --ackmate --all-text "
            "--all-types --nocolor --color --column --count --no-numbers --numbers --group --nogroup --heading "
            "--noheading --filename --nofilename --files-with-matches --files-without-matches --follow --hidden "
            "--ignore-case --literal --fixed-strings --case-sensitive --smart-case --invert-match --word-regexp "
            "--only-matching --stats --nobreak --break --vimgrep --null --unrestricted --skip-vcs-ignores "
            "--search-zip --nopager --python --js --ts --go --rust --java --ruby --html --css --json --yaml --md "
            "--markdown --sql --shell",
            valued="--pager -A -B -C -g -G -m -p -W --after --before --context --depth --file-search-regex "
            "--ignore --ignore-dir --max-count --path-to-ignore --width",
        )
    ),
    **rows(
        "ack",
        _paged(
            row(
                "read",
                flags="-1 -c -f -F -h -H -i -I -k -l -L -n -o -Q -r -R -s -S -v -w -x --color --nocolor --column "
                "--count --follow --group --nogroup --heading --noheading --break --nobreak --ignore-case "
                "--literal --invert-match --word-regexp --passthru --print0 --noenv --sort-files --with-filename "
                "--no-filename --python --js --go --rust --java --ruby --html --css --json --yaml --sql --shell "
                "--perl --php --nopager",
                valued="--pager -A -B -C -g -m --after-context --before-context --context --ignore-dir "
                "--ignore-file --max-count --type --output --match --proximate",
                loads="--ackrc",
            )
        ),
    ),
    **rows(
        "bat",
        _paged(
            row(
                "read",
                flags="-A -d -f -n -p -P -s -u -V --show-all --diff --force-colorization --number --plain "
                "--unbuffered --no-paging --squeeze-blank --list-languages --list-themes --diagnostic --no-config",
                valued="--pager -l -H -m -r -L --language --highlight-line --file-name --diff-context --tabs --wrap "
                "--terminal-width --color --italic-text --decorations --paging --map-syntax --theme --style "
                "--line-range --theme-dark --theme-light --squeeze-limit --binary --strip-ansi --nonprintable-notation",
            )
        ),
    ),
}
