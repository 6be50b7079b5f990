"""What an installation means, in plain lines: read after its diff, before the yes to it."""

from __future__ import annotations

from compass.install.site import InstallPlan, Site
from evaluator.readers.kinds.kind import kind_of, label_of
from hooks import registry


def meaning(site: Site, plan: InstallPlan, *, reader: bool = True) -> list[str]:
    """A line each. `reader` False: who reads is still to be asked."""
    named = f" --host {site.host.NAME}" if registry.named(site.host) else ""
    lines = [f"In short: these changes turn Compass on for {site.host.TITLE} ({plan.scope} scope)."]
    if plan.mode == "observe":
        lines.append(
            "- Nothing is blocked (mode observe): `compass status` shows what would have been held, "
            f"`compass init{named} --enforce` holds it."
        )
    else:
        lines.append(
            "- Writes that fail their check are held, and you are asked (mode enforce); "
            f"`compass init{named} --observe` only records."
        )
    if reader:
        lines.append(f"- Who reads: {label_of(plan.backend)} ({kind_of(plan.backend).about}).")
    lines.append(f"- `compass init{named} --uninstall` takes out exactly what is put in.")
    return lines
