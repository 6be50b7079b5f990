"""Where turns, cooldowns and checks are kept."""
