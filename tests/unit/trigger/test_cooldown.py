"""What excuses a write by its name: a cooldown of its file, and the globs of files nobody writes by hand."""

from __future__ import annotations

import os

import pytest
from corpora import corpus

from compass.arguments import FixedExchange
from compass.composition.gate import wire
from evaluator.effects import effect
from evaluator.gate import pipeline
from evaluator.model import Exchange, Operation, OperationClass, PendingWrite
from evaluator.record import replace
from evaluator.settings.keys import Settings
from evaluator.trigger.exemptions import Cooldown, directory_and_stem, has_cooled_down

NOW = 1_735_732_800.0


@corpus(
    ("path", "expected"),
    [
        ("/p/foo.bak.py", ("/p", "foo.bak")), ("/p/.env", ("/p", ".env")), ("/p/.env.local", ("/p", ".env.local")),
        ("/p/Makefile", ("/p", "Makefile")), ("/p/odd.", ("/p", "odd.")), ("/foo.py", ("/", "foo")), ("/", ("/", "")),
        ("/p/[id].tsx", ("/p", "[id]")),
    ],
)  # fmt: skip
def test_a_stem_drops_only_the_last_extension(path: str, expected: tuple[str, str]) -> None:
    assert directory_and_stem(path) == expected


def cooled(
    *targets: str,
    operation: Operation = "edit",
    operation_class: OperationClass = "modifying",
    after: float = 60.0,
    seconds: float = 120.0,
) -> bool:
    found = (Cooldown("/p", "a", "modifying", NOW), Cooldown("/p", "b", "additive", NOW))
    each = [effect(operation, target, severity=operation_class) for target in targets]
    return bool(each) and all(has_cooled_down(one, found, NOW + after, seconds) for one in each)


def test_the_same_file_cools_down_for_a_while() -> None:
    assert cooled("/p/a.py")
    assert cooled("/p/a.py", after=120.0)
    assert not cooled("/p/a.py", after=120.1)
    assert not cooled("/p/a.py", after=-1.0), "the clock was put back"
    assert not cooled("/p/a.py", after=0.0, seconds=0.0)


def test_a_cooldown_covers_the_same_or_a_milder_class_of_that_file_only() -> None:
    assert cooled("/p/a.py", "/p/b.ts", operation_class="additive")
    assert not cooled("/p/a.py", operation_class="destructive")
    assert not cooled("/p/b.py", operation_class="modifying")
    assert not cooled("/p/a.py", "/p/c.py")
    assert not cooled("/q/a.py")


@corpus("operation", ["delete", "move", "permissions", "vcs", "install", "network", "run", "unknown", "read"])
def test_only_writes_of_named_files_are_excused(operation: Operation) -> None:
    assert not cooled("/p/a.py", operation=operation)


@pytest.mark.parametrize("target", ["/p/*.py", "/p/a?.py", "a.py", ""])
def test_a_pattern_or_an_unresolved_path_is_no_named_file(target: str) -> None:
    directory, stem = directory_and_stem(target)
    found = (Cooldown(directory, stem, "destructive", NOW),)
    assert not has_cooled_down(effect("edit", target), found, NOW, 120.0)


# What a skip glob excuses of a file on disk: its name alone, and nothing that is more than its name says.


def checked(project, tool, given):
    chosen = replace(Settings(), enabled=True, evaluator=replace(Settings().evaluator, backend="embedded"))
    gate = wire({}, str(project), str(project), settings=chosen, keep=False)
    parts = replace(
        gate.parts, transcripts=FixedExchange(Exchange(("why is this slow?",))), paid=lambda: False
    )
    try:
        return pipeline.check(parts, PendingWrite("case", "s", tool, given, str(project), str(project)))
    finally:
        gate.close()


def test_a_file_with_another_name_elsewhere_is_no_lock_file(tmp_path):
    (tmp_path / "app.py").write_text("x = 1\n")
    (tmp_path / "other.lock").write_text("x\n")
    os.link(tmp_path / "app.py", tmp_path / "uv.lock")
    given = {"content": "x = 2\n"}
    assert checked(tmp_path, "Write", {"file_path": "other.lock", **given}).reason == "skip_glob"
    assert checked(tmp_path, "Write", {"file_path": "uv.lock", **given}).reason != "skip_glob"
    assert checked(tmp_path, "Bash", {"command": "echo x > uv.lock"}).reason != "skip_glob"


@pytest.mark.parametrize("folder", ["dist", "build", "node_modules/.bin"])
def test_a_new_file_that_can_be_run_is_judged(tmp_path, folder):
    script = {"file_path": f"{folder}/tool", "content": "#!/bin/sh\nrm -rf src\n"}
    plain = {"file_path": f"{folder}/tool.js", "content": "export default 1\n"}
    assert checked(tmp_path, "Write", plain).reason == "skip_glob"
    assert checked(tmp_path, "Write", script).reason != "skip_glob"
    line = f"printf '#!/bin/sh\\nrm -rf src\\n' > {folder}/tool"
    assert checked(tmp_path, "Bash", {"command": line}).reason != "skip_glob"
