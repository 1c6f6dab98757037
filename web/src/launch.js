// The form of a launch: kernel, blocks, arguments, and what the result is compared with.

import { fill, h } from "./dom.js";

/** The form. changed receives changes of the state, addFile files that are dropped, and program returns the text of the editor. */
export class LaunchForm {
  constructor(changed, addFile, program) {
    this.changed = changed;
    this.addFile = addFile;
    this.key = "";
    this.kernel = h("select", { "aria-label": "Kernel", change: (e) => changed({ kernel: e.target.value, args: [] }) });
    this.blocks = this.count("Blocks", "blocks");
    this.ranks = this.count("Ranks", "ranks");
    this.args = h("div", { class: "args" });
    this.asWritten = h("input", { type: "checkbox", change: (e) => changed({ asWritten: e.target.checked }) });
    this.expression = h("textarea", { rows: 2, spellcheck: "false", placeholder: "y = x / sum(x, axis=1, keepdims=true)", "aria-label": "Reference expression", change: (e) => changed({ expression: e.target.value }) });
    this.other = h("textarea", { rows: 4, spellcheck: "false", placeholder: "another version of the kernel", "aria-label": "Second kernel", change: (e) => changed({ other: e.target.value }) });
    this.compare = h("details", {}, h("summary", {}, "Compare the result"),
      h("label", {}, "Reference expression, as in numpy", this.expression),
      h("label", {}, "Second kernel", this.other),
      h("button", { type: "button", click: () => this.keep(program()) }, "Keep the program as it is now as the second kernel"));
    this.element = h("section", { class: "launch", "aria-label": "Launch" },
      h("div", { class: "row" }, h("label", {}, "Kernel ", this.kernel), h("label", {}, "Blocks ", this.blocks), h("label", {}, "Ranks ", this.ranks),
        h("label", { title: "Without this, a kernel without flags of its own gets them from pto-insert-sync, as for the device." }, this.asWritten, " as written, without inserted flags")),
      this.args, this.compare);
  }

  count(label, key) {
    return h("input", { type: "number", min: 1, max: 4096, "aria-label": label, change: (e) => this.changed({ [key]: Math.max(1, Math.min(4096, Math.trunc(Number(e.target.value)) || 1)) }) });
  }

  /** Makes a text the second kernel. */
  keep(text) {
    this.other.value = text;
    this.changed({ other: text });
  }

  /** Shows a state that was opened. */
  show(state) {
    this.key = "";
    this.expression.value = state.expression;
    this.other.value = state.other;
    this.asWritten.checked = state.asWritten;
    this.compare.open = Boolean(state.expression || state.other);
  }

  /** Returns the launch of a state: what the user chose, or the command in the comments. */
  launch(analysis, state) {
    const command = (analysis && analysis.launch) || {};
    const kernels = (analysis && analysis.kernels) || [];
    const kernel = state.kernel || command.kernel || (kernels.length > 1 ? kernels[0].name : "");
    const fits = !state.kernel || state.kernel === command.kernel || (!command.kernel && kernels.length === 1);
    const args = state.args.length > 0 ? state.args : (fits && command.args) || [];
    return {
      kernel, args, blocks: state.blocks || (fits && command.blocks) || 1, ranks: state.ranks || (fits && command.ranks) || 1,
      target: state.target || command.target || "", expect: state.args.length === 0 && fits ? command.expect : undefined,
    };
  }

  /** Shows the kernels of an analysis. */
  analysed(analysis, state) {
    if (!analysis.ok) return;
    const launch = this.launch(analysis, state);
    fill(this.kernel, analysis.kernels.map((k) => h("option", { value: k.name }, k.name)));
    this.kernel.value = launch.kernel || (analysis.kernels[0] && analysis.kernels[0].name) || "";
    this.blocks.value = launch.blocks;
    this.ranks.value = launch.ranks;
    const chosen = analysis.kernels.find((k) => k.name === this.kernel.value);
    this.showArgs((chosen && chosen.params) || [], launch.args);
  }

  /** Shows the arguments. Fields keep the focus if the parameters are the same. */
  showArgs(params, args) {
    const key = JSON.stringify(params);
    if (key === this.key) {
      this.inputs.forEach((input, i) => {
        if (document.activeElement !== input && args[i] !== undefined) input.value = args[i];
      });
      return;
    }
    this.key = key;
    this.inputs = params.map((p, i) => h("input", { type: "text", spellcheck: "false", value: args[i] || "", "aria-label": "Argument " + p.name,
      change: () => this.changed({ args: this.inputs.map((x) => x.value) }) }));
    fill(this.args, params.map((p, i) => h("label", { class: "arg", dragover: (e) => e.preventDefault(), drop: (e) => this.drop(e, i) },
      h("span", {}, h("code", {}, "%" + p.name), " ", h("span", { class: "note" }, p.type)), this.inputs[i], p.pointer ? this.picker(p.name, i) : null)));
  }

  /** A button that chooses a file for an argument. */
  picker(name, i) {
    const input = h("input", { type: "file", accept: ".npy", hidden: true, change: (e) => this.read(e.target.files[0], i) });
    return h("button", { type: "button", "aria-label": ".npy file for " + name, title: "A .npy file; it can also be dropped here", click: () => input.click() }, ".npy", input);
  }

  drop(event, i) {
    event.preventDefault();
    this.read(event.dataTransfer.files[0], i);
  }

  async read(file, i) {
    if (!file) return;
    this.addFile(file.name, new Uint8Array(await file.arrayBuffer()));
    this.inputs[i].value = "in=" + file.name;
    this.changed({ args: this.inputs.map((x) => x.value) });
  }

  /** Shows the arguments that a run made up. */
  ran(run) {
    (run.launch.args || []).forEach((a, i) => {
      if (this.inputs && this.inputs[i] && this.inputs[i].value === "") this.inputs[i].value = a;
    });
  }
}
