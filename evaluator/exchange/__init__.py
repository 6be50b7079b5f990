"""The symbolic skip layer: an answer that selects an option needs no reader.

`find_menu` finds the question that a turn ends in, `resolve_reply` and `resolve_answers` the option that the
user chose, `contradicts` and `covered_by_plan` whether a write keeps to what was settled. Pure, standard
library only. Whatever is unsure resolves nothing and goes to the readers.
"""

from evaluator.exchange.menu import Menu, Option, find_menu
from evaluator.exchange.names import contradicts, covered_by_plan
from evaluator.exchange.reply import resolve_answers, resolve_reply

__all__ = [
    "Menu", "Option", "contradicts", "covered_by_plan", "find_menu", "resolve_answers", "resolve_reply",
]  # fmt: skip
