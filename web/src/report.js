// The report of one run (pto-run --report): the panes of the page, one below the other, and
// the source. The data is in the element with the id "data".

import { fill, h } from "./dom.js";
import { checksView } from "./views/checks.js";
import { graphView } from "./views/graph.js";
import { memoryView } from "./views/memory.js";
import { headline, runView } from "./views/run.js";
import { statsView } from "./views/stats.js";
import { timeView } from "./views/time.js";
import { timelineView } from "./views/timeline.js";

const report = JSON.parse(document.getElementById("data").textContent);
const sources = report.sources || (report.program ? [{ file: report.file, program: report.program }] : []);
const listings = sources.map(listing);

/** A source with its lines. */
function listing({ file, program }, index) {
  const lines = program.split("\n");
  const rows = lines.map((text, i) => h("div", { class: "code-line", id: `line-${index > 0 ? index + "-" : ""}${i + 1}` }, h("span", { class: "sign" }, String(i + 1)), text));
  const title = sources.length > 1 ? file : "Program";
  return { file, lines, rows, element: h("details", { class: "source", open: sources.length === 1 }, h("summary", {}, title), h("pre", { class: "code", tabindex: 0 }, rows)) };
}

/** The listing of the file in a place such as "softmax.pto:29:12"; the first one for a number. */
function listingOf(at) {
  const found = /^(.*):\d+:\d+$/.exec(String(at));
  return (found && listings.find((l) => l.file === found[1])) || (sources.length > 1 && found ? null : listings[0]);
}

function lineOf(at) {
  const found = /:(\d+):\d+$/.exec(String(at));
  return found ? Number(found[1]) : Number(at);
}

const context = {
  line(at) {
    const l = listingOf(at);
    return l ? (l.lines[lineOf(at) - 1] || "").trim() : "";
  },
  reveal(lines, places = lines) {
    const shown = places.map((at) => ({ l: listingOf(at), line: lineOf(at) })).filter((x) => x.l && x.line > 0);
    for (const l of listings) l.rows.forEach((row, i) => row.classList.toggle("shown", shown.some((x) => x.l === l && x.line === i + 1)));
    if (shown.length === 0) return;
    for (const x of shown) x.l.element.open = true;
    const first = shown[0].l.rows[shown[0].line - 1];
    if (first) first.scrollIntoView({ block: "center" });
  },
  file: sources.length > 1 ? (at) => (listingOf(at) ? listingOf(at).file.split("/").pop() : "") : null,
  hint() {},
};

function section(title, view) {
  return h("section", {}, h("h2", {}, title), view);
}

document.title = (report.kernel || report.file || "PTO") + ": report";
const heading = report.graph ? "Graph" : report.kernel ? "@" + report.kernel : "Local memory";
fill(document.getElementById("app"),
  h("header", {}, h("h1", {}, heading)),
  h("main", { class: "document" },
    h("p", { class: "note" }, [report.file, report.target, report.blocks > 1 ? report.blocks + " blocks" : "", report.ranks > 1 ? report.ranks + " ranks" : "", report.tool].filter(Boolean).join(" · ")),
    headline(report),
    report.graph ? section("Tasks", graphView(context, report)) : null,
    report.timing ? section("Time", timeView(context, report)) : null,
    report.trace ? section("Timeline", timelineView(context, report)) : null,
    report.memory ? section("Local memory", memoryView(context, report)) : null,
    report.checks ? section("Checks", checksView(context, report)) : null,
    report.fault || report.printed || report.comparisons || report.notes ? section("Run", runView(context, report, {})) : null,
    report.stats ? section("Counts", statsView(context, report)) : null,
    listings.map((l) => l.element)));
