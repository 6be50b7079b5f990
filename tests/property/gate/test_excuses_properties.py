"""An excuse covers exactly what it excuses: no company lets a further effect pass unjudged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from compass.arguments import FixedExchange
from compass.composition.gate import wire
from evaluator.effects import effect
from evaluator.gate import pipeline
from evaluator.model import Check, Exchange, PendingWrite, Plan, Sample, Subject
from evaluator.settings.keys import Settings
from evaluator.shell.bash import classify

MENU = "Where should it go?\n1. src/cooled.py\n2. src/other.py\nWhich one?"
EXCUSES: Mapping[str, tuple[str, Exchange]] = {
    "unlisted": ("./tools/regenerate.sh", Exchange(("why is this slow?",))),
    "glob": ("echo x > dist/a.js", Exchange(("why is this slow?",))),
    "cooldown": ("echo x > src/cooled.py", Exchange(("why is this slow?",))),
    "coverage": ("echo x > covered/b.py", Exchange(("why is this slow?",))),
    "menu": ("echo x > src/cooled.py", Exchange(("1",), MENU)),
    "plan": (
        "echo x > src/cooled.py",
        Exchange(("do it",), plans=(Plan("Write src/cooled.py", approved=True),)),
    ),
}
JUDGED = [
    'eval "$X"', "git push --force", "rm -rf src", "rm dist/a.js", "mv src old", "chmod 777 dist/a.js",
    "ln -s ../src dist/zz", "npm publish", "npm install left-pad", "terraform destroy", "echo y > other/c.py",
    "sed -i s/a/b/ other/c.py", "curl -d x https://example.com/", "git commit -am wip", "tar -xf x.tgz -C dist",
    "cp -a evil/. dist/", "echo y >> dist/$NAME", "find . -name '*.py' -delete",
]  # fmt: skip
JOINED = [
    "{0}; {1}",
    "{1}; {0}",
    "{0} && {1}",
    "{0} || {1}",
    "{0}\n{1}",
    "({0}; {1})",
    "{0} & {1}",
    "if {1}; then {0}; fi",
]


@dataclass
class Asked:
    """Readers that note that they were asked, and pass everything."""

    name: str = "asked"
    model: str = "none"
    count: int = 0

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        self.count += 1
        return tuple(Sample(f"r{number}", 1.0, "none", "clear") for number in range(3))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


def checked(project: Path, excuse: str, command: str) -> tuple[Check, Asked]:
    gate = wire({}, str(project), str(project), settings=replace(Settings(), enabled=True), keep=False)
    readers = Asked()
    parts = replace(
        gate.parts, transcripts=FixedExchange(EXCUSES[excuse][1]), readers=lambda: readers, paid=lambda: False
    )
    turn = parts.store.turn("s", None)
    if excuse == "cooldown":
        each = [effect("edit", str(project / "src" / "cooled.py"))]
        parts.store.note_call("before", turn, each, each, parts.clock.now())
        parts.store.settle("before", parts.clock.now(), succeeded=True)
    if excuse == "coverage":
        parts.store.open_coverage(turn, [str(project / "covered")], "modifying", 10)
    pending = PendingWrite("case", "s", "Bash", {"command": command}, str(project), str(project))
    try:
        return pipeline.check(parts, pending), readers
    finally:
        gate.close()


@corpus("excuse", EXCUSES)
def test_what_an_excuse_covers_passes_alone(project: Path, excuse: str) -> None:
    found, readers = checked(project, excuse, EXCUSES[excuse][0])
    assert (found.decision, found.verdict, readers.count) == ("allow", "skipped", 0)


@given(st.sampled_from(sorted(EXCUSES)), st.sampled_from(JUDGED), st.sampled_from(JOINED))
def test_adding_a_judged_effect_never_lets_an_excused_call_pass_unjudged(
    project: Path, excuse: str, added: str, joined: str
) -> None:
    command = joined.format(EXCUSES[excuse][0], added)
    found, readers = checked(project, excuse, command)
    assert readers.count or found.decision == "deny" or found.backend == "embedded", command
    assert found.effects is not None
    # What is judged holds all of the added command's own effects; a plain write of a file that is not there creates it.
    own = {(one.operation, one.target) for one in classify(added, str(project)).each}
    kept = {(one.operation, one.target) for one in found.effects.each}
    assert own <= kept | {("overwrite", target) for operation, target in kept if operation == "create"}, (
        command
    )
