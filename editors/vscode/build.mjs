// Bundles the extension into dist. node build.mjs

import { build } from "esbuild";
import { copyFile } from "node:fs/promises";

await build({
  entryPoints: ["src/extension.mjs"], outfile: "dist/extension.js", bundle: true, platform: "node", target: "node20",
  format: "cjs", external: ["vscode"], minify: true, legalComments: "eof",
});
await copyFile("../pto.tmLanguage.json", "dist/pto.tmLanguage.json");
