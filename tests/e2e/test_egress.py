"""What leaves the machine in real sessions: no content of files, no session id."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from e2e.playing.replies import Json, Script, act, call
from e2e.playing.session import Open

pytestmark = pytest.mark.e2e

OLD = "heliotrope-ledger-4471"
NEW = "vermilion-anchor-9023"
"""Marks that stand nowhere but in what the calls would take out of a file and put into one."""

Call = Callable[[Path], Json]


def whole_file(project: Path) -> Json:
    return call("Write", file_path=str(project / "made.py"), content=f"NAME = '{NEW}'\n")


def edit(project: Path) -> Json:
    return call("Edit", file_path=str(project / "kept.py"), old_string=OLD, new_string=NEW)


def heredoc(project: Path) -> Json:
    return call("Bash", command=f"cat > '{project}/made.py' <<'EOF'\nNAME = '{NEW}'\nEOF")


def inline_code(project: Path) -> Json:
    return call("Bash", command=f"python3 -c \"open('{project}/made.py', 'w').write('{NEW}')\"")


@pytest.mark.parametrize("write", [whole_file, edit, heredoc, inline_code])
def test_no_request_of_a_reader_holds_content_or_the_session_id(open_session: Open, write: Call) -> None:
    def plot(project: Path) -> Script:
        look = call("Read", file_path=str(project / "kept.py"))
        return Script((act("Looking.", look), act("Writing.", write(project))))

    session = open_session(plot)
    (session.project / "kept.py").write_text(f"NAME = '{OLD}'\n")
    session.gated()
    run = session.run("Change the name that the module holds, in the files of this project")
    run.assert_hooks_ran("PreToolUse")
    said = b"".join(request.raw for request in session.api.of("agent"))
    assert NEW.encode() in said, "the mark is where this test can find it"
    assert run.session_id.encode() in said
    asked = session.api.of("reader")
    assert len(asked) == 5
    for request in asked:
        sent = request.raw.decode() + repr(dict(request.headers)) + request.path
        assert OLD not in sent
        assert NEW not in sent
        assert run.session_id not in sent
        assert request.body["metadata"]["user_id"]
