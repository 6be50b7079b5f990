"""Programs that run another program: labelled by what they run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.stages.shell.acts.finding import filled
from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.hazards import hazardous
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.stages.shell.programs.agents import by_script
from evaluator.stages.shell.scope import ITEM
from evaluator.stages.shell.spec import programs
from evaluator.stages.shell.words import Word

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


def _wrapper(valued: str = "", *, skip: int = 0, outputs: str = "") -> Handler:
    """Options, then `skip` operands of its own, then the command."""
    options_with_value, written = names(valued), names(outputs)

    def handle(call: Call) -> list[Outcome]:
        options = read_options(call.args, options_with_value | written, stop=True)
        files = [writes("overwrite", (value.text,), "wrapper") for value in options.values(written)]
        command = options.rest[skip:]
        if not command:
            return files or [reads("wrapper")]
        return [*_assigned(call, command), *files]

    return handle


def _assigned(call: Call, words: Sequence[Word]) -> list[Outcome]:
    """`NAME=value ... COMMAND`, as sudo and env take it."""
    rest = list(words)
    hazard = False
    while rest and (found := ASSIGNMENT.match(rest[0].text)):
        hazard = hazard or hazardous(found.group(1), found.group(2), call.shell.cwd)
        rest.pop(0)
    if not rest:
        return [reads("wrapper")]
    return [dynamic("wrapper")] if hazard else call.shell.run_words(rest, call.stdin)


def _sudo(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("-u --user -g --group -h --host -p --prompt -C -T -r -t -U -D --chdir -R --chroot"),
        stop=True,
    )
    if options.has(names("-e --edit")) or call.name == "sudoedit":
        return [writes("overwrite", [word.text for word in options.rest], "wrapper")]
    if not options.rest:
        shell = options.has(names("-i -s --login --shell"))
        if shell and call.stdin.kind == "text":
            return call.shell.run_code(call.stdin.text)
        return [dynamic("wrapper")] if shell else [reads("wrapper")]
    return _assigned(call, options.rest)


def _env(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-u --unset -C --chdir -S --split-string"), stop=True)
    split = options.values(names("-S --split-string"))
    if split:
        return (
            [dynamic("wrapper")]
            if split[0].dynamic
            else call.shell.run_code(" ".join([split[0].text, *(word.text for word in options.rest)]))
        )
    folder = next((value.text for value in options.values(names("-C --chdir"))), "")
    if not options.rest:
        return [reads("wrapper")]
    cwd = call.shell.cwd
    found = _assigned(call, options.rest)
    if not folder:
        return found

    # What ran was read in the shell's own folder.
    def moved(target: str) -> str:
        return f"{folder}/{target[len(cwd) + 1 :]}" if target.startswith(cwd + "/") else target

    return [replace(one, targets=tuple(moved(target) for target in one.targets)) for one in found]


def _shell(call: Call) -> list[Outcome]:
    """bash, sh, zsh and their like."""
    args = list(call.args)
    while args and args[0].text[:1] in ("-", "+") and args[0].text not in ("-", "--"):
        text = args.pop(0).text
        if text in ("--version", "--help"):
            return [reads("shell")]
        if text in ("--rcfile", "--init-file", "-O", "+O", "-o", "+o"):
            if text in ("--rcfile", "--init-file"):
                return [dynamic("shell")]
            del args[:1]
        elif text.startswith("-") and not text.startswith("--"):
            if "n" in text and "c" not in text:
                return [reads("build")]
            if "c" in text:
                return _command_string(call, args)
            if "s" in text:
                return _from_input(call, [word for word in args if word.text != "--"])
    if args and args[0].text in ("-", "--"):
        args.pop(0)
    if not args or args[0].text in ("/dev/stdin", "-"):
        return _from_input(call, [])
    if args[0].text.startswith("<(") or args[0].decoded:
        return [dynamic("shell")]
    if agent := by_script(args[0].text):
        return call.shell.run_words([Word(agent), *args[1:]], call.stdin)
    return [unlisted("script")]


def _command_string(call: Call, args: list[Word]) -> list[Outcome]:
    while args and args[0].text[:1] in ("-", "+"):
        call.hide_code(args.pop(0))
    if not args:
        return [dynamic("shell")]
    code = args[0]
    call.hide_code(code)
    if code.decoded or (code.dynamic and (code.bare or re.match(r"\s*[$`]", code.text))):
        return [dynamic("shell")]
    return call.shell.run_code(code.text, args[2:], call.stdin, args[1] if len(args) > 1 else None)


def _from_input(call: Call, arguments: list[Word]) -> list[Outcome]:
    if call.stdin.kind == "text":
        call.shell.hide(call.stdin.spans, f"[code: {len(call.stdin.text)} chars]")
        return call.shell.run_code(call.stdin.text, arguments)
    return [dynamic("shell")] if call.stdin.kind in ("pipe", "names") else [unlisted("script")]


def _su(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-c --command -s --shell -g -G"))
    codes = options.values(names("-c --command"))
    for word in codes:
        call.hide_code(word)
    return [one for word in codes for one in call.shell.run_code(word.text)] or [dynamic("shell")]


def _xargs(call: Call) -> list[Outcome]:
    valued = names(
        "-a --arg-file -d --delimiter -E -I --replace -L --max-lines -n --max-args -P --max-procs -s "
        "--max-chars -J -R -S"
    )
    options = read_options(call.args, valued, attached=names("-i -e -l"), stop=True)
    mark = next(
        (value.text for value in options.values(names("-I --replace -J"))),
        "{}" if options.has(names("-i --replace")) else "",
    )
    known = (
        list(call.stdin.words)
        if call.stdin.kind == "names"
        else [Word(text) for text in call.stdin.text.split()]
    )
    command = list(options.rest)
    if not command:
        return [reads("wrapper")]
    if mark:
        found: list[Outcome] = []
        for one in known[:8] or [Word(mark, dynamic=True)]:
            # The command's own name is not replaced; where it holds the mark, what runs is not known.
            if mark in command[0].text:
                return [dynamic("wrapper")]
            words = [command[0], *(_replaced(word, mark, one) for word in command[1:])]
            found += call.shell.run_words(words)
        return found
    return call.shell.run_words([*command, *(known or [Word(ITEM, dynamic=True, bare=True)])])


def _replaced(word: Word, mark: str, value: Word) -> Word:
    if mark not in word.text:
        return word
    text = word.text.replace(mark, value.text)[:4000]
    # Where the word is code, what replaces the mark is read as code too: `bare` says that it may be anything.
    dynamic_now = word.dynamic or value.dynamic
    return Word(text, dynamic_now, word.glob or value.glob, value.dynamic, word.decoded, False, word.spans)


def _parallel(call: Call) -> list[Outcome]:
    """`--dry-run` stands before the command."""
    valued = names(
        "-j --jobs -N -n --max-args -S --sshlogin --colsep -C --delay --timeout --joblog --results --retries "
        "-a --arg-file --tmpdir -I"
    )
    options = read_options(call.args, valued, stop=True)
    if options.has(names("--dry-run --dryrun --version")):
        return [reads("wrapper")]
    words = list(options.rest)
    texts = [word.text for word in words]
    cut = next((at for at, text in enumerate(texts) if text in (":::", "::::", ":::+", "::::+")), len(words))
    command, given = words[:cut], [word for word in words[cut + 1 :] if not word.text.startswith(":::")]
    places = (
        given
        if cut < len(words) and texts[cut].startswith(":::") and texts[cut] != "::::"
        else list(call.stdin.words)
    )
    files = [
        writes("overwrite", (value.text,), "wrapper") for value in options.values(names("--joblog --results"))
    ]
    if not command:
        known = bool(places) and cut < len(words)
        return (
            [one for word in places for one in call.shell.run_code(word.text)]
            if known
            else [dynamic("wrapper")]
        )
    if len(command) == 1 and " " in command[0].text:
        call.hide_code(command[0])
        shown = places or [Word("{}", dynamic=True)]
        return [
            one for place in shown[:8] for one in call.shell.run_code(filled([command[0]], [place])[0].text)
        ] + files
    stands = places or [Word(ITEM, dynamic=True)]
    if any("{" in word.text for word in command):
        return [
            *(one for place in stands[:8] for one in call.shell.run_words(filled(command, [place]))),
            *files,
        ]
    return [*call.shell.run_words([*command, *stands]), *files]


def _strings(valued: str, outputs: str = "") -> Handler:
    """Programs that take whole commands as strings: `watch 'ls -l'`, `hyperfine 'a' 'b'`."""
    options_with_value, written = names(valued), names(outputs)

    def handle(call: Call) -> list[Outcome]:
        options = read_options(call.args, options_with_value | written, stop=call.name == "watch")
        words = list(options.rest) if call.name == "watch" else options.operands
        files = [writes("overwrite", (value.text,), "wrapper") for value in options.values(written)]
        if not words:
            return files or [reads("wrapper")]
        if call.name == "watch" and len(words) > 1:
            return [*call.shell.run_words(words, call.stdin), *files]
        for word in words:
            call.hide_code(word)
        return [*(one for word in words for one in call.shell.run_code(word.text)), *files]

    return handle


def _script(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-c --command -O --log-out -I --log-in -B --log-io -T -t -o -E"))
    codes = options.values(names("-c --command"))
    for word in codes:
        call.hide_code(word)
    files = (
        options.texts()
        or [value.text for value in options.values(names("-O --log-out -B --log-io"))]
        or ["typescript"]
    )
    ran = [one for word in codes for one in call.shell.run_code(word.text)] or [dynamic("wrapper")]
    return [*ran, writes("overwrite", files, "wrapper")]


def _flock(call: Call) -> list[Outcome]:
    """The lock file is made where there is none; a number is a descriptor that is open already."""
    options = read_options(call.args, names("-w --wait --timeout -E"), stop=True)
    rest = options.rest[1:]
    lock = [word.text for word in options.rest[:1] if not word.text.isdigit()]
    made = [writes("create", lock, "wrapper")] if lock else []
    if len(rest) > 1 and rest[0].text in ("-c", "--command"):
        call.hide_code(rest[1])
        return [*made, *call.shell.run_code(rest[1].text)]
    return [*made, *call.shell.run_words(rest, call.stdin)] if rest else made or [reads("wrapper")]


def _busybox(call: Call) -> list[Outcome]:
    return (
        call.shell.run_words(call.args, call.stdin)
        if call.args and not call.texts[0].startswith("-")
        else [reads("wrapper")]
    )


def _after_dashes(call: Call) -> list[Outcome]:
    """`dotenv -- CMD`, `mise exec -- CMD`: the command stands behind `--`."""
    if "--" in call.texts:
        return call.shell.run_words(call.args[call.texts.index("--") + 1 :], call.stdin)
    return [unlisted("wrapper")]


def _direnv(call: Call) -> list[Outcome]:
    verb = call.texts[0] if call.texts else "status"
    if verb == "exec":
        return call.shell.run_words(call.args[2:], call.stdin)
    return [reads("wrapper")] if verb in ("status", "version", "show_dump") else [unlisted("wrapper")]


PROGRAMS: dict[str, Handler] = {
    **programs("sudo sudoedit", _sudo),
    **programs("doas", _wrapper("-u -C")),
    **programs("su runuser", _su),
    **programs("env", _env),
    **programs("nice", _wrapper("-n --adjustment")),
    **programs("ionice", _wrapper("-c --class -n --classdata -p --pid")),
    **programs(
        "nohup setsid chronic unbuffer caffeinate firejail xvfb-run dbus-run-session cronic winpty rlwrap "
        "rosetta proxychains proxychains4 tsocks torsocks fakeroot eatmydata",
        _wrapper("-e --error-file -s --server-args"),
    ),
    **programs("stdbuf", _wrapper("-i --input -o --output -e --error")),
    **programs("timeout gtimeout", _wrapper("-s --signal -k --kill-after", skip=1)),
    **programs("gtime", _wrapper("-f --format", outputs="-o --output")),
    **programs("taskset chrt", _wrapper("-p", skip=1)),
    **programs("numactl", _wrapper("-C -N -m -i -l")),
    **programs("chroot", _wrapper("--userspec --groups", skip=1)),
    **programs("unshare nsenter", _wrapper("-t --target -S -G")),
    **programs("strace ltrace dtruss", _wrapper("-e -p -s -a -S -u -E -P -I -b -X -O", outputs="-o")),
    **programs("direnv", _direnv),
    **programs("cross-env dotenvx", lambda call: _assigned(call, call.args)),
    **programs("dotenv op aws-vault infisical doppler chamber summon", _after_dashes),
    **programs("xcrun arch", _wrapper("--sdk -sdk --toolchain")),
    **programs("bash sh zsh dash ksh ash fish mksh rbash", _shell),
    **programs("xargs gxargs", _xargs),
    **programs("parallel", _parallel),
    **programs("watch", _strings("-n --interval")),
    **programs(
        "hyperfine",
        _strings(
            "-w --warmup -r --runs -m --min-runs -M --max-runs -p --prepare -c --cleanup -s --setup -n "
            "--command-name -L -P -i -S --shell",
            "--export-json --export-csv --export-markdown",
        ),
    ),
    **programs("concurrently npm-run-all run-p run-s", _strings("-n --names -c --prefix-colors")),
    **programs("script", _script),
    **programs("flock", _flock),
    **programs("busybox toybox", _busybox),
}
