"""What `hooks.json` of Cursor holds of ours: a flat list of commands for each event. Pure.

No matcher: its documents name some tools, and one that a matcher does not know would run unasked.
"""

from __future__ import annotations

from hooks.hosts.cursor.events import EVENTS
from hooks.wiring import Wiring, answering, hook_command

VERSION: int = 1
TIMEOUT_SECONDS: int = 30
SILENT = {"pre-tool-use": '{"permission":"allow"}', "user-prompt-submit": '{"continue":true}'}
"""{event: what is printed where Compass says nothing}; of the others no answer is expected. Cursor asks its person all
the same: a hook's allow does not lift that."""


def entries(wiring: Wiring) -> dict[str, dict[str, object]]:
    """{Cursor's event: our one entry of its list}."""
    return {name: entry(word, wiring) for word, name in EVENTS.items()}


def entry(event: str, wiring: Wiring) -> dict[str, object]:
    """`event` in Compass's word. Only a call is held where the hook fails; a prompt is not lost for it."""
    closes = wiring.blocks and event == "pre-tool-use"
    command = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
    if event in SILENT:
        command = answering(command, SILENT[event], closes=closes)
    found: dict[str, object] = {"command": command, "timeout": TIMEOUT_SECONDS}
    return found | ({"failClosed": True} if closes else {})
