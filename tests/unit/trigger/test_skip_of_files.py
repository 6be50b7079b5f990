"""What a skip glob excuses of a file on disk: its name alone, and nothing that is more than its name says."""

import os

import pytest

from compass.arguments import FixedExchange
from compass.composition.gate import wire
from evaluator.gate import pipeline
from evaluator.model import Exchange, PendingWrite
from evaluator.record import replace
from evaluator.settings.keys import Settings


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
