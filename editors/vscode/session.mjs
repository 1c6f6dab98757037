// Uses the extension in VS Code as a person would: in code-server, with Chromium. The script
// scripts/vscode-session.sh installs both and starts it.
//   node session.mjs ADDRESS FOLDER PICTURES

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [address, folder, pictures] = process.argv.slice(2);
// The browser's driver is installed for the tests of the page.
const { chromium } = createRequire(new URL("../../test/web/package.json", import.meta.url))("playwright-core");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
page.setDefaultTimeout(120_000);

const read = (name) => readFileSync(path.join(folder, name), "utf8");
const picture = (name) => page.screenshot({ path: path.join(pictures, name + ".png") });
const has = (text) => page.waitForFunction((t) => document.body.innerText.includes(t), text);

/** Waits until a function returns true. */
async function until(what, done) {
  for (let i = 0; i < 240; i++) {
    if (await done()) return;
    await page.waitForTimeout(500);
  }
  await picture("failed");
  assert.fail(`${what}: not after two minutes`);
}

async function quick(key, text) {
  await page.keyboard.press(key);
  const box = page.locator(".quick-input-widget input").first();
  await box.waitFor({ state: "visible" });
  await box.pressSequentially(text, { delay: 20 });
  await page.waitForTimeout(2000);
  await page.keyboard.press("Enter");
}

const command = (title) => quick("F1", title);

async function open(name) {
  await quick("Control+P", name);
  await until(`the editor of ${name}`, () => page.locator(`.tab.active[data-resource-name="${name}"]`).count());
}

/** Returns what a document in a webview shows. */
async function shown(text) {
  for (const frame of page.frames()) {
    const body = await frame.evaluate(() => document.body?.innerText ?? "").catch(() => "");
    if (body.includes(text)) return body;
  }
  return "";
}

const steps = {
  async "the language server answers: code lenses of a kernel"() {
    await open("missing_flag.pto");
    await has("Check for races");
  },
  async "an error is underlined, and its edit corrects it"() {
    const right = read("affine.pto");
    writeFileSync(path.join(folder, "wrong.pto"), right.replace("pto.tadds", "pto.taddss"));
    await open("wrong.pto");
    await page.locator(".squiggly-error").first().waitFor();
    await page.keyboard.press("F8"); // the next problem
    await page.waitForTimeout(1500);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+.");
    await has("Replace 'pto.taddss' by 'pto.tadds'");
    await picture("error");
    await page.keyboard.press("Enter");
    await until("no error", async () => (await page.locator(".squiggly-error").count()) === 0);
    await page.keyboard.press("Control+S");
    await until("the corrected file", () => read("wrong.pto") === right);
  },
  async "a run shows time, timeline, memory and a race"() {
    await open("missing_flag.pto");
    await command("PTO: Run and Show Checks");
    await until("the report", () => shown("Checks: 1 error"));
    const body = await shown("Checks: 1 error");
    for (const pane of ["Time", "Timeline", "Local memory", "Checks"]) assert.ok(body.includes(pane), `no pane ${pane}`);
    await picture("report");
  },
  async "the checkers insert the missing flag"() {
    await open("missing_flag.pto");
    const before = read("missing_flag.pto").match(/set_flag\[/g).length;
    await command("PTO: Check for Races and Insert");
    await until("a flag more", () => read("missing_flag.pto").match(/set_flag\[/g).length === before + 1);
  },
  async "the task check shows the races of a program without flags as problems"() {
    mkdirSync(path.join(folder, ".vscode"), { recursive: true });
    const args = ["--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", "2.0", "--arg", "1.0"];
    const task = { type: "pto", task: "check", file: "affine.pto", args, group: { kind: "build", isDefault: true }, problemMatcher: "$pto", label: "check" };
    writeFileSync(path.join(folder, ".vscode", "tasks.json"), JSON.stringify({ version: "2.0.0", tasks: [task] }));
    await page.waitForTimeout(2000);
    await command("Tasks: Run Build Task");
    await page.waitForTimeout(8000);
    await command("Problems: Focus on Problems View");
    await has("no flags at all in kernel");
    await picture("task");
  },
  async "a command shows the program with flags"() {
    await open("affine.pto");
    await command("PTO: Show the Program with Synchronization");
    await has("pto.set_flag[<PIPE_MTE2>");
    await picture("sync");
  },
  async "the debugger stops and steps"() {
    await open("affine.pto");
    await page.keyboard.press("F5");
    await page.locator(".debug-toolbar").waitFor();
    const line = () => page.locator(".debug-top-stack-frame-line").count();
    await until("the first stop", line);
    await page.waitForTimeout(1500);
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("F10");
      await page.waitForTimeout(1200);
    }
    await command("View: Show Run and Debug");
    await has("%c16");
    await picture("debugger");
    await page.keyboard.press("Shift+F5");
  },
};

const failed = [];
try {
  await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
  await page.locator(".monaco-workbench").waitFor();
  await page.waitForTimeout(5000);
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      console.log("ok", name);
    } catch (error) {
      failed.push(name);
      await picture("failed").catch(() => {});
      console.log("not ok", name, "-", error.message.split("\n")[0]);
    }
  }
} finally {
  await browser.close();
}
process.exit(failed.length ? 1 : 0);
