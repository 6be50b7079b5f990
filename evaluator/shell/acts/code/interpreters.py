"""Interpreters but Python: their code is not read, so it is unlisted; alone they tell their version or check a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.shell.call import Call, Handler
from evaluator.shell.hazards import names
from evaluator.shell.options import NONE, part_of, read_options
from evaluator.shell.outcome import Outcome, dynamic, governs, reads, unlisted, writes
from evaluator.shell.programs.agents import by_script
from evaluator.shell.programs.keyboards import types_in_code
from evaluator.shell.rows.landing import edited
from evaluator.shell.rows.row import row, rows, tree
from evaluator.shell.words import Word

FAMILY = "code"
DESTROYS = re.compile(
    r"\b(?:unlink(?:Sync)?|rm(?:dir)?Sync|rmdir|rmtree|rm_rf?|remove(?:Sync|_dir|_entry)|rimraf|emptyDir(?:Sync)?"
    r"|dropDatabase|(?:delete|destroy)_?all|(?:fs|fsp|promises|FileUtils)\.(?:rm|remove)|(?:File|Dir)\.delete"
    r"|rm\s+-[a-zA-Z]*[rf]|drop\s+(?:table|database|schema)|delete\s+from|truncate\s+table)\b"
    r"|\brename(?:Sync)?\s*\(?\s*[\"'`$]|\bFileUtils\.(?:mv|move)\b",
    re.IGNORECASE,
)
"""Words with which code of any language says that it destroys, or moves a file away."""


def unread(code: str) -> list[Outcome]:
    return [governs(FAMILY) if DESTROYS.search(code) else unlisted(FAMILY)]


def code_of(call: Call, word: Word, read: Callable[[str], list[Outcome]] = unread) -> list[Outcome]:
    call.hide_code(word)
    if word.decoded or (word.dynamic and (word.bare or word.text.lstrip().startswith(("$", "`")))):
        return [dynamic(FAMILY)]
    return [*types_in_code(word.text), *read(word.text)]


def code_on_input(call: Call, read: Callable[[str], list[Outcome]] = unread) -> list[Outcome]:
    if call.stdin.kind == "text":
        call.shell.hide(call.stdin.spans, f"[code: {len(call.stdin.text)} chars]")
        return [*types_in_code(call.stdin.text), *read(call.stdin.text)]
    return [dynamic(FAMILY)] if call.stdin.kind in ("pipe", "names") else [unlisted("script")]


def script_file(call: Call, script: Word, args: Sequence[Word]) -> list[Outcome]:
    """A script file: an agent by where it lies, else nobody knows."""
    agent = by_script(script.text)
    return call.shell.run_words([Word(agent), *args], call.stdin) if agent else [unlisted("script")]


@dataclass(frozen=True, slots=True)
class Interpreter:
    """`codes`: options whose value is code; `valued` and `attached` ones take another value. `shows`: words that alone
    only tell; `checks`: options with which it reads the syntax of one file. `in_place`: the option with which it edits
    its files.
    """

    codes: frozenset[str]
    valued: frozenset[str] = NONE
    attached: frozenset[str] = NONE
    shows: frozenset[str] = NONE
    checks: frozenset[str] = NONE
    in_place: frozenset[str] = NONE

    def __call__(self, call: Call) -> list[Outcome]:
        if len(call.args) == 1 and call.texts[0] in self.shows:
            return [reads(FAMILY)]
        options = read_options(
            call.args, self.codes | self.valued, attached=self.attached | self.in_place, stop=True
        )
        rest = options.rest
        if any(word.decoded for word in call.args[: len(call.args) - len(rest)]):
            return [dynamic(FAMILY)]
        if len(options.flags) == 1 and options.has(self.checks) and len(rest) == 1:
            return [reads("build")]
        given = options.values(self.codes)
        if not given and rest and rest[0].text != "-":
            return script_file(call, rest[0], rest[1:])
        found = [one for word in given for one in code_of(call, word)] or code_on_input(call)
        if options.has(self.in_place):
            suffix = next((value.text for value in options.values(self.in_place)), "")
            found.insert(0, writes("overwrite", edited([word.text for word in rest], suffix), FAMILY))
        return found


NODE = Interpreter(
    names("-e --eval -p --print"),
    names("-r --require --import --loader --input-type --env-file -C --conditions"),
    shows=names("-v --version -h --help --v8-options"),
    checks=names("-c --check"),
)
RUBY = Interpreter(
    names("-e"),
    names("-E -F -r -I -C"),
    names("-0 -W -K -T"),
    shows=names("-v --version -h --help"),
    checks=names("-c"),
    in_place=names("-i"),
)
PERL = Interpreter(
    names("-e -E"),
    names("-F -M -m -I"),
    names("-0 -l -C -V"),
    shows=names("-v -V -h --version --help"),
    in_place=names("-i"),
)
"""Its `-c` runs what stands in BEGIN blocks."""
PHP = Interpreter(
    names("-r --run"),
    names("-d -c -z -B -R -E"),
    shows=names("-v --version -i --info -m --modules -h --help --ini"),
    checks=names("-l --syntax-check"),
)
OTHER = Interpreter(names("-e --eval -c -r -E"), shows=names("-v -V --version -version --help -help"))
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
    return PERL(Call(call.name, (*apart, *args), call.stdin, call.shell))


def _php(call: Call) -> list[Outcome]:
    if call.texts[:1] != ["artisan"]:
        return PHP(call)
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
    given = read_options(call.args, names("--ext"), stop=True).rest
    return code_of(call, given[0]) if given else [dynamic(FAMILY)]


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


PROGRAMS: dict[str, Handler] = {
    **rows("node nodejs", _node),
    "ruby": RUBY,
    "perl": _perl,
    "php": _php,
    "deno": DENO,
    **rows(
        "lua Rscript R julia elixir iex scala groovy pwsh powershell tclsh tsx ts-node irb ipython kotlin java",
        OTHER,
    ),
}
