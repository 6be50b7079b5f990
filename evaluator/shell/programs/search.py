"""Programs that search: by text, by structure, by choice."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

PROGRAMS: dict[str, Handler] = {
    **rows(
        "rg ripgrep",
        "read",
        flags="-# -a -b -c -F -H -h -I -i -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -z -0 -. --text "
        "--auto-hybrid-regex --binary --block-buffered --byte-offset --case-sensitive --color --column --count "
        "--count-matches --crlf --debug --files --files-with-matches --files-without-match --fixed-strings "
        "--follow --glob-case-insensitive --heading --hidden --ignore-case --ignore-file-case-insensitive "
        "--include-zero --invert-match --json --line-buffered --line-number --line-regexp --mmap --multiline "
        "--multiline-dotall --no-config --no-filename --no-heading --no-hidden --no-ignore --no-ignore-dot "
        "--no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent "
        "--no-ignore-vcs --no-line-number --no-messages --no-mmap --no-require-git --no-unicode --null --null-data "
        "--one-file-system --only-matching --passthru --pcre2 --pcre2-version --pretty --quiet --search-zip "
        "--smart-case --stats --trace --trim --type-list --unrestricted --vimgrep --with-filename --word-regexp "
        "--no-context-separator --stop-on-nonmatch --no-column --no-pre --no-binary --no-multiline",
        valued="-A -B -C -d -e -E -f -g -j -M -m -r -t -T --after-context --before-context --context "
        "--context-separator --colors --dfa-size-limit --encoding --engine --file --field-context-separator "
        "--field-match-separator --generate --glob --iglob --ignore-file --max-columns --max-columns-preview "
        "--max-count --max-depth --maxdepth --max-filesize --path-separator --pre-glob --regex-size-limit --regexp "
        "--replace --sort --sortr --threads --type --type-add --type-clear --type-not --hyperlink-format",
        loads="--pre --hostname-bin",
    ),
    "fzf": row(
        "read",
        flags="-x -e -i +i -m -0 -1 +s --extended --exact --multi --no-multi --no-sort --tac --select-1 --exit-0 "
        "--print-query --print0 --read0 --ansi --reverse --border --no-mouse --cycle --literal --sync --height",
        valued="-q -f -d -n --query --filter --delimiter --nth --with-nth --prompt --header --header-lines "
        "--layout --info --tiebreak --scheme --algo --pointer --marker --color --preview-window --margin --padding "
        "--expect --tabstop --scroll-off",
        outputs={"--history": "append"},
        runs="--preview",
        loads="--bind --listen --with-shell",
    ),
    "which": row(
        "read", flags="-a -s --all --skip-alias --skip-functions --skip-dot --skip-tilde --tty-only"
    ),
    "whereis": row("read", flags="-b -m -s -u -l -q -a", valued="-B -M -S"),
    **rows(
        "locate",
        "read",
        flags="-A -b -c -e -i -p -q -r -w -0 -S --all --basename --count --existing --ignore-case --regexp --regex",
        valued="-d -l -n --limit --database",
    ),
    "mdfind": row("read", flags="-0 -count -literal -interpret", valued="-name -onlyin", style="single"),
}
