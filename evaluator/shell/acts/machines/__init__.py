"""Machines, networks, databases and clouds, where verbs and requests decide."""
