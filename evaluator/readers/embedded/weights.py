"""The weights of the embedded readers. Written by `benchmarks/fit_embedded.py`, not by hand.

Fitted on tune (217), first (259), pairs (180), bfcl (594), when2call (200) rows.
"""

from __future__ import annotations

from typing import Final

CONFIDENCE, DEVIATION = 0.65, 0.20
"""The thresholds that the scores are calibrated for: those of the gate by default."""

WEIGHTS: Final[dict[str, float]] = {
    "target_named": -0.637,
    "target_named_by_user": -0.481,
    "words_shared": -0.306,
    "values_given": -0.775,
    "least_value_given": -1.417,
    "said_at_all": -0.3,
    "request_concrete": -1.274,
    "is_a_call": 0.331,
    "nothing_leads_to_it": 0.417,
    "groundless": 1.941,
    "asked_for": -0.355,
    "names_asked_for": -0.39,
    "not_asked_for": 0.759,
    "a_target_not_asked_for": 0.607,
    "spoken_against": 0.745,
    "user_against": 0.714,
    "prior_against": 0.643,
    "another_asked_for": 0.933,
    "placed_elsewhere": 0.726,
    "option_fits": -0.806,
    "answers_with_a_value": -0.888,
    "other_option": 1.95,
    "no_option_picked": 0.49,
    "no_such_option": 3.002,
    "orders": -0.358,
    "asks": 0.817,
    "wants_words": 0.665,
    "puts_off": 0.672,
    "ends_asking": 0.881,
    "ends_wanting_words": 0.572,
    "ends_putting_off": 0.707,
    "question": 2.114,
    "contradiction": 2.098,
    "forbidden": 2.516,
    "scope": 1.566,
    "area": 1.028,
    "spares_something": 0.619,
    "plain": 2.068,
    "destruction": 2.465,
    "destructive": 0.186,
    "referents": 2.46,
    "agrees_to_nothing": 0.357,
    "vague": 1.134,
    "indefinite": 0.746,
}
"""What each signal adds to the log odds that the exchange leaves the write open; see `signals.GROUPS`."""
BIAS: Final = 0.745
SLOPE, SHIFT = 0.8, 3.472
"""The score is the logistic of -SLOPE * (doubt - SHIFT)."""
FALLBACK: Final = 2.000
"""From this weight of contradiction and destruction on the fallback blocks."""
PLAINLY: Final = ("user_against", "prior_against", "another_asked_for", "other_option", "no_such_option")
"""Signals that the fallback counts beside the groups of contradiction and destruction."""
