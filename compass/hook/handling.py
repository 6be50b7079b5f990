"""From a hook's bytes to its answer, for a project's gate: the same here and in the service."""

from __future__ import annotations

from collections.abc import Callable

from compass.hook.answering import answered
from compass.hook.policy import Policy
from compass.joining.gate import Wired
from evaluator.configuration.wired_entry import RECORDED, word_of
from evaluator.effects import text_of
from evaluator.errors import AnotherHost


def handle(event: str, raw: bytes, policy: Policy, cwd: str, wired: Callable[[], Wired]) -> bytes:
    """What the host is answered. Raises what goes wrong: the caller answers by `policy`.

    `wired` gives the gate of the project that the policy stands on when it is called.
    """
    host = policy.host
    if event not in host.EVENTS:
        policy.say(f"compass: unknown hook event {event[:60]!r}; one of {', '.join(host.EVENTS)}")
        return b""
    try:
        payload = host.parse(raw)
    except AnotherHost:
        return b""
    policy.insist()
    if not text_of(payload, "cwd"):
        payload = {**payload, "cwd": cwd}
    policy.use_project(text_of(payload, "cwd"))
    if not policy.settings.enabled or _is_second_wiring(policy, text_of(payload, "tool_name")):
        return b""
    if policy.loaded.lost:
        from compass.hook.lost_settings import answer

        return answer(event, payload, policy, wired)
    return answered(event, payload, wired())


def _is_second_wiring(policy: Policy, tool: str) -> bool:
    """One call is judged once: the plugin is silent where any settings call the hook, the entry of all projects
    where the project's own do.
    """
    by_user: tuple[str, ...]
    if policy.env.get("COMPASS_VIA_PLUGIN"):
        by_user = policy.host.FILES.of_user(policy.home)[:1]
    elif word_of(policy.env) == RECORDED:
        by_user = ()
    else:
        return False
    files = [file.value for file in policy.loaded.clean.files if file.value.get("hooks")]
    if not files and not by_user:
        return False
    from compass.hook.second_wiring import is_second_wiring

    return is_second_wiring(policy, by_user, files, policy.host.EVENTS[policy.event], tool)
