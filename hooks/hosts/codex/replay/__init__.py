"""Recorded sessions of Codex CLI, for replay and calibration."""
