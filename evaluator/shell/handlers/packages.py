"""Package managers: scripts, tools run by name, and commands in an environment."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluator.shell.call import Call, Handler, Outcome, dynamic, read_options, reads, unlisted
from evaluator.shell.handlers.agents import BY_PACKAGE, by_script
from evaluator.shell.handlers.building import of_any_language, task
from evaluator.shell.handlers.common import changing, options_of, split, wraps
from evaluator.shell.rows.row import Tree
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word
from evaluator.text import Vocabulary, names

PACKAGES = Shared("packages")
JAVASCRIPT = Shared("javascript")
PYTHON = Shared("python")
VOCABULARY = Vocabulary("shell/programs/packages", "words")


def composer_run(call: Call) -> list[Outcome]:
    leading, rest = split(call, PACKAGES.composer_own)
    found = changing(PACKAGES.composer_own(leading))
    return [*found, *task(call, rest[0], rest[1:])] if rest else found or [reads("packages")]


def behind_dashes(call: Call) -> list[Outcome]:
    """`mise exec node@22 -- CMD`; `asdf exec CMD` has none, and a `--` in it is the command's own."""
    if "--" not in call.texts:
        return [unlisted("packages"), *changing(call.shell.run_words(call.args, call.stdin))]
    at, first = call.texts.index("--"), call.texts[0]
    direct = not first.startswith("-") and "@" not in first
    return [
        *(changing(call.shell.run_words(call.args, call.stdin)) if direct else []),
        *changing(PACKAGES.mise_exec(replace(call, args=call.args[:at]))),
        *call.shell.run_words(call.args[at + 1 :], call.stdin),
    ]


def run_task(call: Call) -> list[Outcome]:
    return task(call, call.args[0], call.args[1:], of_any_language) if call.args else [reads("packages")]


BREW_TOLD = names("--prefix --cache --cellar --repository --repo --caskroom --env")


def brew(call: Call) -> list[Outcome]:
    """Places are asked for as options: `brew --prefix openssl`."""
    places = not BREW_TOLD.isdisjoint(call.texts[:1])
    return PACKAGES.brew_reads(replace(call, args=call.args[1:])) if places else PACKAGES.brew(call)


def by_letter(call: Call, table: Mapping[str, Handler], otherwise: Handler) -> list[Outcome]:
    """The first option names the operation: `pacman -Qs`, `rpm -qa`."""
    first = next((text for text in call.texts if text.startswith("-")), "")
    key = first.partition("=")[0] if first.startswith("--") else first[:2]
    return table.get(key, otherwise)(call)


def pacman_sync(call: Call) -> list[Outcome]:
    letters = {letter for text in call.texts if text[:1] == "-" and text[:2] != "--" for letter in text[1:]}
    asks = letters & set("silg") and not letters & set("yuwc")
    asks = asks or {"--search", "--info"} & set(call.texts)
    return PACKAGES.pacman_asks(call) if asks else PACKAGES.pacman_installs(call)


RUNS = names("-c --command")


def develop(call: Call) -> list[Outcome]:
    """`nix develop -c CMD`, `nix shell PACKAGE --command CMD`: the command is all that follows."""
    at = next((at for at, text in enumerate(call.texts) if text in RUNS), None)
    if at is None:
        return [unlisted("packages")]
    found = changing(PACKAGES.entered(replace(call, args=call.args[:at])))
    return [*found, *call.shell.run_words(call.args[at + 1 :], call.stdin)]


NAMED_PACKAGES = names("-p --package")
PROVIDES = VOCABULARY.texts("provides")
"""Packages whose program has another name, as those of agents have."""
TOOLS = VOCABULARY.words("tools")
"""Tools of JavaScript. Another name that is known to the shell is another program in the registry of packages."""
VERSION = re.compile(r"(?<=.)@[\w.^~-]+\Z", re.ASCII)


def npm_script(call: Call) -> list[Outcome]:
    """npm keeps options that stand before `--` to itself."""
    at = call.texts.index("--") if "--" in call.texts else len(call.args)
    own = options_of(JAVASCRIPT.of_npm, call.args[:at]).operands
    found = JAVASCRIPT.of_npm(replace(call, args=call.args[:at]))
    return _package_script_outcomes(call, found, (*own, *call.args[at:])) if own else JAVASCRIPT.of_npm(call)


def script(call: Call) -> list[Outcome]:
    """pnpm, yarn and bun hand on everything behind the name."""
    leading, rest = split(call, JAVASCRIPT.of_running)
    found = JAVASCRIPT.of_running(leading)
    return _package_script_outcomes(call, found, rest) if rest else changing(found) or [reads("packages")]


def _package_script_outcomes(call: Call, beside: Sequence[Outcome], words: Sequence[Word]) -> list[Outcome]:
    """A script of the project with what is handed on to it."""
    name, handed = words[0], words[1:]
    if not name.plain:
        return [dynamic("script")]
    if agent := by_script(name.text):
        return [*changing(beside), *call.shell.run_words([Word(agent), *handed], call.stdin)]
    return changing([*beside, *task(call, name, handed)]) or [reads("build")]


def named(call: Call, run: Handler) -> list[Outcome]:
    """The scripts that are subcommands as well."""
    name = "test" if call.name in ("t", "tst") else call.name
    return run(replace(call, name=name, args=(Word(name), *call.args)))


def tool(call: Call) -> list[Outcome]:
    """`npx TOOL`, `pnpm exec TOOL`."""
    leading, rest = split(call, JAVASCRIPT.of_npx)
    found = changing(JAVASCRIPT.of_npx(leading))
    fetched = options_of(JAVASCRIPT.of_npx, leading.args).values(NAMED_PACKAGES)
    if not rest:
        # A package that is named is installed, with its scripts, and a shell started in its environment.
        return [*found, unlisted("script")] if fetched else found or [reads("packages")]
    if not rest[0].plain:
        return [dynamic("script")]
    name = _program_of_package(rest[0].text)
    if any(_program_of_package(one.text) != name for one in fetched):
        found.append(unlisted("script"))
    ran = call.shell.run_words([replace(rest[0], text=name), *rest[1:]], call.stdin)
    if not changing(ran) and name not in TOOLS and name not in BY_PACKAGE.values():
        ran = [unlisted("script")]
    return [*found, *ran]


def _program_of_package(package: str) -> str:
    package = VERSION.sub("", package)
    return PROVIDES.get(package) or BY_PACKAGE.get(package, package)


def or_script(call: Call, own: Tree, also: str = "") -> list[Outcome]:
    """Where the first word is none of its subcommands, nor of those in `also`, it names a script or a tool of the
    project: `yarn build`, `pnpm eslint src`."""
    rest = read_options(call.args, own.valued | own.places, stop=True).rest
    name = rest[0].text if rest else ""
    known = name in names(also) or any(path.split()[0] == name for path in own.table)
    if not rest or not rest[0].plain or known:
        return own(call)
    tool = name in TOOLS and call.shell.knows(name)
    ran = call.shell.run_words(rest, call.stdin) if tool else script(replace(call, args=rest))
    leading = replace(call, args=call.args[: len(call.args) - len(rest)])
    return [*changing(JAVASCRIPT.of_running(leading)), *ran]


def inside(call: Call) -> list[Outcome]:
    """`yarn workspace NAME COMMAND`."""
    inner = replace(call, name="yarn", args=call.args[1:])
    return JAVASCRIPT.yarn(inner) if inner.args else [unlisted("packages")]


def as_node(call: Call) -> list[Outcome]:
    return call.shell.run_words([Word("node"), *call.args], call.stdin)


def bun(call: Call) -> list[Outcome]:
    """Code in an option is JavaScript, as for node."""
    inline = not names("-e --eval -p --print").isdisjoint(call.texts[:1])
    return as_node(call) if inline else JAVASCRIPT.bun(call)


PYTHON_TOOLS = VOCABULARY.words("python-tools")
"""Tools of Python. Another name that is known to the shell is another program in the registry of packages."""
MODULE = names("-m --module")


def uv_run(call: Call) -> list[Outcome]:
    """`uv run CMD`, `uv run -m MODULE`: what an added package or another folder brings in is not known."""
    options = read_options(call.args, PYTHON.inside.valued | MODULE, stop=True)
    module = options.values(MODULE)
    at = next((at for at, text in enumerate(call.texts) if text.partition("=")[0] in MODULE), -1)
    if (module and at < 0) or any("/" in value.text for value in options.values(names("-p --python"))):
        return [unlisted("packages"), *changing(wraps(call, PYTHON.inside))]
    if not module:
        return wraps(call, PYTHON.inside)
    found = changing(PYTHON.inside(replace(call, args=call.args[:at])))
    behind = call.args[at + (1 if "=" in call.texts[at] else 2) :]
    return [*found, *call.shell.run_words([Word("python"), Word("-m"), module[0], *behind], call.stdin)]


def python_tool(call: Call) -> list[Outcome]:
    """`uvx TOOL`, `pipx run TOOL`: the tool is fetched by its name, or from the package of `--from`."""
    leading, rest = split(call, PYTHON.of_tools)
    found = changing(PYTHON.of_tools(leading))
    if not rest:
        return found or [reads("packages")]
    options = options_of(PYTHON.of_tools, leading.args)
    name = _python_package_program(rest[0].text)
    ran = call.shell.run_words([replace(rest[0], text=name), *rest[1:]], call.stdin)
    other = any(
        _python_package_program(source.text) != name for source in options.values(names("--from --spec"))
    )
    if other or any("/" in one.text for one in options.values(names("-p --python"))):
        ran = [*ran, unlisted("packages")]
    return [*found, *(ran if changing(ran) or name in PYTHON_TOOLS else [unlisted("packages")])]


def _python_package_program(package: str) -> str:
    name = package.partition("@")[0].partition("==")[0].partition("[")[0]
    return BY_PACKAGE.get(name, name)
