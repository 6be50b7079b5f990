"""Package managers of systems and languages: installing and removing against listing and showing."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, governs, reads, unlisted, writes
from evaluator.stages.shell.programs.agents import PACKAGES
from evaluator.stages.shell.programs.node import script_effect
from evaluator.stages.shell.spec import Commands, Rule, Spec, always, by_output, by_words, programs, table
from evaluator.stages.shell.words import Word

SIMULATES = names("--dry-run --simulate --print-uris")
INSTALL = table(
    "install, add, remove, uninstall, update, upgrade, reinstall, autoremove, purge, dist-upgrade, "
    "full-upgrade, lock, sync, link, unlink, tap, untap, "
    "self update, self-update, cleanup, clean, autoclean, download, upgrade-minimal, downgrade, "
    "groupinstall, "
    "rm, del, i, in, up, get, fix, mark, hold, unhold, "
    "pin, unpin, require, dump-autoload, dumpautoload, create-project, global require, self, inject, "
    "upgrade-all, uninstall-all, ensurepath, use, default, "
    "global, local, alias, rehash, reshim, plugin add, plugin install, plugin update, toolchain install, "
    "toolchain uninstall, component add, component remove, "
    "target add, target remove, override set, python install, python uninstall, python pin, tool install, "
    "tool "
    "uninstall, tool upgrade, build-dep, refresh, "
    "dup, patch, addrepo, bundle, bundle install, services start, services stop, services restart, env "
    "create, env "
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
    "environment, query, unneeded, missing, config list, config get, package list, graph, uses, log, "
    "livecheck, "
    "commands, check-update, repoquery, deplist, module list, group list, grouplist, updateinfo, se, lr, lu, "
    "list-updates, list-patches, patterns, repos, find, installed, changes, connections, interfaces, "
    "platform, "
    "dependency, check-platform-reqs, bundle check, bundle list, hex.info, cache show, name, path, size, "
    "remotes, "
    "remote-ls, remote-info, stats, formula",
    "read",
)


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
        return call.shell.run_words([Word("python"), Word("-m"), module[0], *rest.rest], call.stdin)
    if not rest.rest:
        return [reads("packages")]
    first = re.sub(r"(?<=.)(?:@|==)[\w.^~-]+\Z", "", rest.rest[0].text)
    known = [Word(PACKAGES[first])] if first in PACKAGES else [rest.rest[0]]
    return call.shell.run_words([*known, *rest.rest[1:]], call.stdin)


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
    if options.may_have(names("-P --purge")):
        return [governs("packages")]
    return [writes("install", (), "packages")] if options.may_have(changing) else [reads("packages")]


def _rpm(call: Call) -> list[Outcome]:
    letters = "".join(text[1:2] for text in call.texts if text.startswith("-") and not text.startswith("--"))
    long = read_options(call.args).has(names("--query --verify --checksig --querytags --showrc"))
    return (
        [reads("packages")]
        if long or letters[:1] in ("q", "V", "K", "E") or "--eval" in call.texts
        else [writes("install", (), "packages")]
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


def _settings(call: Call) -> list[Outcome]:
    """`config KEY` reads, `config KEY VALUE` sets."""
    given = read_options(call.args).texts()
    verb = given[0] if given else "list"
    reading = verb in ("get", "list", "ls", "debug") or len(given) < 2
    return [reads("packages")] if reading and verb not in ("edit", "unset") else [unlisted("packages")]


def _tap(call: Call) -> list[Outcome]:
    return [writes("install", (), "packages")] if read_options(call.args).texts() else [reads("packages")]


def _named_script(call: Call) -> list[Outcome]:
    """A script of the project by its name (`composer run test`)."""
    given = read_options(call.args).texts()
    return [script_effect(given[0])] if given else [reads("packages")]


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
    milder=SIMULATES,
)
PIPX = Commands("packages", {**PIP.table, "run": _run, "runpip": "unlisted"}, milder=SIMULATES)
SYSTEM = Commands(
    "packages",
    {
        **INSTALL,
        **READ,
        "clean": "install",
        "config": "read",
        "tap": _tap,
        **table(
            "purge, services start, services stop, services restart, services run, services kill", "governs"
        ),
    },
    valued=names("-o -c -t --target-release --option --config-file -C"),
    milder=SIMULATES,
)
PROJECT = Commands(
    "packages",
    {**READ, **INSTALL, **SOURCES, **RUNS, "config": _settings},
    valued=names("-C --directory -P --project"),
    milder=SIMULATES | names("--check"),
)
UV = Commands(
    "packages",
    {
        **READ,
        **INSTALL,
        **SOURCES,
        **RUNS,
        "venv": _venv,
        "lock": by_words("--check --locked --dry-run", "read", "install", "packages"),
        **{f"pip {verb}": "install" for verb in ("install", "uninstall", "sync")},
        **{f"pip {verb}": "read" for verb in ("list", "show", "freeze", "check", "tree")},
        "pip compile": by_output("-c -p", "packages"),
        "export": by_output("", "packages"),
        "format": by_words("--check --diff", "build", "overwrite", "format"),
    },
    milder=SIMULATES | names("--check"),
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
        "config": by_words(
            "--show --get --show-sources --describe --validate", "read", "unlisted", "packages"
        ),
    },
    milder=SIMULATES | names("-d"),
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
        **table("enable, disable, prepare, hydrate", "install"),
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


BUNDLE = Commands(
    "packages",
    {**READ, **INSTALL, **SOURCES, **RUNS, "config": _settings, "lock": "install"},
    bare="install",
    milder=SIMULATES,
)


def _composer_run(call: Call) -> list[Outcome]:
    """A script of the project in composer; a command elsewhere."""
    from evaluator.stages.shell.registry import handler_of

    given = read_options(call.args).texts()
    return _run(call) if given and handler_of(given[0]) is not None else _named_script(call)


def _packed(call: Call) -> list[Outcome]:
    options = read_options(call.args)
    unpacks = options.may_have(names("-x --extract -X --vextract -R --raw-extract -e --control -b --build"))
    targets = options.texts()[1:2] if unpacks else ()
    return [writes("overwrite", targets, "packages")] if unpacks else [reads("packages")]


def _uvx(call: Call) -> list[Outcome]:
    return _run(call) if call.args else [reads("packages")]


def _ncu(call: Call) -> list[Outcome]:
    updates = read_options(call.args).may_have(names("-u --upgrade"))
    return [writes("overwrite", ("package.json",), "packages")] if updates else [reads("packages")]


PROGRAMS: dict[str, Handler] = {
    **programs("pip", PIP),
    **programs("pipx", PIPX),
    **programs("pipenv poetry pdm rye", PROJECT),
    **programs("hatch", HATCH),
    **programs("uv", UV),
    **programs("uvx", _uvx),
    **programs("conda mamba micromamba", CONDA),
    **programs("virtualenv venv", _venv),
    **programs(
        "apt apt-get aptitude",
        _simulated("-s --simulate --dry-run --just-print --no-act --recon --print-uris", SYSTEM),
    ),
    **programs(
        "dnf yum apk zypper snap flatpak port choco winget scoop microdnf opkg pkg guix",
        SYSTEM,
    ),
    **programs("brew", replace(SYSTEM, milder=SIMULATES | names("-n"))),
    **programs(
        "emerge xbps-install xbps-remove",
        Spec(
            "packages",
            "install",
            milder=names("-p --pretend -s --search --info -n --dry-run -V --version"),
        ),
    ),
    **programs("apt-cache apt-file dpkg-query pkgutil equery xbps-query", always("read", "packages")),
    **programs(
        "apt-mark add-apt-repository apt-key update-alternatives",
        by_words(
            "showhold showmanual showauto showinstall list --list --display --query --get-selections --help "
            "-h "
            "finger export",
            "read",
            "install",
            "packages",
        ),
    ),
    **programs("apt-config apt-sortpkgs dpkg-deb dpkg-architecture", _packed),
    **programs("pacman yay paru", _pacman),
    **programs("dpkg", _dpkg),
    **programs("rpm", _rpm),
    **programs(
        "gem composer luarocks opam nuget vcpkg conan pub pod mise asdf",
        Commands(
            "packages",
            {
                **READ,
                **INSTALL,
                **SOURCES,
                **RUNS,
                "x": _run,
                "config": _settings,
                "run-script": _named_script,
                "run": _composer_run,
            },
            milder=SIMULATES,
        ),
    ),
    **programs("bundle bundler", BUNDLE),
    **programs("cpan cpanm", Spec("packages", "install", milder=names("--info --version -V -v -D -L"))),
    **programs("rustup volta pyenv rbenv nodenv goenv jenv nvm fnm n tfenv sdk corepack proto", VERSIONS),
    **programs("ncu npm-check-updates", _ncu),
    **programs("twine", Commands("packages", {"check": "read", "upload": "network", "register": "network"})),
    **programs("pip-compile pip-sync", always("install", "packages")),
    **programs("pip-audit pipdeptree safety pip-licenses", always("read", "packages")),
}
