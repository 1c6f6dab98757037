#!/usr/bin/env bash
# Builds the VS Code extension, tests it in node, and writes it to dist/ as a .vsix file.
#   bash scripts/vscode.sh                 the extension without tools
#   bash scripts/vscode.sh linux-x64       with the tools for a platform of VS Code
set -euo pipefail
cd "$(dirname "$0")/../editors/vscode"
npm ci --silent --no-audit --no-fund
node build.mjs
node --test test/*.test.mjs
rm -rf bin
mkdir -p ../../dist
target=()
if [ -n "${1:-}" ]; then
  declare -A platforms=([linux-x64]=linux/amd64 [linux-arm64]=linux/arm64 [darwin-x64]=darwin/amd64 [darwin-arm64]=darwin/arm64
    [win32-x64]=windows/amd64 [win32-arm64]=windows/arm64)
  platform=${platforms[$1]:?"the platform must be one of ${!platforms[*]}"}
  (cd ../.. && CGO_ENABLED=0 GOOS=${platform%/*} GOARCH=${platform#*/} go build -trimpath -ldflags="-s -w -X ptogo/internal/version.commit=$(git rev-parse HEAD)" \
    -o editors/vscode/bin/ ./cmd/pto-lsp-server ./cmd/pto-run ./cmd/pto-opt)
  target=(--target "$1")
fi
npx vsce package --no-dependencies --skip-license --allow-missing-repository "${target[@]}" -o ../../dist/
