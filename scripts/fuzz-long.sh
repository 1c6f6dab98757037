#!/usr/bin/env bash
# The long mode of the tests with random input. It needs opt, clang and clang++ of LLVM 19,
# and for C++ a checkout of pto-isa that PTO_ISA names.
#
#	FUZZ       executions of each fuzz target (default 1000000; those that compile: 1/1000)
#	MUTATIONS  changed programs (default 200000), from seed SEED (default 1)
#	SHOWN      every SHOWNth changed program is shown to opt and clang++ (default 20)
#	PROGRAMS   random programs as C++ with sanitizers (default 1000)
set -euo pipefail
cd "$(dirname "$0")/.."
FUZZ=${FUZZ:-1000000} MUTATIONS=${MUTATIONS:-200000} SEED=${SEED:-1} SHOWN=${SHOWN:-20} PROGRAMS=${PROGRAMS:-1000}

section() { printf '\n== %s\n' "$*"; }

section "fuzz targets"
while read -r pkg target; do
  echo "-- $pkg $target"
  count=$FUZZ
  [ "$pkg" != ./test/diff ] || count=$((FUZZ / 1000 + 1)) # each execution compiles a program
  go test "$pkg" -run '^$' -fuzz "^$target\$" -fuzztime "${count}x" -timeout 0 | tail -n 2
done < <(grep -rn --include='*_test.go' -oE '^func (Fuzz[A-Za-z0-9_]+)' . | sed -E 's|^\./(.*)/[^/]*:[0-9]+:func (.*)|./\1 \2|' | sort)

section "changed programs"
go test ./test/mutate -run Mutations -v -timeout 0 -args -n "$MUTATIONS" -seed "$SEED"
section "code of changed programs, read by opt and clang++"
go test ./test/mutate -run Mutations -v -timeout 0 -args -n "$MUTATIONS" -seed "$((SEED + 1))" -outside "$SHOWN"

section "LLVM IR with checks of addresses"
go test ./test/examples -run Sanitize -v -count=1 -timeout 0 -args -sanitize

section "C++ with checks of addresses and of undefined behaviour"
PTO_SANITIZE=1 go test ./tools/cpptest -count=1 -timeout 0 -v -run 'SimulatorExamples|SimulatorForms|SimulatorSplit'
PTO_SANITIZE=1 go test ./test/diff -count=1 -timeout 0 -v -run 'Simulator' -args -simulator-programs "$PROGRAMS"
