"""What was recorded: past checks, what waits for its user, how held requests ended."""
