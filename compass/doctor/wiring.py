"""What the host makes of its settings files: do they load, do hooks run, are the entries those that `compass init`
writes, which tools that may write does no hook see? Proves the wiring by its very command, away from the real state."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence

from compass.doctor.situation import Finding, HostFile, Situation, shown
from compass.install import settings_file
from compass.install.installation import InstallScope, read_interpreter, read_records
from compass.install.plan import wiring_of
from evaluator.errors import ConfigError
from evaluator.settings.keys import MCP_WRITERS
from evaluator.settings.places import RECORDED, blocks_without, set_by, word_for
from evaluator.state.history import History
from evaluator.text import safe
from evaluator.trigger.tool_names import only_reads, row_by_name
from evaluator.trigger.tools import ToolRow, parsed, row_for
from evaluator.wire import LONGEST_SECONDS
from hooks.entries import command_saying, hook_command, invocation_of

NAMED_MAX = 8
_FIELDS = frozenset(("type", "command", "timeout", "onFailure", "statusMessage"))
"""Of an entry as any version of init writes it; `async` is one that makes the host ignore its answer."""


def settings_load(situation: Situation) -> Finding:
    """Whether the host's settings files load: for one unreadable entry it drops a whole file, permissions included."""
    setup = situation.setup
    faults = [
        f"{shown(situation, file.path)}: {fault}"
        for file in situation.files
        for fault in ([file.value] if isinstance(file.value, str) else setup.fatal_entries(file.value))
    ]
    if faults:
        return Finding("settings files", False, "; ".join(faults) + "; the host ignores such a file: fix it")
    named = ", ".join(shown(situation, file.path) for file in situation.files)
    return Finding("settings files", True, f"these load: {named}" if named else "none")


def hooks_enabled(situation: Situation) -> Finding:
    """Whether the host runs hooks at all: nothing that Compass can do holds where it does not."""
    setup = situation.setup
    off = [file.path for file in situation.files if file.settings.get(setup.table.hooks_off) is True]
    if off:
        return Finding("hooks enabled", False, f"{off[0]} sets {setup.table.hooks_off}: remove it")
    managed = [file.path for file in situation.files if file.settings.get(setup.table.managed_only) is True]
    if managed and situation.wired:
        return Finding(
            "hooks enabled", False, f"{managed[0]} allows managed hooks only: ask whoever manages it"
        )
    return Finding("hooks enabled", True, "no settings file turns hooks off")


def hooks_wired(situation: Situation) -> Finding:
    """Whether the entries are those that init writes now. Others fail where the gate would not hold by them."""
    name, setup = "hooks wired", situation.setup
    if setup.table.local_file and not situation.wired:
        return _plugin_wiring_finding(situation)
    paths = [file.path for file in situation.wired] or [situation.site.settings_path("user")]
    where = ", ".join(shown(situation, path) for path in paths)
    try:
        others = [shown(situation, path) for path in paths if not _is_wired_as_written(situation, path)]
    except ConfigError as error:
        return Finding(name, False, str(error))
    if not others:
        return Finding(name, True, where)
    said = f"{others[0]} differs from what `{situation.again}` writes"
    # To any other host a changed entry may be one that nobody trusted.
    if not setup.table.local_file:
        return Finding(name, False, f"{said}, so writes may bypass the gate: run that command again")
    faults = [fault for file in situation.wired for fault in _wired_file_faults(file, situation)]
    if faults:
        return Finding(name, False, f"{said}: {'; '.join(dict.fromkeys(faults))}; run that command again")
    return Finding(name, True, f"{said} now, but the gate still works: run that command again", warns=True)


def _is_wired_as_written(situation: Situation, path: str) -> bool:
    site, setup = situation.site, situation.setup
    scope: InstallScope = "user" if path == site.settings_path("user") else "project"
    wiring = wiring_of(site, situation.loaded, situation.settings.mode, scope)
    whole = setup.whole_file(wiring)
    if whole is not None:
        return settings_file.text_of(path) == whole
    value = settings_file.read(path).value
    return setup.merge(value, setup.entries(wiring)) == value


def _wired_file_faults(file: HostFile, situation: Situation) -> Iterator[str]:
    """Why the gate would not hold by a file's entries, in words; nothing of those that an older version wrote."""
    setup, own = situation.setup, situation.setup.own_handlers(file.settings)
    wired = {event for event, _, _ in own}
    missing = [event for event in situation.site.host.EVENTS.values() if event not in wired]
    if missing:
        yield f"it does not wire {', '.join(missing)}"
    for event, matcher, handler in own:
        settings, called = situation.settings, invocation_of(str(handler.get(setup.table.command)))
        assert called is not None, "each of Compass's own handlers calls Compass"
        if not _wired_program_exists(called.interpreter, called.script):
            yield f"{called.interpreter} or {called.script} is missing"
        if "-I" not in called.flags:
            yield "without -I, a project's own modules could replace Compass's"
        word = word_for(of_project=True, blocks=blocks_without(settings.mode, settings.error_policy))
        if called.said[1:2] not in ((), (RECORDED,), (word,)):
            yield f"without settings, its policy would be {called.said[1]}; mode and error_policy require {word}"
        if event != situation.gating:
            continue
        names = (*setup.table.write_tools, *own_rows(situation))
        if unseen := [one for one in names if not setup.matches(matcher, one)]:
            yield f"{event} does not match {_list_unwired_tools(unseen)}"
        policy = "block" if situation.blocks else "continue"
        if handler.get("onFailure", "continue") != policy:
            yield f"onFailure must be {policy}: mode and error_policy require it"
        deadline = min(situation.settings.deadline_seconds, LONGEST_SECONDS)
        timeout = handler.get("timeout", setup.table.timeout_seconds)
        if isinstance(timeout, int | float) and timeout <= deadline:
            yield f"its timeout must be longer than the {deadline:g} seconds that the hook may take"
        if handler.get("type") != "command" or not _FIELDS.issuperset(handler):
            yield f"the host may ignore an entry with fields other than {', '.join(sorted(_FIELDS))}"


def _wired_program_exists(interpreter: str, script: str) -> bool:
    return os.path.isabs(interpreter) and os.access(interpreter, os.X_OK) and os.path.isfile(script)


def own_rows(situation: Situation) -> list[str]:
    """The names in `gate.mcp_tools` that the user gave, without those that only read."""
    known = dict(MCP_WRITERS)
    rows = situation.settings.gate.mcp_tools
    return [name for name, does in rows if known.get(name) != does and parsed(does)[0] != "read"]


def _plugin_wiring_finding(situation: Situation) -> Finding:
    name, site, setup = "hooks wired", situation.site, situation.setup
    record = read_records(site.records_file).get(site.record_key)
    on, file = situation.plugin
    if on is False:
        where = shown(situation, file)
        return Finding(name, False, f"{where} turns the plugin off under enabledPlugins: remove that entry")
    if not (on or (record is not None and record.scope == "plugin")):
        return Finding(name, False, "no settings file wires Compass: run `compass init`")
    recorded = read_interpreter(site.state_dir)
    open_policy = recorded is not None and recorded[2] != "closed"
    if recorded is None or not _wired_program_exists(*recorded[:2]) or (situation.blocks and open_policy):
        return Finding(name, False, "the plugin is not set up for this policy: run `compass init --plugin`")
    matcher = setup.matcher_of(situation.gating)
    unseen = ", ".join(row for row in own_rows(situation) if not setup.matches(matcher, row))
    if unseen:
        way = "`compass init --project` wires them"
        return Finding(name, False, f"the plugin's own hooks cannot cover {unseen}: {way}")
    if not on:
        but = "no settings file loads the plugin: only a session started with --plugin-dir is gated"
        return Finding(name, True, "by the plugin, which no settings file enables", warns=True, but=but)
    # That the host loads an enabled plugin shows in its sessions alone.
    seen = History(site.state_dir, situation.now).last_start(site.project_dir) is not None
    return Finding(
        name, True, "by the plugin", but="" if seen else "no session has loaded the plugin here yet"
    )


def tools_gated(situation: Situation) -> Finding:
    """The tools that this project's sessions called. A writer no hook sees is a fault; possible others are named."""
    name, setup = "tools", situation.setup
    seen = sorted(setup.seen_tools(situation.site.home, situation.site.project_dir))
    rows = situation.settings.gate.mcp_tools

    def writes(tool: str) -> bool:
        row = row_for(tool, rows)
        if row is None:
            return tool in setup.table.write_tools or row_by_name(tool, {}) is not None
        return isinstance(row, ToolRow) or parsed(row)[0] != "read"

    def only_looks(tool: str) -> bool:
        """Whether a row or, of a server's tool, its name says that it only reads."""
        is_served = tool.startswith(setup.table.mcp_prefix)
        return row_for(tool, rows) is not None or (is_served and only_reads(tool))

    writers = [tool for tool in seen if writes(tool)]
    matchers = [
        matcher
        for file in situation.wired
        for event, matcher, _ in setup.own_handlers(file.settings)
        if event == situation.gating
    ]
    blind = [tool for tool in writers if not any(setup.matches(matcher, tool) for matcher in matchers)]
    if blind and situation.wired:
        return Finding(
            name, False, f"the gate does not see {_list_unwired_tools(blind)}: run `compass init` again"
        )
    host = situation.site.host
    silent = host.NEVER_WRITES | host.LEFT_ALONE
    may = [tool for tool in seen if tool not in writers and tool not in silent and not only_looks(tool)]
    if not may:
        return Finding(name, True, f"{len(seen)} seen in session files, of which {len(writers)} write")
    way = set_by("gate.mcp_tools", """'{"TOOL": "FIELD"}'""")
    return Finding(
        name, True, f"not gated: {_list_unwired_tools(may)}; if one of them writes, add it: {way}", warns=True
    )


def _list_unwired_tools(names: Iterable[str]) -> str:
    """Names that others chose: on one line, bounded, with nothing that a terminal would act on."""
    kept = [safe(name)[:120] for name in names]
    more = f" and {len(kept) - NAMED_MAX} more" if len(kept) > NAMED_MAX else ""
    return ", ".join(kept[:NAMED_MAX]) + more


_PRIVATE = ("COMPASS_", "ONLOOKER_")
"""The switches of this check must not reach the hook; nor must the host's own marks."""
_SESSION = "compass-doctor"
_GARBAGE = b"this is no payload \xff\x00 {"


def answers_read(situation: Situation) -> Finding:
    """Whether the hook lets a call that never writes through without a word."""
    payload = situation.setup.trial(situation.site.project_dir, _SESSION)
    return _invocation_finding("hook runs", situation, payload, denies=False)


def answers_garbage(situation: Situation) -> Finding:
    """Whether the hook answers what is no payload by the error policy: of a fault of Compass, `embedded` denies too."""
    settings = situation.settings
    denies = settings.enabled and blocks_without(settings.mode, settings.error_policy)
    return _invocation_finding("hook fails by policy", situation, _GARBAGE, denies=denies)


def _invocation_finding(name: str, situation: Situation, stdin: bytes, *, denies: bool) -> Finding:
    commands = _invocation_commands(situation)
    if not commands:
        return Finding(name, False, f"no hook command was found: run `{situation.again}`")
    wanted = "a deny" if denies else "nothing"
    began = time.monotonic()
    for command in commands:
        fault = _hook_invocation_fault(command, stdin, situation, denies=denies)
        if fault:
            said = f"expected {wanted}: {fault}; the command is {command}; run `{situation.again}` again"
            return Finding(name, False, said)
    return Finding(name, True, f"answered {wanted} in {time.monotonic() - began:.2f} s")


def _invocation_commands(situation: Situation) -> list[str]:
    """Each distinct hook command that gates; what the plugin would run where no file has one."""
    site, setup = situation.site, situation.setup
    wiring = wiring_of(site, situation.loaded, situation.settings.mode, "user")
    if setup.whole_file(wiring) is not None:
        return [hook_command(wiring.interpreter, wiring.script, "pre-tool-use", wiring.said)]
    found = [
        str(handler.get(setup.table.command, ""))
        for file in situation.wired
        for event, _, handler in setup.own_handlers(file.settings)
        if event == situation.gating
    ]
    recorded = read_interpreter(site.state_dir) if setup.table.local_file else None
    if not found and recorded is not None:
        found = [hook_command(recorded[0], recorded[1], "pre-tool-use")]
    return list(dict.fromkeys(found))


def _hook_invocation_fault(command: str, stdin: bytes, situation: Situation, *, denies: bool) -> str:
    """How a hook's answer is not the wanted one; empty if it is."""
    settings, host, setup = situation.settings, situation.site.host, situation.setup
    longest = setup.table.timeout_seconds
    private = (*_PRIVATE, *host.PREFIXES)
    env = {name: value for name, value in situation.site.env.items() if not name.startswith(private)}
    called = invocation_of(command)
    with tempfile.TemporaryDirectory(prefix="compass-doctor-") as folder:
        if called is not None and called.said:
            # The last word of the entry holds, and leads away from the real state.
            command = command_saying(command, f"ONLOOKER_DIR={folder}")
        env |= {
            "ONLOOKER_DIR": folder,
            **({host.PROJECT_VARIABLE: situation.site.project_dir} if host.PROJECT_VARIABLE else {}),
            "COMPASS_ENABLED": "true" if settings.enabled else "false",
            "COMPASS_MODE": settings.mode,
            "COMPASS_ERROR_POLICY": settings.error_policy,
            # One that served this folder would outlive it; one that runs would keep its database open.
            "COMPASS_SERVICE__ENABLED": "false",
        }
        try:
            done = subprocess.run(  # noqa: S602 - the host runs this very string by a shell
                command,
                shell=True,
                input=stdin,
                capture_output=True,
                cwd=situation.site.project_dir,
                env=env,
                timeout=longest,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"no answer within {longest} s"
        except OSError as error:
            return f"cannot be run: {error.strerror}"
    refuses = setup.refuses(done.returncode, done.stdout, done.stderr)
    if done.returncode and not refuses:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return f"exit code {done.returncode} ({' '.join(said)[:200]})"
    if denies:
        return "" if refuses else f"it printed {done.stdout[:80]!r}, not a denial"
    return "" if setup.silent(done.returncode, done.stdout) else f"it printed {done.stdout[:80]!r}"


def promised(situation: Situation) -> Finding:
    """What the host cannot promise of its hooks, whatever its wiring."""
    told = situation.setup.PROMISES.warnings(situation.site.host.TITLE)
    return Finding(
        "promises", True, "; ".join(told) or "everything that Compass promises does work", warns=bool(told)
    )


def own_findings(situation: Situation) -> Sequence[Finding]:
    """The findings that the host's own module makes."""
    site = situation.site
    # What is open of the host that is asked about keeps anybody from saying that the gate holds there.
    own = not situation.setup.table.local_file
    return [
        Finding(
            name, ok is not False, told, warns=ok is None, but=f"see {name}" if own and ok is None else ""
        )
        for name, ok, told in situation.setup.findings(site.env, site.home, site.project_dir)
    ]
