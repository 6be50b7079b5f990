"""Do http hooks reach their service? Asks it what the host would ask, with the headers that the host would send."""

from __future__ import annotations

import http.client
import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import cast
from urllib.parse import urlsplit

from compass.doctor.finding import Examination, Finding, Situation, shown
from evaluator.service.tokens import HOOKS_PATH, TOKEN_VARIABLE, token_path

_VARIABLE = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)\}|\$([A-Z_][A-Z0-9_]*)")
"""What the host replaces in a header."""
_SESSION = "compass-doctor"
_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes
    seconds: float

    @property
    def value(self) -> Mapping[str, object]:
        try:
            found = cast(object, json.loads(self.body or b"{}"))
        except ValueError:
            return {"error": f"no JSON: {self.body[:80]!r}"}
        return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def allowed(situation: Situation) -> Finding:
    """Lists of the host that would keep the request, or its token, back; and the token itself."""
    name = "http allowed"
    handler = gate_of(situation)
    if handler is None:
        return Finding(name, True, "not needed: the hooks run a command")
    url, setup = str(handler.get("url")), situation.setup
    for file in situation.files:
        urls, names = file.settings.get(setup.table.http_urls), file.settings.get(setup.table.http_variables)
        if isinstance(urls, list) and not any(
            fnmatchcase(url, str(one)) for one in cast("list[object]", urls)
        ):
            way = f"add {url.partition(HOOKS_PATH)[0]}/* to it"
            return Finding(
                name, False, f"{setup.table.http_urls} of {shown(situation, file.path)} leaves it out: {way}"
            )
        if isinstance(names, list) and TOKEN_VARIABLE not in names:
            way = f"add {TOKEN_VARIABLE} to it"
            where = shown(situation, file.path)
            return Finding(
                name, False, f"{setup.table.http_variables} of {where} leaves the token out: {way}"
            )
    if not token_of(situation):
        way = f'export {TOKEN_VARIABLE}="$(cat {token_path(situation.site.state_dir)})" where the host is started'
        return Finding(name, False, f"{TOKEN_VARIABLE} is not set: {way}")
    return Finding(name, True, f"{url.partition(HOOKS_PATH)[0]}, with {TOKEN_VARIABLE}")


def answers(situation: Situation) -> Finding:
    """A read passes, a wrong token does not, and the service judges by the settings that are in force here."""
    name = "http service"
    handler = gate_of(situation)
    if handler is None:
        return Finding(name, True, "not needed: the hooks run a command")
    url, headers = str(handler.get("url")), headers_of(handler, situation)
    base = url.partition(HOOKS_PATH)[0]
    project = situation.site.project_dir
    payload, seconds = situation.setup.payload, situation.setup.table.timeout_seconds
    read = payload("Read", {"file_path": os.path.join(project, "README.md")}, project, _SESSION)
    file = {"file_path": os.path.join(project, "notes.txt"), "content": ""}
    write = payload("Write", file, project, _SESSION)
    try:
        passed = _post(url, read, headers, seconds)
        refused = _post(url, read, {**headers, "Authorization": "Bearer not-the-token"}, seconds)
        judged = _post(f"{base}/v1/checks?backend=embedded", write, headers, seconds)
    except (OSError, http.client.HTTPException) as error:
        port = urlsplit(url).port
        cause = f"{error.__class__.__name__}: {error}"[:120]
        return Finding(
            name, False, f"nothing answers at {base} ({cause}): run `compass serve --http --port {port}`"
        )
    fault = _fault(passed, refused, judged, situation)
    if fault:
        return Finding(name, False, f"{base}: {fault}")
    return Finding(name, True, f"{base} answered nothing in {passed.seconds:.3f} s")


def _fault(passed: _Answer, refused: _Answer, judged: _Answer, situation: Situation) -> str:
    if passed.status == 401:
        return (
            f"the token of {TOKEN_VARIABLE} is not the service's: export the one that it prints the place of"
        )
    if passed.status != 200 or passed.value:
        return f"wanted nothing, got {passed.status} {passed.body[:80]!r}: restart `compass serve --http`"
    if refused.status != 401:
        return "it takes any token: it is no service of Compass"
    if judged.status != 200:
        return f"it cannot judge: {judged.status} {judged.value.get('error')}"
    if judged.value.get("mode") != situation.settings.mode:
        return (
            f"it judges in mode {judged.value.get('mode')}, not in {situation.settings.mode}: start it with the "
            "same HOME, ONLOOKER_DIR and COMPASS_ variables"
        )
    return ""


def gate_of(situation: Situation) -> Mapping[str, object] | None:
    """The http handler that gates, where one does."""
    setup = situation.setup
    for file in situation.wired:
        for event, _, handler in setup.own_handlers(file.settings):
            if event == situation.gating and setup.is_http(handler):
                return handler
    return None


def headers_of(handler: Mapping[str, object], situation: Situation) -> dict[str, str]:
    """As the host sends them: a variable that is not allowed, or not set, becomes nothing."""
    given, named = handler.get("headers"), handler.get("allowedEnvVars")
    known = (
        {TOKEN_VARIABLE: token_of(situation)} if isinstance(named, list) and TOKEN_VARIABLE in named else {}
    )
    raw = cast("dict[str, object]", given) if isinstance(given, dict) else {}
    return {
        name: _VARIABLE.sub(lambda found: known.get(found[1] or found[2], ""), str(value))
        for name, value in raw.items()
    }


def token_of(situation: Situation) -> str:
    """Of the environment, else of the `env` block of the user's own settings, which the host applies, too."""
    found = situation.site.env.get(TOKEN_VARIABLE, "")
    own = os.path.join(situation.site.home, situation.setup.table.user_file)
    for file in situation.files:
        block = file.settings.get("env")
        if file.path == own and isinstance(block, dict):
            found = str(cast("dict[str, object]", block).get(TOKEN_VARIABLE, found))
    return found


def _post(url: str, body: bytes, headers: Mapping[str, str], seconds: float) -> _Answer:
    """No proxy and no redirect. Raises OSError and HTTPException."""
    parts = urlsplit(url)
    line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)
    began = time.monotonic()
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        line.request("POST", target, body, {"Content-Type": "application/json", **headers})
        answer = line.getresponse()
        return _Answer(answer.status, answer.read(_MOST_BYTES), time.monotonic() - began)
    finally:
        line.close()


CHECKS: tuple[Examination, ...] = (allowed, answers)
