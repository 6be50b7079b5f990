"""Settings: their keys, where they come from, whom to trust with them, and which project they are for."""
