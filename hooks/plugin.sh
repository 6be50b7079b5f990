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

json() { printf %s "$1" | tr -d '[:cntrl:]' | sed 's/[\\"]/\\&/g'; }

# What is wrong, and the two lines that mend it.
tell() {
  cat >/dev/null
  printf '{"systemMessage": "%s In a terminal:\\n  %s\\n  compass init --plugin     (in your project)"}\n' \
    "$(json "$1")" "$(json "$(installing)")"
  exit 0
}

# Where a client keeps the plugin's whole checkout, the program is installed from there.
installing() {
  root=$(cd "$(dirname "$0")/.." 2>/dev/null && pwd) || root=
  if [ -n "$root" ] && [ -f "$root/pyproject.toml" ]; then
    root="'$(printf %s "$root" | sed "s/'/'\\\\''/g")'"
  else
    root='FOLDER (your checkout of Compass)'
  fi
  if ! command -v pipx >/dev/null 2>&1 && command -v uv >/dev/null 2>&1; then
    printf 'uv tool install %s' "$root"
  else
    printf 'pipx install %s' "$root"
  fi
}

deny() {
  cat >/dev/null
  named=$(json "$2")
  printf '%s%s%s%s%s\n' \
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "Compass could not run: ' \
    "$1" ' Nothing was written, and this is not a judgement of the request. ' "$3$named" '"}}'
  exit 0
}

interpreter= script= policy=
if ! [ -f "$record" ] || ! [ -r "$record" ]; then
  if [ -e "$record" ] || shut "$state" || shut "${state%/compass}"; then
    [ "$event" = pre-tool-use ] || silent
    deny 'its state cannot be read, and without its settings the error policy is closed.' "$state" \
      'To fix this, make this folder readable to you again in a terminal, with chmod 700: '
  fi
  # No `compass init` has run on this machine: nothing is decided, and a program that is there is the user's to set up.
  [ "$event" = session-start ] || silent
  ! command -v compass >/dev/null 2>&1 && ! [ -x "${HOME:-}/.local/bin/compass" ] || silent
  tell 'Compass: the plugin is installed, but its program `compass` is not, so no write is checked or held.'
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

if [ "$event" = session-start ]; then
  does='writes pass unchecked, as its error policy is open'
  [ "$policy" = closed ] && does='every write is blocked, as its error policy is closed'
  tell "Compass: the Python that it was installed with is gone ($interpreter); $does."
fi
[ "$policy" = closed ] && [ "$event" = pre-tool-use ] || silent
deny 'the Python that it was installed with is gone, and its error policy is closed.' "$record" \
  'To fix this, in a terminal, install Compass again and run `compass init --plugin` in the project. To turn the plugin off instead, delete `interpreter` in the state folder and this file: '
