"""Command lines of code forges: GitHub's `gh` and GitLab's `glab`."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, writes
from evaluator.stages.shell.spec import Commands, programs, table
from evaluator.stages.shell.words import Word

FIELDS = names("-f --raw-field -F --field --input")
OBJECTS = names(
    "pr mr issue repo release run ci workflow gist secret variable label cache project ruleset alias extension "
    "auth config codespace "
    "ssh-key gpg-key org attestation milestone snippet schedule"
)
NESTED = names("deploy-key autolink gitignore license")
READING = names(
    "list ls view status diff checks show get watch search check token verify item-list field-list trace logs "
    "browse ports list-item"
)
ORDINARY = names(
    "create edit close reopen merge comment review ready checkout lock unlock pin unpin transfer develop "
    "update-branch clone fork sync "
    "rename archive unarchive set-default upload rerun cancel run enable disable set add remove import login "
    "logout refresh setup-git "
    "switch link unlink copy item-add item-edit item-create field-create mark-template approve note update "
    "subscribe rebase retry "
    "trigger deploy-key autolink"
)


def _api(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names("-X --method -H --header -q --jq -t --template --cache --hostname -p --preview") | FIELDS,
    )
    fields = options.values(FIELDS)
    methods = [value.text.upper() for value in options.values(names("-X --method"))]
    given = options.texts()
    if given[:1] == ["graphql"]:
        changing = any(
            re.search(r"\bmutation\b", value.text) or value.text.startswith(("query=@", "query=$"))
            for value in fields
        )
        return [writes("network", (), "forge")] if changing else [reads("forge")]
    method = methods[-1] if methods else "POST" if fields else "GET"
    if method in ("GET", "HEAD"):
        return [reads("forge")]
    return [writes("delete" if method == "DELETE" else "network", (), "forge")]


def _clone(call: Call) -> list[Outcome]:
    """`gh repo clone OWNER/NAME [FOLDER] [-- git flags]`."""
    texts = call.texts
    own = call.args[: texts.index("--")] if "--" in texts else call.args
    given = read_options(own, names("-u --upstream-remote-name -R --repo")).texts()
    name = re.sub(r"\.git/?\Z|/\Z", "", given[0]).rsplit("/", 1)[-1].rsplit(":", 1)[-1] if given else ""
    target = given[1] if len(given) > 1 else name
    return [writes("vcs", (target,) if target else (), "forge")]


def _develop(call: Call) -> list[Outcome]:
    looks = any(text in ("-l", "--list") for text in call.texts)
    return [reads("forge")] if looks else [writes("vcs", (), "forge")]


def _release_download(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-D --dir -O --output -p --pattern -A --archive -R --repo -n --name")
    )
    targets = [value.text for value in options.values(names("-D --dir -O --output")) if value.text != "-"]
    return [writes("network", targets, "forge")]


def _copilot(call: Call) -> list[Outcome]:
    """`gh copilot -- ARGS`; `suggest` and `explain` are those of the older extension."""
    args = call.args[1:] if call.texts[:1] == ["--"] else call.args
    return call.shell.run_words([Word("copilot"), *args], call.stdin)


GH = Commands(
    "forge",
    {
        **{f"{one} {verb}": "read" for one in OBJECTS for verb in READING},
        **{f"{one} {verb}": "vcs" for one in OBJECTS for verb in ORDINARY},
        **{
            f"{one} {verb}": "vcs!"
            for one in OBJECTS
            for verb in ("delete", "delete-asset", "item-delete", "revoke")
        },
        **{f"{one} download": _release_download for one in ("release", "run", "gist")},
        **{f"repo {part} {verb}": "read" for part in NESTED for verb in ("list", "view", "ls", "get")},
        **{f"repo {part} {verb}": "vcs!" for part in NESTED for verb in ("delete", "remove")},
        **{f"{one} clone": _clone for one in ("repo", "gist", "project")},
        "issue develop": _develop,
        **{f"extension {verb}": "install" for verb in ("install", "upgrade", "remove")},
        **table(
            "status, browse, search, version, help, completion, config list, config get, repo set-default --view",
            "read",
        ),
        "api": _api,
        "extension exec": "dynamic",
        "copilot": _copilot,
    },
    valued=names("-R --repo"),
    milder=names("--dry-run"),
)
PROGRAMS: dict[str, Handler] = programs("gh glab", GH)
