#!/usr/bin/env bash
# Compares executed instructions of the Go engine with the public C++ CPU
# simulator, in turns: bench-peer.sh DIR [ROUNDS], where DIR holds a checkout of
# the public repository github.com/hw-native-sys/pto-isa, whose headers are the
# simulator. Builds with the release flags of its own tests. Prints processor
# time per instruction; compare medians over the rounds.
set -euo pipefail
cd "$(dirname "$0")/.."
peer=$1
rounds=${2:-5}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
clang++-19 -O2 -std=c++20 -D__CPU_SIM -D_FORTIFY_SOURCE=2 -fstack-protector-strong -w -include stdint.h -include stddef.h \
  -I"$peer/include" -I"$peer/include/common" scripts/bench-peer.cpp -o "$dir/peer" -lpthread -ldl
go test -c -o "$dir/ours" ./runtime
for _ in $(seq "$rounds"); do
  (cd runtime && "$dir/ours" -test.run XXX -test.bench 'Tile|Matmul|Product' -test.benchtime 3x) |
    awk '/^Benchmark/ { for (i = 2; i <= NF; i++) if ($i == "cpu-ns/turn") printf "pto-run %-40s %12.1f ns\n", $1, $(i-1) }'
  "$dir/peer"
done
