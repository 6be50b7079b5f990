"""What `compass` exports: imported at the first use of a name, never on a hook's path."""

from compass.api.gate import Gate, Session, judge
from compass.api.host import Heard, Verdict
from evaluator.errors import CompassError

__all__ = ["CompassError", "Gate", "Heard", "Session", "Verdict", "judge"]
