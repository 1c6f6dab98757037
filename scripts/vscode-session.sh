#!/usr/bin/env bash
# Tests the VS Code extension in a real VS Code core: installs code-server and the version of
# node that it needs from npm into a temporary folder, installs the extension in it, and uses
# it in Chromium (editors/vscode/session.mjs). It needs minutes and about 1 GB.
#   bash scripts/vscode-session.sh [PICTURES]   pictures of the session go to a folder
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
pictures=${1:-}
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
[ -n "$pictures" ] || pictures=$work/pictures
mkdir -p "$pictures" "$work/data/User" "$work/data/Machine" "$work/kernels"

bash scripts/vscode.sh
(cd test/web && npm ci --silent --no-audit --no-fund)
go build -o "$work/bin/" ./cmd/pto-lsp-server ./cmd/pto-run ./cmd/pto-opt
cp examples/hazards/missing_flag.pto examples/tutorial/affine.pto "$work/kernels/"

cd "$work"
echo '{"private": true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts code-server@4.139.1
npm install --silent --no-audit --no-fund node@24 # its script links the program
export PATH=$work/node_modules/node/bin:$PATH HOME=$work/home
mkdir -p "$HOME"
for part in . extensions; do # without scripts, the native parts that the session does not need stay out
  (cd node_modules/code-server/lib/vscode/$part && npm install --silent --no-audit --no-fund --ignore-scripts --omit=dev)
done
cat >data/User/settings.json <<END
{"pto.toolsFolder": "$work/bin", "security.workspace.trust.enabled": false, "workbench.startupEditor": "none",
 "telemetry.telemetryLevel": "off", "workbench.secondarySideBar.defaultVisibility": "hidden", "remote.autoForwardPorts": false}
END
cp data/User/settings.json data/Machine/
code() { node node_modules/code-server/out/node/entry.js --extensions-dir "$work/extensions" --user-data-dir "$work/data" "$@"; }
code --install-extension "$root"/dist/ptogo-[0-9]*.vsix >/dev/null 2>&1
port=$((20000 + RANDOM % 20000))
node node_modules/code-server/out/node/entry.js --extensions-dir "$work/extensions" --user-data-dir "$work/data" --auth none \
  --bind-addr "127.0.0.1:$port" --disable-telemetry --disable-update-check >server.log 2>&1 &
server=$!
for _ in $(seq 120); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.5; done
node "$root/editors/vscode/session.mjs" "http://127.0.0.1:$port" "$work/kernels" "$pictures"
