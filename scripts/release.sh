#!/usr/bin/env bash
# Rehearses a release: builds all files from a clean clone of the current commit, unpacks
# the archive for this machine, and runs README's first kernel with it, as a new user
# would. Nothing is published. Options are those of tools/release.
#   bash scripts/release.sh [-out DIR] [-platforms linux/amd64,...] [-packages=false]
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/dist
if [ "${1:-}" = -out ]; then mkdir -p "$2"; out=$(cd "$2" && pwd); shift 2; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git clone -q --no-local . "$work/clone"
# A clone has the tags, but a snapshot must not depend on those of other commits.
(cd "$work/clone" && go run ./tools/release -out "$out" "$@")

echo "-- checksums"
(cd "$out" && sha256sum --quiet -c checksums.txt)
archive=$(ls "$out"/ptogo_*_"$(go env GOOS)_$(go env GOARCH)".tar.gz 2>/dev/null || true)
if [ -n "$archive" ]; then
  echo "-- $(basename "$archive"), used once"
  mkdir "$work/user"
  tar -xzf "$archive" -C "$work/user"
  cd "$work/user"/*
  for tool in pto-run pto-opt pto-reduce pto-lsp-server pto-mcp; do ./$tool --version; done
  # README's first command, with the program in place of "go run ."
  eval "$(sed -n 's/^go run \. examples/.\/pto-run examples/p' README.md | head -1)" | tee "$work/printed"
  grep -q '8187  8189  8191' "$work/printed"
fi
echo "-- files"
(cd "$out" && find . -type f -printf '%s %P\n' | sort -k2)
