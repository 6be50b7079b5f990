"""Claude Code's conversation file: which message is the request, which the prior turn."""
