"""Interpreters but Python: code in an option or on the input is scanned; a script file may do anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evaluator.shell.call import Call, Handler
from evaluator.shell.code.languages import JAVASCRIPT, PERL, PHP, RUBY
from evaluator.shell.code.scan import Scan
from evaluator.shell.code.script import Language, scan_script
from evaluator.shell.hazards import names
from evaluator.shell.options import NONE, part_of, read_options
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.programs.agents import by_script
from evaluator.shell.programs.keyboards import types_in_code
from evaluator.shell.rows.landing import edited
from evaluator.shell.rows.row import row, rows, tree
from evaluator.shell.words import Word

FAMILY = "code"


def code_of(call: Call, word: Word, scan: Callable[[str], Scan]) -> list[Outcome]:
    call.hide_code(word)
    if word.decoded or (word.dynamic and (word.bare or word.text.lstrip().startswith(("$", "`")))):
        return [dynamic(FAMILY)]
    return [*types_in_code(word.text), *scan(word.text).outcomes(call.shell)]


def code_on_input(call: Call, scan: Callable[[str], Scan]) -> list[Outcome]:
    if call.stdin.kind == "text":
        call.shell.hide(call.stdin.spans, f"[code: {len(call.stdin.text)} chars]")
        return [*types_in_code(call.stdin.text), *scan(call.stdin.text).outcomes(call.shell)]
    return [dynamic(FAMILY)] if call.stdin.kind in ("pipe", "names") else [unlisted("script")]


def script_file(call: Call, script: Word, args: Sequence[Word]) -> list[Outcome]:
    """A script file: an agent by where it lies, else nobody knows."""
    agent = by_script(script.text)
    return call.shell.run_words([Word(agent), *args], call.stdin) if agent else [unlisted("script")]


@dataclass(frozen=True, slots=True)
class Interpreter:
    """`codes`: options whose value is code. `flags` and `valued` change nothing about what runs. `shows`: options with
    which it only tells; `checks`: those with which it reads a file's syntax. `libraries`: options whose value names a
    library, and what is known of those. `in_place`: the option with which it edits its files.
    """

    language: Language
    codes: frozenset[str]
    flags: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    attached: frozenset[str] = NONE
    shows: frozenset[str] = NONE
    checks: frozenset[str] = NONE
    libraries: frozenset[str] = NONE
    known: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    in_place: str = ""

    def __call__(self, call: Call) -> list[Outcome]:
        valued = self.codes | self.valued | self.libraries
        attached = self.attached | (frozenset((self.in_place,)) if self.in_place else NONE)
        options = read_options(call.args, valued, attached=attached, stop=True)
        own = call.args[: len(call.args) - len(options.rest)]
        if any(word.decoded for word in own):
            return [dynamic(FAMILY)]
        beside = (
            [] if all(self._knows(name, value) for name, value in options.flags) else [unlisted("script")]
        )
        given = options.values(self.codes)
        if options.has(self.shows) and not given and not options.rest and not beside:
            return [reads(FAMILY)]
        if options.has(self.checks) and not given:
            return beside or [reads("build")]
        found = [
            one
            for word in given
            for one in code_of(call, word, lambda code: scan_script(code, self.language))
        ]
        if not given:
            if options.may_have(self.codes):
                return [dynamic(FAMILY)]
            if options.rest and options.rest[0].text != "-":
                return script_file(call, options.rest[0], options.rest[1:])
            return [*code_on_input(call, lambda code: scan_script(code, self.language)), *beside]
        for word in options.rest:
            if re.search(r"\A\s*[|>]|\|\s*\Z", word.text):
                # Perl and Ruby run an operand that looks like a pipe.
                found += [dynamic(FAMILY), *call.shell.run_code(word.text.strip(" \t\n|>"))]
        if self.in_place and options.has(frozenset((self.in_place,))):
            suffix = next((value.text for value in options.values(frozenset((self.in_place,)))), "")
            files = [word.text for word in options.rest if word.text != "--"]
            changing = [one for one in found if one.verdict != "read_only"]
            found = [writes("overwrite", edited(files, suffix), FAMILY), *changing]
        return [*found, *beside]

    def _knows(self, name: str, value: Word | None) -> bool:
        if name in self.libraries:
            return value is not None and value.plain and self.known.fullmatch(value.text) is not None
        if name in self.codes | self.valued:
            return value is not None
        return name in self.flags | self.shows | self.checks | self.attached or name == self.in_place


NODE = Interpreter(
    JAVASCRIPT,
    names("-e --eval -p --print"),
    names(
        "--no-warnings --trace-warnings --no-deprecation --trace-deprecation --throw-deprecation "
        "--experimental-vm-modules --experimental-strip-types --experimental-json-modules --expose-gc "
        "--enable-source-maps --use-strict --harmony --openssl-legacy-provider --trace-uncaught "
        "--preserve-symlinks --no-experimental-fetch"
    ),
    names(
        "--input-type --max-old-space-size --max-semi-space-size --stack-size --stack-trace-limit "
        "--unhandled-rejections --dns-result-order --disable-warning"
    ),
    shows=names("-v --version -h --help --v8-options"),
    checks=names("-c --check"),
)
RUBY_LIBRARIES = re.compile(
    r"json|yaml|set|date|time|csv|pp|digest|base64|bigdecimal|erb|fileutils|find|forwardable|ostruct|pathname|psych"
    r"|rexml/document|securerandom|shellwords|stringio|strscan|tempfile|uri|zlib|benchmark|English|rbconfig|open3|etc"
    r"|rubygems|bundler"
)
RUBY_ROW = Interpreter(
    RUBY,
    names("-e"),
    names("-n -p -l -a -w -s -v -U -d"),
    names("-E -F"),
    attached=names("-0 -W -K -T"),
    shows=names("-v --version -h --help"),
    checks=names("-c"),
    libraries=names("-r"),
    known=RUBY_LIBRARIES,
    in_place="-i",
)
PERL_LIBRARIES = re.compile(
    r"-?(?:strict|warnings|utf8|feature|integer|bigint|bignum|bigrat|open|constant|JSON|JSON::PP|JSON::XS|YAML|YAML::XS"
    r"|List::Util|Scalar::Util|Hash::Util|Data::Dumper|POSIX|Time::HiRes|Time::Local|Time::Piece|File::Basename|File::Spec"
    r"|Encode|MIME::Base64|Digest::\w+|Text::\w+|Unicode::\w+|Math::\w+|Cwd|Config|Benchmark|Term::ANSIColor|charnames"
    r"|URI::Escape|HTML::Entities|Storable|Carp|English)(?:=[\w,:]+)?"
)
PERL_ROW = Interpreter(
    PERL,
    names("-e -E"),
    names("-n -p -a -w -W -X -t -T -s -u -U -f -g"),
    names("-F"),
    attached=names("-0 -l -C -V"),
    shows=names("-v -V -h --version --help"),
    checks=names("-c"),
    libraries=names("-M -m"),
    known=PERL_LIBRARIES,
    in_place="-i",
)
PHP_ROW = Interpreter(
    PHP,
    names("-r --run"),
    names("-n -q -C --no-php-ini"),
    shows=names("-v --version -i --info -m --modules -h --help --ini"),
    checks=names("-l --syntax-check"),
)
OTHER = row(FAMILY, flags="-v -V --version --help -version", helps=False)
ARTISAN = tree(
    "build",
    rows(
        "list,help,about,env,route:list,migrate:status,config:show,event:list,schedule:list,db:show,model:show",
        "build",
        flags="--json --raw --compact -v --except-vendor --only-vendor",
        valued="--path --name --method --format",
    ),
    flags="-v --version --no-ansi --ansi",
)
ARTISAN_TEST = row(
    "build", flags="--parallel --compact --stop-on-failure --coverage", valued="--filter --testsuite --group"
)


def _node(call: Call) -> list[Outcome]:
    args = list(call.args)
    if args and args[0].text in ("-pe", "-ep"):
        args[0] = Word("-e")
    if args and args[0].text == "--test":
        return TESTS(Call(call.name, tuple(args[1:]), call.stdin, call.shell))
    return NODE(Call(call.name, tuple(args), call.stdin, call.shell))


TESTS = row(
    "build",
    flags="--test-only --experimental-strip-types --experimental-vm-modules --no-warnings --experimental-test-coverage",
    valued="--test-name-pattern --test-concurrency --test-timeout --test-skip-pattern --test-shard",
)
"""`node --test`; reporters are code, and their destination a file."""


def _perl(call: Call) -> list[Outcome]:
    """Its clusters end otherwise than those of others: only digits belong to `-l` and `-0`."""
    args = list(call.args)
    apart: list[Word] = []
    while args and args[0].text[:1] == "-" and args[0].text[:2] not in ("-", "--"):
        word = args.pop(0)
        letters = re.findall(r"[0lC]\d*|[eEiMmFIDVxd].*|.", word.text[1:], re.DOTALL)
        apart += [part_of(word, f"-{one}") for one in letters]
        if letters and letters[-1] in ("e", "E") and args:
            apart.append(args.pop(0))
    return PERL_ROW(Call(call.name, (*apart, *args), call.stdin, call.shell))


def _php(call: Call) -> list[Outcome]:
    if call.texts[:1] != ["artisan"]:
        return PHP_ROW(call)
    inner = Call("artisan", call.args[1:], call.stdin, call.shell)
    if call.texts[1:2] == ["test"]:
        return ARTISAN_TEST(Call("test", call.args[2:], call.stdin, call.shell))
    return ARTISAN(inner)


DENO_CHECKS = row(
    "build", flags="-q --quiet --json --no-check --all --no-lock --frozen --cached-only", valued="--filter"
)
DENO_FORMAT = row(
    "format",
    does="overwrite",
    targets="operands",
    flags="-q --quiet --no-semicolons --single-quote --use-tabs",
    valued="--ext --line-width --indent-width --prose-wrap --ignore",
    tells="--check",
)
INSTALLS = row("packages", does="install")


def _deno_eval(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("--ext"), stop=True)
    known = names("-p --print --ext -q --quiet --no-lock")
    beside = [] if all(flag in known for flag, _ in options.flags) else [unlisted("script")]
    if not options.rest:
        return [dynamic(FAMILY)]
    return [*code_of(call, options.rest[0], lambda text: scan_script(text, JAVASCRIPT)), *beside]


DENO = tree(
    FAMILY,
    {
        **rows("check lint test bench doc info types", DENO_CHECKS),
        "fmt": DENO_FORMAT,
        "eval": _deno_eval,
        **rows("install add remove cache upgrade uninstall", INSTALLS),
        "completions": row(FAMILY, most=1),
    },
    flags="-q --quiet -V",
)


def _other(call: Call) -> list[Outcome]:
    """Interpreters whose code is not scanned."""
    options = read_options(call.args, names("-e --eval -c -r"))
    if call.texts in (["-version"], ["--version"], ["-v"], ["-V"], ["-help"], ["--help"]):
        return [reads(FAMILY)]
    if options.flags and not options.operands and not options.values(names("-e --eval -c -r")):
        return OTHER(call) if call.stdin.kind == "none" else [dynamic(FAMILY)]
    for word in options.values(names("-e --eval -c -r")):
        call.hide_code(word)
    inline = options.values(names("-e --eval -c -r")) or call.stdin.kind in ("text", "pipe")
    if inline or not options.operands:
        return [dynamic(FAMILY)] if inline else [unlisted("script")]
    return script_file(call, options.operands[0], call.args[call.args.index(options.operands[0]) + 1 :])


PROGRAMS: dict[str, Handler] = {
    **rows("node nodejs", _node),
    "ruby": RUBY_ROW,
    "perl": _perl,
    "php": _php,
    "deno": DENO,
    **rows(
        "lua luajit Rscript R julia elixir iex scala groovy swipl octave pwsh powershell racket guile sbcl clojure "
        "clj bb tclsh ghci ocaml erl tsx ts-node irb ipython bpython jshell kotlin java",
        _other,
    ),
}
