"""What is at stake in an effect, over a real repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corpora import corpus

from compass.composition.effects import DiskGround, classify
from evaluator.effects import effect
from evaluator.model import Stakes
from evaluator.trigger.call_effects import stakes_of, with_stakes

FILES = {
    "src/app.py": "x\n",
    "vendored/dist/lib.js": "x\n",
    "dist/app.js": "x\n",
    "notes.txt": "x\n",
    "web/.gitignore": "out\n",
    "web/out/index.html": "x\n",
    "out/kept.txt": "x\n",
    ".env": "SECRET=1\n",
    ".gitignore": "dist/\n!vendored/dist/\n.env\nlog\n*.pyc\n",
}
HELD = ("src/app.py", "vendored/dist/lib.js", "web/.gitignore", ".gitignore")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "add", "-f", *HELD], check=True)
    return folder


ROWS: list[tuple[str, Stakes]] = [
    ("rm -rf /tmp/scratch/x", "own"),
    ("rm -rf $TMPDIR/x", "own"),
    ("rm -rf /tmp", "lossy"),
    ("rm -rf /tmp/*", "lossy"),
    ("rm -rf /tmp/a/../../etc", "lossy"),
    ("ln -s / /tmp/a; rm -rf /tmp/a/etc", "lossy"),
    ("rm -rf dist", "own"),
    ("rm -rf dist/*.js", "own"),
    ("rm -rf dist/$X", "lossy"),
    ("rm -rf vendored/dist", "lossy"),
    ("rm -rf web/out", "own"),
    ("rm -rf out", "lossy"),
    ("rm -rf log", "lossy"),
    ("rm .env", "lossy"),
    ("rm src/app.pyc", "own"),
    ("rm src/app.py", "lossy"),
    ("echo x > dist/x.git/hooks/post-receive", "reversible"),
    ("echo x > src/app.py", "reversible"),
    ("echo x > new.py", "reversible"),
    ("echo x > notes.txt", "lossy"),
    ("echo x >> notes.txt", "reversible"),
    ("git commit -m x", "reversible"),
    ("git push origin main", "outward"),
    ("git push --force", "lossy"),
    ("git reset --hard", "lossy"),
    ("gh pr comment 5 --body x", "outward"),
    ("gh release delete v1 --yes", "lossy"),
    ("curl -X POST https://example.org/x", "outward"),
    ("npm publish", "outward"),
    ("npm install left-pad", "reversible"),
    ("./deploy-or-what", "reversible"),
    ('eval "$X"', "lossy"),
]


@corpus(("command", "stakes"), ROWS, ids=[command for command, _ in ROWS])
def test_a_command_has_the_stakes_of_its_severest_effect(command: str, stakes: Stakes, root: Path) -> None:
    assert with_stakes(classify(command, str(root)), DiskGround(str(root))).stakes == stakes


def test_a_project_in_a_temporary_folder_is_no_scratch(root: Path) -> None:
    ground = DiskGround(str(root / "web"))
    assert stakes_of(effect("delete", str(root / "src" / "app.py")), ground) == "lossy"
    assert stakes_of(effect("delete", str(root)), ground) == "lossy"


def test_what_git_holds_is_told_by_whole_paths(root: Path) -> None:
    ground = DiskGround(str(root))
    assert ground.is_held(str(root / "src" / "app.py"))
    assert ground.is_held(str(root / "src"))
    assert not ground.is_held(str(root / "app.py"))
    assert not ground.is_held(str(root / "notes.txt"))
    assert not ground.is_held("/elsewhere")
