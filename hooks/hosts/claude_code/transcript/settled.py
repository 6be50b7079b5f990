"""What a user settled without a prompt: answers to AskUserQuestion, verdicts on ExitPlanMode plans."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.model import AnsweredQuestion
from evaluator.record import Record
from hooks.hosts.claude_code.transcript.untyped import mapping, sequence, string

PLAN_TOOL = "ExitPlanMode"
DELEGATING_TOOLS = frozenset({"Agent", "Task"})


class ToolUse(Record):
    """A call that proposes a plan or delegates a task; `text` is the plan or the task."""

    use_id: str
    name: str
    text: str


class ToolOutcome(Record):
    """How a call ended. `plan` is the plan as approved, `agent_id` and `task` those of a started agent."""

    use_id: str
    refused: bool
    plan: str = ""
    agent_id: str = ""
    task: str = ""


def tool_use(block: Mapping[str, object]) -> ToolUse | None:
    """None for every tool that settles nothing."""
    name = string(block.get("name"))
    given = mapping(block.get("input"))
    if name == PLAN_TOOL:
        return ToolUse(string(block.get("id")), name, string(given.get("plan")))
    if name in DELEGATING_TOOLS:
        return ToolUse(string(block.get("id")), name, string(given.get("prompt")))
    return None


def tool_outcome(block: Mapping[str, object], line: Mapping[str, object]) -> ToolOutcome:
    """From a `tool_result` block and the line that carries it."""
    result = mapping(line.get("toolUseResult"))
    launched = string(result.get("agentId"))
    return ToolOutcome(
        use_id=string(block.get("tool_use_id")),
        refused=block.get("is_error") is True or "toolDenialKind" in line,
        plan=string(result.get("plan")),
        agent_id=launched,
        task=string(result.get("prompt")) if launched else "",
    )


def answered_questions(line: Mapping[str, object]) -> tuple[AnsweredQuestion, ...]:
    """From `toolUseResult.questions` and `.answers`, as asked; without the unanswered ones."""
    result = mapping(line.get("toolUseResult"))
    answers = mapping(result.get("answers"))
    asked = [mapping(item) for item in sequence(result.get("questions"))]
    options = {string(item.get("question")): _labels(item) for item in asked}
    order = [*options, *(question for question in answers if question not in options)]
    found: list[AnsweredQuestion] = []
    for question in order:
        labels = options.get(question, ())
        chosen = _chosen(answers.get(question), labels)
        if question and chosen:
            found.append(AnsweredQuestion(string(question), labels, chosen))
    return tuple(found)


def _labels(question: Mapping[str, object]) -> tuple[str, ...]:
    labels = (string(mapping(option).get("label")) for option in sequence(question.get("options")))
    return tuple(label for label in labels if label)


def _chosen(answer: object, labels: tuple[str, ...]) -> tuple[str, ...]:
    listed = tuple(text for text in map(string, sequence(answer)) if text)
    return listed or _split_labels(string(answer).strip(), labels)


def _split_labels(answer: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Several chosen labels come joined by ", "; a label may itself hold a comma, free text comes last."""
    chosen: list[str] = []
    rest = answer
    while rest:
        fitting = [label for label in labels if rest == label or rest.startswith(label + ",")]
        taken = max(fitting, key=len, default=rest)
        chosen.append(taken)
        rest = rest[len(taken) :].lstrip(", ")
    return tuple(chosen)
