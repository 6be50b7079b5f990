"""The weights of the embedded readers. Written by `benchmarks/quality/fit_embedded.py`, not by hand.

Fitted on tune (217), tune-2 (241), first (259), pairs (180), bfcl (594), when2call (200) rows.
"""

from __future__ import annotations

from typing import Final

CONFIDENCE, DEVIATION = 0.65, 0.20
"""The thresholds that the scores are calibrated for: those of the gate by default."""

WEIGHTS: Final[dict[str, float]] = {
    "target_named": -0.558,
    "target_named_by_user": -0.235,
    "words_shared": -0.126,
    "values_given": -0.68,
    "least_value_given": -1.331,
    "said_at_all": -0.29,
    "request_concrete": -1.137,
    "is_a_call": 0.44,
    "nothing_leads_to_it": 0.497,
    "groundless": 1.803,
    "asked_for": -0.231,
    "names_asked_for": -0.204,
    "not_asked_for": 0.524,
    "a_target_not_asked_for": 0.615,
    "spoken_against": 0.626,
    "user_against": 0.46,
    "prior_against": 0.626,
    "another_asked_for": 0.905,
    "placed_elsewhere": 0.691,
    "option_fits": -0.751,
    "answers_with_a_value": -0.85,
    "other_option": 1.925,
    "no_option_picked": 0.512,
    "no_such_option": 3.002,
    "orders": -0.168,
    "asks": 0.716,
    "wants_words": 0.628,
    "puts_off": 0.418,
    "ends_asking": 0.884,
    "ends_wanting_words": 0.473,
    "ends_putting_off": 0.427,
    "question": 1.888,
    "contradiction": 2.075,
    "forbidden": 2.352,
    "scope": 1.557,
    "area": 1.031,
    "spares_something": 0.432,
    "plain": 1.888,
    "pasted": 2.5,
    "destruction": 2.375,
    "referents": 2.361,
    "agrees_to_nothing": 0.178,
    "vague": 1.161,
    "indefinite": 0.743,
}
"""What each signal adds to the log odds that the exchange leaves the write open; see `signals.GROUPS`."""
BIAS: Final = 0.381
SLOPE, SHIFT = 0.8, 3.881
"""The score is the logistic of -SLOPE * (doubt - SHIFT)."""
FALLBACK: Final = 2.000
"""From this weight of contradiction and destruction on the fallback blocks."""
PLAINLY: Final = ("user_against", "prior_against", "another_asked_for", "other_option", "no_such_option")
"""Signals that the fallback counts beside the groups of contradiction and destruction."""
