"""OpenCode: a plugin of ours that asks the hook, and what it sends and is answered."""
