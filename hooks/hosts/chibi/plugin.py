"""The text of chibi's plugin: an executable for sh, whole and our own. Pure.

chibi runs it with `--schema` to learn its hooks, and then once a hook, named by CHIBI_HOOK, with the payload on stdin.
A bad exit would let the call run, so where the policy is closed a program that fails is answered by a denial here.
"""

from __future__ import annotations

import json
import shlex

from hooks.hosts.chibi.tools import LATER, NEVER_WRITES, SHELL
from hooks.wiring import Wiring, hook_command

HOOKS = {
    "on_start": "session-start",
    "pre_message": "user-prompt-submit",
    "pre_tool": "pre-tool-use",
    "pre_file_write": "pre-tool-use",
    "pre_shell_exec": "pre-tool-use",
    "post_tool": "post-tool-use",
    "on_end": "session-end",
}
"""{chibi's hook: Compass's word}; a `post_tool` whose result tells of an error is post-tool-use-failure."""
SCHEMA: dict[str, object] = {
    "name": "compass",
    "description": "Compass holds back writes that the request does not settle. It is no tool: do not call it.",
    "parameters": {"type": "object", "properties": {}},
    "hooks": list(HOOKS),
}
REFUSAL: str = (
    "Compass could not check this call: its program is missing or failed, and its error policy is closed. Nothing was "
    "written, and this is no judgement of the request. In a terminal, compass doctor --host chibi says more; compass "
    "init --host chibi --uninstall takes the gate out."
)

_TEXT = r"""#!/bin/sh
# Compass for chibi, written by `compass init --host chibi`: init writes it anew, `init --uninstall` takes it out.
if [ "$1" = --schema ]; then
  printf '%s\n' @SCHEMA@
  exit 0
fi
# chibi says nothing of a session: its process is the session, by number and start.
if read -r stat 2>/dev/null < "/proc/$PPID/stat"; then
  set -- ${stat##*) }
  parent=$PPID-${20}
else
  parent=$PPID-$(ps -o lstart= -p "$PPID" 2>/dev/null | tr -c '[:alnum:]\n' -)
fi
CHIBI_PROJECT_ROOT=${CHIBI_PROJECT_ROOT:-$PWD}
export CHIBI_PROJECT_ROOT PWD
data=$(cat)
out=
ask() {
  out=$(printf '{"hook":"%s","parent":"%s","data":%s}' "$CHIBI_HOOK" "$parent" "${data:-null}" | "$@")
}
failed() {
  out=@REFUSED@
}
case $CHIBI_HOOK in
@CASES@
esac
[ -n "$out" ] || out='{}'
printf '%s\n' "$out"
"""
_ERRORS = "|".join(
    (
        *(f"""*'"result":"{word}'*""" for word in ("Error", "Permission denied", "permission denied")),
        r"""*'"exit_code\":'[!0]*""",
    )
)
"""Results of a call that failed, as chibi writes them: JSON without spaces, of a shell command as text in it."""


def plugin(wiring: Wiring) -> str:
    """The whole file."""
    cases = "\n".join(_case(hook, event, wiring) for hook, event in HOOKS.items())
    refused = shlex.quote(json.dumps(_refusal())) if wiring.blocks else ""
    schema = shlex.quote(json.dumps(SCHEMA))
    return _TEXT.replace("@SCHEMA@", schema).replace("@REFUSED@", refused).replace("@CASES@", cases)


def _case(hook: str, event: str, wiring: Wiring) -> str:
    asked = f"ask {_command(event, wiring)}"
    if hook == "pre_tool":
        # Keys are sorted, so the name of the tool ends the payload, and nothing in the arguments can pass for it.
        idle = "|".join(
            f"""*',"tool_name":"{name}"}}'""" for name in (*sorted(NEVER_WRITES - {LATER}), SHELL)
        )
        return f"  {hook}) case $data in\n    {idle}) ;;\n    *) {asked} || failed ;; esac ;;"
    if event == "pre-tool-use":
        return f"  {hook}) {asked} || failed ;;"
    if event == "post-tool-use":
        error = f"ask {_command('post-tool-use-failure', wiring)}"
        return f"  {hook}) case $data in\n    {_ERRORS}) {error} ;;\n    *) {asked} ;; esac || out= ;;"
    return f"  {hook}) {asked} || out= ;;"


def _command(event: str, wiring: Wiring) -> str:
    return hook_command(wiring.interpreter, wiring.script, event, wiring.said)


def _refusal() -> dict[str, object]:
    return {"denied": True, "reason": REFUSAL, "block": True, "message": REFUSAL}
