"""Recorded sessions of Copilot CLI, for replay and calibration."""
