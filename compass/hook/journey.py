"""One hook call from its bytes to its answer: the payload read once, settings found once, one deadline, one boundary.

The same in the hook's own process, over the socket and over HTTP; each brings the settings, the gate and the seconds
that are gone. Whatever raises, and whatever is late, is answered by policy.
"""

from __future__ import annotations

from collections.abc import Callable

from compass.hook.handling import handle
from compass.hook.policy import Policy
from compass.hook.silent import is_silent
from compass.joining.gate import Wired
from evaluator.record import replace
from evaluator.wire import LONGEST_SECONDS


class Journey:
    """`gate` gives the gate of the project that `policy` stands on; `spent` the seconds that are gone."""

    def __init__(
        self,
        event: str,
        payload: bytes,
        policy: Policy,
        gate: Callable[[], Wired],
        spent: Callable[[], float],
    ) -> None:
        self.policy = policy
        self._event = event
        self._payload = payload
        self._gate = gate
        self._spent = spent

    @property
    def deadline(self) -> float:
        """Seconds that the call has in all, by the settings that were found."""
        return min(self.policy.settings.deadline_seconds, LONGEST_SECONDS)

    def left(self) -> float:
        return self.deadline - self._spent()

    def end(
        self,
        cwd: str,
        *,
        first: Callable[[], object] = lambda: None,
        passes: Callable[[BaseException], bool] = lambda _: False,
    ) -> bytes:
        """What the host is answered. Raises KeyboardInterrupt, and what `passes` names, alone.

        `cwd` counts where the payload names no folder. `first` is done before anything else, inside the boundary.
        """
        try:
            first()
            return handle(self._event, self._payload, self.policy, cwd, self._within)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # The boundary: nothing else may escape, or the write would run unchecked.
            if passes(error):
                raise
            return self._by_policy(error)

    def late(self, why: str) -> bytes:
        """The answer to a call that can no longer be judged."""
        return self._by_policy(TimeoutError(why))

    def _by_policy(self, error: BaseException) -> bytes:
        """No fault denies a call that only reads."""
        found = self.policy.answer(error)
        return b"" if found and is_silent(self._event, self._payload, lambda: self.policy.host) else found

    def _within(self) -> Wired:
        """The gate, with the time that this call has left."""
        gate, seconds = self._gate(), self.left()
        if seconds >= gate.settings.deadline_seconds:
            return gate
        settings = replace(gate.settings, deadline_seconds=max(0.0, seconds))
        return replace(gate, parts=replace(gate.parts, settings=settings))
