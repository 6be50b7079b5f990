"""bundle and composer, and what runs commands under a version of a language."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.acts.building.tasks import of_any_language, task
from evaluator.shell.acts.inner import changing, split, wraps
from evaluator.shell.call import Call, Handler
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.programs.packages import BUNDLE_INSTALL, BUNDLE_LISTED, COMPOSER_FLAGS, COMPOSER_LISTED
from evaluator.shell.programs.versions import ENV_INSTALLS, RUSTUP_LISTED, VERSION_CHANGES, VERSION_READS
from evaluator.shell.rows.row import row, rows, tree

BUNDLE = tree(
    "packages",
    {
        **BUNDLE_LISTED,
        "exec": wraps(row("packages", flags="--keep-file-descriptors --no-keep-file-descriptors", valued="")),
    },
    flags="-v --verbose --no-color -V",
    bare=BUNDLE_INSTALL,
)


def _composer_run(call: Call) -> list[Outcome]:
    leading, rest = split(call, COMPOSER_OWN)
    found = changing(COMPOSER_OWN(leading))
    return [*found, *task(call, rest[0], rest[1:])] if rest else found or [reads("packages")]


def _composer(call: Call) -> list[Outcome]:
    """A word of no subcommand is a script of the project."""
    leading, rest = split(call, COMPOSER_OWN)
    if (
        rest
        and rest[0].plain
        and rest[0].text in ("test", "lint", "check", "phpstan", "analyse", "analyze", "phpunit")
    ):
        return [*changing(COMPOSER_OWN(leading)), *task(call, rest[0], rest[1:])]
    return COMPOSER(call)


COMPOSER_OWN = row("packages", flags=f"{COMPOSER_FLAGS} --dev --no-dev -l --list", valued="--timeout")
COMPOSER = tree(
    "packages",
    {
        **COMPOSER_LISTED,
        **rows("run, run-script", _composer_run),
        "exec": wraps(row("packages", flags=f"{COMPOSER_FLAGS} -l --list")),
        "config": row("packages", flags="-l --list -g --global --absolute", most=1),
    },
    flags=f"{COMPOSER_FLAGS} -V",
)
RUSTUP = tree(
    "packages",
    {**RUSTUP_LISTED, "run": wraps(row("packages", flags="--install"), skip=1)},
    flags="-q --quiet -v --verbose -V",
)
ENVS = tree(
    "packages",
    {
        **rows(
            "versions, version, version-name, which, whence, root, prefix, commands, hooks, shims",
            VERSION_READS,
        ),
        **rows("uninstall, rehash, global, shell, virtualenv, update", VERSION_CHANGES),
        "install": ENV_INSTALLS,
        "local": row("packages", does="install", flags="--unset -f --force"),
        "exec": wraps(row("packages")),
    },
    flags="-v",
)


def _behind_dashes(call: Call) -> list[Outcome]:
    """`mise exec node@22 -- CMD`; `asdf exec CMD` has none, and a `--` in it is the command's own."""
    if "--" not in call.texts:
        return [unlisted("packages"), *changing(call.shell.run_words(call.args, call.stdin))]
    at = call.texts.index("--")
    named = row("packages", flags="-q --quiet -y --yes")
    direct = call.args[:at] if not call.texts[0].startswith("-") and "@" not in call.texts[0] else ()
    return [
        *(changing(call.shell.run_words(call.args, call.stdin)) if direct else []),
        *changing(named(replace(call, args=call.args[:at]))),
        *call.shell.run_words(call.args[at + 1 :], call.stdin),
    ]


def _task(call: Call) -> list[Outcome]:
    return task(call, call.args[0], call.args[1:], of_any_language) if call.args else [reads("packages")]


PLUGINS = tree(
    "packages",
    {
        **rows(
            "current, list, ls, which, where, latest, ls-remote, list all, plugin list, plugins ls, info, env, "
            "doctor, outdated, config ls, config get, settings ls, settings get, tasks ls, cfg, registry",
            VERSION_READS,
        ),
        **rows(
            "install, i, uninstall, use, up, upgrade, global, local, set, reshim, plugin add, plugin remove, "
            "plugin update, plugins install, prune, self-update, trust, unuse",
            VERSION_CHANGES,
        ),
        "tasks": replace(VERSION_READS, most=0),
        **rows("exec, x", _behind_dashes),
        **rows(
            "run, r",
            _task,
        ),
    },
    flags="-v -q --quiet -y --yes",
)


PROGRAMS: dict[str, Handler] = {
    **rows("bundle bundler", BUNDLE),
    "composer": _composer,
    "rustup": RUSTUP,
    **rows("pyenv rbenv", ENVS),
    **rows("mise asdf", PLUGINS),
}
