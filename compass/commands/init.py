"""`compass init`: wire the gate into a project and turn it on, or take it out again."""

from __future__ import annotations

import argparse
import json
import os
import time
from contextlib import closing
from dataclasses import replace

from compass.arguments import add_host
from compass.composition.gate import note_readers_told
from compass.configuration import client_offer
from compass.install.consent import agrees, ask, at_terminal, keep_agreement, refuse_agents
from compass.install.installation import InstallPlan, InstallScope, Site, apply_plan, site_here
from compass.install.plan import BACKENDS, plan_install, plan_uninstall
from compass.show.terminal import say, show_diff
from evaluator.errors import ConfigError
from evaluator.model import AUTO, BACKEND_MODULES, EMBEDDED
from evaluator.readers.kinds.claude_cli import PROGRAM
from evaluator.readers.kinds.kind import backend_label, kind_of
from evaluator.settings.layers import ASKED
from evaluator.state.store import open_store
from hooks import registry

NOTES_SHOWN = 3
SENDS_QUESTION = (
    f"New since you set Compass up: readers judge better if they are also sent {'; '.join(ASKED.values())}. All of "
    "it is sanitized. Send it?"
)


def add_init_arguments(parser: argparse.ArgumentParser) -> None:
    backends = (f"`{name}` is {kind_of(name).about}." for name in BACKEND_MODULES)
    parser.epilog = " ".join(("Backends:", *backends))
    add_host(parser)
    where = parser.add_mutually_exclusive_group()
    table = registry.default_host().setup().table
    scopes: dict[InstallScope, str] = {
        "project": f"wire the hooks into {table.local_file} of this project, which git ignores (the default)",
        "user": f"wire the hooks into ~/{table.user_file}; they act wherever init has run, in all work trees",
        "plugin": "write no hook entries, because the loaded plugin calls Compass",
    }
    for scope, into in scopes.items():
        where.add_argument(
            f"--{scope}", dest="scope", action="store_const", const=scope, default=None, help=into
        )
    how = parser.add_mutually_exclusive_group()
    told = "failed checks stop the write"
    how.add_argument("--enforce", dest="mode", action="store_const", const="enforce", help=told)
    told = "record only (the default for a new setup)"
    how.add_argument("--observe", dest="mode", action="store_const", const="observe", help=told)
    told = "which readers to use; `auto` detects again which are ready"
    parser.add_argument("--backend", choices=BACKENDS, help=told)
    parser.add_argument("--statusline", action="store_true", help="show the gate in the host's status line")
    parser.add_argument("--uninstall", action="store_true", help="remove exactly what was added")
    parser.add_argument("--dry-run", action="store_true", help="show what would change; write nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask, even at a terminal")


def run_init(args: argparse.Namespace) -> int:
    """Exit code 0. At a terminal it asks before it changes anything. Raises CompassError."""
    if not args.dry_run:
        refuse_agents(os.environ)
    site = site_here(registry.host_of(args.host))
    choice = client_offer.BackendChoice(site, again=args.backend == AUTO)
    returns = not args.uninstall and args.backend is None and choice.may_return(site)
    plan = _plan_init(site, args, choice)
    agreed, asks = bool(args.yes), not (args.yes or args.dry_run or args.json) and at_terminal()
    answered = asks and (returns or choice.settings is not None)
    if asks and _ask_init_consent(plan, choice):
        plan = _plan_init(site, args, choice)
    if answered:
        agreed = (
            _offer_auto_at_init(site, args, choice) if returns else _offer_client_at_init(site, plan, choice)
        )
        plan = _plan_init(site, args, choice)
    elif returns:
        plan = replace(plan, notes=(*plan.notes, client_offer.MAY_RETURN))
    if not (args.json or (agreed and answered)):
        _show_init_changes(plan)
    if not args.dry_run:
        if not agreed and any(change.before != change.after for change in plan.changes):
            if plan.enabled and at_terminal() and not args.json:
                _show_init_outcome(site, plan, "would be")
            ask("Remove Compass from these files?" if args.uninstall else "Write these changes?")
        apply_plan(site, plan)
        _record_init_consent(site, plan, choice, asked=answered, by_name=str(args.backend or ""))
    if args.json:
        print(json.dumps(_init_document(site, plan, args), indent=2))
    else:
        _show_init_summary(site, plan, args)
    return 0


def _offer_client_at_init(
    site: Site, plan: InstallPlan, choice: client_offer.BackendChoice, before: str = ""
) -> bool:
    """Offers the logged-in client as readers; one yes is for its calls and for the changes that are shown. `before`
    stands before what it costs."""
    settings, now = choice.settings, time.time()
    assert settings is not None
    _show_init_changes(plan)
    for line in (before, *client_offer.costs(settings, client_offer.use_of(site, now), names=plan.names)):
        if line:
            say(line)
    if not agrees(f"Use `{PROGRAM}` as the reader, and write these changes?"):
        choice.decline()
        return False
    try:
        choice.agree(client_offer.sample_client(settings, site.env, site.state_dir, now), settings)
    except client_offer.SpentError as error:
        choice.agree(None, settings)
        say(str(error))
    return True


def _ask_init_consent(plan: InstallPlan, choice: client_offer.BackendChoice) -> bool:
    """Asks what of an older version was not sent and may be, where somebody may come to read who would be sent it."""
    if not plan.asks or not (choice.settings is not None or kind_of(plan.backend).hosted):
        return False
    choice.sends = agrees(SENDS_QUESTION)
    return True


def _offer_auto_at_init(site: Site, args: argparse.Namespace, choice: client_offer.BackendChoice) -> bool:
    """One question for rules that an older version stored: whether `auto` takes their place."""
    args.backend = AUTO
    plan = _plan_init(site, args, choice)
    if _ask_init_consent(plan, choice):
        plan = _plan_init(site, args, choice)
    if choice.settings is not None:
        agreed = _offer_client_at_init(site, plan, choice, client_offer.STORED)
    else:
        _show_init_changes(plan)
        say(client_offer.STORED)
        for note in plan.notes[:1]:
            say(f"`auto` would choose {note}.")
        _show_init_outcome(site, plan, "would be")
        agreed = agrees("Switch back to `auto`, and write these changes?")
    if not agreed:
        args.backend = None
        choice.keep_rules()
    return agreed


def _record_init_consent(
    site: Site, plan: InstallPlan, choice: client_offer.BackendChoice, *, asked: bool, by_name: str
) -> None:
    """Writes down what the person agreed to of readers, and that they know who reads. Raises ConfigError."""
    if not plan.enabled:
        keep_agreement(site, None)
        return
    if plan.record is None:
        return
    if by_name == EMBEDDED:
        choice.keep_rules()
    if asked or by_name == EMBEDDED:
        keep_agreement(site, choice.agreement)
    with closing(open_store(site.state_dir, now=time.time()).store) as store:
        note_readers_told(store, site.project_dir, plan.backend)


def _plan_init(site: Site, args: argparse.Namespace, choice: client_offer.BackendChoice) -> InstallPlan:
    scope: InstallScope | None = args.scope
    if args.uninstall:
        if args.statusline:
            raise ConfigError("--uninstall removes the status line, too; leave out --statusline")
        return plan_uninstall(site, scope)
    return plan_install(
        site, scope, args.mode, args.backend, choice, status_line=args.statusline, sends=choice.sends
    )


def _init_document(site: Site, plan: InstallPlan, args: argparse.Namespace) -> dict[str, object]:
    return {
        "project_dir": site.project_dir,
        "host": site.host.NAME,
        "scope": plan.scope,
        "settings_file": site.settings_path(plan.scope) or None,
        "user_settings": site.own_settings,
        "interpreter": site.interpreter,
        "script": site.script,
        **{name: getattr(plan, name) for name in ("enabled", "mode", "backend")},
        **{name: bool(getattr(args, name)) for name in ("dry_run", "uninstall")},
        "changed": [change.path for change in plan.changes if change.before != change.after],
        "diff": "\n".join(change.diff for change in plan.changes if change.diff),
        "notes": list(plan.notes),
    }


def _show_init_changes(plan: InstallPlan) -> None:
    show_diff("\n".join(change.diff for change in plan.changes if change.diff))


def _show_init_outcome(site: Site, plan: InstallPlan, did: str) -> None:
    """What the gate is and does then. `did`: is, or would be."""
    judged = "no model reads" if plan.backend == EMBEDDED else f"judged by {backend_label(plan.backend)}"
    where = f"{site.host.TITLE} ({plan.scope} scope)"
    say(f"Compass {did} wired into {where}: mode {plan.mode}, {judged}.", style="bold")
    named = f" --host {site.host.NAME}" if registry.host_word(site.host) else ""
    if plan.mode == "observe":
        say(f"Nothing is blocked in observe mode; `compass init{named} --enforce` turns blocking on.")
    else:
        say(f"Failed checks stop the write; `compass init{named} --observe` turns blocking off.")


def _show_init_summary(site: Site, plan: InstallPlan, args: argparse.Namespace) -> None:
    named = f" --host {site.host.NAME}" if registry.host_word(site.host) else ""
    did = "would be" if args.dry_run else "is"
    if args.uninstall:
        say(f"Compass {did} removed from {site.host.TITLE} ({plan.scope} scope).", style="bold")
    else:
        _show_init_outcome(site, plan, did)
        if finds := kind_of(plan.backend).finds:
            say(finds)
    for note in plan.notes[:NOTES_SHOWN]:
        say(f"- {note}", hanging=2)
    if (more := len(plan.notes) - NOTES_SHOWN) > 0:
        say(f"{more} more: `compass init{named} --dry-run --json`.")
    if plan.offers_line:
        say(f"{site.host.TITLE} can show the gate under your prompt: `compass init --statusline`.")
    if args.dry_run:
        say("Dry run: nothing was written.")
    elif not args.uninstall:
        say(
            f"Host sessions that are already running may need a restart. `compass doctor{named}` verifies the wiring."
        )
