#!/usr/bin/env bash
# Compares pto-opt with mlir-opt-19 on large generated files in generic form,
# so that both do the same work. Prints medians and ratios of paired runs.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-7}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/" ./cmd/pto-opt ./internal/bench/gen ./internal/bench/pair

for mb in 10 50; do
  "$dir/gen" -size ${mb}000000 > "$dir/big.mlir"
  echo "== parse, verify, print: $mb MB (A: pto-opt, B: mlir-opt-19)"
  flags="--allow-unregistered-dialect --mlir-print-op-generic $dir/big.mlir"
  "$dir/pair" -n "$runs" "$dir/pto-opt $flags -o $dir/a" "mlir-opt-19 $flags -o $dir/b"
  echo "== canonicalize, cse: $mb MB"
  "$dir/pair" -n "$runs" "$dir/pto-opt --canonicalize --cse $flags -o $dir/a" "mlir-opt-19 --canonicalize --cse $flags -o $dir/b"
done
echo 'module {}' > "$dir/small.mlir"
echo "== start-up"
"$dir/pair" -n 21 "$dir/pto-opt $dir/small.mlir -o $dir/a" "mlir-opt-19 $dir/small.mlir -o $dir/b"
echo "== size of the binary, bytes"
stat -c %s "$dir/pto-opt"
