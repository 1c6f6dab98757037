// The report of one run (pto-run --report): the panes of the page, one below the other, and
// the source. The data is in the element with the id "data".

import { fill, h } from "./dom.js";
import { checksView } from "./views/checks.js";
import { memoryView } from "./views/memory.js";
import { headline, runView } from "./views/run.js";
import { statsView } from "./views/stats.js";
import { timeView } from "./views/time.js";
import { timelineView } from "./views/timeline.js";

const report = JSON.parse(document.getElementById("data").textContent);
const source = report.program ? report.program.split("\n") : [];
const rows = source.map((text, i) => h("div", { class: "code-line", id: "line-" + (i + 1) }, h("span", { class: "sign" }, String(i + 1)), text));
const listing = h("details", { class: "source", open: true }, h("summary", {}, "Program"), h("pre", { class: "code", tabindex: 0 }, rows));

const context = {
  line(at) {
    const found = /:(\d+):\d+$/.exec(String(at));
    return (source[(found ? Number(found[1]) : Number(at)) - 1] || "").trim();
  },
  reveal(lines) {
    rows.forEach((row, i) => row.classList.toggle("shown", lines.includes(i + 1)));
    listing.open = true;
    if (rows[lines[0] - 1]) rows[lines[0] - 1].scrollIntoView({ block: "center" });
  },
  hint() {},
};

function section(title, view) {
  return h("section", {}, h("h2", {}, title), view);
}

document.title = (report.kernel || report.file || "PTO") + ": report";
fill(document.getElementById("app"),
  h("header", {}, h("h1", {}, report.kernel ? "@" + report.kernel : "Local memory")),
  h("main", { class: "document" },
    h("p", { class: "note" }, [report.file, report.target, report.blocks > 1 ? report.blocks + " blocks" : "", report.ranks > 1 ? report.ranks + " ranks" : "", report.tool].filter(Boolean).join(" · ")),
    headline(report),
    report.timing ? section("Time", timeView(context, report)) : null,
    report.trace ? section("Timeline", timelineView(context, report)) : null,
    report.memory ? section("Local memory", memoryView(context, report)) : null,
    report.checks ? section("Checks", checksView(context, report)) : null,
    report.fault || report.printed || report.comparisons || report.notes ? section("Run", runView(context, report, {})) : null,
    report.stats ? section("Counts", statsView(context, report)) : null,
    source.length > 0 ? listing : null));
