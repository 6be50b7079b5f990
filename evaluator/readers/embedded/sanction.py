"""Do the user's own words order what a call destroys, and name all of it? Pure; one answer for every judge.

What counts as the user's word: what they typed (not what they pasted, unless they hand it over to be run), the option
or answer that they chose, the plan that they approved, and a proposal that they took up: choosing is saying, as long as
the chosen or proposed text itself orders the destruction and names the target, so that both stood before the user's
eyes. Nothing else does: not what the agent told, not a log, and not the task of a subagent, which can only forbid.

An order is a sentence that has the shape of one (`imperatives`). A prohibition, a condition, a question, a review, a
tale of the past or a mere mention has not, and neither has what nobody listed: then the call is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluator.model import Effect, Subject
from evaluator.readers.embedded import intent, orders, words
from evaluator.readers.embedded.change import Change, Target, target_of
from evaluator.readers.embedded.clauses import UNUSED, UNWANTED, Clause, clauses_of
from evaluator.readers.embedded.imperatives import (
    CHANGES,
    CLOSING,
    CONDITION,
    FORCE,
    INSIDE,
    LEAD,
    NO_ORDER,
    OPENING,
    OWNING,
    PLAIN_WORDS,
    POLITE,
    STOPPING,
    TAKEN,
    Kind,
)
from evaluator.readers.embedded.signals import Heard
from evaluator.readers.embedded.views import REQUEST_CHARS, VERDICT, Views

WANTED: dict[str, tuple[Kind, ...]] = {
    "delete": ("delete",),
    "move": ("move",),
    "vcs": ("delete", "undo"),
    "unknown": ("delete", "move", "undo"),
}
KINDS: tuple[Kind, ...] = ("delete", "move", "undo", "run")
ALSO = re.compile(r"\s*(?:并且?|然后|接着|再)(?=\S)")
"""Begins another order in Chinese."""
QUOTATION = re.compile(r"```.*?(?:```|$)|[\"“„«](?=[^\"”“»]*\s)[^\"”“»]{20,}[\"”“»]", re.DOTALL)
SPELLED = re.compile(r"[/._*@~-]|\d")
"""A name with one of these is no ordinary word."""
FOLLOWED = re.compile(r"[`'\"]?[/]?\s*(?:$|[^\w\s]|[^\x00-\x7f])|[`'\"/]*\s+([a-z]+)")
SIMPLE_COMMAND = re.compile(r"&&|\|\||[;|\n]")
QUOTES = re.compile(r"[`'\"]")
WORDS_OF_COMMANDS = frozenset(
    """git docker kubectl terraform psql mysql sqlite3 redis-cli aws s3 rm rmdir mv branch push reset stash drop volume table
    database schema index view truncate delete destroy container namespace pod tag remote clean restore checkout system
    image network if exists cascade sudo find exec compose down prune workspace filter-repo force"""
    .split()
)  # fmt: skip
"""Words of a command that say what is done, not what to."""
HARMLESS = frozenset("cd echo printf ls pwd true cat sleep set".split())  # noqa: SIM905
YES_FLAGS = frozenset(
    "-y --yes -auto-approve --auto-approve -q --quiet -v --verbose -c -e -n -h -u -p -d -t -f -r -rf -fr --recursive".split()  # noqa: SIM905
)
SEVERE_FLAGS = re.compile(r"(?:^|\s)(?:--force\S*|push\s.*-f\b|--hard|--mirror|--all|-a\b|--volumes)")
RESTORES = re.compile(r"^git\s+(?:reset\s+--hard(?:\s+head)?|checkout\s+(?:--\s+)?\.|restore\s+\.)\s*$")
MANY = 40
SPARING = ("forbids", "spare", "negator")
DEFAULT_REMOTE = "origin"


@dataclass(frozen=True, slots=True)
class Said:
    """One order: what it asks for, its words (lower case), and what it names beside them.

    `points`: its object stands elsewhere in the same text ("delete them").
    """

    kinds: frozenset[Kind]
    text: str
    points: bool


def sanctioned(subject: Subject, change: Change, heard: Heard, views: Views) -> bool:
    """Whether every destructive effect of the call is ordered, and its target named, by the user's own words."""
    effects = subject.effects
    each = [one for one in effects.each if one.operation_class == "destructive"]
    if not each:
        each = [Effect(effects.operation, "destructive", target) for target in effects.targets or ("",)]
    project = subject.pending.project_dir
    if len(each) > MANY or _held_back(subject, each):
        return False
    voices = list(_voices(subject, change, heard, views))
    return any(all(_backs(voice, one, change, project) for one in each) for voice in voices)


def _backs(said: Sequence[Said], effect: Effect, change: Change, project: str) -> bool:
    wanted = WANTED.get(effect.operation, ("delete", "undo"))
    if any(_runs(one, change.command) for one in said):
        return True
    fitting = [one for one in said if one.kinds & set(wanted)]
    if not effect.target:
        return any(_names_command(one, change.command) for one in fitting)
    target = target_of(effect.target, project)
    moving = effect.operation in ("move", "vcs")
    if effect.operation == "vcs" and target.path == ".":
        return any(CHANGES.search(one.text) for one in fitting)
    if any(_names(one.text, target, moving=moving or one.points) for one in fitting):
        return True
    return effect.operation == "move" and _is_place(target, fitting)


def _is_place(target: Target, said: Sequence[Said]) -> bool:
    """Whether a file is to be moved into a folder under its own name."""
    folder = target.path.rpartition("/")[0]
    return bool(folder) and any(
        _named(one.text, folder, moving=True) and _named(one.text, target.base, moving=True) for one in said
    )


def _voices(subject: Subject, change: Change, heard: Heard, views: Views) -> Iterator[list[Said]]:
    """Each text that speaks for the user, as the orders in it."""
    yield list(_own(subject, change))
    chosen = [*heard.pick.chosen, *(subject.resolved.labels if subject.resolved else ())]
    asked = [asked.question for asked in subject.exchange.questions if asked.answers]
    answers = [answer for asked in subject.exchange.questions for answer in asked.answers]
    plans = [plan.text for plan in subject.exchange.plans if plan.approved]
    if answers:
        yield list(_settled("\n".join(asked), answers))
    for text in (*chosen, *plans):
        yield list(_orders(_lower(text), asking=True))
    if orders.is_taken_up(views.request.text, heard):
        yield list(_proposed(subject, change, heard))


def _own(subject: Subject, change: Change) -> Iterator[Said]:
    for message in subject.exchange.request:
        typed = "\n".join(line for line in message[:REQUEST_CHARS].split("\n") if not VERDICT.search(line))
        own, pasted = orders.parted(typed)
        text = _lower(QUOTATION.sub(" … ", own))
        clauses = clauses_of(text)
        yield from _orders(text, beside=pasted)
        if any(map(orders.hands_over, clauses)) and any(
            _spelled(line) == _spelled(change.command) for line in pasted.split("\n")
        ):
            yield Said(frozenset(("run",)), _lower(change.command), points=False)


def _settled(question: str, answers: Iterable[str]) -> Iterator[Said]:
    """A question of the agent with the labels that the user chose: it may order, they may name, or they do both."""
    texts = [_lower(answer) for answer in answers]
    for text in texts:
        yield from _orders(text, asking=True)
    if any(NO_ORDER.search(UNWANTED.sub(" ", UNUSED.sub(" ", text))) for text in texts):
        return
    for one in _orders(_lower(question), asking=True):
        yield Said(one.kinds, "\n".join(texts), points=False)


def _proposed(subject: Subject, change: Change, heard: Heard) -> Iterator[Said]:
    """The agent's last question or offer, where it is for this; what it points at stands in its last sentences."""
    found = orders.proposal(subject, change, heard)
    if not found.text.strip():
        return
    kinds = frozenset(WANTED.get(subject.effects.operation, ("delete", "undo")))
    yield Said(kinds, _lower(found.text), points=True)
    if "`" in found.text:
        yield Said(frozenset(("run",)), _lower(found.text), points=False)


def _orders(text: str, *, beside: str = "", asking: bool = False) -> Iterator[Said]:
    """The orders in a text. `asking`: questions count too, for it is the agent who asks. `beside` is pointed at."""
    clauses = clauses_of(text)
    plain = "\n".join(clause.text for clause in clauses if not NO_ORDER.search(_wanted_gone(clause.text)))
    held, listed = -1, False
    for at, clause in enumerate(clauses):
        if CONDITION.search(clause.text) and not asking:
            held = clause.sentence
        if _announces(clause, text) and NO_ORDER.search(_wanted_gone(clause.text)):
            listed = True
        elif clause.line != clauses[at - 1].line and not clause.item:
            listed = at > 0 and listed and _announces(clauses[at - 1], text)
        if clause.sentence == held or listed:
            continue
        for one in _of_clause(clause, asking=asking):
            if not one.points:
                yield one
            elif at or beside:
                yield Said(one.kinds, f"{plain}\n{_lower(beside)}", points=True)
            else:
                yield Said(one.kinds, plain, points=True)
        if _is_continued(clauses, at):
            yield from _listed(clauses, at, asking=asking)


def _announces(clause: Clause, text: str) -> bool:
    """Whether a colon follows: what stands below belongs to the clause ("never do this:")."""
    return f"{clause.text}:" in text or f"{clause.text}：" in text


def _is_continued(clauses: Sequence[Clause], at: int) -> bool:
    return at + 1 < len(clauses) and (
        clauses[at + 1].sentence == clauses[at].sentence or clauses[at + 1].item
    )


def _listed(clauses: Sequence[Clause], at: int, *, asking: bool) -> Iterator[Said]:
    """An order whose objects go on over commas or list items, up to the next clause that says something of its own."""
    kinds = frozenset[Kind]().union(*(one.kinds for one in _of_clause(clauses[at], asking=asking)))
    if not kinds:
        return
    for clause in clauses[at + 1 :]:
        if clause.sentence != clauses[at].sentence and not clause.item:
            return
        parts = _parts(clause.text)
        for part in parts:
            if not _is_bare_list(part):
                return
            yield Said(kinds, part, points=False)


def _is_bare_list(part: str) -> bool:
    """Whether names and words for sorts of things are all that a part of a sentence holds."""
    said = [word for word in re.findall(r"[^\s,;`'\"()]+", part) if not SPELLED.search(word.strip(".,:;!?"))]
    return bool(part.strip()) and all(word.strip(".:!?") in PLAIN_WORDS for word in said)


def _of_clause(clause: Clause, *, asking: bool) -> list[Said]:
    text = clause.text
    if clause.question and not asking and not POLITE.search(text):
        return []
    found: list[Said] = []
    last: frozenset[Kind] = frozenset()
    for part in _parts(text):
        if NO_ORDER.search(_wanted_gone(_without_modal(part) if asking or POLITE.search(part) else part)):
            break
        kinds = _kinds(part)
        if not kinds and last and _is_bare_list(part):
            kinds = last
        last = kinds
        if kinds:
            found.append(Said(kinds, part, points=_points(part)))
    return found


def _parts(text: str) -> list[str]:
    return [part for piece in orders.COORDINATED.split(text) for part in ALSO.split(piece) if part.strip()]


def _wanted_gone(text: str) -> str:
    """Without what speaks for taking a thing away ("no longer needed", "nothing imports it")."""
    return UNUSED.sub(" ", UNWANTED.sub(" ", text))


def _without_modal(text: str) -> str:
    """Without the words that make an order polite, or a question of the agent one about doing it."""
    return re.sub(
        r"\b(?:should|would|could|shall|can|may|soll(?:en)?|sollte|dois|devrais|debo|devo)\b|是否|要不要|能不能|吗|呢|ません",
        " ",
        text,
    )


def _kinds(part: str) -> frozenset[Kind]:
    lead = LEAD.match(part)
    rest = part[lead.end() :] if lead else part
    taken = TAKEN.search(part)
    found = {kind for kind in KINDS if OPENING[kind].match(rest)}
    found |= {kind for kind in KINDS if CLOSING[kind].search(part)}
    if taken is not None:
        found |= {kind for kind in KINDS if OPENING[kind].match(part[taken.end() :].lstrip())}
    return frozenset(found)


def _points(part: str) -> bool:
    """Whether the order names nothing by itself, and a word stands for what it is about ("delete both files")."""
    if SPELLED.search(part):
        return False
    lead = LEAD.match(part)
    rest = part[lead.end() :] if lead else part
    for kind in KINDS:
        rest = CLOSING[kind].sub(" ", rest, count=1)
        opening = OPENING[kind].match(rest)
        rest = rest[opening.end() :] if opening else rest
    said = words.split(rest)
    pointing = words.CUES.of(f" {' '.join(said)} ", said, rest)
    known = {*pointing.get("pronoun", ()), *pointing.get("plural", ())}
    alone = all(word in known or word in PLAIN_WORDS or word in words.STOP for word in said)
    return bool(known) and (alone or words.UNSPACED.search(rest) is not None)


def _names(text: str, target: Target, *, moving: bool) -> bool:
    """Whether a text names a target, or a folder that holds it, as what its order is about."""
    parts = target.path.split("/")
    for end in range(len(parts), 0, -1):
        if any(_named(text, "/".join(parts[start:end]), moving=moving) for start in range(end)):
            return True
    name, dot, _ = target.base.partition(".")
    return bool(dot and len(name) > 2 and SPELLED.search(name.replace("_", "-"))) and _named(
        text, name, moving=moving
    )


def _named(text: str, name: str, *, moving: bool) -> bool:
    name = name.lower()
    if not name.strip("./") or name in words.STOP:
        return False
    spelled = SPELLED.search(name) is not None
    for found in re.finditer(rf"(?<![a-z0-9_@~+*/.-])(?:\./)?{re.escape(name)}(?![a-z0-9_*-]|/[^\s,;`'\")]|\.[a-z0-9])", text):
        before, after = text[: found.start()], text[found.end() :]
        if not spelled and not _ends_object(after):
            continue
        if moving or not _is_elsewhere(before, after):
            return True
    return False


def _ends_object(after: str) -> bool:
    """Whether an ordinary word ends what the order is about ("delete the build logs" is not about `build`)."""
    found = FOLLOWED.match(after)
    return found is not None and (found.group(1) is None or found.group(1) in PLAIN_WORDS or found.group(1) in words.STOP)


def _is_elsewhere(before: str, after: str) -> bool:
    """Whether a name only tells where the thing is that the order is about."""
    if OWNING.match(after):
        return True
    line = before.rpartition("\n")[2]
    inside = INSIDE.search(re.sub(r"get rid of\s", "get_rid ", line))
    if inside is None:
        return False
    lead = LEAD.match(line)
    said = line[lead.end() if lead else 0 : inside.start()]
    for kind in KINDS:
        verb = OPENING[kind].match(said)
        if verb is not None:
            said = said[verb.end() :]
            break
    rest = f"{said} {_until_verb(after)}"
    return any(word.strip(".,:;`'\"()") not in PLAIN_WORDS for word in rest.split())


def _until_verb(after: str) -> str:
    """What follows a name up to a verb that closes the sentence, if one does."""
    for kind in KINDS:
        closing = CLOSING[kind].search(after)
        if closing is not None:
            return after[: closing.start() + 1]
    return ""


def _lower(text: str) -> str:
    return words.normalise(text, REQUEST_CHARS).lower()


def _spelled(command: str) -> str:
    return " ".join(QUOTES.sub(" ", command).lower().split())


def _simple(command: str) -> list[str]:
    """The simple commands that matter, spelled without quotes."""
    parts = [_spelled(part) for part in SIMPLE_COMMAND.split(command)]
    return [part for part in parts if part and part.split()[0] not in HARMLESS]


def _runs(said: Said, command: str) -> bool:
    """Whether an order spells the command itself: each of its words in their order, and the flags that make it severe."""
    if "run" not in said.kinds and not (said.kinds & {"delete", "undo"}):
        return False
    text = f" {_spelled(said.text)} "
    parts = _simple(command)
    return bool(parts) and all(_spells(text, part) for part in parts)


def _spells(text: str, part: str) -> bool:
    """`text` spells a simple command of at least two words."""
    if SEVERE_FLAGS.search(part) and not all(flag in text for flag in part.split() if flag.startswith("--")):
        return False
    whole = [word for word in part.split() if not word.startswith("-")]
    flags = [word for word in part.split() if word.startswith("-")]
    if len(whole) < 2 or any(flag not in YES_FLAGS and f" {flag} " not in text for flag in flags):
        return False
    between = r"(?:\s+-\S+)*\s+"
    found = re.search(
        rf"(?<![\w./-]){between.join(map(re.escape, whole))}(?![\w/~^*@-]|\.\w)", text
    )  # fmt: skip
    return found is not None


def _names_command(said: Said, command: str) -> bool:
    """Whether an order names all that a command without a target acts on."""
    return bool(_simple(command)) and all(_acts_on_named(said.text, part) for part in _simple(command))


def _acts_on_named(text: str, part: str) -> bool:
    if RESTORES.match(part):
        return CHANGES.search(text) is not None
    if re.search(r"\bpush\b.*(?:--force|\s-f\b)", part) and not FORCE.search(text):
        return False
    if re.search(r"\bdelete\s+from\b", part):
        return False
    operands = [
        word.strip("=,()")
        for word in part.split()
        if not word.startswith("-") and word.strip("=,()") not in (*WORDS_OF_COMMANDS, DEFAULT_REMOTE)
    ]
    if any(flag for flag in part.split() if flag.startswith("-") and "=" in flag and flag.partition("=")[2] not in text):
        return False
    return bool(operands) and all(_named(text, word, moving=True) for word in operands)


def _held_back(subject: Subject, each: Sequence[Effect]) -> bool:
    """Whether a later message takes it back, or a word of the user or of the subagent's task spares what would go."""
    messages = subject.exchange.request
    if len(messages) > 1 and STOPPING.match(_lower(messages[-1])):
        return True
    project = subject.pending.project_dir
    paths = [target_of(one.target, project).path.lower() for one in each if one.target]
    own = "\n".join(orders.parted(message[:REQUEST_CHARS])[0] for message in messages)
    for clause in clauses_of(_lower(intent.PASTED.sub(" … ", own))):
        if (clause.against in SPARING or orders.KEPT.search(clause.text)) and _spares(clause, paths):
            return True
    task = clauses_of(_lower(subject.exchange.delegated_task))
    return any(
        clause.against in SPARING
        and (_spares(clause, paths) or bool({"delete", "move"} & words.ACTIONS.of(
            f" {' '.join(clause.words)} ", list(clause.words), clause.text
        ).keys()))
        for clause in task
    )  # fmt: skip


def _spares(clause: Clause, paths: Sequence[str]) -> bool:
    """Whether a clause that speaks against something names a target or what lies in one."""
    if _wanted_gone(clause.text) != clause.text:
        return False
    named = [name.strip("`'\"./") for name in re.findall(r"[a-z0-9_@~+*./-]*[/._][a-z0-9_@~+*/.-]+", clause.text)]
    return any(name and (name == path or name.startswith(f"{path}/")) for name in named for path in paths)
