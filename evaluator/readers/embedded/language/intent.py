"""What kind of message the request is: a request, a question, a reply that leans on the prior turn. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from evaluator.model import Action
from evaluator.readers.embedded.language import words
from evaluator.readers.embedded.language.clauses import DICTATED
from evaluator.readers.embedded.language.views import View, sentences

ASKING = ("?", "？", "؟")
OPENING_WORDS = 5
"""A polite opening or a question word counts where a sentence begins."""
BARE_CONTENT_MAX = 1
LEANING_CONTENT_MAX = 4
PASTED = re.compile(r"```.*?(?:```|$)|[\"“„«][^\"”“»]{20,}[\"”“»]", re.DOTALL)
"""Quoted matter is somebody else's voice: it neither asks nor orders."""
ORDER: tuple[Action, ...] = (
    "delete", "rename", "move", "fix", "refactor", "create", "add", "configure", "change", "run", "answer",
)  # fmt: skip


@lru_cache(maxsize=64)
def cues(sentence: str) -> tuple[list[str], dict[str, list[str]], dict[str, list[str]], dict[str, list[str]]]:
    """The words of a sentence, the kinds of its opening, of the whole, and its actions. Every reader asks for them."""
    found = words.split(sentence)
    low = sentence.lower()
    opening = found[:OPENING_WORDS]
    head = words.CUES.of(f" {' '.join(opening)} ", opening, low)
    whole = words.CUES.of(f" {' '.join(found)} ", found, low)
    return found, head, whole, words.ACTIONS.of(f" {' '.join(found)} ", found, low)


def first_action(found: list[str], actions: dict[str, list[str]], low: str) -> Action | None:
    """The action whose word comes first; what a request opens with is what it asks for."""
    best: tuple[int, int, Action] | None = None
    for rank, kind in enumerate(ORDER):
        for word in actions.get(kind, ()):
            at = found.index(word) if word in found else low.find(word)
            if best is None or (at, rank) < best[:2]:
                best = (at, rank, kind)
    return best[2] if best else None


def questioning(request: View) -> float:
    """How surely the request only asks: 1 for "why is this slow?", 0 once a sentence asks for a change."""
    asked = 0.0
    for sentence in sentences(PASTED.sub(" … ", request.text))[:60]:
        found, head, whole, actions = cues(sentence)
        if not found or DICTATED.search(sentence):
            continue
        low = sentence.lower()
        mark = sentence.rstrip("\"')»” ").endswith(ASKING)
        unspaced = bool(words.UNSPACED.search(sentence))
        polite = "polite" in (whole if unspaced else head)
        action = first_action(found, actions, low)
        if mark or "question" in head:
            if polite and action not in (None, "answer"):
                return 0.0
            if polite and action is None and "question" not in head:
                asked = max(asked, 0.4)
                continue
            known = "question" in whole or action == "answer"
            asked = max(asked, 1.0 if known or "opener" in words.CUES.kinds(found[0]) else 0.6)
        elif action == "answer":
            asked = max(asked, 0.8)
        elif action is not None or "polite" in whole or ("affirm" in head and len(found) <= OPENING_WORDS):
            return 0.0
    return asked


def bare(request: View) -> bool:
    """Whether the request says nothing concrete by itself ("just delete it", "yes", "do that")."""
    if request.files or request.folders or request.names:
        return False
    return len(request.content) <= BARE_CONTENT_MAX


def leans(request: View, prior: View) -> bool:
    """Whether the request is only understood with the prior turn: bare, or a few words taken from it."""
    if bare(request):
        return True
    if request.files or request.folders or request.names or len(request.content) > LEANING_CONTENT_MAX:
        return False
    return all(words.holds(prior.stems, word) for word in request.content)


def idle(reply: View) -> bool:
    """Whether a message asks for nothing ("thanks!")."""
    return "thanks" in reply.kinds and not reply.actions and len(reply.content) <= BARE_CONTENT_MAX


def action_of(request: View, prior: View | None = None) -> Action:
    """The action that is asked for; a reply without one takes that of the prior turn's last sentences."""
    for sentence in sentences(request.text)[:20]:
        found, _, _, actions = cues(sentence)
        action = first_action(found, actions, sentence.lower())
        if action is not None:
            return action
    if prior is not None:
        for sentence in reversed(sentences(prior.text)[-4:]):
            found, _, _, actions = cues(sentence)
            action = first_action(found, actions, sentence.lower())
            if action not in (None, "answer"):
                return action
    return "other"
