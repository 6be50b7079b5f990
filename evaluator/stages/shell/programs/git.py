"""git by subcommand and flags: what reads, what is ordinary work, what loses work or rewrites a remote."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.stages.shell.programs.git_branches import BRANCHES
from evaluator.stages.shell.programs.git_work import WORK
from evaluator.stages.shell.spec import Commands, Rule, Spec, by_words, programs, table

GLOBALS = names(
    "-C -c --git-dir --work-tree --namespace --super-prefix --exec-path --config-env --attr-source"
)
SAFE_CONFIG = re.compile(
    r"(?:color\.[\w.]+|core\.(?:quotepath|abbrev|autocrlf|safecrlf|longpaths|filemode|ignorecase|preloadindex|commentchar|eol|untrackedcache)"
    r"|(?:core\.pager|pager\.\w+)=(?:cat|less|more|false|)|advice\.\w+|user\.(?:name|email)|author\.\w+|committer\.\w+|log\.\w+|diff\.(?:renames|"
    r"renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved|submodule|wordregex)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign"
    r"|gc\.auto\w*|safe\.directory|protocol\.\w+|http\.\w+|pull\.\w+|push\.(?:default|autosetupremote|followtags)|fetch\.\w+|merge\.(?:conflictstyle"
    r"|renames|ff|stat)|rebase\.(?:auto\w+|stat|updaterefs)|status\.\w+|column\.\w+|i18n\.\w+|blame\.\w+|grep\.\w+|format\.\w+|versionsort\.\w+|rerere\.\w+"
    r"|(?:core\.editor|sequence\.editor)=(?:true|:|cat|))(?:=|\Z)",
    re.IGNORECASE,
)
READING_RUNS = names(
    "--ext-diff --textconv --open-files-in-pager --upload-pack --exec --filters --contents-from-command"
)
READ = Spec(
    "git",
    outputs={"--output": "overwrite"},
    valued=names("-G -S -L -n -O --format --author --since --until --grep"),
)


def _git(call: Call) -> list[Outcome]:
    options = read_options(call.args, GLOBALS, stop=True)
    if "--tool-help" in call.texts and options.rest:
        return [reads("git")]
    settings = options.values(names("-c"))
    if options.may_have(names("--config-env")) or options.values(names("--exec-path")):
        return [dynamic("git")]
    if any(one.dynamic or not SAFE_CONFIG.match(one.text) for one in settings):
        return [dynamic("git")]
    if (
        options.has(names("--version --help --html-path --man-path --info-path --exec-path -h -v"))
        and not options.rest
    ):
        return [reads("git")]
    folder = "/".join(value.text for value in options.values(names("-C"))) or next(
        (value.text for value in options.values(names("--work-tree"))), ""
    )
    if any(word.decoded for word in options.rest):
        return [dynamic("git")]
    found = SUBCOMMANDS(Call("git", options.rest, call.stdin, call.shell))
    return [one.within(folder) for one in found]


def _reading(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-G -S -L --format --author --since --until --grep --output -n"))
    if options.may_have(READING_RUNS - {"--exec"}) or any(
        word.text.startswith("ext::") for word in call.args
    ):
        return [dynamic("git")]
    return READ(call)


def _grep(call: Call) -> list[Outcome]:
    pager = any(word.text.startswith(("-O", "--open-files-in-pager")) for word in call.args)
    return [dynamic("git")] if pager else _reading(call)


def _config(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-f --file --blob --type --default --comment --value --url"))
    given = options.texts()
    files = [value.text for value in options.values(names("-f --file"))]
    reading = names("--get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool")
    writing = names("--add --unset --unset-all --replace-all --rename-section --remove-section --edit -e")
    if options.has(reading) or given[:1] in (["get"], ["list"]):
        return [reads("git")]
    if options.has(writing) or given[:1] in (
        ["set"],
        ["unset"],
        ["rename-section"],
        ["remove-section"],
        ["edit"],
    ):
        return [writes("vcs", files, "git")]
    return [writes("vcs", files, "git")] if len(given) > 1 else [reads("git")]


def _archive(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o --output --format --prefix --remote --exec"))
    if options.may_have(names("--exec")):
        return [dynamic("git")]
    outputs = [value.text for value in options.values(names("-o --output"))]
    return [writes("overwrite", outputs, "git")] if outputs else [reads("git")]


def _format_patch(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-o --output-directory -v -n --start-number --subject-prefix --to --cc --base")
    )
    if options.has(names("--stdout")):
        return [reads("git")]
    return [writes("create", [value.text for value in options.values(names("-o --output-directory"))], "git")]


def _bundle(call: Call) -> list[Outcome]:
    given = read_options(call.args).texts()
    return [writes("overwrite", given[1:2], "git")] if given[:1] == ["create"] else [reads("git")]


def _hash_object(call: Call) -> list[Outcome]:
    return (
        [writes("vcs", (), "git")]
        if read_options(call.args, names("-t --path")).has(names("-w"))
        else [reads("git")]
    )


def _symbolic_ref(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-m"))
    return (
        [writes("vcs", (), "git")]
        if len(options.operands) > 1 or options.may_have(names("-d --delete"))
        else [reads("git")]
    )


def _submodule(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-b --branch --reference --name --depth -j --jobs"), stop=True)
    if not options.rest:
        return [reads("git")]
    verb, rest = options.rest[0].text, options.rest[1:]
    if verb in ("status", "summary"):
        return [reads("git")]
    if verb == "foreach":
        code = [word for word in rest if word.text not in ("--recursive", "--quiet", "-q")]
        for word in code:
            call.hide_code(word)
        return call.shell.run_code(" ".join(word.text for word in code))
    given = read_options(rest, names("-b --branch --reference --name --depth -j --jobs")).texts()
    paths = given[1:] if verb == "add" else given
    return [writes("vcs", paths, "git", "destructive" if verb == "deinit" else None)]


def _bisect(call: Call) -> list[Outcome]:
    given = call.texts
    if given[:1] in (["log"], ["view"], ["visualize"], ["terms"]):
        return [reads("git")]
    found = call.shell.run_words(call.args[1:]) if given[:1] == ["run"] else []
    return [writes("vcs", (), "git"), *found]


def _listing(reading: str) -> Rule:
    """A subcommand that reads bare or with one of these verbs, and else changes the repository."""
    verbs = names(reading)

    def handle(call: Call) -> list[Outcome]:
        given = read_options(call.args).texts()
        return [reads("git")] if not given or given[0] in verbs else [writes("vcs", (), "git")]

    return handle


def _lfs(call: Call) -> list[Outcome]:
    given = read_options(call.args, names("-I -X --include --exclude")).texts()
    looks = not given or given[0] in names("ls-files status env version locks logs pointer help")
    if looks or given == ["track"] or "--dry-run" in call.texts:
        return [reads("git")]
    tracks = given[0] in ("track", "untrack")
    return [writes("vcs", [".gitattributes"] if tracks else [], "git")]


def _update_index(call: Call) -> list[Outcome]:
    """Refreshing only looks whether files changed."""
    options = read_options(call.args, names("--cacheinfo --chmod --index-version"))
    plain = names("--refresh --really-refresh -q --ignore-missing --unmerged --show-index-version")
    if options.flags and not options.operands and all(flag in plain for flag, _ in options.flags):
        return [reads("git")]
    return [writes("vcs", options.texts(), "git")]


def _init(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-b --initial-branch --template --object-format --shared --separate-git-dir")
    )
    if options.may_have(names("--template")):
        return [dynamic("git")]
    return [writes("create", options.texts(), "git")]


def _clone(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "-b --branch --depth -o --origin -u --upload-pack -c --config --reference --filter --template -j "
            "--jobs --shallow-since --bundle-uri --server-option"
        ),
    )
    if options.may_have(names("-u --upload-pack --template")) or any(
        "ext::" in text for text in options.texts()
    ):
        return [dynamic("git")]
    if any(not SAFE_CONFIG.match(value.text) for value in options.values(names("-c --config"))):
        return [dynamic("git")]
    given = options.texts()
    name = (
        given[1]
        if len(given) > 1
        else re.sub(r"\.git/?\Z|/\Z", "", given[0]).rsplit("/", 1)[-1].rsplit(":", 1)[-1]
        if given
        else ""
    )
    return [writes("vcs", (name,) if name else (), "git")]


SUBCOMMANDS = Commands(
    "git",
    {
        **table(
            "status, log, diff, show, blame, annotate, describe, rev-parse, rev-list, ls-files, ls-tree, "
            "ls-remote, cat-file, shortlog, "
            "name-rev, for-each-ref, show-ref, show-branch, merge-base, diff-tree, diff-index, diff-files, "
            "whatchanged, count-objects, fsck, "
            "check-ignore, check-attr, check-mailmap, check-ref-format, var, version, help, range-diff, "
            "verify-commit, verify-tag, verify-pack, cherry, stripspace, "
            "get-tar-commit-id, merge-tree, request-pull, patch-id, column, fmt-merge-msg",
            _reading,
        ),
        "interpret-trailers": by_words("--in-place", "overwrite operands", "read", "git"),
        "unpack-file": "create",
        "grep": _grep,
        "config": _config,
        "archive": _archive,
        "format-patch": _format_patch,
        "bundle": _bundle,
        "hash-object": _hash_object,
        "symbolic-ref": _symbolic_ref,
        "submodule": _submodule,
        "bisect": _bisect,
        "init": _init,
        "clone": _clone,
        "notes": _listing("list show get-ref"),
        "sparse-checkout": _listing("list check-rules"),
        "lfs": _lfs,
        "maintenance": _listing(""),
        "rerere": _listing("status diff remaining"),
        "subtree": _listing("split"),
        **table(
            "difftool, mergetool, instaweb, gui, citool, daemon, send-email, credential, filter-process, "
            "remote-ext, shell",
            "dynamic",
        ),
        "update-index": _update_index,
        **table(
            "gc, repack, pack-refs, update-ref, write-tree, commit-tree, read-tree, mktree, "
            "mktag, replace, commit-graph, multi-pack-index, "
            "update-server-info, unpack-objects, index-pack, fast-import, cvsimport, svn, p4, checkout-index",
            "vcs",
        ),
        **table("filter-branch, filter-repo", "vcs!"),
        **table("prune, prune-packed", by_words("-n --dry-run", "read", "vcs!", "git")),
        **table("flow", _listing("version log config")),
        **BRANCHES,
        **WORK,
    },
    default=lambda call: [unlisted("git")],
)
PROGRAMS: dict[str, Handler] = {**programs("git", _git), **programs("git-lfs", _lfs)}
