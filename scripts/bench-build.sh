#!/bin/bash
# Measures the first build of a tool on a new machine: an empty build cache, so that the
# standard library is built, too. Prints the time, and the packages that cost most.
#
#   scripts/bench-build.sh [./cmd/pto-run]
#   MODULES=1 scripts/bench-build.sh      # also downloads the modules
#
# GOFLAGS=-p=1 gives processor times that depend less on other work on the machine.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=${1:-./cmd/pto-run}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GOCACHE=$dir/cache
if [ -n "${MODULES:-}" ]; then
  export GOMODCACHE=$dir/modules GOFLAGS="${GOFLAGS:-} -modcacherw"
fi
TIMEFORMAT="$tool: %R s by the clock, %U s user, %S s system"
time go build -debug-actiongraph="$dir/graph.json" -o "$dir/tool" "$tool"
echo "binary: $(($(wc -c <"$dir/tool") / 1000000)) MB"
python3 - "$dir/graph.json" <<'END'
import json, sys
costs = {}
for action in json.load(open(sys.argv[1])):
    name = "link" if action["Mode"] == "link" else action["Package"]
    seconds = (action.get("CmdUser", 0) + action.get("CmdSys", 0)) / 1e9
    costs[name] = costs.get(name, 0) + seconds
for name, seconds in sorted(costs.items(), key=lambda c: -c[1])[:15]:
    print(f"{seconds:6.2f} s  {name}")
END
