"""Formatters that write or tell by the value of a mode, or format their input."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.acts.inner import changing
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome
from evaluator.shell.programs.script_formatters import BLACK, ISORT, RUFF, RUFF_FORMAT, RUSTFMT
from evaluator.shell.rows.row import Row, row
from evaluator.shell.words import Word

INPUTS = names("- /dev/stdin")


def filters(own: Row, *, mode: str = "", telling: str = "", bare: bool = False) -> Handler:
    """`own` overwrites its operands. It only tells where `-` is its operand, or where the last value of the option
    `mode` is one of `telling`; with `bare`, also where it has an input and no operand.
    """
    modes, tells = names(mode), names(telling)
    looking = replace(own, does=None)

    def handle(call: Call) -> list[Outcome]:
        options = read_options(call.args, own.takes, style=own.style)
        given = options.texts()
        streams = all(text in INPUTS for text in given) if given else bare and call.stdin.kind != "none"
        values = [value.text for value in options.values(modes)] if modes else []
        if streams or (values and values[-1] in tells):
            return looking(call)
        return own(call)

    return handle


def _black(call: Call) -> list[Outcome]:
    """`--code` is formatted to the output."""
    codes = read_options(call.args, BLACK.takes).values(names("-c --code"))
    for word in codes:
        call.hide_code(word)
    return replace(BLACK, does=None)(call) if codes else filters(BLACK)(call)


FORMATTING = filters(RUFF_FORMAT)


def _ruff(call: Call) -> list[Outcome]:
    """Options of its own stand before the subcommand."""
    options = read_options(call.args, RUFF.valued, stop=True)
    if options.rest and options.rest[0].text == "format":
        leading = replace(call, args=call.args[: len(call.args) - len(options.rest)])
        found = changing(RUFF(replace(call, args=(*leading.args, Word("version")))))
        return [*found, *FORMATTING(replace(call, args=options.rest[1:]))]
    return RUFF(call)


SHFMT = row(
    "format",
    targets="operands",
    flags="-d --diff -l --list -s --simplify -bn --binary-next-line -ci --case-indent -sr --space-redirects -kp "
    "--keep-padding -fn --func-next-line -f --find -mn --minify -ld -dl -tojson --to-json",
    valued="-i --indent -ln --language-dialect -p -filename --filename",
    changes="-w --write -lw -wl -sw -ws -lsw",
    style="single",
)
PROGRAMS: dict[str, Handler] = {
    "black": _black,
    "isort": filters(ISORT),
    "ruff": _ruff,
    "rustfmt": filters(RUSTFMT, mode="--emit", telling="stdout json checkstyle coverage", bare=True),
    "shfmt": SHFMT,
}
