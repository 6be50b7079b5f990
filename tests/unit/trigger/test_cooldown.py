"""Which calls a cooldown excuses."""

from __future__ import annotations

import pytest
from corpora import corpus

from evaluator.effects import effect
from evaluator.model import Operation, OperationClass
from evaluator.trigger.exemptions import Cooldown, directory_and_stem, has_cooled_down

NOW = 1_735_732_800.0


@corpus(
    ("path", "expected"),
    [
        ("/p/foo.py", ("/p", "foo")),
        ("/p/foo.bak.py", ("/p", "foo.bak")),
        ("/p/.env", ("/p", ".env")),
        ("/p/.env.local", ("/p", ".env.local")),
        ("/p/Makefile", ("/p", "Makefile")),
        ("/p/odd.", ("/p", "odd.")),
        ("/foo.py", ("/", "foo")),
        ("/", ("/", "")),
        ("/p/[id].tsx", ("/p", "[id]")),
    ],
)
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
    assert not cooled("/p/a.py", after=0.0, seconds=0.0)


def test_a_cooldown_covers_the_same_or_a_milder_class_only() -> None:
    assert cooled("/p/a.py", operation_class="additive")
    assert not cooled("/p/a.py", operation_class="destructive")
    assert cooled("/p/b.py", operation_class="additive")
    assert not cooled("/p/b.py", operation_class="modifying")


def test_every_target_must_have_cooled_down() -> None:
    assert not cooled("/p/a.py", "/p/c.py")
    assert not cooled("/q/a.py")
    assert cooled("/p/a.py", "/p/b.ts", operation_class="additive")


def test_a_cooldown_from_the_future_does_not_count() -> None:
    assert not cooled("/p/a.py", after=-1.0)


@corpus("operation", ["delete", "move", "permissions", "vcs", "install", "network", "run", "unknown", "read"])
def test_only_writes_of_named_files_are_excused(operation: Operation) -> None:
    assert not cooled("/p/a.py", operation=operation)


@pytest.mark.parametrize("target", ["/p/*.py", "/p/a?.py", "a.py", ""])
def test_a_pattern_or_an_unresolved_path_is_no_named_file(target: str) -> None:
    directory, stem = directory_and_stem(target)
    found = (Cooldown(directory, stem, "destructive", NOW),)
    assert not has_cooled_down(effect("edit", target), found, NOW, 120.0)
