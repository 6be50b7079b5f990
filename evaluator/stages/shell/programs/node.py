"""Package managers of JavaScript: scripts that build and test, packages, and tools run by name."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.destroying import named_so
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.stages.shell.programs.agents import PACKAGES, by_script
from evaluator.stages.shell.spec import Commands, Rule, programs, table
from evaluator.stages.shell.words import Word

GLOBALS = names(
    "--prefix -C --cwd --dir -w --workspace --filter -F --registry --loglevel --userconfig --cache"
)
BUILDING = re.compile(
    r"(?:.*[:_-])?(?:build|compile|test|tests|lint|check|typecheck|types|tsc|dev|start|serve|watch|coverage|cover|e2e|unit|integration|ci|verify|validate"
    r"|bench|benchmark|storybook|preview|spec|audit|type-check|jest|vitest|mocha|cypress|playwright|eslint|bundle|analyze|docs)(?:[:_-].*)?\Z"
)
CHANGING = re.compile(
    r"fix|write|deploy|publish|release|migrat|seed|clean|format|prettier|update|upgrade|drop|reset|push|install|generate|codegen"
)


SCOPED = {
    "@biomejs/biome": "biome",
    "@playwright/test": "playwright",
    "@angular/cli": "ng",
    "@redocly/cli": "spectral",
    "@stoplight/spectral-cli": "spectral",
    "@commitlint/cli": "commitlint",
    "typescript": "tsc",
    **PACKAGES,
}
"""Packages whose program has another name."""


def script_effect(name: str) -> Outcome:
    """A script of the project is known by its name alone: building and testing ones are `build`."""
    builds = BUILDING.match(name) and not CHANGING.search(name) and not named_so(name)
    return reads("build") if builds else unlisted("script")


def _script(call: Call) -> list[Outcome]:
    options = read_options(call.args, GLOBALS, stop=True)
    if not options.rest:
        return [reads("packages")]
    if not options.rest[0].plain:
        return [dynamic("script")]
    name = options.rest[0].text
    if agent := by_script(name):
        return call.shell.run_words([Word(agent), *options.rest[1:]], call.stdin)
    if re.search(r"\.(?:[cm]?[jt]sx?)\Z", name):
        return [unlisted("script")]
    fixes = any(word.text in ("--fix", "--write", "-u", "--updateSnapshot") for word in options.rest[1:])
    return [unlisted("script")] if fixes else [script_effect(name)]


def _named_script(call: Call) -> list[Outcome]:
    name = "test" if call.name in ("t", "tst") else call.name
    return _script(Call(name, (Word(name), *call.args), call.stdin, call.shell))


def _default_script(call: Call) -> list[Outcome]:
    """`yarn build`, `pnpm lint`: an unknown subcommand is a script or a tool of the project."""
    tool = call.args[0].text if call.args else ""
    from evaluator.stages.shell.registry import handler_of

    if handler_of(tool) is not None and not BUILDING.match(tool):
        return call.shell.run_words(call.args, call.stdin)
    return _script(call)


def _bun(call: Call) -> list[Outcome]:
    """Code in an option is JavaScript, as for node."""
    if call.texts[:1] and call.texts[0] in ("-e", "--eval", "-p", "--print"):
        return call.shell.run_words([Word("node"), *call.args], call.stdin)
    return BUN(call)


def _inside(call: Call) -> list[Outcome]:
    """`yarn workspace NAME COMMAND`."""
    return (
        YARN(Call("yarn", call.args[1:], call.stdin, call.shell))
        if len(call.args) > 1
        else [reads("packages")]
    )


def _execute(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-p --package -c --call -w --workspace --prefix --registry"), stop=True
    )
    if options.has(names("--version -v --help")) and not options.rest:
        return [reads("packages")]
    code = options.values(names("-c --call"))
    if code:
        call.hide_code(code[0])
        return call.shell.run_code(code[0].text)
    if not options.rest:
        return [reads("packages")]
    first = options.rest[0]
    name = re.sub(r"(?<=.)@[\w.^~-]+\Z", "", first.text)
    name = SCOPED.get(name, name)
    plain = Word(name, first.dynamic, first.glob, first.bare, first.decoded, first.assigned, first.spans)
    return call.shell.run_words([plain, *options.rest[1:]], call.stdin)


def _version(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-m --message --preid"))
    return [writes("overwrite", ("package.json",), "packages")] if options.operands else [reads("packages")]


def _init(call: Call) -> list[Outcome]:
    return [writes("create", ("package.json",), "packages")]


def _audit(call: Call) -> list[Outcome]:
    return (
        [writes("install", (), "packages")]
        if "fix" in call.texts or "--fix" in call.texts
        else [reads("packages")]
    )


def _pack(call: Call) -> list[Outcome]:
    return [reads("packages")] if "--dry-run" in call.texts else [writes("create", (), "packages")]


def _publish(call: Call) -> list[Outcome]:
    return [reads("packages")] if "--dry-run" in call.texts else [writes("network", (), "packages")]


def _bare_install(call: Call) -> list[Outcome]:
    return [writes("install", (), "packages")]


def _simulated_install(call: Call) -> list[Outcome]:
    return [reads("packages")] if "--dry-run" in call.texts else [writes("install", (), "packages")]


COMMON: dict[str, Rule] = {
    **table(
        "install, i, in, add, ci, uninstall, remove, rm, un, unlink, update, up, upgrade, dedupe, ddp, "
        "prune, "
        "link, ln, rebuild, install-test, it, "
        "install-ci-test, cit, clean-install, import, fetch, global add, global remove, global upgrade, set "
        "version, plugin import, store prune, "
        "patch, patch-commit, env use, self-update, upgrade-interactive, create, shrinkwrap, clean",
        _simulated_install,
    ),
    **table(
        "list, ls, ll, la, outdated, view, v, info, show, search, s, why, explain, fund, root, prefix, bin, "
        "config get, config list, config ls, get, ping, whoami, "
        "doctor, docs, repo, help, help-search, query, sbom, licenses, workspaces list, workspaces info, "
        "store "
        "path, store status, owner ls, dist-tag ls, dist-tag list, "
        "env list, pm ls, cache ls, pm bin, completion, find-dupes, bugs, home, team ls, access ls-packages, "
        "global "
        "list, versions, cache dir, cache list",
        "read",
    ),
    **table(
        "deprecate, dist-tag add, dist-tag rm, access, owner add, owner rm, adduser, login, logout, token, "
        "star, hook, team",
        "network",
    ),
    **table(
        "config set, config delete, set, pkg set, pkg delete, cache clean, cache clear, cache verify, cache "
        "add",
        "unlisted",
    ),
    "unpublish": "delete",
    "publish": _publish,
    "npm publish": _publish,
    "run": _script,
    "run-script": _script,
    "rum": _script,
    "urn": _script,
    **table("test, t, tst, start, build, lint, dev", _named_script),
    "stop": "unlisted",
    "restart": "unlisted",
    "exec": _execute,
    "x": _execute,
    "dlx": _execute,
    "version": _version,
    "init": _init,
    "audit": _audit,
    "pack": _pack,
    "pkg get": "read",
    "node": lambda call: call.shell.run_words([Word("node"), *call.args], call.stdin),
}
BUN = Commands(
    "packages",
    {
        **COMMON,
        "build": "build",
        "test": "build",
        "pm": "read",
        **table("pm cache rm, pm trust, pm migrate", "unlisted"),
    },
    valued=GLOBALS,
    default=_default_script,
)
YARN = Commands(
    "packages",
    {**COMMON, "workspace": _inside},
    valued=GLOBALS,
    default=_default_script,
    bare=_bare_install,
)
PROGRAMS: dict[str, Handler] = {
    **programs("npm", Commands("packages", COMMON, valued=GLOBALS)),
    **programs("pnpm", Commands("packages", COMMON, valued=GLOBALS - names("-w"), default=_default_script)),
    **programs("yarn", YARN),
    **programs("bun", _bun),
    **programs("npx pnpx bunx", _execute),
}
