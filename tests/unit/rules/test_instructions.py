"""Lines of instruction files: a heading that forbids counts for what stands below it."""

from __future__ import annotations

from evaluator.rules.clauses import lines_in
from evaluator.rules.message import bans_of_line

FILE = """
# Shop

```
never commit
```
## Off limits
- infra/state
- **packages/client/generated**

## Do / Don't
- DO run the linter

## Never
- commit to main

Do not touch:
1. db/schema.sql
It is generated, see docs/schema.md

## Layout
- src/api: the server
"""


def test_a_heading_that_forbids_is_said_of_each_line_below_it_and_of_no_other() -> None:
    forbidden = [(ban.sort, ban.names, ban.acts) for line in lines_in(FILE) for ban in bans_of_line(line)]
    assert forbidden == [
        ("thing", ("infra/state",), ()),
        ("thing", ("packages/client/generated",), ()),
        ("act", (), ("commit",)),
        ("thing", ("db/schema.sql",), ()),
    ]
    assert "never commit" not in lines_in(FILE)
    assert "Off limits: infra/state" in lines_in(FILE), "as it is said back"
