"""The weights of the embedded readers. Written by `benchmarks/fit_embedded.py`, not by hand.

Fitted on tune (217), tune-2 (241), first (259), pairs (180), bfcl (594), when2call (200) rows.
"""

from __future__ import annotations

from typing import Final

CONFIDENCE, DEVIATION = 0.65, 0.20
"""The thresholds that the scores are calibrated for: those of the gate by default."""

WEIGHTS: Final[dict[str, float]] = {
    "target_named": -0.558,
    "target_named_by_user": -0.24,
    "words_shared": -0.122,
    "values_given": -0.679,
    "least_value_given": -1.331,
    "said_at_all": -0.293,
    "request_concrete": -1.14,
    "is_a_call": 0.442,
    "nothing_leads_to_it": 0.496,
    "groundless": 1.803,
    "asked_for": -0.229,
    "names_asked_for": -0.205,
    "not_asked_for": 0.528,
    "a_target_not_asked_for": 0.615,
    "spoken_against": 0.629,
    "user_against": 0.459,
    "prior_against": 0.625,
    "another_asked_for": 0.906,
    "placed_elsewhere": 0.691,
    "option_fits": -0.751,
    "answers_with_a_value": -0.85,
    "other_option": 1.929,
    "no_option_picked": 0.512,
    "no_such_option": 3.002,
    "orders": -0.169,
    "asks": 0.713,
    "wants_words": 0.62,
    "puts_off": 0.418,
    "ends_asking": 0.884,
    "ends_wanting_words": 0.476,
    "ends_putting_off": 0.428,
    "question": 1.889,
    "contradiction": 2.073,
    "forbidden": 2.437,
    "scope": 1.557,
    "area": 1.031,
    "spares_something": 0.434,
    "plain": 1.975,
    "destruction": 2.385,
    "referents": 2.361,
    "agrees_to_nothing": 0.178,
    "vague": 1.161,
    "indefinite": 0.729,
}
"""What each signal adds to the log odds that the exchange leaves the write open; see `signals.GROUPS`."""
BIAS: Final = 0.381
SLOPE, SHIFT = 0.8, 3.883
"""The score is the logistic of -SLOPE * (doubt - SHIFT)."""
FALLBACK: Final = 2.000
"""From this weight of contradiction and destruction on the fallback blocks."""
PLAINLY: Final = ("user_against", "prior_against", "another_asked_for", "other_option", "no_such_option")
"""Signals that the fallback counts beside the groups of contradiction and destruction."""
