"""Package managers of Python that run commands in their environment."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.acts.building.tasks import task
from evaluator.shell.acts.inner import changing, on_file, split, wraps
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.programs.agents import by_package
from evaluator.shell.programs.python_packages import (
    CONDA_LISTED,
    POETRY_FLAGS,
    POETRY_LISTED,
    UV_FLAGS,
    UV_LISTED,
    UV_PLACES,
)
from evaluator.shell.rows.row import row, rows, tree
from evaluator.shell.words import Word

PYTHON_TOOLS = names(
    "ruff black isort mypy pyright basedpyright flake8 pylint pytest tox nox bandit codespell typos mkdocs "
    "pre-commit twine poetry pdm hatch pipx cookiecutter yamllint sqlfluff djlint pip-audit pipdeptree "
    "xenon coverage build uv autoflake pyupgrade docformatter autopep8 yapf mdformat"
)
"""Tools of Python. Another name that is known to the shell is another program in the registry of packages."""
INSIDE = row(
    "packages",
    flags=f"{UV_FLAGS} --frozen --locked --no-sync --isolated --active --dev --no-dev --all-extras --all-groups "
    "--all-packages --exact --no-project --no-env-file --only-dev",
    valued="--color --extra --group --package --python -p --only-group --no-group",
)
MODULE = names("-m --module")


def _uv_run(call: Call) -> list[Outcome]:
    """`uv run CMD`, `uv run -m MODULE`: what an added package or another folder brings in is not known."""
    options = read_options(call.args, INSIDE.valued | MODULE, stop=True)
    module = options.values(MODULE)
    if any("/" in value.text for value in options.values(names("-p --python"))):
        return [unlisted("packages"), *changing(wraps(INSIDE)(call))]
    if not module:
        return wraps(INSIDE)(call)
    at = next(
        at for at, word in enumerate(call.args) if word.text in MODULE or word.text.startswith("--module=")
    )
    found = changing(INSIDE(replace(call, args=call.args[:at])))
    behind = call.args[at + (1 if "=" in call.texts[at] else 2) :]
    return [*found, *call.shell.run_words([Word("python"), Word("-m"), module[0], *behind], call.stdin)]


def _python_tool(call: Call) -> list[Outcome]:
    """`uvx TOOL`, `pipx run TOOL`: the tool is fetched by its name, or from the package of `--from`."""
    options = read_options(call.args, OF_TOOLS.valued | SOURCE, stop=True)
    leading = call.args[: len(call.args) - len(options.rest)]
    sources = options.values(SOURCE)
    own = tuple(word for word in leading if word.text not in SOURCE and word not in sources)
    found = changing(OF_TOOLS(replace(call, args=own)))
    if not options.rest:
        return found or [reads("packages")]
    name = _named(options.rest[0].text)
    ran = call.shell.run_words([replace(options.rest[0], text=name), *options.rest[1:]], call.stdin)
    interpreters = options.values(names("-p --python"))
    if any(_named(source.text) != name for source in sources) or any("/" in one.text for one in interpreters):
        ran = [*ran, unlisted("packages")]
    return [*found, *(ran if changing(ran) or name in PYTHON_TOOLS else [unlisted("packages")])]


def _named(package: str) -> str:
    name = package.partition("@")[0].partition("==")[0].partition("[")[0]
    return by_package(name) or name


SOURCE = names("--from --spec")
OF_TOOLS = row("packages", flags=f"{UV_FLAGS} --isolated --no-cache --verbose", valued="--python -p --color")
UV = tree(
    "packages",
    {
        **UV_LISTED,
        "run": _uv_run,
        "tool run": _python_tool,
        "version": on_file(
            row(
                "packages",
                flags=f"{UV_FLAGS} --short --frozen",
                valued="--output-format --package",
                tells="--dry-run",
            ),
            "overwrite",
            "pyproject.toml",
            least=1,
        ),
    },
    flags=f"{UV_FLAGS} -V",
    valued="--color",
    places=UV_PLACES,
)
POETRY_RUN = wraps(row("packages", flags=POETRY_FLAGS))
POETRY = tree(
    "packages",
    {
        **POETRY_LISTED,
        "run": POETRY_RUN,
        "version": on_file(
            row("packages", flags=f"{POETRY_FLAGS} -s --short", tells="--dry-run"),
            "overwrite",
            "pyproject.toml",
            least=1,
        ),
    },
    flags=f"{POETRY_FLAGS} -V",
)
PDM_FLAGS = "-q --quiet -v --verbose -g --global -n --non-interactive"
PDM_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{PDM_FLAGS} -d --dev --prod --no-self --no-lock --frozen-lockfile --check --no-editable --update-all "
    "--no-sync -u --unconstrained --top --clean --only-keep -y",
    valued="-G --group -p --project -L --lockfile",
    tells="--dry-run",
)
PDM_OWN = row("packages", flags="-s --site-packages --no-recreate")


def _pdm_run(call: Call) -> list[Outcome]:
    return _command_or_task(call, PDM_OWN)


def _pdm_task(call: Call) -> list[Outcome]:
    return task(call, Word(call.name), call.args)


PDM = tree(
    "packages",
    {
        **rows(
            "list, show, outdated, config get",
            "packages",
            flags=f"{PDM_FLAGS} --tree --graph --json --freeze --python --where --env --packages --name",
            valued="--fields --sort",
        ),
        **rows("install, add, remove, update, sync, lock, self update, use", PDM_INSTALLS),
        "build": row("build", flags=f"{PDM_FLAGS} --no-sdist --no-wheel --no-isolation", outputs="-d --dest"),
        "publish": row(
            "packages",
            does="network",
            flags=f"{PDM_FLAGS} --no-build --skip-existing",
            valued="-r --repository -u --username",
        ),
        "run": _pdm_run,
        **rows("test, lint", _pdm_task),
    },
    flags=f"{PDM_FLAGS} -V",
)
PIPENV = tree(
    "packages",
    {
        **rows(
            "graph, check, requirements, verify, scripts",
            "packages",
            flags="--bare --json --json-tree --reverse --dev --hash -q --quiet --use-installed",
            valued="--ignore",
        ),
        **rows(
            "install, uninstall, update, upgrade, sync, lock, clean",
            "packages",
            does="install",
            flags="-d --dev --pre --deploy --system --skip-lock --ignore-pipfile --all --keep-outdated --clear "
            "--dev-only -q",
            valued="-r --requirements -e --editable --python",
            tells="--dry-run",
        ),
        "run": wraps(row("packages")),
    },
    flags="--venv --py --where --envs --bare -q",
)


def _command_or_task(call: Call, own: Handler) -> list[Outcome]:
    """A program that the shell knows, or a task of the project."""
    at = next((at for at, word in enumerate(call.args) if not word.text.startswith("-")), len(call.args))
    found = changing(own(replace(call, args=call.args[:at])))
    rest = call.args[at:]
    if not rest:
        return found or [reads("packages")]
    if not call.shell.knows(rest[0].text) and rest[0].plain:
        return [*found, *task(call, rest[0], rest[1:])]
    return [*found, *call.shell.run_words(rest, call.stdin)]


def _hatch_run(call: Call) -> list[Outcome]:
    """`hatch run [ENVIRONMENT:]COMMAND`: a script of the project or a command."""
    leading, rest = split(call, HATCH_OWN)
    found = changing(HATCH_OWN(leading))
    if not rest:
        return found or [reads("packages")]
    first = rest[0]
    if ":" in first.text:
        first = replace(first, text=first.text.partition(":")[2])
    return [*found, *_command_or_task(replace(call, args=(first, *rest[1:])), row("packages"))]


HATCH_OWN = row(
    "packages", flags="-q --quiet -v --verbose --force-continue --ignore-compat", valued="-e --env -p -i -f"
)


def _hatch_test(call: Call) -> list[Outcome]:
    flags = names("-a --all -c --cover -p --parallel -r --randomize --show")
    rest = [word for word in call.args if word.text not in flags and word.text != "--"]
    return call.shell.run_words([Word("pytest"), *rest])


HATCH = tree(
    "packages",
    {
        **rows(
            "env show, status, dep show requirements, dep show table, dep hash, project metadata, python show, "
            "python find, config show, config find",
            "packages",
            flags="--json --ascii -i --internal -p --project-only --features -l --lines --env-only",
            most=1,
        ),
        **rows(
            "env create, env prune, python install, python update, python remove",
            "packages",
            does="install",
            flags="-f --force --private",
        ),
        "env remove": row("packages", does="delete"),
        **rows("run, env run", _hatch_run),
        "test": _hatch_test,
        "fmt": row(
            "format",
            does="overwrite",
            targets="operands",
            flags="-l --linter -f --formatter --preview",
            tells="--check",
        ),
        "build": row("build", flags="-c --clean --hooks-only", valued="-t --target", most=0),
        "publish": row(
            "packages",
            does="network",
            flags="-y --yes -n --no-prompt",
            valued="-r --repo -u --user -a --auth",
        ),
        "version": on_file(row("packages"), "overwrite", "pyproject.toml", least=1),
    },
    flags="-q --quiet -v --verbose --no-color --color --no-interactive",
    valued="-e --env -p --project",
)


PIPX = tree(
    "packages",
    {
        **rows(
            "list, environment",
            "packages",
            flags="--json --short --include-injected --skip-maintenance",
            valued="-V --value",
        ),
        **rows(
            "install, uninstall, upgrade, upgrade-all, reinstall, reinstall-all, uninstall-all, inject, uninject, "
            "ensurepath, pin, unpin",
            "packages",
            does="install",
            flags="-f --force --include-deps --include-apps --pre -q --quiet -v --verbose --global "
            "--include-injected --skip",
            valued="--python --suffix --pip-args -i --index-url",
        ),
        "run": _python_tool,
    },
)
CONDA = tree(
    "packages",
    {
        **CONDA_LISTED,
        "run": wraps(
            row(
                "packages",
                flags="--no-capture-output --live-stream -v --verbose --debug-wrapper-scripts",
                valued="-n --name -p --prefix",
            )
        ),
    },
    flags="-V --json -q --quiet -v",
)


PROGRAMS: dict[str, Handler] = {
    "uv": UV,
    "uvx": _python_tool,
    "poetry": POETRY,
    "pdm": PDM,
    "pipenv": PIPENV,
    "hatch": HATCH,
    "pipx": PIPX,
    **rows("conda mamba micromamba", CONDA),
}
