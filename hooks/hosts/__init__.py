"""One file per host: its payload to a pending write, a check to its answer."""
