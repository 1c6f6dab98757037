#!/usr/bin/env bash
# Validates the SARIF logs of the tools against the schema of SARIF 2.1.0: a log without
# results, one with rules and fixes, one of a fault, and one of a wrong command line.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

CGO_ENABLED=0 go build -o "$dir/" ./cmd/pto-opt ./cmd/pto-run
sed 's/pto\.tdivs /pto.tdivss /; s/func\.func @/func.func /' examples/divide.pto >"$dir/names.pto"

# The exit codes are those of wrong programs, which is the point.
"$dir/pto-opt" --diagnostics=sarif examples/divide.pto -o /dev/null 2>"$dir/none.sarif"
"$dir/pto-opt" --diagnostics=sarif "$dir/names.pto" 2>"$dir/names.sarif" && exit 1
"$dir/pto-run" --diagnostics=sarif test/lit/tools/diagnostics.pto --arg rand=4x4xf32 --arg 2.0 --check=all 2>"$dir/fault.sarif" && exit 1
"$dir/pto-run" --diagnostics=sarif test/lit/tools/diagnostics.pto 2>"$dir/usage.sarif" && exit 1
grep -q '"fixes"' "$dir/names.sarif"

(cd tools/sarifcheck && GOFLAGS=-mod=mod go build -o "$dir/sarifcheck" .)
"$dir/sarifcheck" "$dir"/*.sarif
echo "4 SARIF logs are valid"
