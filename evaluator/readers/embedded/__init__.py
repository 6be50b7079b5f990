"""The evaluator that needs no network, *rules* to people: five families of flat rules, and the hold on destruction.

Read in this order: `case` takes one subject apart (`evaluator.language` reads its texts), with the menu that was
answered in `options`. `rules` holds the families, a module each; `grounding` and `aim` tell how much of the write was
said, for those that find nothing to object. `destruction` decides whether the user's own words order what would be
lost. `evaluator` makes five samples of it, with what each takes to be asked for in `reading`; `fallback` stands in
for a model.
"""

from evaluator.readers.embedded.evaluator import EmbeddedReaders
from evaluator.readers.embedded.fallback import FallbackJudgement, judge_fallback

__all__ = ["EmbeddedReaders", "FallbackJudgement", "judge_fallback"]
