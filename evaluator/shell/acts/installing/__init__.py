"""Package managers that run commands, or whose operation is a letter."""
