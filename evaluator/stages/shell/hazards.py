"""Environment variables that decide which program a name means, or what a program runs besides itself."""

from __future__ import annotations

import re

from evaluator.stages.shell.options import names

ALWAYS = names(
    "BASH_ENV ENV CDPATH PROMPT_COMMAND PS4 SHELLOPTS BASHOPTS BASH_ALIASES BASH_CMDS GIT_SSH GIT_SSH_COMMAND "
    "GIT_EXTERNAL_DIFF "
    "GIT_PROXY_COMMAND "
    "GIT_ASKPASS SSH_ASKPASS GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR_OVERRIDE LESSOPEN LESSCLOSE PYTHONSTARTUP "
    "PYTHONHOME "
    "PERL5OPT PERL5DB RUBYOPT RUBYLIB PERL5LIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS RUSTC_WRAPPER CC_WRAPPER "
    "MANROFFSEQ BROWSER"
)
PREFIXES = ("LD_", "DYLD_", "BASH_FUNC_", "GIT_CONFIG_KEY", "GIT_CONFIG_VALUE", "GIT_CONFIG_PARAMETERS")
PAGERS = names("PAGER GIT_PAGER MANPAGER DELTA_PAGER BAT_PAGER GH_PAGER SYSTEMD_PAGER AWS_PAGER")
EDITORS = names("EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR KUBE_EDITOR")
HARMLESS_PAGERS = names("cat less more bat") | {"", "less -R", "less -FRX", "less -F", "less -X", "cat -v"}
HARMLESS_EDITORS = names("true cat : echo") | {""}
NODE_LOADS = re.compile(r"(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|-e|--eval)\b")
TOOL_FOLDER = re.compile(
    r"(?:\$\{?PATH\}?|(?:/usr|/opt|/snap|/bin|/sbin|/nix)(?:/[\w.+-]+)*/?"
    r"|(?:~|\$\{?HOME\}?|/root|/home/\w+)(?:/[\w.+-]+)*/s?bin|(?:\$\{?\w+\}?|\.)?/?(?:node_modules/\.bin|\.?venv/bin)"
    r"|\$\{?(?:GOPATH|CARGO_HOME|JAVA_HOME|PYENV_ROOT|NVM_DIR|BUN_INSTALL|PNPM_HOME|GOROOT|ANDROID_HOME|VIRTUAL_ENV)\}?"
    r"(?:/[\w.+-]+)*|\$\([a-z]+ (?:env GOPATH|bin(?: -g)?|prefix -g|root|--prefix)\)(?:/\.?bin)?)\Z"
)


def hazardous(name: str, value: str, cwd: str = "") -> bool:
    """Whether setting the variable makes it unknown what later commands run."""
    if name == "PATH":
        return not _extends_path(value, cwd)
    if name in PAGERS:
        return value not in HARMLESS_PAGERS
    if name in EDITORS:
        return value not in HARMLESS_EDITORS
    if name == "NODE_OPTIONS":
        return NODE_LOADS.search(value) is not None or "$" in value
    return name in ALWAYS or name.startswith(PREFIXES)


def _extends_path(value: str, cwd: str) -> bool:
    """What stands behind the old path shadows nothing; before it only folders where tools are installed."""
    entries = value.split(":")
    known = [index for index, entry in enumerate(entries) if entry in ("$PATH", "${PATH}")]
    if not known:
        return False
    inside = tuple(f"{cwd}/{folder}" for folder in ("node_modules/.bin", ".venv/bin", "venv/bin"))
    return all(TOOL_FOLDER.match(entry) or entry in inside for entry in entries[: known[0]])
