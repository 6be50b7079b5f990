"""Which files run without anybody naming them: what tools load at start, build from, or hook in. Data and one test.

No excuse that is given for a folder, an option or a plan in general reaches them.
"""

from __future__ import annotations

from evaluator.trigger.rules import is_live_git

_BUILDS = """
    makefile gnumakefile *.mk justfile .justfile taskfile.y*ml rakefile gemfile *.gemspec jakefile cakefile
    cmakelists.txt *.cmake meson.build build.ninja sconstruct sconscript wscript build workspace module.bazel *.bzl
    package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs deno.json deno.jsonc bunfig.toml *.config.js *.config.cjs
    *.config.mjs *.config.ts *.config.cts *.config.mts .babelrc* .swcrc .eslintrc* .mocharc.* .prettierrc.*
    gulpfile.* gruntfile.* webpack.* jest.setup.* jest-setup.* jest.config.* vitest.setup.* vitest.workspace.*
    setupfile.* setuptests.* setup-tests.* karma.conf.*
    conftest.py setup.py setup.cfg pyproject.toml tox.ini pytest.ini noxfile.py fabfile.py hatch_build.py
    sitecustomize.py usercustomize.py *.pth manage.py
    build.rs cargo.toml .cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml
    build.gradle* settings.gradle* init.gradle* gradle.properties gradlew gradlew.bat gradle-wrapper.* pom.xml mvnw
    .mvn/ *.sbt build.xml go.work .golangci.y*ml magefile.go mix.exs package.swift podfile fastfile *.csproj *.fsproj
    *.vbproj *.targets *.props directory.build.* nuget.config composer.json phpunit.xml* .rspec spec_helper.rb
    rails_helper.rb test_helper.rb test_helper.exs dockerfile* *.dockerfile containerfile* docker-compose*.y*ml
    compose.y*ml flake.nix default.nix shell.nix
"""
"""What a build, a test or a linter loads, in lower case: a base name, an end of a path, or a folder that ends in `/`.
What stands between the first and the last `*` is anything."""
_ELSEWHERE = """
    .github/workflows/ .github/actions/ action.y*ml .gitlab-ci.y*ml .gitlab/ci/ jenkinsfile* .circleci/
    azure-pipelines*.y*ml .azure-pipelines/ bitbucket-pipelines.yml .drone.y*ml .travis.yml appveyor.yml .buildkite/
    .woodpecker* .woodpecker/ .forgejo/workflows/ .gitea/workflows/ cloudbuild.y*ml buildspec.y*ml
    procfile vercel.json netlify.toml fly.toml serverless.y*ml skaffold.y*ml tiltfile vagrantfile .terraformrc
    .husky/ .githooks/ lefthook.y*ml .lefthook/ .pre-commit-config.y*ml .pre-commit-hooks.y*ml .gitattributes
    .gitmodules .gitconfig .envrc .direnvrc .tool-versions mise.toml .mise.toml mise/config.toml
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
    .inputrc config.fish fish/conf.d/ .kshrc .cshrc .tcshrc .xinitrc .xprofile .xsession .pythonrc* environment.d/
    .vscode/ *.code-workspace .idea/ .devcontainer/ devcontainer.json .vimrc .exrc .nvimrc .nvim.lua .emacs
    .dir-locals.el .zed/ .helix/ .continue/ .mcp.json mcp.json
    .aider.conf.yml crontab* cron.d/ cron.daily/ cron.hourly/ cron.weekly/ cron.monthly/ *.service *.timer *.socket
    *.desktop *.plist autostart/ launchagents/ launchdaemons/ .ssh/ authorized_keys
"""
"""What runs at a push, a commit, or the start of a shell, an editor or an agent, or by the clock."""


def runs_by_itself(path: str, *, in_builds: bool = False) -> bool:
    """Whether a file runs, or says what runs, once something usual is done; `in_builds`: a build, test or linter."""
    folded = f"/{path.casefold()}"
    if _is_listed(folded, _BUILDS_LISTED):
        return True
    return not in_builds and (is_live_git(folded) or _is_listed(folded, _ELSEWHERE_LISTED))


_Listed = tuple[frozenset[str], tuple[tuple[str, str], ...], tuple[str, ...], tuple[str, ...]]


def _listed(data: str) -> _Listed:
    """(base names, (start, end) of base names, ends of paths, folders)."""
    each = data.split()
    folders = tuple(f"/{one}" for one in each if one.endswith("/"))
    starred = [one for one in each if "*" in one]
    ends = tuple(f"/{one}" for one in each if "/" in one[:-1] and not one.endswith("/"))
    plain = frozenset(one for one in each if "/" not in one and "*" not in one)
    return plain, tuple((one.partition("*")[0], one.rpartition("*")[2]) for one in starred), ends, folders


def _is_listed(path: str, listed: _Listed) -> bool:
    names, patterns, ends, folders = listed
    base = path.rsplit("/", 1)[-1]
    return (
        base in names
        or path.endswith(ends)
        or any(base.startswith(start) and base.endswith(end) for start, end in patterns)
        or any(folder in path for folder in folders)
    )


_BUILDS_LISTED, _ELSEWHERE_LISTED = _listed(_BUILDS), _listed(_ELSEWHERE)
