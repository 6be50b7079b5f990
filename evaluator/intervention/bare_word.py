"""A bare "yes" or "proceed": when it releases what is held, though it does not name Compass. Pure.

All must hold, else it is a clarification like any other words: who says yes to something else releases nothing.
"""

from __future__ import annotations

import unicodedata

from evaluator.intervention.control_words import GO, YES
from evaluator.intervention.held import Intervention

_CHARS_MAX = 40
_MARKS = " .!。！"


def is_bare_word(text: str) -> bool:
    """Whether a whole prompt is yes, in any of the languages, or proceed."""
    if len(text) > _CHARS_MAX:
        return False
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(_MARKS)
    return folded in YES or folded in GO


def one_reading(found: Intervention) -> bool:
    """Whether the readers saw one thing in all that is held, none of it destructive, and were not down."""
    readings = {denial.reading for denial in found.denials}
    return (
        len(readings) == 1
        and "" not in readings
        and not found.readings
        and not found.cancelled
        and all(
            denial.binding
            and denial.call.operation_class != "destructive"
            and all(one.operation_class != "destructive" for one in denial.call.each)
            for denial in found.denials
        )
    )
