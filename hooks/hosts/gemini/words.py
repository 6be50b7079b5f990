"""What of a prompt a person wrote, as Gemini CLI hands it to its hooks and to its file."""

from __future__ import annotations

import re

_FILES = "--- Content from referenced files ---"
"""What follows it the client read from the files that the prompt names."""
_HOOKS = re.compile(r"\A\s*<hook_context>.*?</hook_context>|<hook_context>.*?</hook_context>\s*\Z", re.DOTALL)
"""What a hook's `additionalContext` became, before or behind the person's words."""
_MACHINE = (
    "<session_context>",
    "<hook_context>",
    "<state_snapshot>",
    "Here is the user's editor context as a JSON object.",
    "Here is a summary of changes in the user's editor context",
    "Background execution update:\n<background_output>",
    "User steering update:\n<user_input>",
    "User hints:\n<user_input>",
)


def typed(text: str) -> str:
    """A prompt without what the client and its hooks put beside it."""
    own = text.partition(_FILES)[0]
    while found := _HOOKS.search(own):
        own = own[: found.start()] + own[found.end() :]
    return own.strip()


def is_machine_text(text: str) -> bool:
    return text.lstrip().startswith(_MACHINE)
