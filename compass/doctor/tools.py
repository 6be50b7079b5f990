"""Which tools that may write are not gated? Asks the project's session files and the configured MCP servers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from compass.doctor.finding import Examination, Finding, Situation, shown
from compass.doctor.wiring import unmatched
from evaluator.terminal import safe
from evaluator.trigger.tool_names import only_reads, row_by_name
from evaluator.trigger.tools import ToolRow, parsed, row_for
from hooks.host import Host
from hooks.setup import Seen

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
    """Known writers that no hook sees are a fault; other tools that may write are named."""
    name = "tools"
    seen = situation.setup.seen_tools(situation.site.home, situation.site.project_dir)
    rows, host = situation.settings.gate.mcp_tools, situation.site.host
    known = [tool for tool in sorted(seen) if _writes(tool, rows, host)]
    blind = unmatched(situation, known) if situation.wired else []
    if blind:
        said = f"the gate does not see {_listed(blind)}, which this project's sessions called: run `compass init` again"
        return Finding(name, False, said)
    servers = _unseen_servers(situation, seen)
    open_ones = {tool: seen[tool] for tool in sorted(seen) if _may_write(tool, rows, host)}
    said = (
        f"{len(seen)} seen in session files, {len(known)} of them write and are gated"
        if seen
        else "none seen yet"
    )
    notes = [_not_gated(situation, open_ones)] if open_ones else []
    if servers:
        notes.append(
            f"not looked into: {_listed(servers)} (MCP servers that are configured and that no session called)"
        )
    return Finding(name, True, "; ".join([said, *notes]), warns=bool(open_ones))


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


def _unseen_servers(situation: Situation, seen: Mapping[str, Seen]) -> list[str]:
    """Configured MCP servers none of whose tools was called."""
    site, setup = situation.site, situation.setup
    ours = [tool for tool in seen if tool.startswith(setup.table.mcp_prefix) and tool.count("__") > 1]
    called = {tool.split("__", 2)[1] for tool in ours}
    configured = setup.mcp_servers(site.home, site.project_dir, (file.settings for file in situation.files))
    return [name for name in configured if re.sub(r"[^a-zA-Z0-9_-]", "_", name) not in called]


def _listed(names: Iterable[str]) -> str:
    """Names that others chose: on one line, bounded, with nothing that a terminal would act on."""
    kept = [safe(name)[:120] for name in names]
    more = f" and {len(kept) - NAMED_MAX} more" if len(kept) > NAMED_MAX else ""
    return ", ".join(kept[:NAMED_MAX]) + more


CHECKS: tuple[Examination, ...] = (tools_gated,)
