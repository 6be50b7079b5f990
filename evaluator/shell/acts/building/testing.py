"""Test runners and what measures or watches the program under test."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.shell.acts.building.tasks import HANDED, builds
from evaluator.shell.acts.inner import barring, changing, handing, on_file, split, wraps
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, unlisted, writes
from evaluator.shell.programs.checks import MYPY
from evaluator.shell.programs.testing import MOCHA, PYTEST, VITEST
from evaluator.shell.rows.row import row, rows, tree
from evaluator.shell.words import Word

REPORTS = names("term term-missing html xml json lcov annotate")


def _pytest(call: Call) -> list[Outcome]:
    """Plug-ins are code, unless they are only left out; a report may name its file behind a colon."""
    found = PYTEST(call)
    options = read_options(call.args, PYTEST.takes)
    extra: list[Outcome] = []
    for name, value in options.flags:
        if value is None:
            continue
        kind, _, file = value.text.partition(":")
        if name == "--cov-report" and file and kind not in ("term", "term-missing"):
            extra.append(writes("overwrite", (file,), "build"))
        elif (name == "-p" and kind != "no") or (name == "--cov-report" and kind not in REPORTS):
            extra.append(unlisted("build"))
    return [*extra, *changing(found)] or found


TOX = row(
    "build",
    flags="-q --quiet -v -vv --verbose -r --recreate -l --listenvs -a --listenvs-all -p "
    "--skip-missing-interpreters --no-provision --notest --skip-pkg-install --showconfig -s -R",
    valued="-e --env -m -j",
    loads="--conf --workdir -x --override --installpkg --result-json --parallel",
    style="gnu",
)
NOX = row(
    "build",
    flags="-l --list -R -r --reuse-existing-virtualenvs -N --no-install -x --stop-on-first-error --no-color "
    "--list-sessions --verbose -v",
    valued="-s --session --sessions -e -p --python --pythons -k --keywords -t --tags --reuse-venv",
    loads="--noxfile --envdir --report -db --extra-pythons --force-python",
)
ENVIRONMENT = re.compile(r"(?:py|pypy)[\w.]*(?:-[\w.]+)*\Z", re.ASCII)


def _environments(own: Handler, named: str) -> Handler:
    """tox and nox: the environments that are named build or test."""

    def handle(call: Call) -> list[Outcome]:
        found = handing(own, HANDED)(call)
        at = call.texts.index("--") if "--" in call.texts else len(call.args)
        options = read_options(call.args[:at], names(f"{named} -m -j -p -k -t --python --keywords --tags"))
        wanted = [one for value in options.values(names(named)) for one in value.text.split(",")]
        rest = [
            word.text
            for word in options.operands
            if word.text not in ("run", "r", "list", "l", "run-parallel", "p", "config")
        ]
        sessions = rest if call.name == "nox" else []
        known = all(
            ENVIRONMENT.match(one)
            or one in ("ALL", "all")
            or builds(re.split(r"[-(]", one)[0] if call.name == "nox" else one)
            for one in [*wanted, *sessions]
        ) and (call.name == "nox" or not rest)
        return found if known else [unlisted("build"), *changing(found)]

    return handle


COVERAGE_OWN = row(
    "build",
    flags="--branch -p --parallel-mode -a --append --timid -L --pylib",
    valued="--source --include --omit --concurrency --context",
    outputs="--data-file --save-signal",
    loads="--rcfile",
)
COVERAGE_READS = row(
    "build",
    flags="-m --show-missing --skip-covered --skip-empty -i --ignore-errors --no-skip-covered",
    valued="--include --omit --fail-under --sort --precision --format --contexts",
    loads="--rcfile --data-file",
)
MODULE = names("-m --module")


def _coverage_run(call: Call) -> list[Outcome]:
    leading, rest = split(
        call,
        row(
            "build",
            flags="-m --module --branch -p --parallel-mode -a --append --timid",
            valued="--source --include --omit --concurrency --context --data-file --rcfile",
        ),
    )
    own = tuple(word for word in leading.args if word.text not in MODULE)
    found = changing(COVERAGE_OWN(replace(call, args=own)))
    if len(own) < len(leading.args):
        return [*found, *call.shell.run_words([Word("python"), Word("-m"), *rest], call.stdin)]
    return (
        [*found, *call.shell.run_words([Word("python"), *rest], call.stdin)]
        if rest
        else [*found, unlisted("build")]
    )


COVERAGE = tree(
    "build",
    {
        "run": _coverage_run,
        **rows("report, debug sys, debug config, debug data, help", COVERAGE_READS),
        **{
            kind: on_file(
                row(
                    "build",
                    flags="-q --skip-covered --skip-empty -i --pretty-print --show-contexts",
                    valued="--include --omit --fail-under --precision --title",
                    outputs="-o -d --directory",
                    loads="--rcfile --data-file",
                ),
                "overwrite",
                file,
            )
            for kind, file in (
                ("html", "htmlcov"),
                ("xml", "coverage.xml"),
                ("json", "coverage.json"),
                ("lcov", "coverage.lcov"),
            )
        },
        "combine": row(
            "build", does="overwrite", flags="-a --append --keep -q", loads="--rcfile --data-file"
        ),
        "erase": row("build", does="delete", loads="--rcfile --data-file"),
    },
)
NODE_COVERAGE = row(
    "build",
    flags="--all -a --check-coverage --per-file --silent -s --skip-full --clean --no-clean --lines --branches "
    "--cache",
    valued="-r --reporter -x --exclude -n --include -e --extension --lines --branches --functions --statements",
    outputs="-o --reports-dir --report-dir --temp-directory -t --temp-dir",
    loads="--require -i --nycrc-path --cwd --import --src --resolve",
)


def _node_coverage(call: Call) -> list[Outcome]:
    """c8 and nyc: `report` tells, anything else is the command that is measured."""
    leading, rest = split(call, NODE_COVERAGE)
    if rest and rest[0].text in ("report", "check-coverage"):
        return NODE_COVERAGE(replace(call, args=(*leading.args, *rest[1:])))
    if rest and rest[0].text in ("merge", "instrument"):
        return [unlisted("build")]
    return wraps(NODE_COVERAGE)(call)


VALGRIND = wraps(
    row(
        "build",
        flags="-q --quiet -v --verbose --leak-check --show-leak-kinds --track-origins --error-exitcode "
        "--trace-children --num-callers --gen-suppressions --tool --show-reachable --track-fds "
        "--undef-value-errors --log-fd",
        outputs="--log-file --xml-file --massif-out-file --callgrind-out-file --cachegrind-out-file --dhat-out-file",
        loads="--suppressions --db-command",
        style="gnu",
    )
)


PROGRAMS: dict[str, Handler] = {
    **rows("pytest py.test", barring(PYTEST, then=_pytest)),
    "mypy": barring(MYPY),
    "mocha": barring(MOCHA, "init inspect"),
    "vitest": barring(VITEST, "init typecheck list --merge-reports"),
    "tox": _environments(TOX, "-e --env"),
    "nox": _environments(NOX, "-s --session --sessions -e"),
    "coverage": COVERAGE,
    **rows("c8 nyc", _node_coverage),
    "valgrind": VALGRIND,
}
