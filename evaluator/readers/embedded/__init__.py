"""The evaluator that needs no network, *rules* to people: five families of flat rules, and the hold on destruction."""

from evaluator.readers.embedded.evaluator import EmbeddedReaders
from evaluator.readers.embedded.fallback import FallbackJudgement, judge_fallback

__all__ = ["EmbeddedReaders", "FallbackJudgement", "judge_fallback"]
