"""The weights of the embedded readers. Written by `benchmarks/fit_embedded.py`, not by hand.

Fitted on tune (217), tune-2 (241), first (259), pairs (180), bfcl (594), when2call (200) rows.
"""

from __future__ import annotations

from typing import Final

CONFIDENCE, DEVIATION = 0.65, 0.20
"""The thresholds that the scores are calibrated for: those of the gate by default."""

WEIGHTS: Final[dict[str, float]] = {
    "target_named": -0.556,
    "target_named_by_user": -0.226,
    "words_shared": -0.124,
    "values_given": -0.678,
    "least_value_given": -1.332,
    "said_at_all": -0.284,
    "request_concrete": -1.137,
    "is_a_call": 0.443,
    "nothing_leads_to_it": 0.495,
    "groundless": 1.803,
    "asked_for": -0.235,
    "names_asked_for": -0.222,
    "not_asked_for": 0.527,
    "a_target_not_asked_for": 0.615,
    "spoken_against": 0.625,
    "user_against": 0.456,
    "prior_against": 0.623,
    "another_asked_for": 0.902,
    "placed_elsewhere": 0.692,
    "option_fits": -0.751,
    "answers_with_a_value": -0.85,
    "other_option": 1.928,
    "no_option_picked": 0.512,
    "no_such_option": 3.002,
    "orders": -0.157,
    "asks": 0.726,
    "wants_words": 0.62,
    "puts_off": 0.41,
    "ends_asking": 0.895,
    "ends_wanting_words": 0.475,
    "ends_putting_off": 0.444,
    "question": 1.883,
    "contradiction": 2.073,
    "forbidden": 2.437,
    "scope": 1.556,
    "area": 1.031,
    "spares_something": 0.429,
    "plain": 1.974,
    "destruction": 2.372,
    "referents": 2.36,
    "agrees_to_nothing": 0.178,
    "vague": 1.16,
    "indefinite": 0.742,
}
"""What each signal adds to the log odds that the exchange leaves the write open; see `signals.GROUPS`."""
BIAS: Final = 0.377
SLOPE, SHIFT = 0.8, 3.872
"""The score is the logistic of -SLOPE * (doubt - SHIFT)."""
FALLBACK: Final = 2.000
"""From this weight of contradiction and destruction on the fallback blocks."""
PLAINLY: Final = ("user_against", "prior_against", "another_asked_for", "other_option", "no_such_option")
"""Signals that the fallback counts beside the groups of contradiction and destruction."""
