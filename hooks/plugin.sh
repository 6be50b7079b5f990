#!/bin/sh
# The plugin's hook: runs the interpreter that `compass init` recorded. POSIX sh, no dependency but coreutils.
# stdout carries the hook's one JSON object or nothing; the hook table blocks on failure, so an open policy
# must turn a failure into silence here.
event=${1:-}

# A project's settings may set ONLOOKER_DIR: a folder inside of the project is not the user's own.
folder=${ONLOOKER_DIR:-}
case $folder in
  "" | [!/]*) folder= ;;
  *)
    project=${CLAUDE_PROJECT_DIR:-$PWD}
    if [ "$project" != "${HOME:-}" ]; then
      case $folder/ in "$project"/*) folder= ;; esac
    fi
    ;;
esac
record=$folder/compass/interpreter
[ -n "$folder" ] && [ -f "$record" ] || record=${HOME:-}/.onlooker/compass/interpreter

silent() {
  # Reading the payload to its end spares the client a broken pipe.
  cat >/dev/null
  exit 0
}

interpreter= script= policy=
[ -f "$record" ] || silent
{
  IFS= read -r interpreter
  IFS= read -r script
  IFS= read -r policy
} <"$record"
export COMPASS_VIA_PLUGIN=1

if [ -f "$interpreter" ] && [ -x "$interpreter" ] && [ -f "$script" ]; then
  [ "$policy" = closed ] && exec "$interpreter" -I -S "$script" hook "$event"
  answer=$("$interpreter" -I -S "$script" hook "$event") || exit 0
  [ -z "$answer" ] || printf '%s\n' "$answer"
  exit 0
fi

[ "$policy" = closed ] && [ "$event" = pre-tool-use ] || silent
cat >/dev/null
named=$(printf %s "$record" | tr -d '[:cntrl:]' | sed 's/[\\"]/\\&/g')
printf '%s%s%s\n' \
  '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "Compass could not run: the Python that it was installed with is gone, and its error policy is closed. Nothing was written, and this is no judgement of the request. The way out, in a terminal: install Compass again and run `compass init --plugin` in the project, or delete ' \
  "$named" \
  ' to switch the plugin off."}}'
