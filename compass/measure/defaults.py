"""The stated figures of `compass calibrate`, for its help and for its work. Imports nothing."""

DONE, DRIFT, USAGE, NO_BASELINE, UNMEASURED = 0, 1, 2, 3, 4
"""Exit codes: measured or unmoved, drift, wrong usage or cases, no usable baseline, could not be measured."""
INTERRUPTED = 130
TARGET, MISSES, DELTA = 0.10, 0.10, 0.05
GIT_CASES = 200
HOSTED_REPEATS, EMBEDDED_REPEATS = 3, 1
