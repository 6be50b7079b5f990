"""A bare "yes" or "proceed": when it releases what is held, though it does not name Compass. Pure.

All must hold, else it is a clarification like any other words: who says yes to something else releases nothing.
"""

from __future__ import annotations

import re
import unicodedata

from evaluator.exchange.fold import fold
from evaluator.exchange.lines import as_question, read_lines, sentences
from evaluator.intervention.control_words import GO, YES
from evaluator.intervention.held import Intervention

_CHARS_MAX = 40
_TURN_CHARS_MAX = 20_000
_MARKS = " .!。！"
_MAY_IT_RUN = re.compile(
    r"(?:(?:shall|should|may|can) (?:i|we|it)|(?:do you want|would you like|want) (?:me|it) to)"
    r" (?:proceed|go ahead|continue|run)(?: with (?:it|this|that))?(?: now| anyway)?"
    r"|(?:proceed|go ahead|continue)(?: anyway| with (?:it|this|that))?"
)
"""The question that a hold with one reading puts to the user, as an agent words it."""
_ASKS_WITHOUT_A_MARK = re.compile(
    r"\b(?:let me know|tell me|please (?:confirm|choose|pick|specify|clarify|say)|which|either|choose|pick|"
    r"sag mir|welche[rsnm]?|dites-moi|dis-moi|dime|diga|скажи\w*)\b|[吗嗎呢か까][。.!]?$|哪|どちら|어느"
)


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


def asks_nothing_else(last_words: str) -> bool:
    """Whether the assistant's last message asks at most whether what is held may run.

    A list of options asks too, whatever stands around it.
    """
    lines = read_lines(last_words, _TURN_CHARS_MAX)
    if len(last_words) > _TURN_CHARS_MAX or sum(bool(line.key) for line in lines) > 1:
        return False
    return not any(_asks_else(one) for line in lines for one in sentences(line.text))


def _asks_else(sentence: str) -> bool:
    folded = fold(sentence)
    if "?" in folded:
        asked = as_question(sentence)
        bare = fold(asked or "").strip(" ?*_`\"'")
        return folded.count("?") > 1 or _MAY_IT_RUN.fullmatch(bare) is None
    # A sentence with a control in it is Compass's own, repeated.
    return "compass:" not in folded and _ASKS_WITHOUT_A_MARK.search(folded) is not None
