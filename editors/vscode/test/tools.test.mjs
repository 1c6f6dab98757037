import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { commandIn, toolPath } from "../src/tools.mjs";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("options come from the first command in the comments", () => {
  assert.deepEqual(commandIn("// text\n//   pto-run x.pto --pto-arch=a5 --print \\\n//     --arg rand=32x64xf32 --arg 'fill=1,4xf32'\nfunc"),
    ["--pto-arch=a5", "--arg", "rand=32x64xf32", "--arg", "fill=1,4xf32"]);
  assert.deepEqual(commandIn("// pto-run x.pto --expect 1=y.npy,rtol=1e-5 --arg 1\n"), ["--arg", "1"]);
  assert.equal(commandIn("func.func @f() {}"), null);
  assert.equal(commandIn("// pto-run x.pto \\\nfunc"), null);
});

test("examples of the project have a command with arguments", () => {
  for (const name of ["divide.pto", "softmax.pto", "tutorial/affine.pto", "hazards/missing_flag.pto"]) {
    assert.ok(commandIn(read(`../../examples/${name}`)).includes("--arg"), name);
  }
});

test("tools come from the settings, the extension or the path", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "pto-"));
  try {
    assert.equal(toolPath("pto-run", "/opt/pto", folder, false), path.join("/opt/pto", "pto-run"));
    assert.equal(toolPath("pto-run", "", folder, true), "pto-run.exe");
    mkdirSync(path.join(folder, "bin"));
    writeFileSync(path.join(folder, "bin", "pto-run"), "");
    chmodSync(path.join(folder, "bin", "pto-run"), 0o755);
    assert.equal(toolPath("pto-run", "", folder, false), path.join(folder, "bin", "pto-run"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the problem matcher reads messages of the tools", () => {
  const { regexp } = JSON.parse(read("package.json")).contributes.problemMatchers[0].pattern;
  const found = "C:\\k\\a.pto:10:1: error: [race] no flags".match(new RegExp(regexp));
  assert.deepEqual(found.slice(1), ["C:\\k\\a.pto", "10", "1", "error", "[race] no flags"]);
  assert.equal("    %t = pto.tload".match(new RegExp(regexp)), null);
});

test("every command has a function, and every file that the manifest names exists", () => {
  const manifest = JSON.parse(read("package.json")).contributes;
  const source = read("src/extension.mjs");
  for (const { command } of manifest.commands) assert.ok(source.includes(`registerCommand("${command}"`), command);
  for (const { path: file } of [...manifest.snippets]) assert.ok(JSON.parse(read(file)));
  assert.ok(JSON.parse(read("language-configuration.json")));
  assert.ok(readdirSync(new URL("../src", import.meta.url)).includes("extension.mjs"));
});
