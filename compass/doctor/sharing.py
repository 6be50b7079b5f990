"""What a team shares with a project: settings that only tighten, the least version that they are for, and the rest."""

from __future__ import annotations

import os

from compass import glossary
from compass.composition.settings import lacking, unread
from compass.doctor.finding import Examination, Finding, Situation
from compass.install.taken import COMMITTED
from evaluator.settings.places import PROJECT_FILE

NOT_READ = "not read"
COPIED = "read only as far as you take it over by `compass trust`"


def shared_policy(situation: Situation) -> Finding:
    """A least version that this program does not reach fails: what it does not know there is not in force."""
    name, project_dir = "shared policy", situation.site.project_dir
    wrong = lacking(project_dir)
    left = unread(project_dir)
    told = [f"{one}: {COPIED if one == COMMITTED else NOT_READ}" for one in left]
    words = glossary.standing(situation.site.state_dir, project_dir)
    if words:
        told.append(f"{glossary.COMMITTED}: {glossary.TOLD[words]}")
    if wrong:
        return Finding(name, False, "; ".join((wrong, *told)))
    common = situation.loaded.clean.common_file
    if os.path.lexists(os.path.join(project_dir, PROJECT_FILE)):
        held = sum(item.origin == common.path for item in situation.loaded.ignored)
        counts = (
            "counts, trusted as it stands" if situation.loaded.clean.trusted else "counts where it tightens"
        )
        told.insert(
            0, f"{PROJECT_FILE} {counts}" + (f"; {held} of its keys do not (see `--config`)" if held else "")
        )
    return Finding(
        name,
        True,
        "; ".join(told) or "the project shares none",
        warns=bool(left) or words in ("unread", "changed"),
    )


CHECKS: tuple[Examination, ...] = (shared_policy,)
