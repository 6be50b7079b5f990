"""What a person sees of a measurement: the plan and its question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from calibration.measurement.plan import CostPlan
from compass.install.consent import agrees, at_terminal
from evaluator.model import Evidence
from evaluator.record import values_of

if TYPE_CHECKING:
    from calibration.measurement.result import Result


class DeclinedError(RuntimeError):
    """Nothing was sent: nobody said yes."""


def plan_lines(plan: CostPlan) -> list[str]:
    checks = f"{plan.cases} cases, {plan.repeats} {'time' if plan.repeats == 1 else 'times'} each"
    kept = f" ({plan.kept} checks are kept from an interrupted run)" if plan.kept else ""
    lines = [
        f"Measures {checks}, by {plan.n} readers of {plan.backend} {plan.model}".rstrip() + kept + ".",
        f"Calls to make: {plan.calls}, of some {plan.input_tokens:,} input and {plan.output_tokens:,} output tokens.",
        f"Cost: {_cost(plan)}",
        f"Sent to {plan.address}:",
    ]
    lines += [f"  - {name}" for name in (*plan.leaves, "a digest of the case's id")]
    if "both ends of the text to be written" not in plan.leaves:
        lines.append("  File contents stay here.")
    return lines


def show_plan(plan: CostPlan, example: Evidence | None, *, sends: bool) -> None:
    if not sends:
        print(f"Judges {plan.cases} cases by rules in this process: nothing is sent, nothing costs.")
        return
    for line in plan_lines(plan):
        print(line)
    if example is not None:
        print("The first check's evidence, as it would be sent:")
        for name, value in values_of(example).items():
            if value not in ("", (), None):
                print(f"  {name}: {value}")
    print("Dry run: nothing was sent.")


def ask(plan: CostPlan, budget_left: float | None) -> None:
    """Shows the plan and asks. Raises DeclinedError for anything but a yes, and where nobody can be asked."""
    for line in plan_lines(plan):
        print(line, file=sys.stderr)
    if budget_left is not None:
        print(f"Of today's budget {budget_left:.2f} USD are left; the run stops there.", file=sys.stderr)
    if not at_terminal():
        raise DeclinedError("nothing was sent: there is no terminal to ask at; --yes agrees to the above")
    if not agrees("Send it?"):
        raise DeclinedError("nothing was sent")


def ask_to_set(found: Result) -> bool:
    """Asks whether shipped cases may set the project's thresholds; no where nobody can be asked."""
    from calibration.report.text import verdict

    print(
        "These cases are shipped with Compass, not this project's. Of what thresholds decide among them, and here that "
        f"may differ: {verdict(found).headline}",
        file=sys.stderr,
    )
    return at_terminal() and agrees("Set them for this project?")


def _cost(plan: CostPlan) -> str:
    if plan.usd is None or plan.usd_most is None:
        return f"not known, {plan.model or plan.backend} is in no price list."
    own = "A server of your own may differ."
    return f"some {plan.usd:.2f} USD, at most {plan.usd_most:.2f}, by list prices. {own}"
