// The page: the editor, the launch, and the panes.

import { Client } from "./client.js";
import { fill, h } from "./dom.js";
import { bytes } from "./format.js";
import { Editor } from "./editor.js";
import { LaunchForm } from "./launch.js";
import { Panes } from "./panes.js";
import { decode, encode } from "./share.js";

const embedded = new URLSearchParams(location.search).has("embed");
const START = "softmax";
const DELAY = 40; // ms after an edit
const SLOW = 1500; // ms of a run from which runs need the button
const DOCS = "docs/";

/** The program of the page. */
class App {
  async start() {
    this.state = { text: "", name: "kernel.pto", target: "", chip: "", blocks: 0, ranks: 0, args: [], kernel: "", expression: "", other: "", asWritten: false, tab: "run", form: "llvm" };
    this.files = {};
    this.edits = 0;
    this.build();
    this.client = new Client((news) => this.news(news));
    this.examples = await fetch("examples.json").then((r) => r.json());
    this.fillMenu();
    const shared = await decode(location.hash);
    if (shared && shared.text !== undefined) this.open(shared);
    else this.openExample(this.examples.flatMap((g) => g.items).find((e) => e.name === START));
    window.addEventListener("hashchange", async () => {
      const state = await decode(location.hash);
      if (state && state.text !== undefined) this.open(state);
    });
    if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("sw.js").catch(() => {});
  }

  /** Makes the elements of the page. */
  build() {
    this.menu = h("select", { "aria-label": "Examples", change: (e) => this.pick(e.target.value) });
    this.target = h("select", { "aria-label": "Target", change: (e) => this.set({ target: e.target.value, chip: "" }) },
      [["", "target: as written"], ["a2", "A2"], ["a3", "A3"], ["a5", "A5"]].map(([value, text]) => h("option", { value }, text)));
    this.chip = h("select", { "aria-label": "Chip of the prediction", change: (e) => this.set({ chip: e.target.value }) });
    this.runButton = h("button", { type: "button", class: "primary", click: () => this.press(), title: "Ctrl+Enter" }, "Run");
    this.stopButton = h("button", { type: "button", hidden: true, click: () => this.client.stop() }, "Stop");
    this.shareButton = h("button", { type: "button", click: () => this.share() }, "Share");
    this.status = h("p", { class: "status", role: "status" }, "Loading…");
    this.problems = h("ul", { class: "problems", "aria-label": "Diagnostics" });
    const editorBox = h("div", { class: "editor" });
    this.form = new LaunchForm((change) => this.set(change), (name, data) => { this.files[name] = data; }, () => this.editor.text);
    this.context = {
      reveal: (lines) => this.editor.reveal(lines), hint: (lines) => this.editor.reveal(lines, true), paint: (colours) => this.editor.paint(colours),
      apply: (edits) => this.editor.apply(...edits), line: (at) => this.lineText(at),
    };
    this.panes = new Panes(this.context, this.state, (name, request) => this.ask(name, request), (change) => this.remember(change), (target) => this.request("run", target), () => this.improve());
    const title = embedded ? h("a", { href: "./", target: "_blank", rel: "noopener", click: (e) => { e.currentTarget.href = "./" + location.hash; } }, "PTO playground") : "PTO playground";
    document.body.classList.toggle("embedded", embedded);
    fill(document.getElementById("app"),
      h("header", {}, h("h1", {}, title),
        h("p", { class: "intro note" }, "PTO is the instruction set for kernels on Ascend NPUs: they load, compute and store tiles in on-chip memory. Kernels run here, without a device. ",
          h("a", { href: DOCS + "tutorial/README.html" }, "Tutorial"), " · ", h("a", { href: DOCS + "isa/README.html" }, "Instructions")),
        h("div", { class: "bar", role: "toolbar", "aria-label": "Program" }, this.menu, this.target, this.chip, this.runButton, this.stopButton, this.shareButton)),
      h("main", {},
        h("section", { class: "left", "aria-label": "Program" }, editorBox, this.problems, this.form.element),
        h("section", { class: "right", "aria-label": "Results" }, this.panes.element)),
      h("footer", {}, this.status, h("p", { class: "note" }, "Everything runs in this page; no program is sent anywhere. Escape, then Tab, leaves the editor.")));
    this.editor = new Editor(editorBox, "", "PTO program", () => this.edited(), (line) => this.panes.link(line));
    document.addEventListener("keydown", (e) => {
      if ((e.ctrlKey || e.metaKey) && e.key === "Enter") {
        e.preventDefault();
        this.press();
      }
    });
  }

  fillMenu() {
    fill(this.menu, h("option", { value: "" }, "Examples…"), this.examples.map((group) => h("optgroup", { label: group.title },
      group.items.map((item) => h("option", { value: item.file }, item.name)))));
  }

  pick(file) {
    const item = this.examples.flatMap((g) => g.items).find((e) => e.file === file);
    if (item) this.openExample(item);
  }

  openExample(item) {
    if (!item) return;
    this.open({ text: item.text, name: item.file });
    this.menu.value = item.file;
  }

  /** Replaces the whole state, such as that of a link. */
  open(state) {
    Object.assign(this.state, { target: "", chip: "", blocks: 0, ranks: 0, args: [], kernel: "", expression: "", other: "", asWritten: false, name: "kernel.pto" }, state);
    this.target.value = this.state.target;
    this.menu.value = "";
    this.lastRun = 0;
    this.first = true;
    this.editor.reveal([]);
    this.panes.reset();
    this.editor.text = this.state.text;
    this.form.show(this.state);
    this.edited(0);
  }

  /** Changes the state by a control, and runs again. */
  set(change) {
    Object.assign(this.state, change);
    this.edited(0);
  }

  /** Changes what only the display depends on. */
  remember(change) {
    Object.assign(this.state, change);
  }

  lineText(at) {
    const found = /:(\d+):\d+$/.exec(String(at));
    const line = found ? Number(found[1]) : Number(at);
    return (this.state.text.split("\n")[line - 1] || "").trim();
  }

  edited(delay = DELAY) {
    this.state.text = this.editor.text;
    this.edits++;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.analyse(), delay);
  }

  program() {
    return { name: this.state.name, text: this.state.text, target: this.state.target };
  }

  /** Asks the worker; the answer is null if the worker was stopped or refuses. */
  async ask(name, request, files) {
    try {
      const reply = await this.client.ask(name, { ...this.program(), ...request }, files);
      if (reply.answer.error) {
        this.say(reply.answer.error.split("\\n")[0], "bad");
        return { error: reply.answer.error, took: reply.took };
      }
      return reply;
    } catch {
      return null;
    }
  }

  /** Analyses the program. While the worker is busy, the last of several edits waits. */
  async analyse() {
    if (this.busy) {
      this.pending = true;
      return;
    }
    this.busy = true;
    await this.analyseNow();
    this.busy = false;
    if (this.pending) {
      this.pending = false;
      this.analyse();
    }
  }

  async analyseNow() {
    const edit = this.edits;
    const began = performance.now();
    const reply = await this.ask("analyse", { kernel: this.state.kernel });
    if (edit !== this.edits) return;
    if (!reply || reply.error) {
      this.finished();
      return;
    }
    this.analysis = reply.answer;
    this.analysed = edit;
    this.editor.diagnose(this.analysis.diagnostics);
    this.showProblems(this.analysis.diagnostics);
    document.body.dataset.diagnosed = String(Math.round(performance.now() - began));
    fill(this.chip, h("option", { value: "" }, "chip: usual"), this.analysis.chips.map((c) => h("option", { value: c }, c)));
    this.chip.value = this.state.chip;
    this.form.analysed(this.analysis, this.state);
    this.panes.changed();
    if (!this.analysis.ok) {
      this.say(this.analysis.diagnostics.length === 1 ? "1 problem" : this.analysis.diagnostics.length + " problems", "bad");
      this.finished();
      return;
    }
    if (this.analysis.kernels.length === 0) {
      this.say("The program has no kernel that can be launched.", "poor");
      this.finished();
    } else if (this.lastRun > SLOW) {
      if (this.lastRun !== Infinity) this.say("The last run lasted more than a second; press Run.", "");
      this.finished();
    } else {
      await this.run();
    }
  }

  /** Marks that everything about the last edit is shown, for tests. */
  finished() {
    document.body.dataset.done = String(this.edits);
  }

  showProblems(list) {
    fill(this.problems, list.map((d) => h("li", { class: d.severity },
      d.line ? h("button", { type: "button", class: "link", click: () => this.editor.reveal([d.line, ...(d.related || []).map((r) => r.line)]) }, "line " + d.line) : null, " ",
      d.severity + ": " + d.message, d.code ? h("span", { class: "note" }, " " + d.code) : null,
      (d.fixes || []).map((fix) => h("button", { type: "button", class: "fix", click: () => this.editor.apply(fix) }, fix.title)))));
    this.problems.hidden = list.length === 0;
  }

  /** Runs on demand of the user. The text may have changed since it was analysed. */
  press() {
    this.lastRun = 0;
    if (this.analysed === this.edits) this.run();
    else this.analyse();
  }

  /** Runs the kernel and shows everything about the run. */
  async run() {
    clearTimeout(this.timer);
    this.state.text = this.editor.text;
    const edit = this.edits;
    const began = performance.now();
    const reply = await this.stoppable("Running…", () => this.request("run"));
    if (edit !== this.edits) return;
    if (!reply) {
      this.finished();
      return;
    }
    this.lastRun = this.first ? 0 : reply.took; // the first run of a program also warms up
    this.first = false;
    if (!reply.error) {
      const run = reply.answer;
      if (!run.ran) this.showProblems(run.diagnostics);
      else if (run.diagnostics.length > 0) this.showProblems(run.diagnostics);
      this.form.ran(run);
      this.panes.ran(run, reply.files);
      this.say(`Ran @${run.kernel} for ${run.target} in ${Math.round(performance.now() - began)} ms${run.prepared ? ", with synchronization inserted" : ""}.`, run.fault ? "bad" : "good");
    } else {
      this.panes.failed(reply.error);
    }
    this.finished();
  }

  /** Does something that the user can stop, if it lasts. */
  async stoppable(text, action) {
    const slow = setTimeout(() => {
      this.stopButton.hidden = false;
      this.say(text, "");
    }, 300);
    const reply = await action();
    clearTimeout(slow);
    this.stopButton.hidden = true;
    return reply;
  }

  /** Searches for a faster program. The result has an action that opens it. */
  async improve() {
    const edit = this.edits;
    const reply = await this.stoppable("Searching for a faster program…", () => this.request("advise"));
    if (!reply || edit !== this.edits) return null;
    if (reply.error) return { report: reply.error };
    const found = reply.answer;
    this.say(found.faster ? "A faster program was found." : "No faster program was found.", "");
    const { name, target, chip, expression } = this.state;
    const { kernel, blocks, args } = found.launch;
    const use = () => this.open({ text: found.text, name, target, chip, expression, kernel, blocks, args, asWritten: true, tab: "time" });
    return { report: found.report || found.diagnostics.map((d) => d.message).join("\n"), use: found.faster ? use : null };
  }

  /** Asks for a run of the program or for a faster one, for another target if one is given. */
  async request(name, target) {
    const launch = this.form.launch(this.analysis, this.state);
    const files = { ...this.files, ...(await this.exampleFiles(launch)) };
    const request = { launch, chip: this.state.chip, as_written: this.state.asWritten, expression: this.state.expression, other: this.state.other };
    return this.ask(name, target ? { ...request, target, chip: "", launch: { ...launch, target } } : request, files);
  }

  /** Loads the arrays that the command of an example names. */
  async exampleFiles(launch) {
    const names = new Set([...launch.args, ...(launch.expect || [])].flatMap((t) => t.match(/examples\/expected\/[A-Za-z0-9_-]+\.npy/g) || []));
    this.expected = this.expected || {};
    await Promise.all([...names].map(async (name) => {
      if (this.expected[name]) return;
      const response = await fetch(name).catch(() => null);
      if (response && response.ok) this.expected[name] = new Uint8Array(await response.arrayBuffer());
    }));
    return Object.fromEntries([...names].filter((n) => this.expected[n]).map((n) => [n, this.expected[n].slice()]));
  }

  async share() {
    const fragment = await encode(this.state);
    history.replaceState(null, "", "#" + fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("The link is in the clipboard and in the address bar.", "good");
    } catch {
      this.say("The link is in the address bar.", "good");
    }
  }

  say(text, kind) {
    this.status.textContent = text;
    this.status.className = "status " + kind;
  }

  /** Shows what the worker reports about itself. */
  news(news) {
    if (news.loaded) this.say(`Loading: ${bytes(news.loaded)}${news.total ? " of " + bytes(news.total) : ""}`, "");
    if (news.failed) this.say("The tools cannot be loaded: " + news.failed, "bad");
    if (news.stopped || news.ended) {
      this.stopButton.hidden = true;
      this.lastRun = Infinity;
      this.say(news.stopped ? "Stopped. Press Run to start again." : "The tools ended: the run needed more memory than the browser has. Press Run to start again.", "poor");
    }
  }
}

new App().start();
