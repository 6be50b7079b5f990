"""nix where it runs a command, and `nix-env`, whose operation is a letter that others stand behind."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.acts.inner import changing
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, dynamic, unlisted
from evaluator.shell.programs.nix import NIX_LISTED
from evaluator.shell.rows.row import row, tree

ENTERED = row(
    "packages",
    flags="--impure --pure -i --ignore-environment --no-write-lock-file --offline --refresh -v --verbose --quiet "
    "-L -p --packages",
    valued="-k --keep -A --attr",
)
RUNS = names("-c --command")


def _develop(call: Call) -> list[Outcome]:
    """`nix develop -c CMD`, `nix shell PACKAGE --command CMD`: the command is all that follows."""
    at = next((at for at, text in enumerate(call.texts) if text in RUNS), None)
    if at is None:
        return [unlisted("packages")]
    found = changing(ENTERED(replace(call, args=call.args[:at])))
    return [*found, *call.shell.run_words(call.args[at + 1 :], call.stdin)]


def _nix_shell(call: Call) -> list[Outcome]:
    codes = names("--run --command")
    options = read_options(call.args, codes | ENTERED.valued)
    words = options.values(codes)
    for word in words:
        call.hide_code(word)
    if any(word.dynamic for word in words):
        return [dynamic("packages")]
    own = tuple(word for word in call.args if word not in words and word.text not in codes)
    found = changing(ENTERED(replace(call, args=own)))
    return [*found, *(one for word in words for one in call.shell.run_code(word.text))] or [
        unlisted("packages")
    ]


PROGRAMS: dict[str, Handler] = {
    "nix": tree(
        "packages",
        {**NIX_LISTED, "develop": _develop, "shell": _develop},
        flags="-v --verbose --quiet --offline",
        valued="--extra-experimental-features --experimental-features",
        loads="--option --store",
    ),
    "nix-shell": _nix_shell,
}
