"""The breaker to the readers: its states and its pure transitions."""
