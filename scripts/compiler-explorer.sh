#!/usr/bin/env bash
# Tests PTO in Compiler Explorer: adds PTO to a clone of its public repository, starts its
# node application, and compares what its API returns for examples with the output of the
# tools. The clone must have its node modules (npm ci) and node 22.22 or newer.
#   bash scripts/compiler-explorer.sh CLONE
set -euo pipefail
cd "$(dirname "$0")/.."
clone=$(cd "${1:?"the folder of a clone of Compiler Explorer is missing"}" && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT

CGO_ENABLED=0 go build -o "$work/bin/" ./cmd/pto-opt ./cmd/pto-run
node editors/compiler-explorer/install.mjs "$clone" "$work/bin"
port=$((20000 + RANDOM % 20000))
(cd "$clone" && exec env NODE_ENV=LOCAL node --no-warnings=ExperimentalWarning --import=tsx app.ts --language pto \
  --host 127.0.0.1 --port "$port") >"$work/log" 2>&1 &
server=$!
until grep -q 'Listening on' "$work/log"; do
  kill -0 "$server" 2>/dev/null || { tail -5 "$work/log"; exit 1; }
  sleep 1
done
node editors/compiler-explorer/check.mjs "http://127.0.0.1:$port" "$work/bin"
