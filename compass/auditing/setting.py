"""Thresholds that an audit certified, put where the gate reads them: of its own readers alone, and when told to."""

from __future__ import annotations

import contextlib
import json

from calibration.audit.certified import AuditCertified
from calibration.audit.plan import AuditReaders
from compass.install.settings_file import replace as replace_file
from compass.joining.backends import backend_in_force
from compass.joining.kept_checks import Here
from compass.joining.thresholds import standing_of, thresholds_file
from evaluator.configuration.calibrated import Calibrated, Certificate, as_dict, read_thresholds
from evaluator.configuration.command import set_by
from evaluator.configuration.settings import Settings
from evaluator.record import Record, replace


class Offer(Record):
    """What could be set in the file at `path`. `certificate` is None where nothing can be, and `why` says so.

    `certified`: something was, whether or not it can be set.
    """

    path: str
    certified: bool
    certificate: Certificate | None = None
    readers: AuditReaders | None = None
    why: str = ""


def limit_of(settings: Settings) -> float | None:
    """The agreement that the gate asks for beside any cut."""
    convergence = settings.convergence
    return convergence.agreement_threshold if convergence.needs_agreement else None


def settable(found: AuditCertified, here: Here, calibration: str) -> Offer:
    """`calibration` is the path of the project's calibration.json."""
    path = thresholds_file(calibration)
    certificate, readers = found.certificate, found.readers
    if readers is None:
        return Offer(path, False, why=found.why)
    if certificate is None:
        open_yet = "not all answers that were asked for are in"
        return Offer(path, False, why="nothing is certified" if found.complete else open_yet)
    settings = here.loaded.settings
    if not settings.convergence.certifies:
        way = set_by("convergence.rule", "certified")
        return Offer(
            path, True, why=f"by convergence.rule {settings.convergence.rule} the gate uses none: {way}"
        )
    now = standing_of(settings, backend_in_force(settings, here.env, here.home, here.project_dir))
    theirs = (readers.backend, readers.model, readers.prompt, readers.asked)
    changed = [
        f"{name} was {was or 'none'}, is {this or 'none'}"
        for name, was, this in zip(
            ("backend", "model", "prompt", "number of readers"),
            theirs,
            (now.backend, now.model, now.prompt, now.n),
            strict=True,
        )
        if was != this
    ]
    if changed:
        return Offer(path, True, why=f"the gate's readers are others ({'; '.join(changed)})")
    standing = _standing(path, readers)
    if standing is not None and standing.per_n.get(readers.asked) == certificate:
        return Offer(path, True, why=f"these thresholds are in force since {standing.date}")
    return Offer(path, True, certificate, readers)


def put(offer: Offer, date: str) -> str:
    """Where it was written. Of what stands there for the same readers, all other numbers of readers stay. Raises
    ConfigError, OSError."""
    certificate, readers = offer.certificate, offer.readers
    assert certificate is not None and readers is not None
    before = _standing(offer.path, readers)
    empty = Calibrated(readers.backend, readers.model, readers.prompt, date, {}, {}, {})
    found = replace(before or empty, date=date)
    found = replace(found, per_n={**found.per_n, readers.asked: certificate})
    replace_file(offer.path, json.dumps(as_dict(found), indent=1) + "\n", private=True)
    return offer.path


def _standing(path: str, readers: AuditReaders) -> Calibrated | None:
    """What is in the file, if it is of the same readers."""
    with contextlib.suppress(ValueError):
        found = read_thresholds(path)
        if found is not None and not found.staleness(readers.backend, readers.model, readers.prompt):
            return found
    return None
