#!/usr/bin/env bash
# Compares pto-opt with mlir-opt-19 on large files in generic form, so that both
# do the same work. Prints a table of medians and ratios of paired runs: processor time and
# memory are what to look at, the clock depends on how many cores are free.
#
#   scripts/bench-opt.sh [RUNS]
#
# PTO_KERNELS names a folder of .pto files as a frontend prints them, for the
# part with real kernels; without it that part is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 go build -o "$dir/" ./cmd/pto-opt ./tools/bench/gen ./tools/bench/pair

# compare TITLE FILE [FLAG ...]: both tools from text to text
compare() {
  local title=$1 file=$2
  shift 2
  local flags="--allow-unregistered-dialect --mlir-print-op-generic $* $file"
  "$dir/pair" -n "$runs" -title "$title, $(($(stat -c %s "$file") / 1000000)) MB" "$dir/pto-opt $flags -o $dir/a" "mlir-opt-19 $flags -o $dir/b"
}

# real writes the kernels of a folder in generic form, a line between them. The
# names of values differ from copy to copy, as a frontend numbers them.
real() {
  find "$PTO_KERNELS" -name '*.pto' | sort | while read -r kernel; do
    "$dir/pto-opt" --pto-level=level3 --mlir-print-op-generic --mlir-print-debuginfo "$kernel" 2> "$dir/warnings" > "$dir/kernel" || continue
    cat "$dir/kernel"
    echo '// -----'
  done > "$dir/once.mlir"
  for copy in 1 2 3 4 5 6 7 8; do
    sed -E "s/(%[A-Za-z_][A-Za-z0-9_]*)/\1_x$copy/g; s/\":([0-9]+):/\":${copy}0\1:/g" "$dir/once.mlir"
  done > "$dir/real.mlir"
}

echo '| | pto-opt | mlir-opt-19 | ratio |'
echo '|---|---|---|---|'
if [ -n "${PTO_KERNELS:-}" ]; then
  real
  compare "real kernels, each a program of its own" "$dir/real.mlir" --split-input-file --mlir-print-debuginfo
fi
"$dir/gen" -varied -size 35000000 > "$dir/varied.mlir"
compare "little repeats itself" "$dir/varied.mlir" --mlir-print-debuginfo
compare "little repeats itself, canonicalize and cse" "$dir/varied.mlir" --mlir-print-debuginfo --canonicalize --cse
for mb in 10 50; do
  "$dir/gen" -size ${mb}000000 > "$dir/big.mlir"
  compare "much repeats itself" "$dir/big.mlir"
  compare "much repeats itself, canonicalize and cse" "$dir/big.mlir" --canonicalize --cse
done
"$dir/gen" -shape list | while read -r shape; do
  "$dir/gen" -shape "$shape" -size 20000000 > "$dir/shape.mlir"
  compare "large in one dimension: $shape" "$dir/shape.mlir"
done
echo 'module {}' > "$dir/small.mlir"
"$dir/pair" -n 21 -title "start-up on an empty module" "$dir/pto-opt $dir/small.mlir -o $dir/a" "mlir-opt-19 $dir/small.mlir -o $dir/b"
