// The result of a run: faults, comparisons, arrays, printed text.

import { h, place, table } from "../dom.js";
import { percent } from "../format.js";
import { arrayView, errorsView } from "./arrays.js";
import { summary } from "./checks.js";
import { graphVerdict } from "./graph.js";
import { verdict } from "./time.js";

const words = { equal: "equal", within: "equal within the tolerance", differs: "different", error: "not compared", "not decided": "not decided" };

/** One comparison. */
function comparison(context, report, files, c) {
  const array = report.arrays && report.arrays[c.array];
  const first = c.first;
  const writer = first && first.writer ? /line (\d+)/.exec(first.writer) : null;
  return h("section", { class: "comparison " + c.outcome.replace(" ", "-") },
    h("p", {}, h("strong", {}, `${array ? array.name + " against " : ""}${c.against}: ${words[c.outcome]}`),
      c.count > 0 ? ` in ${c.count} of ${c.elements} elements (${percent(c.count / c.elements)}).` : "", c.largest_error ? ` Largest error ${c.largest_error}.` : ""),
    first ? h("p", {}, `The first is [${first.at}]: got ${first.got}, expected ${first.want}. `, first.writer ? first.writer + " " : "", writer ? place(context, Number(writer[1])) : null) : null,
    c.worst && c.worst.length > 0 ? h("details", {}, h("summary", {}, "The worst elements"),
      table("The worst elements", ["element", "got", "expected"], c.worst.map((e) => [`[${e.at}]`, e.got, e.want]), [1, 2])) : null,
    c.text ? h("pre", { tabindex: 0 }, c.text) : null,
    array && c.count > 0 ? errorsView(c, array, files) : null);
}

/** The lines at the top of a report. */
export function headline(report) {
  const lines = [];
  if (report.fault) lines.push(["bad", "Fault: " + report.fault.message]);
  if (report.graph) lines.push(["", graphVerdict(report.graph)]);
  if (report.timing) lines.push(["", verdict(report.timing)]);
  if (report.checks) lines.push([report.checks.errors > 0 ? "bad" : report.checks.warnings > 0 ? "poor" : "good", "Checks: " + summary(report.checks) + "."]);
  for (const c of report.comparisons || []) {
    if (c.elements > 0 || c.outcome === "error") lines.push([c.outcome === "differs" || c.outcome === "error" ? "bad" : "good", `${c.against}: ${words[c.outcome]}.`]);
  }
  return h("ul", { class: "headline" }, lines.map(([kind, text]) => h("li", { class: kind }, text)));
}

/** The result of a run. */
export function runView(context, report, files) {
  const fault = report.fault;
  return h("div", { class: "result" },
    fault ? h("section", { class: "comparison differs" }, h("p", {}, h("strong", {}, report.graph ? "A task faulted: " : "The kernel faulted: "), fault.message, " ", fault.line ? place(context, fault.line) : null),
      fault.related && fault.related.length > 0 ? h("ul", {}, fault.related.map((r) => h("li", {}, r.message, " ", place(context, r.line)))) : null) : null,
    (report.comparisons || []).map((c) => comparison(context, report, files, c)),
    report.printed ? h("section", {}, h("h3", {}, "Printed"), h("pre", { class: "printed", tabindex: 0 }, report.printed)) : null,
    report.arrays && report.arrays.length > 0 ? h("section", {}, h("h3", {}, "Arrays"), [...report.arrays].sort((a, b) => b.changed - a.changed).map((a) => arrayView(a, files, a.changed))) : null,
    (report.notes || []).map((n) => h("p", { class: "note" }, n)));
}
