"""One file per command: parse, call, print, exit code."""
