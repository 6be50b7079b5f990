"""Both looks through the real hook: what each asks, what is held, and what is told of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import Place, denial, readers_at

REQUEST = "In src/dates.py, rename the variable ttl to lifetime."
CALL = {"file_path": "src/dates.py", "old_string": "ttl", "new_string": "lifetime"}


def place_of(tmp_path: Path, api: LoopbackApi) -> Place:
    place = Place(tmp_path, {**readers_at(api.url), "COMPASS_SAMPLING__STRATEGY": "two_looks"})
    place.say(REQUEST)
    return place


def looks(api: LoopbackApi) -> Counter[str]:
    """How many requests of each look came."""
    shapes = [one.body["output_config"]["format"]["schema"]["properties"] for one in api.requests]
    return Counter("second" if "reading" in shape else "first" for shape in shapes)


def test_a_clear_write_passes_by_two_readers_and_the_record_says_so(tmp_path: Path, api: LoopbackApi) -> None:
    place = place_of(tmp_path, api)
    assert denial(place.hook("pre-tool-use", place.payload("Edit", CALL))) is None
    assert looks(api) == {"first": 2}
    record = json.loads(place.command("explain", "--json").stdout)
    assert record["verdict"] == "passed"
    assert [one["look"] for one in record["samples"]] == ["first", "first"]
    assert "the first look" in place.command("explain").stdout.decode()


def test_what_is_not_clear_is_held_by_the_second_look_alone(tmp_path: Path, api: LoopbackApi) -> None:
    place = place_of(tmp_path, api)
    api.default = reply(answer(0.2, primary_concern="scope"))
    assert denial(place.hook("pre-tool-use", place.payload("Edit", CALL))) is not None
    assert looks(api)["first"] == 2 and looks(api)["second"] >= 3
    record = json.loads(place.command("explain", "--json").stdout)
    counted = Counter(one["look"] for one in record["samples"])
    assert record["sample_count"] <= counted["second"] and counted["first"] == 2
    assert "the second look" in place.command("explain").stdout.decode()


def test_past_the_budget_what_can_be_taken_back_passes_and_what_cannot_is_still_read(
    tmp_path: Path, api: LoopbackApi
) -> None:
    place = place_of(tmp_path, api)
    place.env["COMPASS_MAX_CHECKS_PER_TURN"] = "0"
    assert denial(place.hook("pre-tool-use", place.payload("Edit", CALL))) is None
    record = json.loads(place.command("explain", "--json").stdout)
    assert (record["verdict"], record["reason"]) == ("skipped", "turn_budget_exhausted")
    assert api.requests == []
    push = place.payload("Bash", {"command": "git push origin main"})
    assert denial(place.hook("pre-tool-use", push)) is None
    assert looks(api)["first"] == 2
    api.default = reply(answer(0.2, primary_concern="scope"))
    assert denial(place.hook("pre-tool-use", place.payload("Bash", {"command": "git push -f"}))) is not None


@pytest.mark.parametrize("cut", [0.4, 0.5])
def test_an_act_that_the_user_let_stand_before_is_held_only_where_hardly_wanted(
    tmp_path: Path, api: LoopbackApi, cut: float
) -> None:
    place = place_of(tmp_path, api)
    place.env["COMPASS_CONFIDENCE_BY_STAKES__REVERSIBLE"] = str(cut)
    commit = {"command": "git commit -am 'Rename ttl'"}
    place.hook("user-prompt-submit", place.payload(prompt=REQUEST))
    call = place.payload("Bash", commit)
    assert denial(place.hook("pre-tool-use", call)) is None
    place.hook("post-tool-use", call)
    place.hook(
        "user-prompt-submit", place.payload(prompt="Now the same in src/times.py.", prompt_id="prompt-2")
    )
    api.default = reply(answer(0.3, primary_concern="scope"))
    later = {"prompt_id": "prompt-2", "tool_use_id": "toolu_2"}
    held = denial(place.hook("pre-tool-use", place.payload("Bash", commit, **later)))
    assert (held is not None) == (cut > 0.4), "a stricter cut stands"
    if held is None:
        assert "calls of this kind ran in earlier turns" in place.command("explain").stdout.decode()
        assert (
            denial(place.hook("pre-tool-use", place.payload("Bash", {"command": "git push"}, **later)))
            is not None
        )
