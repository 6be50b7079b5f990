"""What looks names up, and what reads binaries."""

from __future__ import annotations

from evaluator.shell.acts.known import no_files_of_options
from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

NAMES: dict[str, Handler] = {
    "getent": tree(
        "read",
        {
            **rows("passwd group shadow services protocols", row("read")),
            **rows("hosts ahosts ahostsv4 ahostsv6 networks netgroup", row("read", remote="words")),
        },
        flags="-i --no-idn",
        valued="-s --service",
    ),
}
BINARIES: dict[str, Handler] = {
    "strings": no_files_of_options(
        row(
            "read",
            flags="-a -d -f -o -w -# --all --data --print-file-name --include-all-whitespace",
            valued="-n -t -e -s -U --bytes --radix --encoding --output-separator --unicode",
        )
    ),
    **rows(
        "nm",
        no_files_of_options(
            row(
                "read",
                flags="-a -A -B -C -D -g -j -l -n -o -p -P -r -S -s -u -U -v -W --debug-syms --print-file-name "
                "--demangle --no-demangle --dynamic --extern-only --just-symbols --line-numbers --numeric-sort "
                "--no-sort --portability --reverse-sort --print-size --print-armap --quiet --size-sort "
                "--special-syms --synthetic --undefined-only --defined-only --no-weak --with-symbol-versions",
                valued="-f -t --format --radix",
                loads="--plugin",
            )
        ),
    ),
    **rows(
        "objdump",
        no_files_of_options(
            row(
                "read",
                flags="-a -f -p -h -x -d -D -S -s -g -G -t -T -r -R -i -l -F -C -w -z --archive-headers "
                "--file-headers --private-headers --headers --section-headers --all-headers --disassemble "
                "--disassemble-all --source --full-contents --debugging --syms --dynamic-syms --reloc "
                "--dynamic-reloc --info --line-numbers --file-offsets --demangle --wide --disassemble-zeroes "
                "--no-show-raw-insn --no-addresses",
                valued="-b -m -j -M --target --architecture --section --disassembler-options --start-address "
                "--stop-address",
            )
        ),
    ),
    **rows(
        "readelf",
        no_files_of_options(
            row(
                "read",
                flags="-a -h -l -S -g -t -e -s -C -n -r -u -d -V -A -c -D -I -W -T -z --all --file-header "
                "--program-headers --segments --section-headers --sections --section-groups --section-details "
                "--headers --syms --symbols --dyn-syms --demangle --notes --relocs --unwind --dynamic "
                "--version-info --arch-specific --archive-index --use-dynamic --histogram --wide --decompress",
                valued="-x -p -R --hex-dump --string-dump --relocated-dump",
            )
        ),
    ),
    **rows(
        "c++filt",
        no_files_of_options(row("read", flags="-_ -n -p -t -i --no-verbose --types", valued="-s --format")),
    ),
    "otool": row("read", flags="-a -h -l -L -D -s -d -t -V -v -X -r -S -T -o -I -f"),
}
PROGRAMS: dict[str, Handler] = {**NAMES, **BINARIES}
