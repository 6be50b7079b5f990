"""Interpreters: code in an option or on the input is scanned; a script file may do anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.code.languages import JAVASCRIPT, PERL, PHP, RUBY
from evaluator.stages.shell.code.python import scan_python
from evaluator.stages.shell.code.scan import Scan
from evaluator.stages.shell.code.script import Language, scan_script
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, governs, reads, unlisted, writes
from evaluator.stages.shell.programs.agents import by_script
from evaluator.stages.shell.programs.keyboards import types_in_code
from evaluator.stages.shell.spec import edited, programs
from evaluator.stages.shell.words import Word

MODULES_AS_PROGRAMS = names(
    "pip pytest unittest mypy black isort ruff flake8 pylint coverage tox nox uv poetry twine yapf autopep8 "
    "bandit pyflakes pycodestyle pre_commit venv virtualenv "
    "compileall py_compile doctest pyright pydocstyle vulture autoflake pyupgrade pipx hatch pdm nose2 "
    "behave "
    "mkdocs pipdeptree codespell interrogate aider llm gptme compass"
)
READING_MODULES = names(
    "http.server this site sysconfig platform dis ast tokenize calendar base64 json.tool pydoc inspect "
    "tabnanny symtable pyclbr"
)
MODULE_NAMES = {"pre_commit": "pre-commit"}


def _code(call: Call, word: Word, scan: Callable[[str], Scan]) -> list[Outcome]:
    call.hide_code(word)
    if word.decoded or (word.dynamic and (word.bare or word.text.lstrip().startswith(("$", "`")))):
        return [dynamic("code")]
    return [*types_in_code(word.text), *scan(word.text).outcomes(call.shell)]


def _input(call: Call, scan: Callable[[str], Scan]) -> list[Outcome]:
    if call.stdin.kind == "text":
        call.shell.hide(call.stdin.spans, f"[code: {len(call.stdin.text)} chars]")
        return [*types_in_code(call.stdin.text), *scan(call.stdin.text).outcomes(call.shell)]
    return [dynamic("code")] if call.stdin.kind in ("pipe", "names") else [unlisted("script")]


def _python(call: Call) -> list[Outcome]:
    args = list(call.args)
    while args:
        word = args.pop(0)
        text = word.text
        if text in ("-V", "-VV", "--version", "-h", "--help", "--help-all"):
            return [reads("code")]
        if text in ("-W", "-X", "--check-hash-based-pycs"):
            del args[:1]
        elif text.startswith("-") and not text.startswith("--") and len(text) > 1:
            letters = text[1:]
            cut = next((at for at, letter in enumerate(letters) if letter in "cmWX"), None)
            if cut is None:
                continue
            inline, letter = letters[cut + 1 :], letters[cut]
            if letter in "WX":
                continue
            value = (
                Word(inline, word.dynamic, spans=word.spans)
                if inline
                else (args.pop(0) if args else Word(""))
            )
            if letter == "m":
                return _module(call, value, args)
            return _code(call, value, lambda code: scan_python(code, [one.text for one in args]))
        elif text == "-":
            return _input(call, lambda code: scan_python(code, [one.text for one in args]))
        elif text == "manage.py" or text.endswith("/manage.py"):
            return _manage(args)
        elif text.startswith("<(") or word.decoded:
            return [dynamic("code")]
        elif text.startswith("--"):
            continue
        else:
            return _program(call, word, args)
    return _input(call, scan_python)


def _program(call: Call, script: Word, args: Sequence[Word]) -> list[Outcome]:
    """A script file: an agent by where it lies, else nobody knows."""
    agent = by_script(script.text)
    return call.shell.run_words([Word(agent), *args], call.stdin) if agent else [unlisted("script")]


def _manage(args: list[Word]) -> list[Outcome]:
    verb = args[0].text if args else "help"
    if verb in ("test", "check", "runserver"):
        return [reads("build")]
    return (
        [reads("code")]
        if verb
        in (
            [
                "showmigrations",
                "diffsettings",
                "sqlmigrate",
                "sqlflush",
                "sqlsequencereset",
                "help",
                "inspectdb",
                "dumpdata",
                "--version",
            ]
        )
        or any(word.text in ("--plan", "--check", "--dry-run", "--help") for word in args[1:])
        else [governs("script")]
        if verb == "flush" or (verb == "migrate" and any(word.text == "zero" for word in args[1:]))
        else [unlisted("script")]
    )


def _module(call: Call, name: Word, args: list[Word]) -> list[Outcome]:
    module = name.text
    if not name.plain:
        return [dynamic("code")]
    given = read_options(args, names("--indent")).texts()
    if module == "json.tool" and len(given) > 1:
        return [writes("overwrite", given[1:2], "code")]
    if module in ("zipfile", "tarfile"):
        verb = args[0].text if args else ""
        if verb in ("-e", "--extract"):
            return [writes("overwrite", [word.text for word in args[2:3]] or ["."], "archive")]
        return (
            [writes("overwrite", [word.text for word in args[1:2]], "archive")]
            if verb in ("-c", "--create")
            else [reads("archive")]
        )
    if module == "timeit":
        timed = read_options(args, names("-n --number -r --repeat -s --setup -u --unit"))
        codes = [*timed.values(names("-s --setup")), *timed.operands]
        return [one for word in codes for one in _code(call, word, scan_python)] or [reads("code")]
    if module == "ensurepip":
        return [writes("install", (), "packages")]
    if module == "build":
        return [reads("build")]
    if module == "pydoc" and any(word.text == "-w" for word in args):
        return [writes("create", (), "code")]
    if module in READING_MODULES:
        return [reads("code")]
    if module in MODULES_AS_PROGRAMS:
        return call.shell.run_words([Word(MODULE_NAMES.get(module, module)), *args], call.stdin)
    return [unlisted("script")]


def _script(language: Language, codes: str, values: str, reading: str, checking: str = "") -> Handler:
    """An interpreter: `codes` are its options with inline code, `reading` those for version and help."""
    code_options, valued, harmless, checks = names(codes), names(values), names(reading), names(checking)

    def handle(call: Call) -> list[Outcome]:
        options = read_options(call.args, code_options | valued, stop=True)
        if options.has(harmless):
            return [reads("code")]
        if options.has(checks):
            return [reads("build")]
        given = options.values(code_options)
        if given:
            return [
                one for word in given for one in _code(call, word, lambda code: scan_script(code, language))
            ]
        if options.may_have(code_options):
            return [dynamic("code")]
        if options.rest and options.rest[0].text != "-":
            return _program(call, options.rest[0], options.rest[1:])
        return _input(call, lambda code: scan_script(code, language))

    return handle


def _perl(call: Call) -> list[Outcome]:
    """`-i` edits its files in place; `-n`, `-p` and the code decide the rest."""
    args = list(call.args)
    codes: list[Word] = []
    in_place, suffix = False, ""
    while args and args[0].text.startswith("-") and args[0].text not in ("-", "--"):
        word = args.pop(0)
        letters = word.text[1:]
        if word.text in ("--version", "--help") or letters in ("v", "V", "h"):
            return [reads("code")]
        for at, letter in enumerate(letters):
            if letter in "eE":
                rest = letters[at + 1 :]
                codes.append(
                    Word(rest, word.dynamic, spans=word.spans) if rest else args.pop(0) if args else Word("")
                )
                break
            if letter == "i":
                in_place, suffix = True, letters[at + 1 :]
                break
            if letter in "MmIDFC0lx":
                if letter in "0l" and not letters[at + 1 : at + 2].isalpha():
                    continue
                if letter in "0l":
                    continue
                break
            if letter == "c":
                return [reads("build")]
    if not codes:
        if args and args[0].text not in ("-", "--"):
            return [unlisted("script")]
        return _input(call, lambda code: scan_script(code, PERL))
    found = [one for word in codes for one in _code(call, word, lambda code: scan_script(code, PERL))]
    if in_place:
        found = [one for one in found if one.verdict != "read_only"]
        files = [word.text for word in args if word.text != "--"]
        found.insert(0, writes("overwrite", edited(files, suffix), "code"))
    return found


def _deno(call: Call) -> list[Outcome]:
    options = read_options(call.args, stop=True)
    verb = options.rest[0].text if options.rest else ""
    rest = options.rest[1:]
    if verb in ("test", "check", "lint", "bench", "compile", "doc", "coverage"):
        return (
            [writes("overwrite", (), "format")] if any(w.text == "--fix" for w in rest) else [reads("build")]
        )
    if verb == "fmt":
        checking = any(word.text == "--check" for word in rest)
        return [reads("build")] if checking else [writes("overwrite", read_options(rest).texts(), "format")]
    if verb in ("info", "types", "help", "completions") or options.has(names("--version -V --help")):
        return [reads("code")]
    if verb in ("install", "add", "remove", "cache", "upgrade", "uninstall", "outdated"):
        return [writes("install", (), "packages")]
    if verb == "eval":
        code = read_options(rest).operands
        return _code(call, code[0], lambda text: scan_script(text, JAVASCRIPT)) if code else [dynamic("code")]
    return [unlisted("script")]


def _other(call: Call) -> list[Outcome]:
    """Interpreters whose code is not scanned."""
    options = read_options(call.args, names("-e --eval -c -r"))
    if options.has(names("--version -v -V --help")) and not options.operands:
        return [reads("code")]
    for word in options.values(names("-e --eval -c -r")):
        call.hide_code(word)
    inline = options.values(names("-e --eval -c -r")) or call.stdin.kind in ("text", "pipe")
    if inline or not options.operands:
        return [dynamic("code")] if inline else [unlisted("script")]
    return _program(call, options.operands[0], call.args[call.args.index(options.operands[0]) + 1 :])


NODE = _script(
    JAVASCRIPT,
    "-e --eval -p --print -pe",
    "-r --require --import --loader -C --conditions",
    "-v --version -h --help --v8-options",
    "-c --check --test",
)


RUBY_CODE = _script(RUBY, "-e", "-r -I -C -E -F", "-v --version -h --help", "-c")


def _ruby(call: Call) -> list[Outcome]:
    found = RUBY_CODE(call)
    options = read_options(call.args, names("-e -r -I -C -E -F"), attached=names("-i"), stop=True)
    if any("/" in value.text for value in options.values(names("-r"))):
        found.append(unlisted("script"))
    if not options.has(names("-i")):
        return found
    edited = writes("overwrite", [word.text for word in options.rest], "code")
    return [edited, *(one for one in found if one.verdict != "read_only")]


NODE_KNOWN = names(
    "-e --eval -p --print -pe -ep -v --version -h --help --v8-options -c --check --test -C --conditions -i "
    "--no-warnings --input-type --experimental-vm-modules --experimental-strip-types --trace-warnings "
    "--max-old-space-size --enable-source-maps --stack-trace-limit --no-deprecation --test-name-pattern --test-only"
)


def _node(call: Call) -> list[Outcome]:
    """An option that is not known may load code or write a profile."""
    leading = read_options(
        call.args, names("-e --eval -p --print -pe -ep -C --conditions"), stop=True, style="single"
    )
    if any(name not in NODE_KNOWN for name, _ in leading.flags):
        return [*_node_code(call), unlisted("script")]
    return _node_code(call)


def _node_code(call: Call) -> list[Outcome]:
    if any(
        text.split("=")[0] in ("-r", "--require", "--import", "--loader", "--experimental-loader")
        for text in call.texts
    ):
        return [unlisted("script")]
    args = list(call.args)
    if args and args[0].text in ("-pe", "-ep"):
        args[0] = Word("-e")
    return NODE(Call(call.name, tuple(args), call.stdin, call.shell))


PHP_CODE = _script(PHP, "-r", "-d -c -S -t -B -R -F -E", "-v --version -i -m -h --help --ini", "-l")
ARTISAN = names(
    "list help about test tinker:help env route:list migrate:status config:show event:list schedule:list"
)


def _php(call: Call) -> list[Outcome]:
    given = [text for text in call.texts if not text.startswith("-")]
    if given[:1] == ["artisan"]:
        looks = not given[1:] or given[1] in ARTISAN or "--pretend" in call.texts
        return [reads("build")] if looks else [unlisted("script")]
    return PHP_CODE(call)


PROGRAMS: dict[str, Handler] = {
    **programs("python pypy", _python),
    **programs("manage.py", lambda call: _manage(list(call.args))),
    **programs("node nodejs", _node),
    **programs("ruby", _ruby),
    **programs("perl", _perl),
    **programs("php", _php),
    **programs("deno", _deno),
    **programs(
        "lua luajit Rscript R julia elixir iex scala groovy swipl octave matlab pwsh powershell "
        "racket guile sbcl clojure clj bb tclsh ghci ocaml erl tsx ts-node irb "
        "ipython bpython jshell kotlin java",
        _other,
    ),
}
