// Tokenizes files by the TextMate grammar, with the engine of VS Code, and prints for
// each file its tokens as [line, start, end, scope]:
//
//   node grammar.mjs GRAMMAR FILE...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const [grammarFile, ...files] = process.argv.slice(2);
const wasm = readFileSync(join(dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), grammarFile),
});
const grammar = await registry.loadGrammar("source.pto");

const result = {};
for (const file of files) {
  let stack = textmate.INITIAL;
  result[file] = [];
  readFileSync(file, "utf8")
    .split("\n")
    .forEach((line, number) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
      stack = ruleStack;
      for (const t of tokens) {
        const scope = t.scopes.find((s) => s !== "source.pto");
        if (scope) result[file].push([number, t.startIndex, Math.min(t.endIndex, line.length), scope]);
      }
    });
}
console.log(JSON.stringify(result));
