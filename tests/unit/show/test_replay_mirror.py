"""`compass replay` as a person reads it: one entry a request, what they refused or took back first."""

from __future__ import annotations

from running.hookrun import Place
from samples.recordings import CLEAR, Recording, replayed


def shown(place: Place, recording: Recording, *words: str) -> str:
    done = place.command("replay", recording.save(place.root / "kept"), *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_the_first_line_counts_requests_days_and_what_was_refused_or_taken_back(
    place: Place, recording: Recording
) -> None:
    for number, following in enumerate(("undo that, please", "thanks, add an undo button", "now tag it")):
        said = f"Just review what we have as number {number}, and please make no changes to the code"
        recording.prompt(said, f"p{number}")
        recording.write_of(f"part{number}.py", f"t{number}")
        recording.prompt(following, f"q{number}")
    recording.call("Bash", "read", command="cat notes.txt")
    text = shown(place, recording)
    assert (
        "would have interrupted you in 3 of 3 requests, 3.0 a working day, and held 1 of the 1 write that you "
        "refused or undid" in text
    )
    places = [text.index(f"number {number}") for number in range(3)]
    assert places[0] < places[2] < places[1], "taken back first, then newest first"
    assert 'you undid it: "undo that, please"' in text
    assert "Compass held back: create part0.py\n" in text and 'You said "' in text, (
        "as it would have been shown"
    )


def test_a_refusal_an_interruption_and_a_file_put_back_are_signs_of_their_own(
    place: Place, recording: Recording
) -> None:
    recording.prompt(CLEAR, "p1")
    recording.call("Write", "t1", file_path=f"{recording.project}/a.txt", content="x")
    recording.session.result(
        "The user doesn't want to proceed with this tool use. The tool use was rejected", "t1",
        **recording._said(),
    )  # fmt: skip
    recording.prompt("Write b.txt with a greeting", "p2")
    recording.write_of("b.txt", "t2")
    recording.prompt("[Request interrupted by user]", "p2")
    recording.prompt("Change the greeting in c.txt", "p3")
    given = {"file_path": f"{recording.project}/c.txt"}
    recording.call("Edit", "t3", **given, old_string="hi", new_string="hello")
    recording.result("t3", "update")
    recording.prompt("Hmm, I liked the other one", "p4")
    recording.call("Edit", "t4", **given, old_string="hello", new_string="hi")
    recording.result("t4", "update")
    cases = {one["tool_use_id"]: one for one in replayed(place, recording.save(place.root / "kept"))["cases"]}
    assert [cases[one]["refused"] for one in ("t1", "t2", "t3", "t4")] == [True, True, False, False]
    assert [cases[one]["taken_back"] for one in ("t1", "t2", "t3", "t4")] == [False, False, True, False]
    text = shown(place, recording)
    assert all(note in text for note in ("you refused it", "you interrupted it", "you undid it"))


def test_what_this_gate_held_then_is_known_with_its_answer(place: Place, recording: Recording) -> None:
    recording.prompt("review it, no changes", "p1")
    recording.call("Write", "t1", file_path=f"{recording.project}/a.py", content="x")
    recording.session.result(
        "Compass held back: create a.py, because ...", "t1", is_error=True, **recording._said()
    )
    recording.prompt("compass: status", "p2")
    recording.prompt("compass: proceed", "p3")
    recording.write_of("a.py", "t2")
    text = shown(place, recording)
    assert "1 of 1 request," in text and "of the 0 writes that you refused" in text
    assert "held at the time, and you answered: proceed" in text


def test_the_page_has_the_same_and_asks_for_nothing(place: Place, recording: Recording) -> None:
    recording.prompt("review <b>it</b>. Do not change anything.", "p1")
    recording.write_of("a.py", "t1")
    out = place.root / "page.html"
    text = shown(place, recording, "--html", str(out))
    page = out.read_text()
    assert text.splitlines()[0] in page
    assert (
        "review &lt;b&gt;it&lt;/b&gt;. Do not change anything." in page
        and "<script" not in page
        and "http" not in page.lower().replace("http-equiv", "")
    )
