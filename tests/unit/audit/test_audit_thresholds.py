"""Thresholds from the answers of an audit: what they certify, when they may be set, and that the gate goes by them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from played.client import Conversation
from played.machine import Machine
from running.audited import recorded
from running.hookrun import Place, denial

from calibration.audit.certified import certified, lines, readers_of
from calibration.audit.even import least_chance
from calibration.audit.plan import AuditCase, AuditPlan, AuditReaders, JudgedWrite, plan_of
from calibration.stats.active.draws import shares
from calibration.stats.certificates import Aims, CertifiedSide
from calibration.stats.estimate import TooLittle
from calibration.stats.intervals import upper_bound
from compass.auditing.setting import lost_by
from compass.joining.thresholds import Standing, standing_of
from evaluator.configuration.calibrated import Calibrated, Certificate, as_dict, read_thresholds
from evaluator.configuration.loading import thresholds_file
from evaluator.configuration.settings import build
from evaluator.model import NO_PASS, Cuts, Score, Thresholds
from evaluator.record import replace as replace_record

AIMS = Aims(0.10, 0.10)
WHO = AuditReaders("anthropic", "m", "0123456789abcdef", 5)
DELTA_BROKEN = 0.05


def writes(
    generator: np.random.Generator, sessions: int = 60, each: int = 25, ambiguous: float = 0.1
) -> tuple[list[JudgedWrite], dict[str, bool]]:
    """Traffic whose scores overlap, and the truth about each write."""
    made: list[JudgedWrite] = []
    truth: dict[str, bool] = {}
    for number in range(sessions * each):
        name = f"w{number}"
        truth[name] = bool(generator.random() < ambiguous)
        mean = float(np.clip(generator.normal(0.55 if truth[name] else 0.85, 0.12), 0, 1))
        should = float(np.clip(0.5 + 2 * (0.65 - mean), 0.02, 0.98))
        case = AuditCase(name, 0.0, "do it", "", "", "Bash: delete", "rm x")
        made.append(JudgedWrite(case, f"s{number // each}", mean < 0.65, should, mean, 0.05, None, WHO, 5))
    return made, truth


def plan(made: list[JudgedWrite], answers: int = 80, seed: int = 1) -> AuditPlan:
    return plan_of(made, "recorded", "a judge", "2026-01-01T00:00:00Z", seed, answers)


def answers(made: AuditPlan, truth: dict[str, bool], count: int) -> dict[str, bool | None]:
    return {one: truth[one] for one in made.queue(count, {})}


def test_a_block_cut_from_eighty_answers_keeps_its_promise_on_all_writes() -> None:
    broken = had = 0
    for seed in range(120):
        made, truth = writes(np.random.default_rng([7, seed]))
        frozen = plan(made, seed=seed)
        found = certified(frozen, answers(frozen, truth, 80), AIMS, complete=True)
        if found.certificate is None:
            continue
        had += 1
        cut = found.certificate.cuts[""].block - 0.25
        broken += np.mean([one.mean < cut for one in made if not truth[one.case.id]]) > 0.10
    assert had >= 40, "thirty sessions or more of sixty often have a right write that was drawn evenly"
    assert broken / 120 <= DELTA_BROKEN and upper_bound(broken, had) <= 0.12


def test_with_all_answered_both_are_certified_and_who_asks_twice_gets_the_same() -> None:
    made, truth = writes(np.random.default_rng(3), ambiguous=0.3)
    frozen = plan(made, len(made))
    told = answers(frozen, truth, len(made))
    found = certified(frozen, told, AIMS, complete=True)
    assert found == certified(frozen, told, AIMS, complete=True)
    block, passing = found.sides.block, found.sides.passing
    assert isinstance(block, CertifiedSide) and isinstance(passing, CertifiedSide)
    assert block.delta == passing.delta == 0.025 and block.units == 60
    assert found.more == (0, 0) and found.certificate is not None
    shown = "\n".join(lines(found))
    assert "held under a score of" in shown and "run from a score of" in shown


def test_too_few_answers_certify_nothing_and_it_says_how_many_would() -> None:
    made, truth = writes(np.random.default_rng(5))
    frozen = plan(made, 400)
    found = certified(frozen, answers(frozen, truth, 20), AIMS, complete=True)
    assert found.certificate is None and isinstance(found.sides.block, TooLittle)
    block, both = found.more
    assert block is not None and both is not None and 20 < block < both
    assert f"some {block} answers more" in "\n".join(lines(found))
    enough = certified(frozen, answers(frozen, truth, 20 + 2 * block), AIMS, complete=True)
    assert enough.certificate is not None and enough.certificate.cuts[""].passing == NO_PASS
    few = plan(made[:250])
    assert certified(few, answers(few, truth, 20), AIMS, complete=True).more == (None, None)


def test_no_cut_is_told_before_all_answers_are_in() -> None:
    made, truth = writes(np.random.default_rng(3), ambiguous=0.3)
    frozen = plan(made, len(made))
    found = certified(frozen, answers(frozen, truth, len(made)), AIMS, complete=False)
    assert found.certificate is None and found.as_json()["cuts"] is None
    assert "score of" not in "\n".join(lines(found))


def test_readers_that_are_mixed_or_not_known_certify_nothing() -> None:
    made, truth = writes(np.random.default_rng(3))
    for other, word in (
        (replace(WHO, model="n"), "same readers"),
        (replace(WHO, asked=3), "same readers"),
        (replace(WHO, prompt="fedcba9876543210"), "same readers"),
        (replace(WHO, backend="embedded", prompt=""), "same readers"),
    ):
        mixed = plan([*made[:-1], replace(made[-1], readers=other)])
        found = certified(mixed, answers(mixed, truth, 80), AIMS, complete=True)
        assert found.certificate is None and found.readers is None and word in found.why
    unknown = plan([replace(one, readers=replace(WHO, prompt="")) for one in made])
    assert readers_of(unknown) == (None, "it was not kept what the readers of these writes were told")
    assert readers_of(plan(made)) == (WHO, "")


def test_readers_that_were_ended_early_count_against_what_is_certified() -> None:
    """Three of five were heard: what the others would have said may be the worst for either side."""
    made, truth = writes(np.random.default_rng(3), ambiguous=0.3)
    cut_short = [replace(one, heard=3, unheard=2) for one in made]
    whole, short = (
        certified(frozen, answers(frozen, truth, len(made)), AIMS, complete=True).sides
        for frozen in (plan(made, len(made)), plan(cut_short, len(made)))
    )
    assert isinstance(whole.block, CertifiedSide) and isinstance(short.block, CertifiedSide)
    assert whole.block.cut is not None and short.block.cut is not None
    assert short.block.cut < whole.block.cut - 0.2


def test_what_a_reader_holds_by_itself_and_what_agreement_blocks_is_counted_so() -> None:
    made, truth = writes(np.random.default_rng(3), ambiguous=0.3)
    told = {one.case.id: truth[one.case.id] for one in made}
    fixed = [replace(one, fixed=True) if number % 25 else one for number, one in enumerate(made)]
    some = certified(plan(fixed, len(made)), told, AIMS, complete=True)
    assert some.reached.clear + some.reached.ambiguous == 60
    split = plan([replace(one, agreement=0.2) for one in made], len(made))
    barred = certified(split, told, AIMS, complete=True, agreement=0.5)
    assert barred.certificate is None, "agreement alone blocks all that was right to run"
    assert certified(split, told, AIMS, complete=True, agreement=0.1).certificate is not None


def test_the_even_chance_is_that_of_the_least_likely_write() -> None:
    made, _ = writes(np.random.default_rng(3))
    frozen = plan(made)
    plain = min(
        count / sum(kind == held for held in frozen.held)
        for kind, count in zip(
            (True, False), shares(sum(frozen.held), len(made) - sum(frozen.held), 80), strict=True
        )
    )
    assert 0.6 * plain <= least_chance(frozen, 80) <= plain + 1e-12
    assert least_chance(frozen, len(made)) == 1


ENV = {
    "COMPASS_EVALUATOR__BACKEND": "anthropic",
    "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "30",
    "COMPASS_DEADLINE_SECONDS": "30",
    "ANTHROPIC_API_KEY": "sk-ant-test-not-a-key-0123456789",
    "NO_PROXY": "127.0.0.1",
}


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    with LoopbackApi() as found:
        yield found


class Audited:
    """A project of forty sessions that hosted readers judged, all of it answered: held writes y, the others n."""

    def __init__(self, root: Path, api: LoopbackApi, who: Standing, count: int = 400) -> None:
        self.api = api
        self.machine = Machine.at(root, {**ENV, "COMPASS_EVALUATOR__BASE_URL": api.url}, "shop")
        self.place: Place = self.machine.place
        recorded(self.place.state, self.machine.project, count, who=who)
        given = self.place.environment()
        self.file = Path(thresholds_file(given, given["HOME"], str(self.machine.project)))
        self.answers = root / "answers.jsonl"
        asked = json.loads(self.audit("--json", "--seed", "1", "--sample", str(count)).stdout)["ask"]
        self.answers.write_text(
            "".join(
                json.dumps({"write": one["id"], "answer": "n" if int(one["id"][-4:]) % 5 else "y"}) + "\n"
                for one in asked
            )
        )
        self.count = str(count)

    def audit(self, *words: str) -> Any:
        return self.place.command("audit", *words)

    def answered(self, *words: str) -> Any:
        return self.audit("--sample", self.count, "--answers", str(self.answers), *words)


def theirs() -> Standing:
    return standing_of(build({}), "anthropic")


def test_nothing_is_set_unless_it_is_asked_for_and_then_the_gate_goes_by_it(
    tmp_path: Path, api: LoopbackApi
) -> None:
    here, now = Audited(tmp_path, api, theirs()), theirs()
    told = here.answered()
    assert told.returncode == 0 and b"held under a score of" in told.stdout and not here.file.exists()
    document = json.loads(here.answered("--json").stdout)["thresholds"]
    assert document["set"] is False and document["not_settable"] == "" and not here.file.exists()
    done = here.answered("--set")
    assert (done.returncode, done.stderr) == (0, b"") and b"Set in" in done.stdout
    found = read_thresholds(str(here.file))
    assert found is not None and here.file.stat().st_mode & 0o777 == 0o600
    assert (found.backend, found.model, found.prompt, list(found.per_n)) == (
        now.backend, now.model, now.prompt, [now.n],
    )  # fmt: skip
    cuts = found.per_n[now.n].cuts[""]
    assert (cuts.block, cuts.passing) == (document["cuts"]["block"], document["cuts"]["passing"])
    assert 0.79 < cuts.block <= cuts.passing < 0.95, (
        "between the means 0.543 and 0.7, with the agreement's 0.25"
    )
    again = here.answered("--set")
    assert again.returncode == 1 and b"in force since" in again.stderr

    talk = Conversation(here.machine, "held", attended=True)
    talk.begins()
    talk.user("Tidy up the configuration of this project, all of it that is out of date.")
    # The default pair would hold both: 0.64 is under 0.65.
    for name, score, held in (("a/x.toml", 0.64, False), ("b/x.toml", 0.5, True)):
        api.default = reply(answer(score))
        call = talk.call("Write", {"file_path": str(here.machine.project / name), "content": "x\n"}, None, "")
        reason = denial(talk.fire(call))
        assert (reason is not None) is held
        (talk.denied(call, reason) if reason is not None else talk.ended(call, worked=True))
    shown = json.loads(here.place.command("explain", "--json").stdout)
    assert shown["thresholds"]["certified"]["cuts"]["block"] == cuts.block
    told = json.loads(here.place.command("status", "--json").stdout)["calibration"]
    assert f"under {cuts.block:.3f}" in "\n".join(told)


def test_what_the_hook_records_can_be_audited_for_thresholds(tmp_path: Path, api: LoopbackApi) -> None:
    """The record says what its readers were told, so a later audit knows whom its certificate is of."""
    machine = Machine.at(tmp_path, {**ENV, "COMPASS_EVALUATOR__BASE_URL": api.url}, "shop")
    talk = Conversation(machine, "kept", attended=True)
    talk.begins()
    talk.user("Tidy up the configuration of this project, all of it that is out of date.")
    api.default = reply(answer(0.95))
    call = talk.call("Write", {"file_path": str(machine.project / "a.toml"), "content": "x\n"}, None, "")
    assert denial(talk.fire(call)) is None
    (one,) = json.loads(machine.place.command("audit", "--json").stdout)["ask"]
    (machine.place.root / "a.jsonl").write_text(json.dumps({"write": one["id"], "answer": "n"}))
    found = json.loads(
        machine.place.command("audit", "--json", "--answers", str(machine.place.root / "a.jsonl")).stdout
    )
    now = theirs()
    assert found["thresholds"]["why"] == ""
    assert found["thresholds"]["readers"] == {
        "backend": now.backend, "model": now.model, "prompt": now.prompt, "asked": now.n,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"prompt": ""}, b"was not kept what the readers"),
        ({"prompt": "0123456789abcdef"}, b"prompt was 0123456789abcdef"),
        ({"model": "another"}, b"model was another"),
        ({"n": 3}, b"number of readers was 3"),
    ],
)
def test_other_readers_than_the_gates_set_nothing(
    tmp_path: Path, api: LoopbackApi, changed: dict[str, Any], why: bytes
) -> None:
    now = theirs()
    values = {"backend": now.backend, "model": now.model, "prompt": now.prompt, "n": now.n} | changed
    here = Audited(tmp_path, api, Standing(**values))
    done = here.answered("--set")
    assert done.returncode == 1 and why in done.stderr and not here.file.exists()
    assert here.audit().returncode == 0


def test_other_numbers_of_readers_keep_what_was_certified_for_them(tmp_path: Path, api: LoopbackApi) -> None:
    here, now = Audited(tmp_path, api, theirs()), theirs()
    three = Certificate(Score(), {"": Cuts(0.5, 1.0, 0.1, 0.1)})
    before = Calibrated(
        now.backend, now.model, now.prompt, "2026-01-01T00:00:00Z", {3: three}, {}, {3: PAIR, 5: PAIR}
    )
    here.file.write_text(json.dumps(as_dict(before)))
    assert here.answered("--set").returncode == 0
    found = read_thresholds(str(here.file))
    assert found is not None and found.per_n[3] == three and found.thresholds == {3: PAIR}
    assert set(found.per_n) == {3, now.n}


def test_what_is_still_open_sets_nothing(tmp_path: Path, api: LoopbackApi) -> None:
    here = Audited(tmp_path, api, theirs())
    done = here.audit("--sample", "390", "--set")
    assert done.returncode == 1 and b"not all answers" in done.stderr and not here.file.exists()


PAIRED = Cuts(0.5, 1.0, 0.1, 0.1)
PAIR = Thresholds(0.6, 0.3)


@pytest.mark.parametrize(
    ("standing", "said", "unsaid"),
    [
        (None, (), ("gone", "Gone")),
        ({3: Certificate(Score(), {"": PAIRED})}, (), ("Gone",)),
        ({5: Certificate(Score(), {"": PAIRED})}, ("the cuts of 2026-01-01",), ("own", "one after", "weights")),
        (
            {5: Certificate(Score(0.1, 0.2, 0.3), {"": PAIRED, "destructive": PAIRED}, {"": PAIRED})},
            ("cuts of their own for destructive calls", "readers may be asked one after the other", "fitted"),
            ("pass cut",),
        ),
    ],
)  # fmt: skip
def test_what_is_lost_is_told_before_it_is_set(
    tmp_path: Path,
    api: LoopbackApi,
    standing: dict[int, Certificate] | None,
    said: tuple[str, ...],
    unsaid: tuple[str, ...],
) -> None:
    here, now = Audited(tmp_path, api, theirs()), theirs()
    if standing is not None:
        kept = Calibrated(now.backend, now.model, now.prompt, "2026-01-01T00:00:00Z", standing, {}, {})
        here.file.parent.mkdir(parents=True, exist_ok=True)
        here.file.write_text(json.dumps(as_dict(kept)))
    lost = json.loads(here.answered("--json").stdout)["thresholds"]["lost"]
    told = here.answered("--set").stdout.decode()
    for words in said:
        assert any(words in one for one in lost), lost
        assert told.index(words) < told.index("Set in")
    assert not any(words in told for words in unsaid), told
    assert bool(lost) is bool(said)


def test_a_pass_cut_and_other_readers_thresholds_are_lost_too(tmp_path: Path) -> None:
    coming = Certificate(Score(), {"": Cuts(0.5, NO_PASS, 0.1, 1.0)})
    who = AuditReaders("anthropic", "m", "p", 5)
    file = tmp_path / "thresholds.json"
    kept = Calibrated("anthropic", "m", "p", "2026-01-01", {5: Certificate(Score(), {"": PAIRED})}, {}, {})
    file.write_text(json.dumps(as_dict(kept)))
    assert "the pass cut: nothing is promised of misses then" in lost_by(str(file), who, coming)
    file.write_text(json.dumps(as_dict(replace_record(kept, per_n={}, thresholds={3: PAIR, 5: PAIR}))))
    assert lost_by(str(file), who, coming) == (
        "the thresholds of 2026-01-01 for mean and deviation, which hold where no cuts decide",
    )
    file.write_text(json.dumps(as_dict(kept)))
    other = AuditReaders("anthropic", "another", "p", 5)
    assert lost_by(str(file), other, coming) == (
        "all that was calibrated on 2026-01-01 for other readers (anthropic m)",
    )
    file.write_text("{")
    assert lost_by(str(file), who, coming) == ()
