"""The long-lived service: its process, its HTTP side, and what it keeps between calls."""
