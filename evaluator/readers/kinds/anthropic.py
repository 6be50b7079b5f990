"""The `anthropic` backend: the official API, or a server that speaks its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.readers.addresses import CREDENTIALS, address_fault, place_of
from evaluator.readers.kinds.kind import BackendKind, BackendState, Variables

if TYPE_CHECKING:
    from evaluator.ports import Backend, Clock
    from evaluator.readers.response import Price
    from evaluator.settings.keys import Settings


HOSTED = "api.anthropic.com"
HEADERS = "ANTHROPIC_CUSTOM_HEADERS"


def missing(settings: Settings, env: Variables) -> str | None:
    """A server at an address of one's own may need no key."""
    refused = address_fault(address(settings, env), credential(env))
    if refused:
        return refused
    if settings.evaluator.base_url or any(env.get(name, "").strip() for name in CREDENTIALS):
        return None
    return f"no credential: neither {CREDENTIALS[0]} nor {CREDENTIALS[1]} is set"


def credential(env: Variables) -> str:
    """The variable whose value would be sent to prove who asks; empty for none."""
    found = next((name for name in CREDENTIALS if env.get(name, "").strip()), "")
    headers = (line.partition(":")[0].lower() for line in env.get(HEADERS, "").splitlines() if ":" in line)
    proves = any(word in name for name in headers for word in ("auth", "key", "token", "secret", "cookie"))
    return found or (HEADERS if proves else "")


def address(settings: Settings, env: Variables) -> str:
    """The server's address, empty for the public API."""
    return settings.evaluator.base_url or env.get("ANTHROPIC_BASE_URL", "").strip()


def goes(settings: Settings, env: Variables) -> str:
    where = address(settings, env)
    return place_of(where) or (f"{where!r}, which is not a valid address" if where else HOSTED)


def price(model: str) -> Price | None:
    from evaluator.readers.response import price_of

    return price_of(model)


def backend(settings: Settings, env: Variables, state: BackendState, clock: Clock) -> Backend:
    """What a model or a server of the user's own refuses is remembered in the state."""
    from evaluator.readers.anthropic_api import AnthropicBackend
    from evaluator.readers.server_capabilities import ServerMemory

    model, url = settings.evaluator.model, address(settings, env)
    return AnthropicBackend(
        model,
        env,
        memory=ServerMemory(state, clock, KIND.name, url, model),
        own=url != "" and goes(settings, env) != HOSTED,
        base_url=settings.evaluator.base_url,
        refused=address_fault(url, credential(env)),
    )


KIND = BackendKind(
    "anthropic",
    "the Anthropic API with your key, or your own server; sends it sanitized evidence",
    missing,
    goes,
    backend=backend,
    address=address,
    counts=lambda variable: variable.startswith("ANTHROPIC_"),
    price=price,
    credentials=CREDENTIALS,
)
