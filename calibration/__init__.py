"""Measures a project's noise floor."""
