"""Builds and tests, whose targets, scripts and tasks decide."""
