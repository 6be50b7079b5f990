#!/bin/sh
# Compass for chibi, written by `compass init --host chibi`: init writes it anew, `init --uninstall` takes it out.
if [ "$1" = --schema ]; then
  cat <<'JSON'
{"name": "compass",
 "description": "Compass holds writes that the request does not clearly ask for. It is not a tool: do not call it.",
 "parameters": {"type": "object", "properties": {}},
 "hooks": ["on_start", "pre_message", "pre_tool", "pre_file_write", "pre_shell_exec", "post_tool", "on_end"]}
JSON
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
  out=$(printf '{"hook":"%s","parent":"%s","data":%s}' "$CHIBI_HOOK" "$parent" "${data:-null}" | @HOOK@ "$1" @SAID@)
}
# What the policy says where the program is missing or fails. A denial is `denied` to one kind of hook, `block` to the other.
failed() {
  out=
  said="Compass could not check this call: its program is missing or failed, and its error policy is closed. Nothing \
was written, and this is not a judgement of the request. In a terminal, compass doctor --host chibi shows more; compass \
init --host chibi --uninstall removes the gate."
  [ @CLOSED@ ] && out=$(printf '{"denied": true, "reason": "%s", "block": true, "message": "%s"}' "$said" "$said")
}
case $CHIBI_HOOK in
  on_start) ask session-start || out= ;;
  pre_message) ask user-prompt-submit || out= ;;
  # Keys are sorted, so the name of the tool ends the payload, and nothing in the arguments can pass for it.
  pre_tool) case $data in
    @IDLE@) ;;
    *) ask pre-tool-use || failed ;; esac ;;
  pre_file_write | pre_shell_exec) ask pre-tool-use || failed ;;
  # As chibi writes results: JSON without spaces, of a shell command as text in it.
  post_tool) case $data in
    @FAILED@ | *'"exit_code\":'[!0]*) ask post-tool-use-failure || out= ;;
    *) ask post-tool-use || out= ;; esac ;;
  on_end) ask session-end || out= ;;
esac
[ -n "$out" ] || out='{}'
printf '%s\n' "$out"
