"""One hook call, whatever brings it: start, dispatch, events, answer by policy."""
