#!/bin/sh
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
