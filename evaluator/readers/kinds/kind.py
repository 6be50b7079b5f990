"""One backend's record. It is light: SDK, event loop and rules are imported by what makes the readers."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, cast

from evaluator.errors import ConfigError
from evaluator.model import BACKEND_MODULES
from evaluator.ports import Backend, Clock, Readers
from evaluator.record import Record
from evaluator.settings.keys import Settings

if TYPE_CHECKING:
    from evaluator.readers.response import Price
    from evaluator.readers.team.transport import TeamLine

Variables = Mapping[str, str]


class BackendState(Protocol):
    """What of the machine's state a hosted backend may use."""

    def get_note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...

    def issue_token(self, now: float, seconds: float, holder: str = "") -> str: ...

    def revoke_token(self, token: str) -> None: ...


def usual_least(settings: Settings) -> int:
    """More than are asked can never be valid: a project that demands them would end each check without a verdict."""
    return min(settings.evaluator.min_valid_samples, settings.evaluator.n)


def prompt_fingerprint() -> str:
    from evaluator.egress.prompt import fingerprint

    return fingerprint()


class BackendKind(Record):
    """A backend as the program knows it. `readers` makes those of this process, `backend` a hosted one, which is asked
    for each sample, `remote` the line to one that is asked once and samples by itself: one of the three is given.
    `kept` makes the hosted one of a process that keeps it between checks, where that is another.

    `label` is what people read instead of the name, `about` tells them what it is and what it sends, `finds` what it
    was measured to find and to miss, empty where it was not; `holds` what its readers hold whatever the thresholds;
    `missing` what it lacks here, or None; `goes` where its requests go. `sampling` gives (how many readers, seconds
    for each), `least` how many of them have to be valid, `again` how often a reader whose answer is invalid is asked
    once more; `in_turn`: one may have to wait until another has answered; `short`: its models are small, and told in
    fewer words. `fingerprint` changes with what readers are told besides the evidence, or go by. `address` tells
    apart the lines that fail together; it may hold secrets. `counts`: whether readers that are kept between calls are
    others where this variable is. `price` gives None where it is not known. `credentials` are variables of which it
    needs one.
    """

    name: str
    about: str
    missing: Callable[[Settings, Variables], str | None]
    goes: Callable[[Settings, Variables], str]
    sampling: Callable[[Settings], tuple[int, float]] = lambda settings: (
        settings.evaluator.n,
        settings.evaluator.sample_timeout_seconds,
    )
    least: Callable[[Settings], int] = usual_least
    again: int = 0
    in_turn: bool = False
    short: bool = False
    fingerprint: Callable[[], str] = prompt_fingerprint
    readers: Callable[[], Readers] | None = None
    backend: Callable[[Settings, Variables, BackendState, Clock], Backend] | None = None
    kept: Callable[[Settings, Variables, BackendState, Clock], Backend] | None = None
    remote: Callable[[Settings, Variables], TeamLine] | None = None
    address: Callable[[Settings, Variables], str] = lambda _settings, _env: ""
    counts: Callable[[str], bool] = lambda _variable: False
    price: Callable[[str], Price | None] = lambda _model: None
    credentials: tuple[str, ...] = ()
    label: str = ""
    finds: str = ""
    holds: str = ""

    @property
    def hosted(self) -> bool:
        """Whether evidence leaves this process: such readers may fail, cost money, and waver."""
        return self.readers is None

    def model(self, settings: Settings) -> str:
        """The model that reads. Empty where no model is asked, or who samples chooses it."""
        return settings.evaluator.model if self.backend is not None else ""


def backend_label(name: str) -> str:
    """What people read for a backend; the name itself where it has no other, or no row."""
    kind = find_kind(name)
    return (kind.label if kind is not None else "") or name


def kind_of(name: str) -> BackendKind:
    """The record of that backend, never of `auto`; imports its module alone. Raises ConfigError without a row."""
    found = find_kind(name)
    if found is None:
        raise ConfigError(f"no such backend: {name!r}; use one of {', '.join(BACKEND_MODULES)}")
    return found


def find_kind(name: object) -> BackendKind | None:
    """As `kind_of`; None without a row, as for a name in an older record."""
    if not isinstance(name, str) or name not in BACKEND_MODULES:
        return None
    return cast(BackendKind, importlib.import_module(BACKEND_MODULES[name]).KIND)
