// Adds PTO to a clone of Compiler Explorer:
//   node editors/compiler-explorer/install.mjs CLONE TOOLS
// CLONE is the folder of the clone, TOOLS the folder of pto-opt and pto-run. The script adds
// a line or an entry to three source files, and copies the configuration, the class of the
// tools and the first example. A second call only renews the copies.

import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const [clone, tools] = process.argv.slice(2);
if (!clone || !tools) {
  console.error('install.mjs: error: expected two folders: the clone of Compiler Explorer, and the tools');
  process.exit(2);
}

// Compiler Explorer shows MLIR with its own grammar, which also fits PTO. The logo is that
// of MLIR, because a logo of another name must be added to the web page, too.
const language = `    pto: {
        name: 'PTO',
        monaco: 'mlir',
        extensions: ['.pto'],
        alias: [],
        logoFilename: 'mlir.svg',
        logoFilenameDark: null,
        formatter: null,
        previewFilter: null,
        monacoDisassembly: 'mlir',
    },
`;

// insert adds text to a file of the clone, preceding the line that starts with before.
function insert(file, before, text) {
  const name = path.join(clone, file);
  const old = fs.readFileSync(name, 'utf8');
  if (old.includes(text)) return;
  const at = old.indexOf(`\n${before}`);
  if (at < 0) throw new Error(`${name} has no line that starts with ${before.trim()}`);
  fs.writeFileSync(name, old.slice(0, at + 1) + text + old.slice(at + 1));
}

try {
  for (const tool of ['pto-opt', 'pto-run']) fs.accessSync(path.join(tools, tool), fs.constants.X_OK);
  insert('lib/languages.ts', '    ptx: {', language);
  insert('types/languages.interfaces.ts', "    | 'ptx'", "    | 'pto'\n");
  fs.copyFileSync(path.join(here, 'pto-tool.ts'), path.join(clone, 'lib/tooling/pto-tool.ts'));
  insert('lib/tooling/_all.ts', 'export {PvsStudioTool}', "export {PtoTool} from './pto-tool.js';\n");
  const config = fs.readFileSync(path.join(here, 'pto.properties'), 'utf8').replaceAll('=TOOLS/', `=${path.resolve(tools)}/`);
  fs.writeFileSync(path.join(clone, 'etc/config/pto.local.properties'), config);
  const examples = path.join(clone, 'examples/pto');
  fs.mkdirSync(examples, {recursive: true});
  fs.copyFileSync(path.join(here, '../../examples/tutorial/affine.pto'), path.join(examples, 'default.pto'));
} catch (e) {
  console.error(`install.mjs: error: ${e.message}`);
  process.exit(1);
}
console.log(`PTO is in ${clone}. Start it with: npm run dev -- --language pto`);
