"""Thresholds that an audit certified, put where the gate reads them: of its own readers alone, and when told to."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from calibration.audit.certified import AuditCertified
from calibration.audit.plan import AuditReaders
from compass.install.settings_file import replace as replace_file
from compass.joining.backends import backend_in_force
from compass.joining.kept_checks import Here
from compass.joining.thresholds import standing_of, thresholds_file
from evaluator.configuration.calibrated import Calibrated, Certificate, as_dict, read_thresholds
from evaluator.configuration.command import set_by
from evaluator.configuration.settings import Settings
from evaluator.model import NO_BLOCK, NO_PASS, Cuts
from evaluator.record import Record, replace

NOWHERE = Cuts(NO_BLOCK, NO_PASS, 1.0, 1.0)


class Offer(Record):
    """What could be set in the file at `path`. `certificate` is None where nothing can be, and `why` says so.

    `certified`: something was, whether or not it can be set. `lost`: what stands there that would be gone.
    """

    path: str
    certified: bool
    certificate: Certificate | None = None
    readers: AuditReaders | None = None
    why: str = ""
    lost: tuple[str, ...] = ()


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
    return Offer(path, True, certificate, readers, lost=lost_by(path, readers, certificate))


def lost_by(path: str, readers: AuditReaders, coming: Certificate) -> tuple[str, ...]:
    """What the file holds that will not be there once `coming` is: cuts are certified as a whole, so none of another
    stay beside them."""
    return tuple(_lost(path, readers, coming))


def _lost(path: str, readers: AuditReaders, coming: Certificate) -> Iterator[str]:
    with contextlib.suppress(ValueError):
        there = read_thresholds(path)
        if there is None:
            return
        standing = _standing(path, readers)
        if standing is None:
            if there.per_n or there.thresholds:
                who = f"{there.backend} {there.model}".strip()
                yield f"all that was calibrated on {there.date} for other readers ({who})"
            return
        if readers.asked in standing.thresholds:
            yield f"the thresholds of {standing.date} for mean and deviation, which hold where no cuts decide"
        if readers.asked in standing.sequential:
            yield "the risk at which readers are spared by those thresholds"
        before = standing.per_n.get(readers.asked)
        if before is None:
            return
        yield f"the cuts of {standing.date}, certified on other cases"
        own = sorted(set(before.cuts) - {""})
        if own:
            yield f"cuts of their own for {' and '.join(own)} calls, which then go by the same as all others"
        if before.escalate:
            yield "cuts at which readers may be asked one after the other: all are asked at once then"
        if before.cuts.get("", NOWHERE).passing < NO_PASS <= coming.cuts[""].passing:
            yield "the pass cut: nothing is promised of misses then"
        if before.score != coming.score:
            yield "weights of the score that were fitted"


def put(offer: Offer, date: str) -> str:
    """Where it was written. Of what stands there for the same readers, all other numbers of readers stay, and nothing
    else of this one, which was tested with other cuts. Raises ConfigError, OSError."""
    certificate, readers = offer.certificate, offer.readers
    assert certificate is not None and readers is not None
    before = _standing(offer.path, readers)
    empty = Calibrated(readers.backend, readers.model, readers.prompt, date, {}, {}, {})
    found = before or empty
    found = replace(
        found,
        date=date,
        per_n={**found.per_n, readers.asked: certificate},
        sequential={n: table for n, table in found.sequential.items() if n != readers.asked},
        thresholds={n: pair for n, pair in found.thresholds.items() if n != readers.asked},
    )
    replace_file(offer.path, json.dumps(as_dict(found), indent=1) + "\n", private=True)
    return offer.path


def _standing(path: str, readers: AuditReaders) -> Calibrated | None:
    """What is in the file, if it is of the same readers."""
    with contextlib.suppress(ValueError):
        found = read_thresholds(path)
        if found is not None and not found.staleness(readers.backend, readers.model, readers.prompt):
            return found
    return None
