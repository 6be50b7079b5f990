"""Wires Compass into a host, and takes it out again."""
