"""Package managers of systems and languages: installing and removing against listing and showing."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, writes
from evaluator.stages.shell.spec import Commands, Rule, always, by_output, programs, table

INSTALL = table(
    "install, add, remove, uninstall, update, upgrade, reinstall, autoremove, purge, dist-upgrade, "
    "full-upgrade, lock, sync, link, unlink, tap, untap, "
    "self update, self-update, cleanup, clean, autoclean, download, upgrade-minimal, downgrade, groupinstall, "
    "rm, del, i, in, up, get, fix, mark, hold, unhold, "
    "pin, unpin, require, dump-autoload, dumpautoload, create-project, global require, self, inject, "
    "upgrade-all, uninstall-all, ensurepath, use, default, "
    "global, local, alias, rehash, reshim, plugin add, plugin install, plugin update, toolchain install, "
    "toolchain uninstall, component add, component remove, "
    "target add, target remove, override set, python install, python uninstall, python pin, tool install, tool "
    "uninstall, tool upgrade, build-dep, refresh, "
    "dup, patch, addrepo, bundle install, services start, services stop, services restart, env create, env "
    "remove, env update, create, set-version, restore",
    "install",
)
READ = table(
    "list, ls, show, info, search, outdated, freeze, check, help, version, --version, why, tree, depends, "
    "rdepends, policy, madison, files, provides, "
    "repolist, history, leaves, deps, desc, home, config, doctor, env, --cache, --prefix, --repository, cat, "
    "formulae, casks, tap-info, services list, index, debug, "
    "inspect, hash, cache dir, cache info, cache list, validate, licenses, status, prohibits, depends-on, "
    "suggests, fund, diagnose, audit, current, which, where, "
    "whence, versions, python list, python find, python dir, tool list, tool dir, tool ls, toolchain list, "
    "component list, target list, show-env, env list, env info, "
    "self version, self show, export, repo list, plugin list, latest, ls-remote, root, about, contents, "
    "changelog, showpkg, showsrc, dump, owner, specification, "
    "environment, query, unneeded, missing, config list, config get, package list",
    "read",
)


def _pip(call: Call) -> list[Outcome]:
    options = read_options(call.args)
    if options.has(names("--dry-run")) and options.texts()[:1] == ["install"]:
        return [reads("packages")]
    return PIP(call)


def _run(call: Call) -> list[Outcome]:
    """`poetry run CMD`, `bundle exec CMD`: labelled by what runs."""
    rest = read_options(
        call.args,
        names(
            "--with -p --python --extra --group --package --directory --project --env-file -n --name --index "
            "--from -C -e --env --only-group --with-requirements -m --module"
        ),
        stop=True,
    )
    module = rest.values(names("-m --module"))
    if module:
        from evaluator.stages.shell.words import Word

        return call.shell.run_words([Word("python"), Word("-m"), module[0], *rest.rest], call.stdin)
    return call.shell.run_words(rest.rest, call.stdin) if rest.rest else [reads("packages")]


def _simulated(flags: str, otherwise: Commands) -> Handler:
    milder = names(flags)

    def handle(call: Call) -> list[Outcome]:
        return [reads("packages")] if read_options(call.args).has(milder) else otherwise(call)

    return handle


def _pacman(call: Call) -> list[Outcome]:
    letters = "".join(text[1:] for text in call.texts if text.startswith("-") and not text.startswith("--"))
    if (
        letters[:1] in ("Q", "F", "T")
        or (letters[:1] == "S" and set(letters[1:]) & set("silg"))
        or not letters
    ):
        return [reads("packages")]
    return [writes("install", (), "packages")]


def _dpkg(call: Call) -> list[Outcome]:
    options = read_options(call.args)
    changing = names(
        "-i --install -r --remove -P --purge --unpack --configure -a --set-selections --add-architecture"
    )
    return [writes("install", (), "packages")] if options.may_have(changing) else [reads("packages")]


def _rpm(call: Call) -> list[Outcome]:
    letters = "".join(text[1:2] for text in call.texts if text.startswith("-") and not text.startswith("--"))
    long = read_options(call.args).has(names("--query --verify --checksig --querytags --showrc"))
    return (
        [reads("packages")] if long or letters[:1] in ("q", "V", "K") else [writes("install", (), "packages")]
    )


def _venv(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-p --python --prompt --seed --index-url"))
    return [writes("create", options.texts() or ([".venv"] if call.name == "venv" else []), "packages")]


def _new_project(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("--name --python -p --vcs --edition --package --src --template -t")
    )
    return [writes("create", options.texts(), "packages")]


def _version(call: Call) -> list[Outcome]:
    options = read_options(call.args)
    bare = (not options.operands and not options.may_have(names("--bump"))) or options.has(names("--dry-run"))
    return [reads("packages")] if bare else [writes("overwrite", ("pyproject.toml",), "packages")]


RUNS: dict[str, Rule] = {
    "run": _run,
    "exec": _run,
    "run-script": "unlisted",
    "tool run": _run,
    "shell": "unlisted",
}
SOURCES: dict[str, Rule] = {
    "build": "build",
    "check": "read",
    "publish": "network",
    "push": "network",
    "yank": "network",
    "new": _new_project,
    "init": _new_project,
    "version": _version,
    "cache clean": "unlisted",
    "cache purge": "unlisted",
    "cache clear": "unlisted",
    "cache prune": "unlisted",
    "config set": "unlisted",
    "config unset": "unlisted",
    "config edit": "unlisted",
    "test": "build",
}
PIP = Commands(
    "packages",
    {
        **INSTALL,
        **READ,
        "wheel": "build",
        "config set": "unlisted",
        "cache purge": "unlisted",
        "cache remove": "unlisted",
        "check": "read",
        "download": "install",
    },
    valued=names("--python --proxy --log --cache-dir"),
)
SYSTEM = Commands(
    "packages",
    {**INSTALL, **READ, "clean": "install", "config": "read"},
    valued=names("-o -c -t --target-release --option --config-file -C"),
)
PROJECT = Commands(
    "packages", {**READ, **INSTALL, **SOURCES, **RUNS}, valued=names("-C --directory -P --project")
)
UV = Commands(
    "packages",
    {
        **READ,
        **INSTALL,
        **SOURCES,
        **RUNS,
        "venv": _venv,
        **{f"pip {verb}": "install" for verb in ("install", "uninstall", "sync")},
        **{f"pip {verb}": "read" for verb in ("list", "show", "freeze", "check", "tree")},
        "pip compile": by_output("-c -p", "packages"),
        "export": by_output("", "packages"),
        "format": "overwrite",
    },
    valued=names("--directory --project --config-file --cache-dir -p --python --color"),
)
CONDA = Commands(
    "packages",
    {
        **READ,
        **INSTALL,
        "activate": "read",
        "deactivate": "read",
        "run": _run,
        "init": "unlisted",
        "config": "unlisted",
    },
)
VERSIONS = Commands(
    "packages",
    {
        **INSTALL,
        **READ,
        **RUNS,
        "show": "read",
        "run": _run,
        "exec": _run,
        "doc": "read",
        "which": "read",
        "shell": "read",
        "activate": "read",
    },
)
HATCH = Commands(
    "packages",
    {
        **PROJECT.table,
        "run": _run,
        "test": "build",
        "fmt": "overwrite",
        "env show": "read",
        "env create": "install",
        "env prune": "install",
    },
)


def _uvx(call: Call) -> list[Outcome]:
    return _run(call) if call.args else [reads("packages")]


def _ncu(call: Call) -> list[Outcome]:
    updates = read_options(call.args).may_have(names("-u --upgrade"))
    return [writes("overwrite", ("package.json",), "packages")] if updates else [reads("packages")]


PROGRAMS: dict[str, Handler] = {
    **programs("pip pipx", _pip),
    **programs("pipenv poetry pdm rye", PROJECT),
    **programs("hatch", HATCH),
    **programs("uv", UV),
    **programs("uvx", _uvx),
    **programs("conda mamba micromamba", CONDA),
    **programs("virtualenv venv", _venv),
    **programs(
        "apt apt-get aptitude", _simulated("-s --simulate --dry-run --just-print --no-act --recon", SYSTEM)
    ),
    **programs(
        "dnf yum apk zypper brew snap flatpak port choco winget scoop microdnf opkg emerge xbps-install pkg "
        "nix-env guix",
        SYSTEM,
    ),
    **programs("apt-cache apt-file dpkg-query pkgutil equery xbps-query", always("read", "packages")),
    **programs("apt-mark add-apt-repository apt-key update-alternatives", always("install", "packages")),
    **programs("pacman yay paru", _pacman),
    **programs("dpkg", _dpkg),
    **programs("rpm", _rpm),
    **programs(
        "gem composer bundle bundler luarocks cpan cpanm opam nuget vcpkg conan pub mise asdf",
        Commands("packages", {**READ, **INSTALL, **SOURCES, **RUNS, "x": _run}),
    ),
    **programs("rustup volta pyenv rbenv nodenv goenv jenv nvm fnm n tfenv sdk corepack proto", VERSIONS),
    **programs("ncu npm-check-updates", _ncu),
    **programs("twine", Commands("packages", {"check": "read", "upload": "network", "register": "network"})),
    **programs("pip-compile pip-sync", always("install", "packages")),
    **programs("pip-audit pipdeptree safety pip-licenses", always("read", "packages")),
}
