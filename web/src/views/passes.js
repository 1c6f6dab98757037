// The program after each pass, with what the pass changed.

import { h } from "../dom.js";

const MOST_LINES = 4000;

/** The class of colour of a line of the source; neighbours differ. */
export function hueOf(line) {
  return line > 0 ? "source-" + (line % 8) : "";
}

/** One line of a stage. */
function lineView(context, l) {
  const sign = l.sign || " ";
  const props = { class: ["code-line", l.sign === "+" ? "added" : l.sign === "-" ? "removed" : "", hueOf(l.source || 0)].join(" "), dataset: { line: l.source || 0 } };
  if (l.source) props.pointerenter = () => context.hint([l.source]);
  return h("div", props, h("span", { class: "sign", "aria-hidden": l.sign ? null : true }, sign), l.text);
}

/** The text of a stage. Only changed lines and their neighbours are shown if brief is set. */
export function stageText(context, stage, brief) {
  const near = new Set();
  if (brief) {
    stage.lines.forEach((l, i) => {
      if (!l.sign) return;
      for (let k = i - 3; k <= i + 3; k++) near.add(k);
    });
  }
  const rows = [];
  let skipped = 0;
  stage.lines.slice(0, MOST_LINES).forEach((l, i) => {
    if (brief && !near.has(i)) {
      skipped++;
      return;
    }
    if (skipped > 0) rows.push(h("div", { class: "gap" }, `${skipped} equal lines`));
    skipped = 0;
    rows.push(lineView(context, l));
  });
  if (skipped > 0) rows.push(h("div", { class: "gap" }, `${skipped} equal lines`));
  if (stage.lines.length > MOST_LINES) rows.push(h("div", { class: "gap" }, `${stage.lines.length - MOST_LINES} more lines`));
  return h("pre", { class: "code", tabindex: 0, "aria-label": "Program after " + stage.pass }, rows);
}

/** The pane of passes. chosen is the number of the shown stage; pick chooses another one. */
export function passesView(context, answer, chosen, pick, brief, setBrief) {
  const at = Math.min(chosen < 0 ? answer.stages.length - 1 : chosen, answer.stages.length - 1);
  const stage = answer.stages[at];
  return h("div", { class: "passes" },
    h("div", { class: "stages", role: "group", "aria-label": "Passes" }, answer.stages.map((x, i) => {
      const changes = x.lines.filter((l) => l.sign).length;
      return h("button", { type: "button", class: x.changed || i === 0 ? "" : "unchanged", "aria-pressed": i === at ? "true" : "false", title: x.doc, click: () => pick(i) },
        x.pass, i > 0 ? h("span", { class: "note" }, changes > 0 ? ` ${changes}` : " –") : null);
    })),
    stage ? [h("p", { class: "note" }, stage.doc, " ",
      h("label", {}, h("input", { type: "checkbox", checked: brief, change: (e) => setBrief(e.target.checked) }), " only what changed")), stageText(context, stage, brief && at > 0)] : h("p", { class: "note" }, "The program has errors."));
}
