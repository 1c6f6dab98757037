// Runs every example in node and compares what it prints.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";

import { RequestError, load } from "ptogo-wasm";

const examples = new URL("../examples/", import.meta.url);
const expected = JSON.parse(await readFile(new URL("expected.json", import.meta.url), "utf8"));

test("every example is listed", async () => {
  const names = (await readdir(examples)).filter((f) => f !== "kernel.js").map((f) => f.replace(".js", ""));
  assert.deepEqual(names.sort(), Object.keys(expected).sort());
});

for (const [name, text] of Object.entries(expected)) {
  test(`example ${name}`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [new URL(`${name}.js`, examples).pathname]);
    assert.equal(stdout, text + "\n");
  });
}

test("a wrong request is an error", async () => {
  const pto = await load();
  assert.throws(() => pto.emit("", "fortran"), RequestError);
  assert.equal(await load(), pto);
  assert.deepEqual(pto.run("module {").arrays, []);
});
