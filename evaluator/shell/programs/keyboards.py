"""What types into a terminal, or has something run later: nobody sees what it comes to, so it is always unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.programs.governing import LAUNCHCTL
from evaluator.shell.rows.row import row, rows
from evaluator.shell.words import Word

FAMILY = "keyboard"
TMUX_READS = names(
    "ls list-sessions lsw list-windows list-panes lsp list-clients lsc list-buffers lsb list-keys lsk list-commands "
    "lscm capture-pane capturep has-session has show-options show show-window-options showw show-environment showenv "
    "show-buffer showb show-messages showmsgs show-hooks info display-message display save-buffer saveb start-server"
)
TMUX_ARRANGES = names(
    "kill-session kill-server kill-window killw kill-pane killp rename-session rename rename-window renamew "
    "attach-session attach detach-client detach switch-client switchc select-window selectw select-pane selectp "
    "select-layout selectl resize-pane resizep resize-window resizew next-window previous-window last- window "
    "swap-pane swapp swap-window swapw move-window movew move-pane movep join-pane joinp break-pane breakp "
    "clear-history clearhist wait-for wait delete-buffer deleteb rotate-window rotatew lock-session"
)
SCREEN_OWN = names("-d -D -m -S -h -t -L -U -A -q")
TYPES_IN_CODE = re.compile(
    r"TIOCSTI|TIOCLINUX|\b0x5412\b|\b21522\b"
    r"|\b(?:pexpect|pyautogui|pynput|uinput|libtmux|XTest\w*|xtest|pywinauto|ptyprocess)\b"
    r"|\b(?:keyboard|pykeyboard)\.(?:write|send|press|type)\w*\s*\(|\b(?:CGEventPost|SendInput|SendKeys)\b"
)
"""Names by which code puts characters into a terminal's input."""
TERMINAL = re.compile(
    r"/dev/(?:pts/[^/]+|tty[A-Za-z]*\d+|ttyUSB\d+|console|vcs[au]?\d*|uinput|input/.*|hidraw\d+)\Z|/proc/[^/]+/fd/\d+\Z"
)
"""Other people's terminals and keyboards. `/dev/tty` is the command's own: writing there is ordinary output."""


def typed() -> list[Outcome]:
    return [dynamic(FAMILY)]


def types_in_code(code: str) -> list[Outcome]:
    """Inline code that types; empty for any other."""
    return typed() if TYPES_IN_CODE.search(code) else []


def _types(call: Call) -> list[Outcome]:
    return typed()


def _reading(words: str, *, but: str = "", dashed: str = "") -> Handler:
    """Types, unless the first operand is one of `words` and none of `but` stands there, or the first word is one of
    `dashed`.
    """
    looks, flags, actions = names(words), names(dashed), names(but)

    def handle(call: Call) -> list[Outcome]:
        if call.texts[:1] and call.texts[0] in flags:
            return [reads(FAMILY)]
        given = read_options(call.args).operands
        known = bool(given) and given[0].plain and given[0].text in looks and actions.isdisjoint(call.texts)
        return [reads(FAMILY)] if known else typed()

    return handle


def _tmux(call: Call) -> list[Outcome]:
    """Several commands may stand in one call, separated by `;`. `#(...)` in a format runs a shell."""
    if any("#(" in word.text or (word.dynamic and word.bare) or word.decoded for word in call.args):
        return typed()
    options = read_options(call.args, names("-S -L -f -c -T"), stop=True)
    if options.values(names("-f -c")):
        return typed()
    if not options.rest:
        return [reads(FAMILY)] if options.has(names("-V")) else [unlisted(FAMILY)]
    parts: list[list[Word]] = [[]]
    for word in options.rest:
        text = word.text
        parts[-1] += [replace(word, text=text.rstrip(";"))] if text.rstrip(";") else []
        if text.endswith(";"):
            parts.append([])
    return [one for part in parts if part for one in _tmux_command(call, part)]


def _tmux_command(call: Call, words: list[Word]) -> list[Outcome]:
    name = words[0].text
    if name in TMUX_READS:
        last = words[-1].text
        saves = name in ("save-buffer", "saveb") and last != "-"
        return [writes("overwrite", (last,), FAMILY) if saves else reads(FAMILY)]
    if name in TMUX_ARRANGES:
        return [unlisted(FAMILY)]
    if name in ("new-session", "new", "new-window", "neww", "split-window", "splitw"):
        options = read_options(words[1:], names("-c -e -f -F -n -s -t -x -y -l"), stop=True)
        return _started(call, options.rest)
    return typed()


def _started(call: Call, words: Sequence[Word]) -> list[Outcome]:
    """A command in a terminal of its own; without one it is the user's shell, which waits for a person."""
    if not words:
        return [unlisted(FAMILY)]
    if any(word.dynamic for word in words):
        return typed()
    for word in words:
        call.hide_code(word)
    ran = call.shell.run_code(words[0].text) if len(words) == 1 else call.shell.run_words(words)
    return [unlisted("wrapper"), *ran]


def _screen(call: Call) -> list[Outcome]:
    texts = call.texts
    options = read_options(call.args, names("-S -h -t"), stop=True)
    if options.rest and options.has(names("-m")) and all(name in SCREEN_OWN for name, _ in options.flags):
        return _started(call, options.rest)
    if texts and texts[0] in ("-ls", "-list", "-v", "--version", "-wipe"):
        return [reads(FAMILY)]
    if "-X" in texts:
        rest = texts[texts.index("-X") + 1 :]
        quiet = rest[:1] in (["quit"], ["kill"], ["detach"], ["title"], ["sessionname"])
        return [unlisted(FAMILY)] if quiet else typed()
    attaches = texts and all(text.startswith("-") or not index for index, text in enumerate(reversed(texts)))
    return (
        [unlisted(FAMILY)]
        if attaches and any(text in ("-r", "-x", "-d", "-R") for text in texts)
        else typed()
    )


def _crontab(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-u"))
    if options.has(names("-l")) and not options.operands and not options.may_have(names("-e -r")):
        return [reads(FAMILY)]
    return [writes("delete", (), FAMILY)] if options.has(names("-r")) else typed()


def _at(call: Call) -> list[Outcome]:
    if call.texts[:1] in (["-l"], ["-c"], ["-V"]):
        return [reads(FAMILY)]
    if call.texts[:1] in (["-d"], ["-r"]):
        return [writes("delete", (), FAMILY)]
    known = call.shell.run_code(call.stdin.text) if call.stdin.kind == "text" else []
    return [dynamic(FAMILY, [target for one in known for target in one.targets])]


def _atrm(call: Call) -> list[Outcome]:
    return [writes("delete", (), FAMILY)]


def _launchctl(call: Call) -> list[Outcome]:
    """Its jobs run later; what only looks stands in the row of services."""
    found = LAUNCHCTL(call)
    return [one if one.verdict == "read_only" else replace(one, family=FAMILY) for one in found]


PROGRAMS: dict[str, Handler] = {
    **rows("tmux byobu tmate", _tmux),
    "screen": _screen,
    "crontab": _crontab,
    **rows("at batch", _at),
    "atq": row(FAMILY, anything=True),
    "atrm": _atrm,
    **rows(
        "cron crond anacron fcron fcrontab systemd-run schtasks jobber expect autoexpect empty "
        "ydotool ydotoold wtype dotool dotoolc xte xvkbd cliclick ttyecho injcode conspy writevt osascript xdo "
        "kwtype wlrctl ratpoison sendkeys xmacroplay autokey-run keymouse_go automator",
        _types,
    ),
    "xdotool": _reading(
        "search getactivewindow getwindowfocus getwindowname getwindowgeometry getwindowpid getmouselocation "
        "getdisplaygeometry get_desktop version help",
        but="type key keydown keyup click mousedown mouseup exec behave behave_screen_edge set_window windowkill "
        "windowclose windowquit -",
    ),
    "launchctl": _launchctl,
    **rows("kitty kitten", _reading("", dashed="--version -v --help -h")),
    "wezterm": _reading("ls-fonts show-keys", dashed="--version -V --help -h"),
    "zellij": _reading("list-sessions ls list-aliases", dashed="--version -V --help -h"),
    **rows("dtach abduco reptyr dvtm", _types),
}
