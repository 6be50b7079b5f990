"""What `compass init` does beside the wiring, each of it alone: `--off` and `--on`, `--uninstall --purge`, `--team`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TextIO

from compass.configuration.change import sentences, set_value
from compass.install import purge as purging
from compass.install.consent import ask, ask_person
from compass.install.site import Site, write
from compass.service.process import end
from compass.show.terminal import Printer, show_diff
from evaluator import wire
from evaluator.errors import ConfigError
from evaluator.service import lifecycle
from evaluator.settings.keys import KEYS
from evaluator.terminal import safe


def switched(site: Site, args: argparse.Namespace) -> int:
    """The user's own word for this project. Exit code 1 where something nearer outweighs it. Raises ConfigError."""
    beside = [
        name
        for name in (
            "team",
            "uninstall",
            "purge",
            "dry_run",
            "scope",
            "mode",
            "backend",
            "http",
            "by_command",
            "port",
            "calls_per_day",
            "statusline",
        )
        if getattr(args, name)
    ]
    if beside:
        raise ConfigError(f"{'--off' if args.off else '--on'} goes alone")
    if args.on and not site.is_set_up and not os.path.exists(site.own_settings):
        raise ConfigError("the gate was not turned off here; `compass init` sets this project up")
    change = set_value(site, KEYS["enabled"], "false" if args.off else "true", every_project=False)
    holds = change.after.value is bool(args.on)
    if args.json:
        print(json.dumps(change.document(), indent=2))
    elif not holds:
        print("\n".join(map(safe, sentences(change))))
    elif args.off:
        print(
            f"The gate is off in this project ({safe(change.layer.path)}); other projects stay as they are."
        )
        print("`compass init --on` turns it on again.")
    else:
        print("The gate is on again in this project, as it was. `compass doctor` proves it.")
    return 0 if holds else 1


def purged(site: Site, args: argparse.Namespace) -> int:
    """Raises ConfigError."""
    if not args.uninstall:
        raise ConfigError("--purge goes with --uninstall")
    hooks = [
        *(change.path for change in purging.changes(site)),
        *(record.settings_file for record in purging.projects(site)),
    ]
    gone = [*purging.folders(site), *purging.files(site)]
    if not args.json or not (args.yes or args.dry_run):
        _show_purged(hooks, gone, would=bool(args.dry_run), to=sys.stderr if args.json else sys.stdout)
    if not args.dry_run:
        if not args.yes and (hooks or gone):
            ask_person("Take Compass out of all of these, and delete what it recorded?")
        end(lifecycle.RuntimeFolder(os.fsdecode(wire.run_dir(os.environb))))
        purging.purge(site)
    if args.json:
        print(json.dumps({"dry_run": bool(args.dry_run), "purged": [*hooks, *gone]}, indent=2))
    elif args.dry_run:
        print("Dry run: nothing was changed.")
    else:
        print("Nothing of Compass is left but its package.")
    return 0


def _show_purged(hooks: list[str], gone: list[str], *, would: bool, to: TextIO) -> None:
    """A path a line, below what becomes of it."""
    told = (
        ("would be taken out" if would else "are taken out", "Hooks {} of:", hooks),
        ("would be deleted" if would else "are deleted", "These {}, folders with all that they hold:", gone),
    )
    for what, head, paths in told:
        if paths:
            print("\n".join((head.format(what), *(f"  {safe(path)}" for path in paths))), file=to)


def shared(site: Site, args: argparse.Namespace) -> int:
    """Raises ConfigError."""
    others = (args.scope, args.http, args.by_command, args.backend, args.statusline, args.uninstall)
    if any(others) or args.port is not None or args.calls_per_day is not None or args.mode == "observe":
        raise ConfigError(
            "--team writes the project's file alone: it goes with --enforce, --dry-run and --yes"
        )
    from compass.install.team import plan_team

    plan = plan_team(site, enforce=args.mode == "enforce")
    change = plan.change
    if not args.json:
        show_diff(change.diff)
    if not args.dry_run and change.before != change.after:
        if not args.yes:
            ask("Write this file?")
        write(change)
    if args.json:
        changed = [change.path] if change.before != change.after else []
        print(
            json.dumps(
                {
                    "dry_run": bool(args.dry_run),
                    "changed": changed,
                    "diff": change.diff,
                    "notes": list(plan.notes),
                },
                indent=2,
            )
        )
        return 0
    console = Printer()
    for note in (*plan.notes, "Dry run: nothing was changed.") if args.dry_run else plan.notes:
        console.print(safe(note))
    return 0
