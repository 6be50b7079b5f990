"""Package managers of JavaScript: scripts that build and test, and tools run by name."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.shell.acts.building.tasks import task
from evaluator.shell.acts.inner import changing, on_file, split
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted
from evaluator.shell.programs.agents import by_package, by_script, is_agent
from evaluator.shell.programs.node import (
    BUN_LISTED,
    NPM_LISTED,
    NPM_READS,
    NPM_SETTINGS,
    PNPM_LISTED,
    YARN_INSTALLS,
    YARN_LISTED,
)
from evaluator.shell.rows.row import row, tree
from evaluator.shell.words import Word

OF_RUNNING = row(
    "packages",
    flags="--silent -s --if-present --workspaces --ws -ws --include-workspace-root --verbose -q --quiet --json -r "
    "--recursive --parallel --stream --no-bail --aggregate-output --sequential --color --no-color -T --top-level "
    "--bun -b --yes -y --no-install --offline --prefer-offline -w --workspace-root --no --watch --hot",
    valued="--workspace --filter -F --loglevel --reporter --workspace-concurrency",
    places="--prefix --cwd --dir -C",
)
"""Options in front of a script or tool; whatever else stands there makes it unlisted."""
OF_NPM = row(
    "packages",
    flags="--silent -s --if-present --workspaces --ws --include-workspace-root --verbose -q --quiet --json "
    "--no-color --color",
    valued="-w --workspace --loglevel",
    places="--prefix -C",
)
OF_NPX = row(
    "packages",
    flags="--yes -y --no --no-install -q --quiet --silent -s --offline --prefer-offline --bun --workspaces --ws",
    valued="-w --workspace --loglevel",
    runs="-c --call",
)
PACKAGES = names("-p --package")
PROVIDES = {
    "typescript": "tsc",
    "@biomejs/biome": "biome",
    "@playwright/test": "playwright",
    "@angular/cli": "ng",
    "@redocly/cli": "redocly",
    "@stoplight/spectral-cli": "spectral",
}
"""Packages whose program has another name, as those of agents have."""
TOOLS = names(
    "eslint prettier tsc vue-tsc svelte-check vitest jest mocha ava playwright cypress biome oxlint stylelint knip "
    "publint attw tsd cspell markdownlint markdownlint-cli2 npm-check-updates ncu "
    "ts-prune size-limit next nuxt astro vite webpack rollup esbuild tsup turbo nx "
    "lerna ng prisma drizzle-kit knex sequelize sequelize-cli typeorm c8 nyc tap envinfo license-checker pyright "
    "jscpd redocly spectral tsx ts-node wrangler vercel netlify firebase supabase shellcheck lint-staged"
)
"""Tools of JavaScript. Another name that is known to the shell is another program in the registry of packages."""
VERSION = re.compile(r"(?<=.)@[\w.^~-]+\Z", re.ASCII)


def _npm_script(call: Call) -> list[Outcome]:
    """npm keeps options that stand before `--` to itself."""
    at = call.texts.index("--") if "--" in call.texts else len(call.args)
    own = read_options(call.args[:at], OF_NPM.takes)
    if not own.operands:
        return OF_NPM(call)
    found = changing(OF_NPM(replace(call, args=call.args[:at])))
    if not own.operands[0].plain:
        return [dynamic("script")]
    handed = (*own.operands[1:], *call.args[at:])
    if agent := by_script(own.operands[0].text):
        return [*found, *call.shell.run_words([Word(agent), *handed], call.stdin)]
    return [*found, *changing(task(call, own.operands[0], handed))] or [reads("build")]


def _script(call: Call) -> list[Outcome]:
    """pnpm, yarn and bun hand on everything behind the name."""
    leading, rest = split(call, OF_RUNNING)
    found = changing(OF_RUNNING(leading))
    if not rest:
        return found or [reads("packages")]
    if not rest[0].plain:
        return [dynamic("script")]
    if agent := by_script(rest[0].text):
        return [*found, *call.shell.run_words([Word(agent), *rest[1:]], call.stdin)]
    return [*found, *changing(task(call, rest[0], rest[1:]))] or [reads("build")]


def _named(run: Handler) -> Handler:
    """The scripts that are subcommands as well."""

    def handle(call: Call) -> list[Outcome]:
        name = "test" if call.name in ("t", "tst") else call.name
        return run(replace(call, name=name, args=(Word(name), *call.args)))

    return handle


def _tool(call: Call) -> list[Outcome]:
    """`npx TOOL`, `pnpm exec TOOL`."""
    options = read_options(call.args, OF_NPX.valued | OF_NPX.runs | PACKAGES, stop=True)
    leading = replace(call, args=call.args[: len(call.args) - len(options.rest)])
    fetched = [value.text for value in options.values(PACKAGES)]
    own = tuple(word for word in leading.args if word.text not in PACKAGES and word.text not in fetched)
    found = changing(OF_NPX(replace(call, args=own)))
    if not options.rest:
        return found or [reads("packages")]
    first = options.rest[0]
    if not first.plain:
        return [dynamic("script")]
    plain = VERSION.sub("", first.text)
    name = _provided(plain)
    if any(_provided(VERSION.sub("", one)) != name for one in fetched):
        found.append(unlisted("script"))
    ran = call.shell.run_words([replace(first, text=name), *options.rest[1:]], call.stdin)
    if not changing(ran) and name not in TOOLS and not is_agent(name):
        ran = [unlisted("script")]
    return [*found, *ran]


def _provided(package: str) -> str:
    return PROVIDES.get(package) or by_package(package) or package


def _other(call: Call) -> list[Outcome]:
    """`yarn build`, `pnpm lint`, `pnpm eslint src`: a word of no subcommand is a script or a tool of the project."""
    name = call.texts[0]
    if name in TOOLS and call.shell.knows(name):
        return call.shell.run_words(call.args, call.stdin)
    return _script(call)


def _or_script(table: Handler, known: str, valued: str) -> Handler:
    """A table of subcommands; where the first word is none of them, it names a script or a tool."""
    options_with_value, subcommands = names(valued), names(known)

    def handle(call: Call) -> list[Outcome]:
        options = read_options(call.args, options_with_value, stop=True)
        if options.rest and options.rest[0].plain and options.rest[0].text not in subcommands:
            leading = replace(call, args=call.args[: len(call.args) - len(options.rest)])
            return [*changing(OF_RUNNING(leading)), *_other(replace(call, args=options.rest))]
        return table(call)

    return handle


def _inside(call: Call) -> list[Outcome]:
    """`yarn workspace NAME COMMAND`."""
    return (
        YARN(replace(call, name="yarn", args=call.args[1:])) if len(call.args) > 1 else [unlisted("packages")]
    )


def _as_node(call: Call) -> list[Outcome]:
    return call.shell.run_words([Word("node"), *call.args], call.stdin)


def _bun(call: Call) -> list[Outcome]:
    """Code in an option is JavaScript, as for node."""
    if call.texts[:1] and call.texts[0] in ("-e", "--eval", "-p", "--print"):
        return _as_node(call)
    return BUN(call)


def _first_words(table: dict[str, Handler]) -> str:
    return " ".join(dict.fromkeys(path.split()[0] for path in table))


PACKAGE = {
    "version": on_file(NPM_SETTINGS, "overwrite", "package.json", least=1),
    "init": on_file(NPM_SETTINGS, "create", "package.json"),
    "pkg set": on_file(NPM_SETTINGS, "overwrite", "package.json"),
    "pkg delete": on_file(NPM_SETTINGS, "overwrite", "package.json"),
    "pkg fix": on_file(NPM_SETTINGS, "overwrite", "package.json"),
}
NPM = tree(
    "packages",
    {
        **NPM_LISTED,
        **PACKAGE,
        **dict.fromkeys(("run", "run-script", "rum", "urn"), _npm_script),
        **dict.fromkeys(("test", "t", "tst", "start"), _named(_npm_script)),
        **dict.fromkeys(("exec", "x"), _tool),
    },
    flags="-v --silent -s -q --quiet --json -l --long -h --no-color --workspaces --ws",
    valued="-w --workspace --loglevel",
    places="--prefix -C",
)
PNPM_TABLE: dict[str, Handler] = {
    **PNPM_LISTED,
    **PACKAGE,
    "run": _script,
    "run-script": _script,
    **dict.fromkeys(("test", "t", "tst", "start"), _named(_script)),
    **dict.fromkeys(("exec", "dlx"), _tool),
    "node": _as_node,
}
PNPM_VALUED = "--filter -F --loglevel --reporter"
PNPM_PLACES = "-C --dir"
PNPM = _or_script(
    tree(
        "packages",
        PNPM_TABLE,
        flags="-v -r --recursive -w --workspace-root --silent -s -h --parallel --stream",
        valued=PNPM_VALUED,
        places=PNPM_PLACES,
    ),
    _first_words(PNPM_TABLE),
    f"{PNPM_VALUED} {PNPM_PLACES}",
)
YARN_TABLE: dict[str, Handler] = {
    **YARN_LISTED,
    **PACKAGE,
    "run": _script,
    "workspace": _inside,
    "exec": _tool,
    "dlx": _tool,
    "node": _as_node,
}
YARN = _or_script(
    tree("packages", YARN_TABLE, flags="-v -h -s --silent", places="--cwd", bare=YARN_INSTALLS),
    _first_words(YARN_TABLE) + " workspaces config cache global npm plugin set licenses",
    "--cwd",
)
BUN_TABLE: dict[str, Handler] = {
    **BUN_LISTED,
    "run": _script,
    "x": _tool,
    "init": on_file(NPM_READS, "create", "package.json"),
}
BUN = _or_script(
    tree("packages", BUN_TABLE, flags="-v -h --silent --bun -b", valued="--filter", places="--cwd"),
    _first_words(BUN_TABLE) + " pm create",
    "--cwd --filter",
)
PROGRAMS: dict[str, Handler] = {
    "npm": NPM,
    "pnpm": PNPM,
    "yarn": YARN,
    "bun": _bun,
    "npx": _tool,
    "pnpx": _tool,
    "bunx": _tool,
}
