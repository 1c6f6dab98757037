#!/usr/bin/env bash
# The step of action.yml: checks the files and folders in FILES for the profile ARCH and
# writes annotations. VERIFY_SYNC is the word of --verify-sync. ACTION is the folder of
# this project.
set -euo pipefail

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
(cd "$ACTION" && CGO_ENABLED=0 go build -o "$tools/" ./cmd/pto-opt)

read -r -d '' -a files <<<"${FILES:-.}" || true # names are separated by spaces or by line breaks
programs=()
for f in "${files[@]}"; do
  if [ -d "$f" ]; then
    while IFS= read -r -d '' p; do programs+=("$p"); done < <(find "$f" -name '*.pto' -type f -not -path '*/.*' -print0 | sort -z)
  else
    programs+=("$f")
  fi
done
if [ ${#programs[@]} = 0 ]; then
  echo "::warning::no .pto files in ${files[*]}"
  exit 0
fi
"$tools/pto-opt" --diagnostics=github --pto-arch="${ARCH:-}" --verify-sync="${VERIFY_SYNC:-false}" -o /dev/null "${programs[@]}"
