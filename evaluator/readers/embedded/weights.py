"""The weights of the embedded readers. Written by `benchmarks/fit_embedded.py`, not by hand.

Fitted on tune (217), first (259), pairs (180), bfcl (594), when2call (200) rows.
"""

from __future__ import annotations

from typing import Final

CONFIDENCE, DEVIATION = 0.65, 0.20
"""The thresholds that the scores are calibrated for: those of the gate by default."""

WEIGHTS: Final[dict[str, float]] = {
    "target_named": -0.638,
    "target_named_by_user": -0.486,
    "words_shared": -0.31,
    "values_given": -0.764,
    "least_value_given": -1.413,
    "said_at_all": -0.294,
    "request_concrete": -1.266,
    "is_a_call": 0.317,
    "nothing_leads_to_it": 0.391,
    "groundless": 1.878,
    "asked_for": -0.346,
    "names_asked_for": -0.394,
    "not_asked_for": 0.759,
    "a_target_not_asked_for": 0.606,
    "spoken_against": 0.746,
    "user_against": 0.714,
    "prior_against": 0.644,
    "another_asked_for": 0.931,
    "placed_elsewhere": 0.726,
    "option_fits": -0.808,
    "answers_with_a_value": -0.885,
    "other_option": 1.95,
    "no_option_picked": 0.49,
    "no_such_option": 3.002,
    "orders": -0.349,
    "asks": 0.817,
    "wants_words": 0.664,
    "puts_off": 0.672,
    "ends_asking": 0.883,
    "ends_wanting_words": 0.57,
    "ends_putting_off": 0.706,
    "question": 2.112,
    "contradiction": 2.098,
    "forbidden": 2.516,
    "scope": 1.567,
    "area": 1.029,
    "spares_something": 0.618,
    "plain": 2.067,
    "destruction": 2.466,
    "destructive": 0.187,
    "referents": 2.462,
    "agrees_to_nothing": 0.364,
    "vague": 1.136,
    "indefinite": 0.749,
}
"""What each signal adds to the log odds that the exchange leaves the write open; see `signals.GROUPS`."""
BIAS: Final = 0.735
SLOPE, SHIFT = 0.8, 3.363
"""The score is the logistic of -SLOPE * (doubt - SHIFT)."""
FALLBACK: Final = 2.000
"""From this weight of contradiction and destruction on the fallback blocks."""
PLAINLY: Final = ("user_against", "prior_against", "another_asked_for", "other_option", "no_such_option")
"""Signals that the fallback counts beside the groups of contradiction and destruction."""
