"""The login at a team's evaluator: whose, for how long, and what the team pushes. Asks nobody; `--ask` does."""

from __future__ import annotations

from compass.composition.backends import TEAM, backend_in_force
from compass.doctor.finding import Examination, Finding, Situation
from evaluator.errors import ConfigError
from evaluator.model import NamedReaders
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.team.login import ends_soon, holds, normal, read_login
from evaluator.settings.files import kept_policy
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by

_NAME = "team"
AGAIN = "ask for a new token and run `compass team login {address}`"


def login(situation: Situation) -> Finding:
    """Not ok where the team's evaluator judges here and its token is gone, unreadable or over."""
    site, settings = situation.site, situation.settings
    judges = backend_in_force(settings, site.env, site.home, site.project_dir) == TEAM
    kept = kept_policy(site.state_dir)
    few, who = "", kept.readers
    if judges and who is not None:
        few = _too_few(who, settings)
    pushed = f"; its policy {kept.digest} is in force" if kept.digest else "; no policy of it is kept"
    try:
        found = read_login(site.state_dir)
    except ConfigError as error:
        return Finding(_NAME, not judges, str(error), warns=True)
    if found is None:
        said = f"not logged in at a team's evaluator{pushed if kept.digest else ''}"
        return Finding(_NAME, not judges, said + (": run `compass team login URL`" if judges else ""))
    here = normal(settings.evaluator.base_url or "") == found.address
    asked = "" if judges else "; it does not judge here" if here else "; another address is configured here"
    until = holds(found.expires_at, situation.now)
    reads = "" if who is None else f"; {who.n} readers of {who.model} by {who.backend} read there"
    said = f"{found.person} of {found.team} at {found.address}, token {until}{asked}{reads}{pushed}"
    way = AGAIN.format(address=found.address)
    if 0 < found.expires_at <= situation.now:
        return Finding(_NAME, not judges, f"{said}: {way}", warns=True)
    if ends_soon(found.expires_at, situation.now):
        return Finding(_NAME, True, f"{said}: {way}", warns=True)
    return Finding(_NAME, True, f"{said}{few}", warns=bool(few))


def _too_few(who: NamedReaders, settings: Settings) -> str:
    least = kind_of(TEAM).least(settings)
    way = set_by("evaluator.min_valid_samples", "N")
    return "" if who.n >= least else f": {least} have to be valid here, so no check gets a verdict: {way}"


def egress(situation: Situation) -> Finding:
    """Fails where evidence may not go to who would read: then every write is held."""
    site, settings = situation.site, situation.settings
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    forbidden = settings.data_egress.forbids(backend)
    if forbidden:
        return Finding("evidence", not settings.enabled, forbidden)
    allowed = settings.data_egress.backends
    where = "to any backend" if allowed is None else f"to {' and '.join(allowed)}"
    return Finding("evidence", True, f"may go {where}")


CHECKS: tuple[Examination, ...] = (login, egress)
