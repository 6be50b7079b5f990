"""Where a request says that one is at work: in a part of the tree, in a language, on a platform. Pure."""

from __future__ import annotations

import re

from evaluator.language import noun_text, words
from evaluator.precedents.surroundings import CODE, LITERAL, Known, ending_of
from evaluator.precedents.wordings import TEXT_CHARS

_WORKING = re.compile(
    r"(?<!\w)(?:(?:working|at work|busy|staying|we're|i'm|we are|i am|still|now|only|just)"
    r" (?:now |still |only |just |today )?(?:in|on|inside|within)"
    r"|(?:arbeite|arbeiten|bin|sind) (?:gerade |jetzt |nur )?(?:in|an|im|am)"
    r"|(?:travaille|travaillons|sommes|suis) (?:dans|sur)"
    r"|(?:trabajando|trabajo|estamos|estoy) en|(?:работаю|работаем) (?:в|над))\s+"
    r"(?:(?:the|der|dem|den|die|das|le|la|les|el|los|las)\s+)?([^\W\d_][\w-]*)"
    r"(?:\s+(?:today|now|right now|at the moment|heute|gerade|jetzt|maintenant|hoy|ahora|сейчас))?\s*(?:[.,;:!–—-]|$)",
    re.IGNORECASE,
)
_PLATFORMS = {
    "rust": "rs", "golang": "go", "python": "py pyi ipynb", "typescript": "ts tsx mts vue svelte", "kotlin": "kt kts",
    "javascript": "js jsx mjs cjs ts tsx vue svelte", "java": "java", "ruby": "rb", "swift": "swift", "php": "php",
    "scala": "scala sc", "c++": "cc cpp cxx hpp hh h", "c#": "cs", "perl": "pl pm", "lua": "lua", "elixir": "ex exs",
    "haskell": "hs", "android": "kt kts java xml", "ios": "swift m mm h", "sql": "sql", "css": "css scss less sass",
    "bash": "sh bash", "powershell": "ps1", "terraform": "tf", "html": "html htm vue svelte", "zig": "zig",
}  # fmt: skip
_PLATFORM = re.compile(
    rf"(?<![\w.])({'|'.join(map(re.escape, sorted(_PLATFORMS, key=len, reverse=True)))})(?![\w+#]|\.\w)",
    re.IGNORECASE,
)


def works_elsewhere(text: str, known: Known) -> bool:
    """Whether a request says in which part one is at work, or in which language, and the target is of another."""
    text = words.normalise(text, TEXT_CHARS)
    for found in _WORKING.finditer(text):
        key = noun_text.key(found[1].casefold())
        if (
            key not in known.all
            and not words.kinds(found[1].casefold())
            and found[1].casefold() not in words.STOP
        ):
            return True
    ending = ending_of(known.target)
    if ending not in CODE:
        return False
    said = {one.group().casefold() for one in _PLATFORM.finditer(LITERAL.sub(" ", text))}
    return any(one not in known.all for one in said) and not any(
        ending in _PLATFORMS[one].split() for one in said
    )
