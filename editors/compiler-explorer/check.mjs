// Compares what a Compiler Explorer at URL returns for examples with the tools in TOOLS:
//   node editors/compiler-explorer/check.mjs URL TOOLS
// scripts/compiler-explorer.sh calls it.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const examples = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../examples');
const [url, tools] = process.argv.slice(2);
const values = '--arg iota=64x64xf32 --arg zeros=64x64xf32 --arg 2.0 --arg 1.0';
let checks = 0;

// ask sends a request to the API and returns the answer.
async function ask(route, body) {
  const headers = {Accept: 'application/json', 'Content-Type': 'application/json'};
  const answer = await fetch(`${url}/api/${route}`, {method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body)});
  assert.equal(answer.status, 200, `${route}: status ${answer.status}`);
  return answer.json();
}

// compile compiles a program with a compiler of the configuration.
function compile(id, source, userArguments = '', used = []) {
  const options = {userArguments, filters: {}, compilerOptions: {}, tools: used, libraries: []};
  return ask(`compiler/${id}/compile`, {source, options, lang: 'pto', bypassCache: 1});
}

const text = lines => lines.map(l => l.text).join('\n');
const run = (tool, file, options) => spawnSync(path.join(tools, tool), [file, ...options.split(' ')], {encoding: 'utf8'});

// same compares a text with the lines that Compiler Explorer returns.
function same(what, lines, want) {
  assert.equal(text(lines).trimEnd(), want.trimEnd(), what);
  console.log(`${what}: ${lines.length} lines, equal to those of the tool`);
  checks++;
}

const file = path.join(examples, 'tutorial/affine.pto');
const source = fs.readFileSync(file, 'utf8');

const languages = await ask('languages');
assert.ok(languages.some(l => l.id === 'pto' && l.extensions.includes('.pto')), 'the language pto is missing');
const compilers = await ask('compilers/pto');
assert.deepEqual(compilers.map(c => c.id).sort(), ['ptoa5', 'ptocpp', 'ptollvm', 'ptosync']);
console.log(`languages: pto; compilers: ${compilers.map(c => c.name).join('; ')}`);
checks++;

for (const [id, options] of [
  ['ptosync', '--pto-arch=a3 --enable-insert-sync'],
  ['ptoa5', '--pto-arch=a5 --enable-insert-sync'],
  ['ptocpp', '--enable-insert-sync --emit=cpp'],
  ['ptollvm', '--enable-insert-sync --emit=llvm'],
]) {
  const got = await compile(id, source);
  assert.equal(got.code, 0, text(got.stderr));
  const want = run('pto-opt', file, options);
  assert.equal(want.status, 0, want.stderr);
  // Compiler Explorer replaces tabs at the start of a line by spaces.
  same(id, got.asm, want.stdout.replace(/^\t/gm, '        '));
}

// An error has its line and column as a tag, which the editor underlines.
const wrong = await compile('ptosync', source.replace('pto.tadds', 'pto.taddss'));
assert.notEqual(wrong.code, 0);
const tag = wrong.stderr.find(l => l.tag && /error/.test(l.text))?.tag;
const line = source.split('\n').findIndex(l => l.includes('pto.tadds')) + 1;
assert.equal(tag?.line, line, JSON.stringify(wrong.stderr));
console.log(`an error: line ${tag.line}, column ${tag.column}: ${tag.text}`);
checks++;

const used = await compile('ptosync', source, '', [
  {id: 'ptorun', args: `${values} --print`.split(' ')},
  {id: 'ptocheck', args: values.split(' ')},
  {id: 'ptotiming', args: values.split(' ')},
]);
const result = id => used.tools.find(t => t.id === id);
same('pto-run --print', result('ptorun').stdout, run('pto-run', file, `${values} --print`).stdout);
const races = result('ptocheck');
assert.match(text([...races.stdout, ...races.stderr]), /8 hazards between 3 pipes/);
assert.equal(races.code, 5);
console.log('pto-run --check=all: exit code 5, 8 hazards between 3 pipes');
same('pto-run --timing', result('ptotiming').stdout, run('pto-run', file, `${values} --timing`).stdout.replaceAll(file, '<source>'));
console.log(`${checks + 1} passed, 0 failed`);
