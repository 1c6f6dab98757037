// The panes of results, as tabs.

import { download, fill, h } from "./dom.js";
import { checksView } from "./views/checks.js";
import { compareView } from "./views/compare.js";
import { memoryView } from "./views/memory.js";
import { hueOf, passesView } from "./views/passes.js";
import { headline, runView } from "./views/run.js";
import { statsView } from "./views/stats.js";
import { timeView } from "./views/time.js";
import { timelineView } from "./views/timeline.js";

const tabs = [["run", "Run"], ["checks", "Checks"], ["time", "Time"], ["timeline", "Timeline"], ["memory", "Memory"], ["passes", "Passes"], ["code", "Code"], ["stats", "Counts"], ["compare", "Compare"]];
const views = { checks: checksView, time: timeView, timeline: timelineView, memory: memoryView, stats: statsView };
const forms = [["llvm", "LLVM IR", "ll"], ["cpp", "C++", "cpp"], ["pto-as", "PTO-AS", "pto"]];

/** The panes. ask sends a request about the program, remember keeps choices, runFor runs the program for a target, and improve searches for a faster one. */
export class Panes {
  constructor(context, state, ask, remember, runFor, improve) {
    Object.assign(this, { context, state, ask, remember, runFor, improve });
    this.kept = null; // a run to compare with
    this.stage = -1;
    this.brief = false;
    this.headline = h("div", {});
    this.body = h("div", { class: "pane", role: "tabpanel", id: "pane", tabindex: 0 });
    this.buttons = tabs.map(([id, title]) => h("button", { type: "button", role: "tab", id: "tab-" + id, "aria-controls": "pane", click: () => this.choose(id) }, title));
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": "Results", keydown: (e) => this.key(e) }, this.buttons);
    this.element = h("div", { class: "panes" }, this.headline, this.list, this.body);
    this.form = h("select", { "aria-label": "Form of the code", change: (e) => { this.remember({ form: e.target.value }); this.show(); } }, forms.map(([value, title]) => h("option", { value }, title)));
    this.passes = h("input", { type: "text", list: "all-passes", placeholder: "the path to the device", "aria-label": "Passes, separated by blanks", spellcheck: "false", change: () => { this.stage = -1; this.show(); } });
    this.known = h("datalist", { id: "all-passes" });
    this.reset();
  }

  /** Forgets the program. */
  reset() {
    this.report = null;
    this.files = {};
    this.stage = -1;
    fill(this.headline);
    this.select();
    fill(this.body, h("p", { class: "note" }, "The result appears here."));
  }

  key(event) {
    const at = tabs.findIndex(([id]) => id === this.state.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    this.choose(tabs[next][0]);
    this.buttons[next].focus();
  }

  choose(id) {
    this.remember({ tab: id });
    this.select();
    this.show();
  }

  /** Marks the chosen tab. */
  select() {
    if (!tabs.some(([id]) => id === this.state.tab)) this.state.tab = "run";
    tabs.forEach(([id], i) => {
      this.buttons[i].setAttribute("aria-selected", id === this.state.tab ? "true" : "false");
      this.buttons[i].tabIndex = id === this.state.tab ? 0 : -1;
    });
    this.body.setAttribute("aria-labelledby", "tab-" + this.state.tab);
    this.body.dataset.tab = this.state.tab;
  }

  /** The program has changed. */
  changed() {
    if (this.state.tab === "passes" || this.state.tab === "code") this.show();
  }

  ran(report, files) {
    this.report = report;
    this.files = files;
    fill(this.headline, report.ran ? headline(report) : h("p", { class: "note" }, "The kernel did not start; see the problems below the program."));
    if (this.state.tab !== "passes" && this.state.tab !== "code") this.show();
  }

  failed(text) {
    this.report = null;
    fill(this.headline);
    if (this.state.tab !== "passes" && this.state.tab !== "code") fill(this.body, h("p", { class: "failure" }, text.split("\\n")[0]));
  }

  show() {
    this.select();
    const { tab } = this.state;
    if (tab !== "passes") this.context.paint(new Map());
    if (tab === "passes") this.showPasses();
    else if (tab === "compare") this.showCompare();
    else if (tab === "code") this.showCode();
    else if (!this.report) fill(this.body, h("p", { class: "note" }, "Run the kernel to see this."));
    else fill(this.body, tab === "time" ? this.adviser() : null, tab === "run" ? runView(this.context, this.report, this.files) : views[tab](this.context, this.report));
  }

  /** The button that searches for a faster program, and what it has found. */
  adviser() {
    const result = h("div", { "aria-live": "polite" });
    const search = async (event) => {
      const button = event.currentTarget;
      button.disabled = true;
      fill(result, h("p", { class: "note" }, "Passes and numbers of blocks are tried, and what is faster is verified. This may take a minute."));
      const found = await this.improve();
      button.disabled = false;
      fill(result, found ? [h("pre", { tabindex: 0 }, found.report), found.use ? h("button", { type: "button", click: found.use }, "Open the faster program") : null] : null);
    };
    return h("div", {}, h("div", { class: "tools" }, h("button", { type: "button", click: search }, "Make it faster")), result);
  }

  /** A run with the text of its program. */
  runOf(report, files) {
    return { title: `${this.state.name}, ${report.target}`, text: this.state.text, report, files };
  }

  async showCompare() {
    const now = this.report ? this.runOf(this.report, this.files) : null;
    const keep = (run) => {
      this.kept = run;
      this.show();
    };
    const reply = this.kept && now ? await this.ask("diff", { before: this.kept.text }) : null;
    if (this.state.tab !== "compare") return;
    fill(this.body, compareView(this.context, this.kept, reply && !reply.error ? now : this.kept ? null : now, reply && !reply.error ? reply.answer.lines : [], {
      keep: () => keep(now),
      other: async (target) => {
        const run = await this.runFor(target);
        if (run && !run.error && run.answer.ran) keep(this.runOf(run.answer, run.files));
      },
    }));
  }

  async showPasses() {
    const names = this.passes.value.split(/[\s;]+/).filter(Boolean);
    const reply = await this.ask("passes", { passes: names });
    if (!reply || reply.error || this.state.tab !== "passes") return;
    this.answer = reply.answer;
    fill(this.known, this.answer.all.map((p) => h("option", { value: p.name }, p.doc)));
    this.drawPasses();
  }

  drawPasses() {
    const wrong = this.answer.diagnostics.filter((d) => d.severity === "error");
    fill(this.body, h("div", { class: "tools" }, h("label", {}, "Passes ", this.passes), this.known),
      wrong.map((d) => h("p", { class: "failure" }, d.message)),
      passesView(this.context, this.answer, this.stage, (i) => { this.stage = i; this.drawPasses(); }, this.brief, (brief) => { this.brief = brief; this.drawPasses(); }));
    const stage = this.answer.stages[this.stage < 0 ? this.answer.stages.length - 1 : this.stage];
    this.context.paint(new Map((stage ? stage.lines : []).filter((l) => l.source).map((l) => [l.source, hueOf(l.source)])));
  }

  /** Marks the lines of the shown stage that come from a line of the program. */
  link(line) {
    for (const row of this.body.querySelectorAll(".code-line")) row.classList.toggle("shown", row.dataset.line === String(line));
  }

  async showCode() {
    this.form.value = forms.some(([f]) => f === this.state.form) ? this.state.form : "llvm";
    const form = this.form.value;
    const reply = await this.ask("emit", { form });
    if (!reply || reply.error || this.state.tab !== "code") return;
    const { text, diagnostics } = reply.answer;
    const ending = forms.find(([f]) => f === form)[2];
    fill(this.body, h("div", { class: "tools" }, this.form, h("button", { type: "button", click: () => download("kernel." + ending, text, "text/plain") }, "Save")),
      diagnostics.map((d) => h("p", { class: d.severity === "error" ? "failure" : "note" }, d.message)), text ? h("pre", { class: "code", tabindex: 0, "aria-label": "Code" }, text) : null);
  }
}
