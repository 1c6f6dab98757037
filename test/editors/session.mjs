// A session with pto-lsp-server through vscode-jsonrpc, as VS Code has it:
//
//   node session.mjs SERVER FILE WRONG FIXED
//
// It opens FILE, replaces the text FIXED by WRONG, applies the first quick fix, asks for
// hover, completion, formatting, tokens and hints, and prints what it saw as JSON.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import rpc from "vscode-jsonrpc/node";

const [server, file, wrong, fixed] = process.argv.slice(2);
const child = spawn(server, [], { stdio: ["pipe", "pipe", "inherit"] });
const connection = rpc.createMessageConnection(
  new rpc.StreamMessageReader(child.stdout),
  new rpc.StreamMessageWriter(child.stdin),
);

let waiting = null; // resolves with the diagnostics of the version that edit awaits
let version = 0;
connection.onNotification("textDocument/publishDiagnostics", (p) => {
  if (waiting && p.version === version) waiting(p.diagnostics);
});
connection.listen();

const uri = pathToFileURL(file).href;
const textDocument = { uri };
const diagnosticsAfter = (send) =>
  new Promise((resolve) => {
    waiting = resolve;
    version++;
    send();
  });
const replace = (text) =>
  diagnosticsAfter(() =>
    connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    }),
  );
const positionOf = (text, marker) => {
  const before = text.slice(0, text.indexOf(marker)).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
};
const applyEdits = (text, edits) => {
  const lines = text.split("\n");
  const offset = (p) => lines.slice(0, p.line).reduce((n, l) => n + l.length + 1, 0) + p.character;
  for (const e of edits.toReversed?.() ?? [...edits].reverse())
    text = text.slice(0, offset(e.range.start)) + e.newText + text.slice(offset(e.range.end));
  return text;
};

const seen = {};
const init = await connection.sendRequest("initialize", {
  processId: process.pid,
  rootUri: null,
  capabilities: {},
});
seen.capabilities = Object.keys(init.capabilities).sort();
connection.sendNotification("initialized", {});

const good = readFileSync(file, "utf8");
const open = await diagnosticsAfter(() =>
  connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "mlir", version, text: good },
  }),
);
seen.open = open.length;

const bad = good.replace(fixed, wrong);
const found = await replace(bad);
seen.wrong = found.map((d) => ({ message: d.message, range: d.range }));
const actions = await connection.sendRequest("textDocument/codeAction", {
  textDocument,
  range: found[0].range,
  context: { diagnostics: found, only: ["quickfix"] },
});
seen.action = actions[0].title;
const mended = applyEdits(bad, actions[0].edit.changes[uri]);
seen.mended = mended === good;
seen.afterwards = (await replace(mended)).length;

const position = positionOf(good, fixed);
position.character += 2;
const hover = await connection.sendRequest("textDocument/hover", { textDocument, position });
seen.hover = hover.contents.value.split("\n")[0];
const completion = await connection.sendRequest("textDocument/completion", {
  textDocument,
  position: { line: position.line, character: position.character + 4 },
});
seen.completions = completion.items.length;
const tokens = await connection.sendRequest("textDocument/semanticTokens/full", { textDocument });
seen.tokens = tokens.data.length / 5;
const everything = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };
const hints = await connection.sendRequest("textDocument/inlayHint", { textDocument, range: everything });
seen.hints = hints.map((h) => h.label).sort();
const edits = await connection.sendRequest("textDocument/formatting", {
  textDocument,
  options: { tabSize: 2, insertSpaces: true },
});
seen.formatted = applyEdits(good, edits).length > 0;
try {
  await connection.sendRequest("textDocument/hover", { textDocument: { uri: "file:///missing.pto" }, position });
} catch (e) {
  seen.refused = e.message;
}

await connection.sendRequest("shutdown");
connection.sendNotification("exit");
child.on("exit", (code) => {
  seen.exit = code;
  console.log(JSON.stringify(seen));
  process.exit(0);
});
