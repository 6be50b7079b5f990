"""The long-lived service: what it keeps between calls, and what a call to it means."""
