"""The exception family. Fields come first; the message is made from them."""

from __future__ import annotations

from typing import Literal

FaultKind = Literal["transport", "timeout", "rate", "limit", "authentication", "refused", "server", "invalid"]
"""`rate`: too many requests at once; `limit`: what the account may use of a plan is used up."""


class CompassError(Exception):
    """Base of everything that Compass raises on purpose."""


class ConfigError(CompassError):
    """A settings file or value that a command cannot work with."""


class PayloadError(CompassError):
    """The host's payload is not what the protocol says."""


class AnotherHost(PayloadError):  # noqa: N818 - not a fault of the payload
    """The payload is that of a host whose own wiring answers for it: this one has nothing to say."""


class StateError(CompassError):
    """The state database cannot be used."""


class NewerStateError(StateError):
    """The state database has a schema that this program does not know: a newer one wrote it."""

    def __init__(self, version: int, known: int) -> None:
        self.version = version
        self.known = known
        super().__init__(
            f"written by a newer Compass (schema {version}; this one knows {known}): upgrade Compass "
            "the way you installed it, or set ONLOOKER_DIR to another folder"
        )


class AbandonedError(BaseException):
    """Nobody waits for the check any more: it ends without a verdict. No fault, so no boundary answers it by policy."""


class ReaderError(CompassError):
    """A reader gave no answer.

    `kind` tells how it failed; `retryable` whether the same request may succeed later; `retry_after` is
    the server's wish in seconds. `forwarded`: something on the way answered, which knows nothing of the end of what
    it passed on.
    """

    def __init__(
        self,
        kind: FaultKind,
        detail: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
        forwarded: bool = False,
    ) -> None:
        self.kind: FaultKind = kind
        self.detail = detail
        self.retryable = retryable
        self.retry_after = retry_after
        self.forwarded = forwarded
        super().__init__(f"{kind}: {detail}")
