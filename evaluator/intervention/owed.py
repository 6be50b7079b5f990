"""What was told of a subagent's call, where no person reads it: owed until the session's own agent has the word."""

from __future__ import annotations

from evaluator.record import Record


class Owed(Record):
    """`person` and `agent` as they were told; `held`: a question, so void once that is settled."""

    person: str
    agent: str
    held: bool = True


NOTHING = Owed("", "", held=False)


def joined(owed: tuple[Owed, ...], *, waits: bool) -> Owed:
    """All that is still to be told, as one; `waits` tells whether something is held back that was not told since.

    Of several questions the newest counts: its numbers are those that are answered.
    """
    left = [one for one in owed if not one.held]
    left += [one for one in owed if one.held][-1:] if waits else []
    if not left:
        return NOTHING
    return Owed(
        "\n".join(dict.fromkeys(one.person for one in left)),
        "\n".join(dict.fromkeys(one.agent for one in left if one.agent)),
        any(one.held for one in left),
    )
