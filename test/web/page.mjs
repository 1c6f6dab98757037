// Uses the page of the playground as a person would. node page.mjs ADDRESS REPORT prints a
// JSON object: for each scenario its error, if it failed, and the values that it measured.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

const [address, reportFile] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
const results = {};
const TIME = 60_000;

/** Opens a page. Errors of the page and violations of its policy are errors of the scenario. */
async function open(fragment = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (e) => page.problems.push(e.message));
  page.on("console", (m) => m.type() === "error" && page.problems.push(m.text()));
  await page.goto(address + fragment);
  return page;
}

/** Waits until the page has shown the result of the last edit. */
async function settled(page) {
  await page.waitForFunction(() => document.body.dataset.done, null, { timeout: TIME });
}

/** Does something that changes the program and waits for its result. */
async function after(page, action) {
  await page.evaluate(() => { delete document.body.dataset.done; });
  await action();
  await settled(page);
}

const choose = (page, file) => after(page, () => page.selectOption('select[aria-label="Examples"]', file));
const textOf = (page) => page.evaluate(() => document.querySelector(".cm-content").cmTile.view.state.doc.toString());

/** Replaces a part of the program as an edit of the user does. */
async function edit(page, from, to) {
  await after(page, () => page.evaluate(([a, b]) => {
    const view = document.querySelector(".cm-content").cmTile.view;
    const at = view.state.doc.toString().indexOf(a);
    view.dispatch({ changes: { from: at, to: at + a.length, insert: b }, userEvent: "input.type" });
  }, [from, to]));
}

async function replace(page, text) {
  await after(page, () => page.evaluate((t) => {
    const view = document.querySelector(".cm-content").cmTile.view;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: t } });
  }, text));
}

/** Returns the serious findings of axe-core. */
async function accessibility(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(" | ")}`);
}

const fragmentOf = (state) => "#s=" + deflateRawSync(JSON.stringify(state)).toString("base64url");

const scenarios = {
  /** The first visit, with nothing cached. */
  async cold() {
    const began = performance.now();
    const page = await open();
    await settled(page);
    const first = Math.round(performance.now() - began);
    assert.match(await page.textContent(".headline"), /Checks: no reports/);
    assert.match(await page.textContent(".headline"), /softmax.npy: equal/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    return { "first result, ms": first };
  },

  /** A mistake gets a squiggle and a problem, and the offered edit removes it. */
  async fix() {
    const page = await open();
    await settled(page);
    await edit(page, "pto.trowmax", "pto.trowmaxx");
    await page.waitForSelector(".cm-lintRange-error");
    assert.match(await page.textContent(".problems"), /error: .*trowmaxx/);
    await after(page, () => page.click(".problems .fix"));
    assert.match(await textOf(page), /pto\.trowmax %t/);
    assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
    assert.match(await page.textContent(".status"), /Ran @softmax/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** Every pane shows what it is for. */
  async panes() {
    const page = await open();
    await settled(page);
    const show = async (tab, text) => {
      await page.click("#tab-" + tab);
      await page.waitForFunction(([source, flags]) => new RegExp(source, flags).test(document.querySelector("#pane").textContent), [text.source, text.flags], { timeout: TIME });
    };
    await show("run", /y: 32×64 f32/);
    assert.ok(await page.evaluate(() => {
      const c = document.querySelector("canvas.heat");
      return new Set(c.getContext("2d").getImageData(0, 0, c.width, c.height).data).size > 20;
    }), "the heat map has colours");
    await show("time", /Roofline.*vector unit.*Hot lines.*pto\.tload.*What if/s);
    assert.equal(await page.locator(".roofline .roof").count(), 1);
    await show("timeline", /Export for Perfetto/);
    await page.waitForFunction(() => { // the timeline has colours
      const c = document.querySelector("canvas.timeline");
      return new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size > 5;
    });
    await page.focus("canvas.timeline");
    await page.keyboard.press("n");
    assert.match(await page.textContent(".detail"), /pto\.\w+ · line \d+/);
    assert.equal(await page.locator(".cm-line.shown").count(), 1);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=Export for Perfetto")]);
    assert.ok(JSON.parse(fs.readFileSync(await saved.path(), "utf8")).traceEvents.length > 20);
    await show("memory", /@softmax: vec.*At most/s);
    assert.ok(await page.locator("svg.map rect.tile").count() >= 3);
    await show("passes", /pto-insert-sync/);
    assert.match(await page.textContent("pre.code"), /pto\.set_flag/);
    assert.ok(await page.locator(".code-line.added").count() >= 4);
    assert.ok(await page.locator('.cm-line[class*="source-"]').count() >= 5, "lines of the source are linked by colour");
    await page.evaluate(() => {
      const view = document.querySelector(".cm-content").cmTile.view;
      view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf("pto.trowmax") } });
    });
    assert.match(await page.textContent(".code-line.shown >> nth=-1"), /trowmax/);
    await show("code", /define .*@softmax/);
    await page.selectOption('select[aria-label="Form of the code"]', "cpp");
    await page.waitForFunction(() => /TLOAD/.test(document.querySelector("#pane").textContent));
    await page.selectOption('select[aria-label="Form of the code"]', "pto-as");
    await page.waitForFunction(() => /control flow, which PTO-AS cannot express/.test(document.querySelector("#pane").textContent));
    await show("stats", /pto\.trowmax/);
    await page.focus("#tab-stats");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.getAttribute("#tab-run", "aria-selected"), "true");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** The timeline finds instructions, measures a part of the time, and draws what waits for what. */
  async timeline() {
    const page = await open();
    await settled(page);
    await page.click("#tab-timeline");
    await page.fill('input[aria-label="Find instructions"]', "trowmax");
    assert.match(await page.textContent(".timeline-box .tools"), /\d+ instructions?/);
    await page.keyboard.press("Enter");
    assert.match(await page.textContent(".detail"), /pto\.trowmax · line \d+/);
    const box = await page.locator("canvas.timeline").boundingBox();
    const part = async (from, to) => {
      await page.keyboard.down("Shift");
      await page.mouse.move(box.x + from, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + to, box.y + 60, { steps: 4 });
      await page.mouse.up();
      await page.keyboard.up("Shift");
      return page.textContent(".timeline-box details");
    };
    const whole = await part(100, box.width - 1);
    assert.match(whole, /Marked: .* from .*VECTOR.*%/s);
    assert.notEqual(await part(100, 200), whole);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** A kept run and another one stand side by side: numbers, results and text. */
  async compare() {
    const page = await open();
    await settled(page);
    await choose(page, "examples/tutorial/affine.pto");
    await page.click("#tab-compare");
    await page.click("text=Keep this run");
    await page.waitForFunction(() => /The same text/.test(document.querySelector("#pane").textContent));
    await edit(page, "pto.tadds %scaled, %b", "pto.tsubs %scaled, %b");
    await page.waitForFunction(() => /y: 4096 of 4096 elements differ/.test(document.querySelector("#pane").textContent));
    assert.match(await page.textContent("#pane"), /kernel.*1×.*VECTOR busy/s);
    assert.equal(await page.locator("#pane .code-line.added").count(), 1);
    await page.click("text=Run for A5, too");
    await page.waitForFunction(() => /affine\.pto, a5.*affine\.pto, a3.*y: equal/s.test(document.querySelector("#pane").textContent), null, { timeout: TIME });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** The search finds a faster program, which opens with its launch. */
  async faster() {
    const page = await open();
    await settled(page);
    await choose(page, "examples/clamp.pto");
    await page.click("#tab-time");
    await page.click("text=Make it faster");
    await page.waitForSelector("text=Open the faster program", { timeout: 5 * TIME });
    assert.match(await page.textContent("#pane pre"), /times as fast as before/);
    const before = await page.inputValue('input[aria-label="Blocks"]');
    await after(page, () => page.click("text=Open the faster program"));
    assert.notEqual(await page.inputValue('input[aria-label="Blocks"]'), before);
    assert.match(await page.textContent(".status"), /Ran @clamp/);
    assert.match(await page.textContent(".headline"), /Checks: no reports/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** A slow run makes later edits wait for the button, but not another example. */
  async slow() {
    const page = await open();
    await settled(page);
    const status = () => page.textContent(".status");
    await replace(page, "func.func @slow(%x: !pto.ptr<f32>) attributes {pto.kernel} {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = arith.constant 3000000 : index\n  scf.for %i = %c0 to %n step %c1 {\n    %a = arith.addi %i, %i : index\n    %b = arith.muli %a, %i : index\n  }\n  return\n}\n");
    assert.match(await status(), /Ran @slow/);
    await edit(page, "3000000", "3000001");
    await edit(page, "3000001", "3000002");
    const waits = /press Run/.test(await status());
    await choose(page, "examples/divide.pto");
    assert.match(await status(), /Ran @divide/);
    await page.context().close();
    return { "an edit waits": waits };
  },

  /** A race shows both accesses, and both lines in the program. */
  async race() {
    const page = await open();
    await settled(page);
    await choose(page, "examples/hazards/missing_flag.pto");
    await page.click("#tab-checks");
    assert.equal(await page.locator(".report.error .accesses li").count(), 2);
    await page.click(".report.error .accesses li:nth-child(2) button");
    assert.match(await page.textContent(".cm-line.shown"), /pto\.tmuls/);
    assert.match(await page.textContent(".cm-line.shown-other"), /pto\.tload/);
    await after(page, () => page.click("text=Insert the missing synchronization"));
    assert.match(await textOf(page), /pto\.set_flag\[<PIPE_MTE2>, <PIPE_V>/);
    assert.match(await page.textContent(".headline"), /Checks: no reports/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** A reference expression that does not hold names the first element and its writer. */
  async expression() {
    const page = await open();
    await settled(page);
    await page.click("text=Compare the result");
    const compare = async (text) => {
      await page.fill('textarea[aria-label="Reference expression"]', text);
      await after(page, () => page.locator('textarea[aria-label="Reference expression"]').blur());
      return page.textContent("#pane");
    };
    assert.match(await compare("y = softmax(x)"), /y against expression: equal/);
    assert.match(await compare("y = softmax(x) + where(x > 0.9, 0.5, 0)"), /y against expression: different in \d+ of 2048.*The first is \[\d+, \d+\].*pto\.tstore/s);
    assert.match(await compare("y = softmax(q)"), /unknown name 'q'/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** An edit is compared with the program before it, by its bits and by a proof. */
  async second() {
    const page = await open();
    await settled(page);
    await choose(page, "examples/tutorial/affine.pto");
    await page.click("text=Compare the result");
    await after(page, () => page.click("text=Keep the program as it is now"));
    assert.match(await page.textContent("#pane"), /y against second kernel: equal.*for all data: equal.*equivalent/s);
    await edit(page, "pto.tadds %scaled, %b", "pto.tsubs %scaled, %b");
    assert.match(await page.textContent("#pane"), /y against second kernel: different in 4096 of 4096.*the first difference is in %shifted/s);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** A link holds the program, the launch and the choices. */
  async share() {
    const page = await open();
    await settled(page);
    await choose(page, "examples/tutorial/affine.pto");
    await edit(page, "chapter 1", "chapter ∑");
    await page.fill('input[aria-label="Argument a"]', "3.0");
    await after(page, () => page.locator('input[aria-label="Argument a"]').blur());
    await page.click("#tab-memory");
    await page.click("text=Share");
    await page.waitForFunction(() => location.hash.startsWith("#s="));
    const other = await open(new URL(page.url()).hash);
    await settled(other);
    assert.equal(await textOf(other), await textOf(page));
    assert.equal(await other.inputValue('input[aria-label="Argument a"]'), "3.0");
    assert.equal(await other.getAttribute("#tab-memory", "aria-selected"), "true");
    assert.deepEqual([...page.problems, ...other.problems], []);
    const length = page.url().length;
    await page.context().close();
    await other.context().close();
    return { "characters of the link": length };
  },

  /** Links of strangers: names that look like markup, values of wrong types, bombs. */
  async hostile() {
    const mark = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    const kernel = `func.func @"${mark.replaceAll('"', "'")}"(%x: !pto.ptr<f32>) attributes {pto.kernel} {\n  %c0 = arith.constant 0 : index\n  pto.print ins("${mark.replaceAll('"', "'")} %d", %c0 : index)\n  return\n}\n`;
    const states = [
      { text: kernel, name: mark, tab: mark, form: mark, target: mark, chip: mark, expression: mark, other: mark, kernel: mark, args: [mark] },
      { text: kernel, name: mark, args: ["zeros=4xf32"], expression: mark },
      { text: mark }, { text: 5 }, { text: "x", args: { length: 1e9 } }, { text: "x", blocks: -1, ranks: 1e99, tab: "__proto__", form: "constructor" },
      ["x"], null, { __proto__: { text: "x" } },
    ];
    const fragments = [...states.map(fragmentOf), "#s=AAAA", "#s=" + "A".repeat(100000), "#s=" + deflateRawSync(Buffer.alloc(200 << 20)).toString("base64url"), "#<script>"];
    for (const fragment of fragments) {
      const page = await open(fragment);
      await settled(page);
      for (const tab of ["run", "checks", "time", "timeline", "memory", "passes", "code", "stats", "compare"]) {
        await page.click("#tab-" + tab);
        await page.waitForTimeout(100);
      }
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.equal(await page.locator("img").count(), 0);
      assert.deepEqual(page.problems, [], fragment.slice(0, 60));
      await page.context().close();
    }
    const page = await open();
    const blocked = await page.evaluate(() => new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", (e) => resolve(e.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.hacked = 1";
      document.head.append(script);
      setTimeout(() => resolve("nothing was blocked"), 2000);
    }));
    assert.match(blocked, /script-src/);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await page.context().close();
  },

  /** An endless kernel ends with its worker, and the page goes on. */
  async endless() {
    const page = await open();
    await settled(page);
    await page.evaluate(() => { delete document.body.dataset.done; });
    await page.evaluate((t) => {
      const view = document.querySelector(".cm-content").cmTile.view;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: t } });
    }, "func.func @endless(%x: !pto.ptr<f32>) attributes {pto.kernel} {\n  %true = arith.constant true\n  scf.while : () -> () {\n    scf.condition(%true)\n  } do {\n    scf.yield\n  }\n  return\n}\n");
    await page.click("text=Stop", { timeout: TIME });
    await page.waitForFunction(() => /Stopped/.test(document.querySelector(".status").textContent), null, { timeout: TIME });
    await page.selectOption('select[aria-label="Examples"]', "examples/divide.pto");
    await page.waitForTimeout(500);
    await page.click(".primary");
    await page.waitForFunction(() => /Ran @divide/.test(document.querySelector(".status").textContent), null, { timeout: TIME });
    await page.context().close();
  },

  /** Tools that end by themselves, as without memory, start again. */
  async ended() {
    const page = await open();
    await settled(page);
    await page.workers()[0].evaluate(() => { self.ptoCall = () => { throw new Error("ended"); }; });
    await after(page, () => page.selectOption('select[aria-label="Examples"]', "examples/divide.pto"));
    await page.waitForFunction(() => /The tools ended/.test(document.querySelector(".status").textContent));
    await page.click(".primary");
    await page.waitForFunction(() => /Ran @divide/.test(document.querySelector(".status").textContent), null, { timeout: TIME });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },

  /** Every example computes the same bytes as natively; the caller compares the digests. */
  async examples() {
    const page = await open();
    await settled(page);
    const digests = await page.evaluate(async () => {
      const worker = new Worker("worker.js");
      let id = 0;
      const waiting = new Map();
      worker.onmessage = ({ data }) => data.id && waiting.get(data.id)(data);
      worker.postMessage({ start: true });
      const ask = (name, request, files) => new Promise((resolve) => {
        waiting.set(++id, resolve);
        worker.postMessage({ id, name, request: JSON.stringify(request), files });
      });
      const hex = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((b) => b.toString(16).padStart(2, "0")).join("");
      const all = {};
      for (const item of (await (await fetch("examples.json")).json()).flatMap((g) => g.items)) {
        const program = { name: item.file, text: item.text };
        const { answer } = await ask("analyse", program);
        const files = {};
        for (const name of JSON.stringify(answer.launch).match(/examples\/expected\/[\w-]+\.npy/g) || []) {
          files[name] = new Uint8Array(await (await fetch(name)).arrayBuffer());
        }
        const run = await ask("run", { ...program, launch: answer.launch }, files);
        const arrays = {};
        for (const a of run.answer.arrays || []) arrays[a.file] = await hex(run.files[a.file]);
        all[item.file] = { arrays, fault: run.answer.fault ? run.answer.fault.message : "", comparisons: (run.answer.comparisons || []).map((c) => c.outcome), error: run.answer.error || "" };
      }
      worker.terminate();
      return all;
    });
    await page.context().close();
    return digests;
  },

  /** Edits of a kernel of 10 KB. */
  async edits() {
    const page = await open();
    await settled(page);
    const item = (await (await fetch(address + "examples.json")).json()).flatMap((g) => g.items).find((e) => e.name === "affine");
    const body = item.text.slice(item.text.indexOf("func.func"));
    let text = item.text;
    for (let i = 1; text.length < 10_000; i++) text += "\n" + body.replace("@affine", "@affine" + i);
    await replace(page, text);
    const times = [];
    const diagnosed = [];
    for (let i = 0; i < 15; i++) {
      times.push(await page.evaluate((n) => new Promise((resolve) => {
        const view = document.querySelector(".cm-content").cmTile.view;
        delete document.body.dataset.done;
        const at = view.state.doc.toString().indexOf("chapter");
        view.dispatch({ changes: { from: at, insert: String(n % 10) }, userEvent: "input.type" });
        const began = performance.now();
        const watch = new MutationObserver(() => {
          if (!document.body.dataset.done) return;
          watch.disconnect();
          resolve(performance.now() - began);
        });
        watch.observe(document.body, { attributes: true });
      }), i));
      diagnosed.push(Number(await page.evaluate(() => document.body.dataset.diagnosed)));
      await page.waitForTimeout(100);
    }
    times.sort((a, b) => a - b);
    diagnosed.sort((a, b) => a - b);
    await page.context().close();
    return { "bytes": text.length, "median until diagnostics, ms": diagnosed[7], "median until all results, ms": Math.round(times[7] - 40), "slowest, ms": Math.round(times[14] - 40) };
  },

  /** axe-core on every pane, light and dark. */
  async accessible() {
    const found = [];
    for (const colorScheme of ["light", "dark"]) {
      const page = await open("", { colorScheme });
      await settled(page);
      await choose(page, "examples/hazards/missing_flag.pto");
      for (const tab of ["run", "checks", "time", "timeline", "memory", "passes", "code", "stats", "compare"]) {
        await page.click("#tab-" + tab);
        await page.waitForTimeout(200);
        found.push(...(await accessibility(page)).map((f) => `${colorScheme} ${tab}: ${f}`));
      }
      await page.context().close();
    }
    assert.deepEqual(found, []);
  },

  /** On a phone nothing is wider than the screen, and the results start on the first one. */
  async phone() {
    const page = await open("", { viewport: { width: 420, height: 844 }, hasTouch: true });
    await settled(page);
    assert.ok((await page.locator(".tabs").boundingBox()).y < 760);
    for (const tab of ["run", "checks", "time", "timeline", "memory", "passes", "code", "stats", "compare"]) {
      await page.click("#tab-" + tab);
      await page.waitForTimeout(150);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 420, tab);
    }
    await page.context().close();
  },

  /** On a desktop all tabs are visible without scrolling. */
  async desktop() {
    const page = await open("", { viewport: { width: 1280, height: 800 } });
    await settled(page);
    const tabs = await page.locator(".tabs").evaluate((e) => [e.scrollWidth, e.clientWidth]);
    assert.ok(tabs[0] <= tabs[1], `the tabs need ${tabs[0]} of ${tabs[1]} pixels`);
    await page.context().close();
  },

  /** After the first load the page works without a network. */
  async offline() {
    const page = await open();
    await settled(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
    await settled(page);
    assert.match(await page.textContent(".status"), /Ran @softmax/);
    await choose(page, "examples/gemm.pto");
    assert.match(await page.textContent(".headline"), /gemm_f16\.npy: equal/);
    await page.context().close();
  },

  /** An embedded page has the editor and the panes. */
  async embed() {
    const page = await open("?embed");
    await settled(page);
    assert.ok(await page.isHidden(".launch"));
    assert.match(await page.textContent(".headline"), /Checks/);
    await page.context().close();
  },

  /** The report of pto-run is one file that shows everything without a network. */
  async report() {
    const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (e) => problems.push(e.message));
    page.on("console", (m) => m.type() === "error" && problems.push(m.text()));
    await page.goto("file://" + reportFile);
    const text = await page.textContent("main");
    for (const part of ["Roofline", "Pipes", "Critical path", "Hot lines", "What if", "Timeline", "Local memory", "Checks", "Counts", "Program"]) assert.ok(text.includes(part), part);
    await page.click("td button.link");
    assert.equal(await page.locator(".code-line.shown").count(), 1);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(problems, []);
    assert.deepEqual(await accessibility(page), []);
    await context.close();
  },
};

const wanted = process.argv[4] ? process.argv[4].split(",") : Object.keys(scenarios);
try {
  for (const name of wanted) {
    try {
      results[name] = { values: (await scenarios[name]()) || {} };
    } catch (error) {
      results[name] = { error: String(error.stack || error) };
    }
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(results));
