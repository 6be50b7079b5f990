"""The `openai` backend: a chat completions server of the user's own, such as Ollama, llama.cpp, vLLM or LM Studio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evaluator.readers.addresses import address_fault, place_of
from evaluator.readers.kinds.kind import BackendKind, BackendState, Variables
from evaluator.settings.keys import KEYS
from evaluator.settings.places import set_by

if TYPE_CHECKING:
    from evaluator.ports import Backend, Clock
    from evaluator.settings.keys import Settings

KEY: Final = "OPENAI_API_KEY"
"""Sent where it is set; local servers seldom want one."""

READERS: Final = 3
USUAL_LEAST: Final = KEYS["evaluator.min_valid_samples"].default


def missing(settings: Settings, env: Variables) -> str | None:
    """The default model is of the hosted API: no local server has it."""
    refused = _openai_address_fault(settings, env)
    if refused:
        return refused
    lacking: list[str] = []
    if not settings.evaluator.base_url:
        lacking.append(f"no server address ({set_by('evaluator.base_url', 'URL')})")
    if not model_of(settings):
        lacking.append(f"no model is named ({set_by('evaluator.model', 'NAME')})")
    return " and ".join(lacking) or None


def _openai_address_fault(settings: Settings, env: Variables) -> str:
    return address_fault(address(settings, env), KEY if env.get(KEY, "").strip() else "")


def model_of(settings: Settings) -> str:
    """The model that the settings name. Empty where it was not chosen."""
    model = settings.evaluator.model
    return "" if model == KEYS["evaluator.model"].default else model


def address(settings: Settings, _env: Variables) -> str:
    return settings.evaluator.base_url or ""


def goes(settings: Settings, env: Variables) -> str:
    where = address(settings, env)
    return place_of(where) or (f"{where!r}, which is not a valid address" if where else "no address yet")


def sampling(settings: Settings) -> tuple[int, float]:
    """Samples that wait for their turn have what is left of the deadline, and no time-out of their own."""
    return READERS, settings.deadline_seconds


def least(settings: Settings) -> int:
    """Most of them, unless more were asked for."""
    wanted = settings.evaluator.min_valid_samples
    return READERS // 2 + 1 if wanted == USUAL_LEAST else min(wanted, READERS)


def fingerprint() -> str:
    from evaluator.egress.prompt import fingerprint as of_prompt

    return of_prompt(short=True)


def backend(settings: Settings, env: Variables, state: BackendState, clock: Clock) -> Backend:
    """What was learnt of the server is remembered in the state."""
    from evaluator.readers.openai_api import OpenAiBackend
    from evaluator.readers.server_capabilities import ServerMemory

    url = address(settings, env)
    model = model_of(settings)
    return OpenAiBackend(
        model,
        url,
        key=env.get(KEY, "").strip(),
        most_at_once=READERS,
        memory=ServerMemory(state, clock, KIND.name, url, model),
        refused=_openai_address_fault(settings, env),
    )


KIND = BackendKind(
    "openai",
    "a model on your own server (Ollama, llama.cpp, vLLM, LM Studio); sends it sanitized evidence",
    missing,
    goes,
    sampling=sampling,
    least=least,
    again=1,
    in_turn=True,
    short=True,
    fingerprint=fingerprint,
    backend=backend,
    address=address,
    counts=lambda variable: variable == KEY,
)
