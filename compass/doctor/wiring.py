"""Are the hooks wired, once and for every tool that writes, and which tools does no hook see?"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence

from compass.doctor.finding import Finding, HostFile, Situation, shown
from compass.hook.dispatch import expected_commands
from compass.install.installation import read_interpreter, read_records
from evaluator.settings.keys import Settings
from evaluator.settings.mcp_writers import MCP_WRITERS
from evaluator.settings.places import RECORDED, blocks_without, set_by, word_for
from evaluator.state.history import last_start
from evaluator.text import safe
from evaluator.trigger.tool_names import only_reads, row_by_name
from evaluator.trigger.tools import CLIENT_TOOLS, ToolRow, parsed, row_for
from hooks.entries import program_of
from hooks.host import Host
from hooks.setup import Seen

_AGAIN = "run `compass init` again"


def settings_load(situation: Situation) -> Finding:
    """Whether the host's settings files load: one entry that the host cannot read makes it drop the whole file,
    permissions included."""
    setup = situation.setup
    faults = [
        f"{shown(situation, file.path)}: {fault}"
        for file in situation.files
        for fault in ([file.value] if isinstance(file.value, str) else setup.fatal_entries(file.value))
    ]
    if faults:
        return Finding(
            "settings files", False, "; ".join(faults) + "; the host drops such a file: correct it"
        )
    named = ", ".join(shown(situation, file.path) for file in situation.files)
    return Finding("settings files", True, f"load: {named}" if named else "none")


def hooks_enabled(situation: Situation) -> Finding:
    """Whether the host runs hooks at all: nothing that Compass can do holds where it does not."""
    setup = situation.setup
    off = [file.path for file in situation.files if file.settings.get(setup.table.hooks_off) is True]
    if off:
        return Finding("hooks enabled", False, f"{off[0]} sets {setup.table.hooks_off}: remove it")
    managed = [file.path for file in situation.files if file.settings.get(setup.table.managed_only) is True]
    if managed and situation.wired:
        return Finding("hooks enabled", False, f"{managed[0]} allows managed hooks only: ask who manages it")
    return Finding("hooks enabled", True, "no settings file turns hooks off")


def hooks_wired(situation: Situation) -> Finding:
    """Whether every event is wired, for every tool that writes, by an interpreter that is there."""
    if not situation.wired:
        return _plugin_wired(situation)
    faults = [fault for file in situation.wired for fault in _wiring_faults(file, situation)]
    where = ", ".join(shown(situation, file.path) for file in situation.wired)
    if faults:
        return Finding("hooks wired", False, f"{where}: {'; '.join(faults)}: {_AGAIN}")
    narrow = unmatched(situation, (*CLIENT_TOOLS, f"{situation.setup.table.mcp_prefix}*__*"))
    unheard = unmatched(situation, situation.setup.table.heard_tools, "post-tool-use")
    missed = [
        f"{what} {', '.join(names)}"
        for what, names in (("see", narrow), ("hear the results of", unheard))
        if names
    ]
    if missed:
        said = f"{where}; an earlier version's matcher, which does not {' nor '.join(missed)}: {_AGAIN}"
        return Finding("hooks wired", True, said, warns=True)
    return Finding("hooks wired", True, where)


def unmatched(situation: Situation, names: Iterable[str], event: str = "pre-tool-use") -> list[str]:
    """The tools that no entry of Compass for an event matches, by any settings file that wires it."""
    setup, wanted = situation.setup, situation.site.host.EVENTS[event]
    matchers = [
        matcher
        for file in situation.wired
        for named, matcher, _ in setup.own_handlers(file.settings)
        if named == wanted
    ]
    return [name for name in names if not any(setup.matches(matcher, name) for matcher in matchers)]


def wired_once(situation: Situation) -> Finding:
    """Whether one wiring alone judges a call: two cost twice, and give two answers."""
    places = [shown(situation, file.path) for file in situation.wired]
    if len(places) > 1:
        commands = {
            str(handler.get("command") or handler.get("url"))
            for file in situation.wired
            for event, _, handler in situation.setup.own_handlers(file.settings)
            if event == situation.gating
        }
        said = f"wired in {' and '.join(places)}"
        if len(commands) == 1:
            return Finding("wired once", True, f"{said}; the host runs the same command once")
        if _yields(situation):
            return Finding(
                "wired once", True, f"{said}; the entry of all projects sees that and stays silent"
            )
        way = "`compass init --user --uninstall` or `compass init --project --uninstall` leaves one"
        return Finding("wired once", False, f"{said} with different commands: {way}")
    if places and situation.plugin_enabled:
        return Finding("wired once", True, f"{places[0]}; the enabled plugin sees that and stays silent")
    return Finding("wired once", True, places[0] if places else "no settings file wires Compass")


def work_trees_gated(situation: Situation) -> Finding:
    """git leaves the ignored settings.local.json out of a new work tree, so one that init did not see has no gate."""
    name = "work trees"
    site = situation.site
    others = situation.setup.ungated(site.home, site.project_dir, plugin=situation.plugin_enabled)
    if not others:
        return Finding(name, True, "no other work tree of this repository lacks the hooks")
    way = "`compass init --user` gates every work tree of the repositories that you set up"
    return Finding(
        name, False, f"no hooks in {', '.join(others)}: {way}, `compass init` there gates only that one"
    )


def own_rows(situation: Situation) -> list[str]:
    """The names in `gate.mcp_tools` that the user gave, without those that only read."""
    known = dict(MCP_WRITERS)
    rows = situation.settings.gate.mcp_tools
    return [name for name, does in rows if known.get(name) != does and parsed(does)[0] != "read"]


def _yields(situation: Situation) -> bool:
    """Whether of two wirings one is the user's, which leaves the call to the project's own."""
    site, setup, gating = situation.site, situation.setup, situation.gating
    user, *others = situation.wired
    if user.path != site.settings_path("user") or len(others) != 1:
        return False
    own = [handler for event, _, handler in setup.own_handlers(user.settings) if event == gating]
    said = [program_of(str(handler.get("command"))) for handler in own]
    same = expected_commands("pre-tool-use", site.interpreter, site.script, site.env, site.home)
    return all(one is not None and one.said[1:2] == (RECORDED,) for one in said) and setup.is_called(
        others[0].settings, gating, setup.table.write_tools[0], same
    )


def _wiring_faults(file: HostFile, situation: Situation) -> list[str]:
    setup, gating = situation.setup, situation.gating
    own = setup.own_handlers(file.settings)
    named = {name for name, _, _ in own}
    missing = [event for event in situation.site.host.EVENTS.values() if event not in named]
    faults = [f"not wired for {', '.join(missing)}"] if missing else []
    wanted = (*setup.table.write_tools, *own_rows(situation))
    policy = "block" if situation.blocks else "continue"
    for event, matcher, handler in own:
        faults += _command_faults(str(handler["command"]), situation.settings)
        if event != gating:
            continue
        missed = sorted(name for name in wanted if not setup.matches(matcher, name))
        if missed:
            faults.append(f"{gating} does not match {', '.join(missed)}")
        if handler.get("onFailure", "continue") != policy:
            faults.append(f"onFailure is not {policy!r}, as mode and error_policy require")
        timeout = handler.get("timeout", setup.table.timeout_seconds)
        if isinstance(timeout, int | float) and timeout <= situation.settings.deadline_seconds:
            faults.append(
                f"timeout {timeout} is not above deadline_seconds: {set_by('deadline_seconds', 'SECONDS')}"
            )
    return list(dict.fromkeys(faults))


def _command_faults(command: str, settings: Settings) -> list[str]:
    called = program_of(command)
    if called is None:
        return []
    faults = _program_faults(called.interpreter, called.script, called.flags)
    word = word_for(of_project=True, blocks=blocks_without(settings.mode, settings.error_policy))
    if called.said[1:2] not in ((), (RECORDED,), (word,)):
        faults.append(
            f"without its settings it would be {called.said[1]}, not {word} as mode and error_policy require"
        )
    return faults


def _program_faults(interpreter: str, script: str, flags: Sequence[str]) -> list[str]:
    faults: list[str] = []
    if not os.path.isabs(interpreter) or not os.access(interpreter, os.X_OK):
        faults.append(f"the interpreter {interpreter} is not there")
    if not os.path.isfile(script):
        faults.append(f"the script {script} is not there")
    if "-I" not in flags:
        faults.append("without -I a project's own modules could replace Compass's")
    return faults


def _plugin_wired(situation: Situation) -> Finding:
    site = situation.site
    record = read_records(site.records_file).get(site.record_key)
    if situation.plugin_off:
        where = shown(situation, situation.plugin_off)
        return Finding(
            "hooks wired", False, f"{where} turns the plugin off under enabledPlugins: remove that entry"
        )
    if not (situation.plugin_enabled or (record is not None and record.scope == "plugin")):
        return Finding("hooks wired", False, "no settings file wires Compass: run `compass init`")
    recorded = read_interpreter(site.state_dir)
    if recorded is None:
        return Finding("hooks wired", False, "the plugin is silent: run `compass init --plugin`")
    faults = _program_faults(recorded[0], recorded[1], ("-I",))
    if situation.blocks and recorded[2] != "closed":
        faults.append("the recorded policy is open, the one in force is closed")
    setup = situation.setup
    matcher = setup.matcher_of(situation.gating)
    unseen = ", ".join(name for name in own_rows(situation) if not setup.matches(matcher, name))
    if unseen:
        way = "`compass init --project` wires them"
        return Finding("hooks wired", False, f"the plugin's table cannot name {unseen}: {way}")
    if faults:
        return Finding("hooks wired", False, "; ".join(faults) + ": run `compass init --plugin` again")
    if situation.plugin_enabled:
        # That the host loads an enabled plugin shows in its sessions alone.
        seen = last_start(situation.site.state_dir, situation.site.project_dir) is not None
        return Finding(
            "hooks wired",
            True,
            "by the plugin (enabled)",
            but="" if seen else "no session has loaded the plugin here yet",
        )
    return Finding(
        "hooks wired",
        True,
        "by the plugin (not enabled in settings; load it with --plugin-dir)",
        warns=True,
        but="no settings file loads the plugin: only a session started with --plugin-dir is gated",
    )


NAMED_MAX = 8
_COMMANDS = ("command", "cmd", "script", "shell_command")
_TARGETS = (
    "file_path",
    "path",
    "filePath",
    "file",
    "filename",
    "target",
    "destination",
    "uri",
    "url",
    "dir",
    "directory",
)


def tools_gated(situation: Situation) -> Finding:
    """Which tools may write and no hook sees. Known writers among them are a fault; other tools that may write are
    named."""
    name = "tools"
    seen = situation.setup.seen_tools(situation.site.home, situation.site.project_dir)
    rows, host = situation.settings.gate.mcp_tools, situation.site.host
    known = [tool for tool in sorted(seen) if _writes(tool, rows, host)]
    blind = unmatched(situation, known) if situation.wired else []
    if blind:
        said = f"the gate does not see {_listed(blind)}, which this project's sessions called: run `compass init` again"
        return Finding(name, False, said)
    open_ones = {tool: seen[tool] for tool in sorted(seen) if _may_write(tool, rows, host)}
    said = (
        f"{len(seen)} seen in session files, {len(known)} of them write and are gated"
        if seen
        else "none seen yet"
    )
    if open_ones:
        said += f"; {_not_gated(situation, open_ones)}"
    return Finding(name, True, said, warns=bool(open_ones))


def _writes(tool: str, rows: tuple[tuple[str, str], ...], host: Host) -> bool:
    row = row_for(tool, rows)
    always = tool in host.setup().table.write_tools or (row is None and row_by_name(tool, {}) is not None)
    return always or isinstance(row, ToolRow) or (row is not None and parsed(row)[0] != "read")


def _may_write(tool: str, rows: tuple[tuple[str, str], ...], host: Host) -> bool:
    setup = host.setup()
    if (
        tool in setup.table.write_tools
        or tool in host.NEVER_WRITES | host.LEFT_ALONE
        or row_for(tool, rows) is not None
        or row_by_name(tool, {}) is not None
    ):
        return False
    return not (tool.startswith(setup.table.mcp_prefix) and only_reads(tool))


def _not_gated(situation: Situation, tools: Mapping[str, Seen]) -> str:
    shown_ones = dict(list(tools.items())[:NAMED_MAX])
    rows = {tool: suggested(seen.fields) for tool, seen in shown_ones.items()}
    line = json.dumps({"gate": {"mcp_tools": rows}}, ensure_ascii=True)
    more = f" and {len(tools) - len(rows)} more" if len(tools) > len(rows) else ""
    called = _listed([f"{tool} ({seen.calls})" for tool, seen in shown_ones.items()])
    again = (
        ""
        if all(tool.startswith(situation.setup.table.mcp_prefix) for tool in rows)
        else ", then run `compass init` again"
    )
    place = shown(situation, situation.site.own_settings)
    return f"not gated: {called}{more}; where one writes, this in {place} gates it: {line}{again}"


def suggested(fields: Iterable[str]) -> str:
    """The row that fits the fields of a tool's input best; a name's meaning is a guess, which the user corrects."""
    names = tuple(fields)
    for command in _COMMANDS:
        if command in names:
            return f"shell:{command}"
    return next((target for target in _TARGETS if target in names), names[0] if names else "path")


def _listed(names: Iterable[str]) -> str:
    """Names that others chose: on one line, bounded, with nothing that a terminal would act on."""
    kept = [safe(name)[:120] for name in names]
    more = f" and {len(kept) - NAMED_MAX} more" if len(kept) > NAMED_MAX else ""
    return ", ".join(kept[:NAMED_MAX]) + more
