"""Devices, attributes and local runs of workflows, as far as no row says them."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Call, Handler
from evaluator.shell.hazards import names
from evaluator.shell.options import read_options
from evaluator.shell.outcome import Outcome, governs, reads, unlisted, writes
from evaluator.shell.rows.landing import copied
from evaluator.shell.rows.row import row, rows, tree
from evaluator.shell.words import Word

FAMILY = "system"
SERIAL = names("-s -t -H -P -L")
ADB = tree(
    FAMILY,
    {
        **rows(
            "devices version get-state get-serialno jdwp features host-features", FAMILY, flags="-l", most=0
        ),
        "logcat": row(FAMILY, flags="-d -D --dividers", valued="-v -b -t -T -e -m --pid --regex --buffer"),
        "forward": row(FAMILY, flags="--list", does="network", tells="--list"),
        **rows(
            "install push sideload connect disconnect root remount tcpip",
            FAMILY,
            does="network",
            flags="-r -d -g -t",
        ),
    },
    flags="-d -e",
    valued="-s -t",
)


def _adb(call: Call) -> list[Outcome]:
    """`adb shell` is labelled by what it runs on the device, where files are no files here."""
    options = read_options(call.args, SERIAL, stop=True)
    verb, rest = (options.rest[0].text, options.rest[1:]) if options.rest else ("", ())
    if any(flag not in ("-s", "-t", "-d", "-e") for flag, _ in options.flags):
        return ADB(call) if not rest else [unlisted(FAMILY)]
    if verb in ("shell", "exec-out") and rest:
        return _on_device(call, rest)
    if verb == "pull":
        texts = read_options(rest).texts()
        local = texts[1] if len(texts) > 1 else "."
        return [writes("overwrite", copied(texts[:1], local), FAMILY)] if texts else [reads(FAMILY)]
    return [governs(FAMILY)] if verb in ("uninstall", "reboot") else ADB(call)


def _on_device(call: Call, rest: tuple[Word, ...]) -> list[Outcome]:
    for word in rest:
        call.hide_code(word)
    found = call.shell.run_code(" ".join(word.text for word in rest))
    return [replace(one, family=FAMILY, targets=()) for one in found]


PROGRAMS: dict[str, Handler] = {
    "adb": _adb,
}
