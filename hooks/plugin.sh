#!/bin/sh
# The plugin's hook: runs the interpreter that `compass init` recorded. POSIX sh, no dependency but coreutils.
# stdout carries the hook's one JSON object or nothing; the hook table blocks on failure, so an open policy
# must turn a failure into silence here.
event=${1:-}

# The second copy of the record comes first: ONLOOKER_DIR, which a project's settings may set, does not move it,
# and it stays where the state is gone or cannot be read.
second=${HOME:-}/.config/compass/interpreter

# A folder inside of the project is not the user's own.
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
shut() { [ -d "$1" ] && ! [ -x "$1" ]; }

state=$folder/compass
if [ -z "$folder" ] || ! { [ -f "$state/interpreter" ] || shut "$state" || shut "$folder"; }; then
  state=${HOME:-}/.onlooker/compass
fi
record=$state/interpreter
[ -f "$second" ] && [ -r "$second" ] && record=$second

silent() {
  # Reading the payload to its end spares the client a broken pipe.
  cat >/dev/null
  exit 0
}

deny() {
  cat >/dev/null
  named=$(printf %s "$2" | tr -d '[:cntrl:]' | sed 's/[\\"]/\\&/g')
  printf '%s%s%s%s%s\n' \
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "Compass could not run: ' \
    "$1" ' Nothing was written, and this is no judgement of the request. ' "$3$named" '"}}'
  exit 0
}

interpreter= script= policy=
if ! [ -f "$record" ] || ! [ -r "$record" ]; then
  if [ -e "$record" ] || shut "$state" || shut "${state%/compass}"; then
    [ "$event" = pre-tool-use ] || silent
    deny 'its state cannot be read, and without its settings the error policy is closed.' "$state" \
      'The way out, in a terminal: make this folder readable to you again, chmod 700: '
  fi
  silent
fi
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
deny 'the Python that it was installed with is gone, and its error policy is closed.' "$record" \
  'The way out, in a terminal: install Compass again and run `compass init --plugin` in the project, or delete this file, and `interpreter` in the state folder, to switch the plugin off: '
