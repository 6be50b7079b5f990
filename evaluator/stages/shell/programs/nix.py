"""nix and its older commands: asking, building, and changing what is installed."""

from __future__ import annotations

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.stages.shell.spec import Commands, programs, table


def _develop(call: Call) -> list[Outcome]:
    """`nix develop -c CMD`, `nix shell PACKAGE --command CMD`: labelled by what runs."""
    texts = call.texts
    at = next((at for at, text in enumerate(texts) if text in ("-c", "--command")), None)
    return [unlisted("packages")] if at is None else call.shell.run_words(call.args[at + 1 :], call.stdin)


def _nix_shell(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-p --packages --run --command -A --attr -I -E --expr --arg --argstr")
    )
    codes = options.values(names("--run --command"))
    for word in codes:
        call.hide_code(word)
    if any(word.dynamic for word in codes):
        return [dynamic("packages")]
    return [one for word in codes for one in call.shell.run_code(word.text)] or [unlisted("packages")]


def _nix_env(call: Call) -> list[Outcome]:
    """Its operation is one letter, which others may stand behind: `-qaP`, `-iA`."""
    clusters = [text for text in call.texts if text.startswith("-") and not text.startswith("--")]
    long = names("--query --dry-run --version --help --list-generations")
    asking = any(text in long for text in call.texts) or any(text[1:2] == "q" for text in clusters)
    return [reads("packages")] if asking else [writes("install", (), "packages")]


def _nix_store(call: Call) -> list[Outcome]:
    options = read_options(call.args)
    asking = names(
        "-q --query --verify --verify-path --dump --print-env --read-log -l --export --dry-run --version"
    )
    if options.has(names("--gc --delete --optimise")):
        return [writes("delete" if not options.has(names("--optimise")) else "install", (), "packages")]
    return [reads("packages")] if options.has(asking) else [writes("install", (), "packages")]


def _nix_channel(call: Call) -> list[Outcome]:
    return [reads("packages")] if "--list" in call.texts else [writes("install", (), "packages")]


def _nix_instantiate(call: Call) -> list[Outcome]:
    asking = any(text in ("--eval", "--parse", "--find-file", "--version") for text in call.texts)
    return [reads("packages")] if asking else [reads("build")]


PROGRAMS: dict[str, Handler] = {
    **programs(
        "nix",
        Commands(
            "packages",
            {
                **table(
                    "search, eval, show-derivation, path-info, why-depends, log, repl, show-config, doctor, help, "
                    "flake show, flake metadata, flake info, profile list, profile history, profile diff-closures, "
                    "derivation show, registry list, config show, config check, store ls, store cat, store ping, "
                    "store info, store diff-closures, store path-from-hash-part, store verify, hash, print-dev-env, "
                    "ls-store, cat-store, verify, nar ls, nar cat, key convert-secret-to-public",
                    "read",
                ),
                **table("build, flake check, fmt --check", "build"),
                **table(
                    "flake update, flake lock, profile install, profile add, profile remove, profile upgrade, "
                    "profile rollback, registry add, registry remove, registry pin, store add, store add-file, "
                    "store add-path, store optimise, store repair, upgrade-nix, copy, channel",
                    "install",
                ),
                **table("store gc, store delete, profile wipe-history", "delete"),
                **table("flake init, flake new, flake clone", "create"),
                "develop": _develop,
                "shell": _develop,
                "fmt": "overwrite",
                "run": "unlisted",
            },
            valued=names("--extra-experimental-features --experimental-features --option --store"),
            milder=names("--dry-run"),
        ),
    ),
    **programs("nix-env", _nix_env),
    **programs("nix-store", _nix_store),
    **programs("nix-channel", _nix_channel),
    **programs("nix-instantiate", _nix_instantiate),
    **programs("nix-build", lambda call: [reads("build")]),
    **programs("nix-shell", _nix_shell),
    **programs("nix-collect-garbage", lambda call: [writes("delete", (), "packages")]),
    **programs(
        "nix-prefetch-url nix-prefetch-git nix-info nix-diff nix-tree", lambda call: [reads("packages")]
    ),
}
