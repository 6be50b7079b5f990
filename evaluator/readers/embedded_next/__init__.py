"""The evaluator that needs no network: named readers over explicit features."""

from evaluator.readers.embedded_next.evaluator import EmbeddedReaders
from evaluator.readers.embedded_next.fallback import FallbackJudgement, judge_fallback

__all__ = ["EmbeddedReaders", "FallbackJudgement", "judge_fallback"]
