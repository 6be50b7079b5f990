#!/usr/bin/env bash
# What action.yml runs: its inputs, as variables, become the words of `compass calibrate --check`. Ends with its exit code.
set -euo pipefail

words=(calibrate --check --yes --baseline "$BASELINE" --summary "${SUMMARY:-$GITHUB_STEP_SUMMARY}")
[[ -z ${BACKEND:-} ]] || words+=(--backend "$BACKEND")

# One path a line; blanks around it, as a block of YAML brings them, are not part of it.
files=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  [[ -z $line ]] || files+=("$line")
done <<< "${CASES:-}"
if (( ${#files[@]} )); then words+=(--cases "${files[@]}"); fi

code=0
"$PROGRAM" "${words[@]}" || code=$?

case $code in
  0) drift=false ;;
  1) drift=true; echo "::error title=Compass::The readers have moved since the baseline was made." ;;
  *) drift=; echo "::error title=Compass::It could not be told whether the readers have moved (exit code $code)." ;;
esac
{ echo "drift=$drift"; echo "exit-code=$code"; } >> "$GITHUB_OUTPUT"
exit "$code"
