"""The frozen types that every part of a check shares. Depends on nothing else in the project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from evaluator.record import Record, replace

Operation = Literal[
    "read", "create", "append", "edit", "overwrite", "permissions", "vcs", "install", "network",
    "run", "delete", "move", "unknown",
]  # fmt: skip
OperationClass = Literal["additive", "modifying", "destructive"]
VerdictOfEffects = Literal["read_only", "write", "unknown"]
Concern = Literal["scope", "target", "context", "destructive", "none"]
Action = Literal[
    "answer", "create", "add", "change", "fix", "rename", "move", "delete", "refactor", "configure",
    "run", "other",
]  # fmt: skip
Extent = Literal["one_place", "one_file", "folder", "project", "beyond"]
EffectKind = Literal["", "agent", "keyboard"]
Stakes = Literal["own", "reversible", "outward", "lossy"]
StakesClass = Literal["reversible", "irreversible"]
Look = Literal["first", "second"]
VerdictName = Literal["passed", "failed", "skipped"]
Decision = Literal["allow", "deny"]
Reason = Literal[
    "skip_sentinel", "skip_glob", "dir_plus_stem_cooldown", "turn_budget_exhausted",
    "insufficient_context", "reply_to_question_pattern", "sampler_error", "circuit_open",
    "evaluator_budget_exhausted", "not_write_class", "disabled", "self_protection", "paused", "released",
    "cancelled", "denied_before", "covered", "low_confidence", "disagreement", "low_agreement", "confident",
]  # fmt: skip

CONCERNS: tuple[Concern, ...] = get_args(Concern)
ACTIONS: tuple[Action, ...] = get_args(Action)
LOOKS: tuple[Look, ...] = get_args(Look)
EXTENTS: tuple[Extent, ...] = get_args(Extent)
LEAST_TO_DESTROY = 3
"""Readers: a verdict of fewer passes no destructive call."""
SEVERITY: dict[OperationClass, int] = {"additive": 0, "modifying": 1, "destructive": 2}
STAKES_CLASSES: tuple[StakesClass, ...] = get_args(StakesClass)
STAKES: dict[Stakes, int] = {"own": 0, "reversible": 1, "outward": 2, "lossy": 3}
"""What is at stake, mild to severe."""
BACKEND_MODULES: dict[str, str] = {
    "anthropic": "evaluator.readers.kinds.anthropic",
    "claude-cli": "evaluator.readers.kinds.claude_cli",
    "openai": "evaluator.readers.kinds.openai",
    "team": "evaluator.readers.kinds.team",
    "embedded": "evaluator.readers.kinds.embedded",
}
"""Every backend by name, and which module holds its record; adding one is a row here and that module, which is imported
once the backend is chosen (`evaluator.readers.kinds.kind.kind_of`)."""
AUTO = "auto"
"""No backend: whoever is ready takes its place (`compass.composition.automatic_backend.choose_backend`)."""
EMBEDDED = "embedded"
"""The one that is always ready: it needs no network, no key and no program."""


class PendingWrite(Record):
    """A tool call that has not run yet, as a host described it. Nothing in it is trusted.

    `tool_input` is the host's own object. `project_dir` is the resolved project folder; `cwd` is where
    the agent stands. `agent_id` is None outside of a subagent. `said` is the conversation in the host's own words,
    oldest first, where the payload brings it in place of a `transcript_path`.
    """

    host: str
    session_id: str
    tool_name: str
    tool_input: Mapping[str, object]
    cwd: str
    project_dir: str
    transcript_path: str | None = None
    prompt_id: str | None = None
    tool_use_id: str | None = None
    agent_id: str | None = None
    said: tuple[Mapping[str, object], ...] = ()


class Effect(Record):
    """One thing that a call would do, to one target or to none.

    `target` is an absolute, normalised path, or a pattern that cannot be expanded; empty for none. `excusable`: it only
    writes one named file, so skip globs, cooldown, coverage, menus and plans may excuse it. `identity` is a digest of
    what is done, by which an effect without a target is known again. `kind`: it starts another coding agent, which no
    abstention lets through, or types into a terminal or schedules, which an open hold forbids. `stakes`: whether it
    touches scratch alone, can be taken back, is seen by others, or loses what existed. `act`: the kind of an act of its
    own in a few words (`git commit`, `gh pr comment`, a server's tool); empty where it is none, or cannot be told.
    """

    operation: Operation
    operation_class: OperationClass
    target: str = ""
    excusable: bool = False
    identity: str = ""
    kind: EffectKind = ""
    stakes: Stakes = "reversible"
    act: str = ""


class Effects(Record):
    """What a call would do: each of its effects, and all of them folded into the severest.

    `targets` are those of the effects. `command` is the shell command without heredoc bodies and inline code, empty for
    file tools. `lines` is the size of the change in lines, or None where it is not known.
    """

    verdict: VerdictOfEffects
    operation: Operation
    operation_class: OperationClass
    targets: tuple[str, ...] = ()
    command: str = ""
    lines: int | None = None
    each: tuple[Effect, ...] = ()

    @property
    def stakes(self) -> Stakes:
        """The severest of its effects'."""
        found: set[Stakes] = {one.stakes for one in self.each}
        return max(found, key=lambda one: STAKES[one]) if found else "reversible"

    @property
    def stakes_class(self) -> StakesClass:
        """Which confidence threshold counts."""
        return "irreversible" if self.stakes in ("outward", "lossy") else "reversible"

    @property
    def acts(self) -> bool:
        """Whether one of its effects is an act of its own: a commit or another act of git, or one that cannot be taken
        back. No pass of another call covers it."""
        return any(map(_is_act_effect, self.each))

    @property
    def kinds_of_acts(self) -> frozenset[str]:
        """The kinds of all its acts of their own; empty where one of them has no name, or loses what existed."""
        acts = [one for one in self.each if _is_act_effect(one)]
        named = all(one.act and one.stakes != "lossy" for one in acts)
        return frozenset(one.act for one in acts) if named else frozenset()


def _is_act_effect(one: Effect) -> bool:
    return one.stakes in ("outward", "lossy") or one.operation == "vcs"


class Parent(Record):
    """A session whose tool call started another one. `transcript_path` is empty where it is not known."""

    session_id: str
    transcript_path: str


class Origin(Record):
    """Where a delegated session comes from: the sessions above it, nearest first; none where they are not known."""

    parents: tuple[Parent, ...] = ()


class KeptPrompt(Record):
    """A prompt as it was submitted; kept because the transcript may not hold it yet.

    `position` counts the session's prompts from 0, `ordinal` its turns; `at` is wall time in seconds.
    """

    prompt_id: str | None
    text: str
    ordinal: int
    position: int = 0
    at: float = 0.0


class AnsweredQuestion(Record):
    """One question that the agent asked with labelled options, and the labels that the user chose."""

    question: str
    options: tuple[str, ...]
    answers: tuple[str, ...]


class Plan(Record):
    """A plan that the agent proposed, and whether the user approved it."""

    text: str
    approved: bool


class Exchange(Record):
    """What led to a write: the current request, the prior assistant turn and what was settled since.

    `request` holds the genuine user messages that the agent is acting on, oldest first. `questions` and
    `plans` belong to the same request. `delegated_task` is what a subagent was told to do. `unwritten` are those of
    `request` that only the prompt event told of: they are read, and excuse or order nothing.
    """

    request: tuple[str, ...] = ()
    prior_assistant_turn: str = ""
    questions: tuple[AnsweredQuestion, ...] = ()
    plans: tuple[Plan, ...] = ()
    delegated_task: str = ""
    unwritten: tuple[str, ...] = ()

    @property
    def request_text(self) -> str:
        return "\n\n".join(self.request)


class Lookup(Record):
    """A call of the agent's that has ended, and what it came back with. Nothing in it is trusted.

    `tool_input` is the host's own object. `text` is bounded by the host. `failed`: the tool itself said so.
    """

    tool_name: str
    tool_input: Mapping[str, object]
    text: str
    failed: bool = False


class ResolvedOption(Record):
    """The option of an enumerated question that the user's reply selects.

    `labels` are the texts of the chosen options, `rejected` those of the others.
    """

    labels: tuple[str, ...]
    rejected: tuple[str, ...] = ()


class Evidence(Record):
    """What a hosted reader is shown: sanitized, bounded, without file contents unless the user said so."""

    tool_name: str
    operation: Operation
    operation_class: OperationClass
    targets: tuple[str, ...]
    current_request: str
    prior_assistant_turn: str = ""
    command: str = ""
    lines: int | None = None
    delegated_task: str = ""
    resolved_option: str = ""
    plan: str = ""
    turn_so_far: tuple[str, ...] = ()
    """The calls of this turn before this one, by tool and target or command, oldest first."""
    contents: str = ""
    excused: tuple[str, ...] = ()
    """Further targets of the call, which need no judgement."""
    symbols: tuple[str, ...] = ()
    """Identifiers that the change touches."""
    added: int | None = None
    removed: int | None = None
    """Lines of text that the change adds and removes; None where that is not known."""
    looked_up: tuple[str, ...] = ()
    """Lines that name a target, from what the agent read in this turn."""
    precedents: tuple[str, ...] = ()
    """What the user settled earlier of the request's words, one line each."""
    earlier_messages: tuple[str, ...] = ()
    """The user's last messages of the session before the request, newest first, each with the end of what the
    assistant then said."""

    def identity(self) -> str:
        """A digest that is equal for the same question: earlier messages, `turn_so_far`, symbols, looked-up lines and
        contents are left out."""
        import hashlib

        parts = (
            self.tool_name, self.operation, self.operation_class, "\x1f".join(self.targets),
            self.current_request, self.prior_assistant_turn, self.command, self.delegated_task,
            self.resolved_option, self.plan, "\x1f".join(self.excused),
            *(("\x1f".join(self.precedents),) if self.precedents else ()),
        )  # fmt: skip
        return hashlib.sha256("\x1e".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


class Subject(Record):
    """Everything that one check is about. Only `evidence` may leave the machine."""

    pending: PendingWrite
    effects: Effects
    exchange: Exchange
    evidence: Evidence
    resolved: ResolvedOption | None = None


class Reading(Record):
    """What a reader thinks the exchange asks for."""

    action: Action
    target: str
    extent: Extent


class Sample(Record):
    """One reader's answer. A sample with an `error` is invalid and carries no score.

    `score` is in [0, 1]; `latency_ms` is wall time; `cost_usd` is None where the price is not known. A `blind`
    reader was not shown the write: it scores how determined the request is, and `fits` is None. `look`: which of the
    two looks it answered; one of the first look has neither reading nor rationale.
    """

    reader: str
    score: float | None = None
    primary_concern: Concern | None = None
    rationale: str = ""
    reading: Reading | None = None
    rival: str | None = None
    fits: bool | None = None
    latency_ms: int = 0
    error: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    blind: bool = False
    look: Look = "second"

    @property
    def valid(self) -> bool:
        return self.error is None and self.score is not None

    def paid_by_another(self) -> Sample:
        """The same answer for whoever did not ask for it: it took nothing."""
        cost = 0.0 if self.cost_usd is not None else None
        return replace(self, input_tokens=0, output_tokens=0, cost_usd=cost)


class Cluster(Record):
    """The readers whose readings are one, in the order of their names, and that reading as most of them put it."""

    readers: tuple[str, ...]
    reading: Reading


class Convergence(Record):
    """How far the valid samples agree: mean and population standard deviation of their scores.

    `agreement` is the chance that two of their readings are one; None where fewer than two were given.
    """

    mean: float
    stddev: float
    sample_count: int
    primary_concern: Concern
    rationale: str
    agreement: float | None = None


class NamedReaders(Record):
    """Who reads for a team, as its evaluator names them. `n` are asked; `prompt` is the fingerprint of what they are
    told besides the evidence."""

    backend: str
    model: str
    prompt: str
    n: int


class Thresholds(Record):
    """A check passes if `mean >= confidence` and `stddev <= deviation` (tolerance 1e-9).

    With `agreement`, it takes that much agreement among readings too. `alpha`: `confidence` was certified to block at
    most that share of clear writes; None where it was not.
    """

    confidence: float
    deviation: float
    agreement: float | None = None
    alpha: float | None = None


class Check(Record):
    """One evaluation of a pending call, with all that is needed to explain it later."""

    check_id: str
    verdict: VerdictName
    decision: Decision
    reason: Reason
    pending: PendingWrite
    effects: Effects | None = None
    exchange: Exchange | None = None
    evidence: Evidence | None = None
    resolved: ResolvedOption | None = None
    convergence: Convergence | None = None
    thresholds: Thresholds | None = None
    samples: tuple[Sample, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    backend: str | None = None
    model: str | None = None
    mode: str = "enforce"
    detail: str = ""
    ends_turn: bool = False
    overrides: bool = False
    duration_ms: int = 0
    at: float = 0.0
    notes: tuple[str, ...] = ()
    told: str = ""
    """What the person is shown of a block, beside `detail`, the reason that the agent is given."""
    shown: str = ""
    """The same where the call ran all the same, and nothing was shown; not kept."""
    prompt: str = ""
    """The fingerprint of what the readers were told besides the evidence; empty where none judged."""
