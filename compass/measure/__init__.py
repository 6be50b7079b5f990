"""Measurements: from a command's arguments to the result and where it is kept.

Here stand the figures of `compass calibrate`, for its help and for its work; nothing is imported.
"""

DONE, DRIFT, USAGE, NO_BASELINE, UNMEASURED = 0, 1, 2, 3, 4
"""Exit codes: measured or unmoved, drift, wrong usage or cases, no usable baseline, could not be measured."""
INTERRUPTED = 130
TARGET = 0.10
GIT_CASES = 200
HOSTED_REPEATS, EMBEDDED_REPEATS = 3, 1
HINDSIGHT = "hindsight.told.json"
"""What `compass hindsight` last told, in the project's folder."""
