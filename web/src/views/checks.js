// What the checkers found: races with both accesses, misused synchronization, and so on.

import { h, lineIn, place } from "../dom.js";

/** An access of a race, as a button that shows its line. */
function access(context, a, i, both) {
  const what = `${a.does === "writes" ? "writes" : "reads"}${a.operand ? " " + a.operand : ""}`;
  const where = [a.pipe, a.core, a.rounds && a.rounds.length > 0 ? "round " + a.rounds.join(", ") : ""].filter(Boolean).join(" · ");
  return h("li", {}, h("span", { class: "order" }, i === 0 ? "first" : "then"), h("code", {}, a.instruction), " " + what + " ",
    place(context, a.at, ...both), h("br"), h("code", { class: "quote" }, context.line(a.at)), h("span", { class: "note" }, where));
}

/** One report. */
function reportItem(context, r, edits) {
  const accesses = r.accesses || [];
  const both = accesses.map((a) => a.at);
  const notes = (r.notes || []).filter((n) => !n.at || !both.includes(n.at));
  return h("li", { class: "report " + r.severity },
    h("p", {}, h("strong", {}, `${r.severity}: ${r.check}`), " ", r.text, ". ", lineIn(r.at) ? place(context, r.at, ...both) : null,
      r.more ? h("span", { class: "note" }, ` ${r.more} more times.`) : null),
    accesses.length > 0 ? h("ol", { class: "accesses" }, accesses.map((a, i) => access(context, a, i, both.filter((x) => x !== a.at)))) : null,
    edits.length > 0 && context.apply ? h("button", { type: "button", class: "fix", click: () => context.apply(edits) }, "Insert the missing synchronization") : null,
    notes.length > 0 ? h("ul", { class: "notes" }, notes.map((n) => h("li", {}, n.text, " ", n.at ? place(context, n.at) : null))) : null);
}

/** The sentence about all reports. */
export function summary(checks) {
  const parts = [["errors", "error"], ["warnings", "warning"], ["remarks", "remark"]].filter(([key]) => checks[key] > 0)
    .map(([key, word]) => `${checks[key]} ${word}${checks[key] === 1 ? "" : "s"}`);
  return parts.length > 0 ? parts.join(", ") : "no reports";
}

/** The pane of checks. */
export function checksView(context, report) {
  const c = report.checks;
  if (!c) return h("p", { class: "note" }, "Run the kernel to check it.");
  const v = c.coverage;
  return h("div", { class: "checks" },
    h("p", { class: "verdict" }, "Checks: " + summary(c) + "."),
    h("ul", { class: "reports" }, c.reports.map((r, i) => reportItem(context, r, (report.edits && report.edits[i]) || []))),
    v && v.looked_for ? h("p", { class: "note" }, `Checked for ${v.looked_for.join(", ")} in ${v.accesses} accesses, ${v.pipe_pairs} pairs of pipes with memory in common, ${v.cores} ${v.cores === 1 ? "core" : "cores"}. ` +
      (v.not_looked_at && v.not_looked_at.length > 0 ? `Not checked: ${v.not_looked_at.join(", ")}.` : "")) : null);
}
