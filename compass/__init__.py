"""Compass: would two independent readers converge on the same interpretation of this write?"""

__version__ = "0.1.0"
