#!/usr/bin/env bash
# Builds the npm package web/npm: the tools as WebAssembly, and the kernels of its examples.
#   bash scripts/npm.sh          build and test in node
#   bash scripts/npm.sh --pack   write the package to dist/ too
set -euo pipefail
cd "$(dirname "$0")/.."
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
go run ./cmd/pto-playground --export "$site" >/dev/null
rm -rf web/npm/dist
mkdir -p web/npm/dist/kernels
cp "$site/pto.wasm.gz" "$site/wasm_exec.js" web/npm/dist/
cp examples/tutorial/affine.pto examples/hazards/missing_flag.pto examples/softmax.pto web/npm/dist/kernels/
(cd web/npm && node --test test/*.test.js)
if [ "${1:-}" = --pack ]; then
  mkdir -p dist
  (cd web/npm && npm pack --silent --pack-destination ../../dist)
fi
