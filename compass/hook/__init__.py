"""One hook call, whatever brings it: start, boundary, handling, answer by policy."""
