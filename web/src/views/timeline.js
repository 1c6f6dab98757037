// The timeline of the predicted run: a lane for each pipe of each core, drawn on a canvas.

import { download, fill, h, lineIn, table } from "../dom.js";
import { bytes, digits, micros, percent } from "../format.js";
import { matches, readTrace, statistics } from "./trace.js";

const LANE = 22;
const CORE = 24;
const AXIS = 24;
const MOST_ARROWS = 300; // more than these are drawn for the selected instruction only

/** The class of colour of a pipe. */
const hues = { MTE2: 1, MTE1: 2, CUBE: 3, FIXP: 4, SCALAR: 0, VECTOR: 5, MTE3: 6 };

/**
 * Draws a timeline. Keys and the wheel zoom and move it; a click shows the line, and a drag
 * with Shift marks a part of the time, whose statistics are shown.
 */
export class Timeline {
  constructor(context, trace) {
    this.context = context;
    Object.assign(this, readTrace(trace));
    this.from = 0;
    this.to = this.end || 1;
    this.selected = null;
    this.marked = null; // {from, to}
    this.text = ""; // of the search
    this.height = AXIS;
    let core = null;
    for (const lane of this.lanes) {
      if (lane.core !== core) {
        this.height += CORE;
        core = lane.core;
      }
      lane.y = this.height;
      this.height += LANE;
    }
    this.canvas = h("canvas", { class: "timeline", role: "img", tabindex: 0, "aria-label": this.summary(),
      wheel: (e) => this.wheel(e), pointermove: (e) => this.pointer(e), pointerdown: (e) => this.press(e), pointerup: () => this.release(),
      click: (e) => this.click(e), keydown: (e) => this.key(e) });
    this.detail = h("p", { class: "detail", "aria-live": "polite" }, "Move over a bar to see the instruction. Scroll or press + and − to zoom, drag or press ← and → to move, Tab and N to go to the next instruction. Shift and drag measure a part. Arrows are flags, barriers and data that an instruction waits for.");
    this.found = h("span", { class: "note", "aria-live": "polite" });
    this.search = h("input", { type: "search", placeholder: "tload, line 29, flag", "aria-label": "Find instructions", input: () => this.find(), keydown: (e) => this.searchKey(e) });
    this.table = h("div", {});
    this.statistics = h("details", { toggle: () => this.measure() }, h("summary", {}, "Statistics of the marked or shown part"), this.table);
    this.element = h("div", { class: "timeline-box" },
      h("div", { class: "tools" },
        h("button", { type: "button", click: () => this.zoom(0.5) }, "Zoom in"), h("button", { type: "button", click: () => this.zoom(2) }, "Zoom out"),
        h("button", { type: "button", click: () => this.show(0, this.end) }, "Whole run"),
        h("button", { type: "button", click: () => download("trace.json", JSON.stringify(trace), "application/json") }, "Export for Perfetto"),
        this.search, this.found),
      this.canvas, this.detail, this.statistics, this.cut > 0 ? h("p", { class: "note" }, this.cut + " more lanes are in the exported file.") : null);
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.element);
    this.observer = matchMedia("(prefers-color-scheme: dark)");
    this.observer.addEventListener("change", () => this.draw());
  }

  summary() {
    const busy = this.lanes.map((l) => `${l.coreName}, ${l.name}: ${l.slices.length} instructions`).slice(0, 12).join("; ");
    return `Timeline of ${digits(this.end)} microseconds. ${busy}`;
  }

  get width() {
    return Math.max(this.canvas.clientWidth, 200);
  }

  /** The width of the names of pipes, and of what is left for the time. */
  get label() {
    return this.width < 480 ? 62 : 96;
  }

  get room() {
    return this.width - this.label;
  }

  x(time) {
    return this.label + ((time - this.from) / (this.to - this.from)) * this.room;
  }

  time(x) {
    return this.from + ((x - this.label) / this.room) * (this.to - this.from);
  }

  show(from, to) {
    const least = this.end / 1e5 || 1e-6;
    const span = Math.min(Math.max(to - from, least), this.end || 1);
    this.from = Math.max(0, Math.min(from, (this.end || 1) - span));
    this.to = this.from + span;
    this.draw();
    this.measure();
  }

  zoom(factor, at = (this.from + this.to) / 2) {
    this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  wheel(event) {
    if (!event.ctrlKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX) && document.activeElement !== this.canvas) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (event.deltaX / this.width) * (this.to - this.from);
      this.show(this.from + by, this.to + by);
    } else {
      this.zoom(Math.exp(event.deltaY / 400), this.time(event.offsetX));
    }
  }

  press(event) {
    this.drag = { x: event.offsetX, from: this.from, moved: false, marks: event.shiftKey };
    if (event.shiftKey) event.preventDefault(); // no selection of text
  }

  release() {
    if (this.drag && this.drag.marks && !this.drag.moved) this.marked = null;
    if (this.drag && this.drag.marks) {
      this.statistics.open = this.statistics.open || this.marked !== null;
      this.draw();
      this.measure();
    }
    this.drag = null;
  }

  pointer(event) {
    if (this.drag) {
      const by = ((event.offsetX - this.drag.x) / this.room) * (this.to - this.from);
      this.drag.moved = this.drag.moved || Math.abs(event.offsetX - this.drag.x) > 3;
      this.moved = this.drag.moved;
      if (!this.drag.marks) {
        this.show(this.drag.from - by, this.drag.from - by + (this.to - this.from));
      } else if (this.drag.moved) {
        const [from, to] = [this.drag.x, event.offsetX].map((x) => Math.max(0, Math.min(this.end, this.time(x)))).sort((a, b) => a - b);
        this.marked = { from, to };
        this.draw();
      }
      return;
    }
    const slice = this.at(event.offsetX, event.offsetY);
    if (slice) this.describe(slice);
  }

  click(event) {
    if (this.moved) {
      this.moved = false;
      return;
    }
    const slice = this.at(event.offsetX, event.offsetY);
    if (slice) this.select(slice);
  }

  /** Returns the slice at a point. */
  at(x, y) {
    const lane = this.lanes.find((l) => y >= l.y && y < l.y + LANE);
    const time = this.time(x);
    const near = 2 * ((this.to - this.from) / this.width);
    return lane && lane.slices.find((slice) => time >= slice.from - near && time <= slice.to + near);
  }

  key(event) {
    const step = (this.to - this.from) / 8;
    const actions = {
      ArrowLeft: () => this.show(this.from - step, this.to - step), ArrowRight: () => this.show(this.from + step, this.to + step),
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), Home: () => this.show(0, this.end),
      n: () => this.next(1), p: () => this.next(-1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
  }

  /** Selects the next or the previous instruction in time; during a search, of those that match. */
  next(by) {
    const all = this.lanes.flatMap((l) => l.slices).filter((s) => this.text === "" || matches(s, this.text)).sort((a, b) => a.from - b.from);
    if (all.length === 0) return;
    const at = all.indexOf(this.selected);
    this.select(all[at < 0 && by < 0 ? all.length - 1 : Math.max(0, Math.min(all.length - 1, at + by))]);
  }

  /** Outlines what matches the text of the search. */
  find() {
    this.text = this.search.value.trim();
    const n = this.text === "" ? 0 : this.lanes.reduce((sum, l) => sum + l.slices.filter((s) => matches(s, this.text)).length, 0);
    this.found.textContent = this.text === "" ? "" : n === 1 ? "1 instruction" : n + " instructions";
    this.draw();
  }

  searchKey(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.next(event.shiftKey ? -1 : 1);
  }

  /** Fills the table of statistics, if it is open. */
  measure() {
    if (!this.statistics.open) return;
    const { from, to } = this.marked || this;
    fill(this.table, h("p", { class: "note" }, `${this.marked ? "Marked" : "Shown"}: ${micros(to - from)} from ${micros(from)} to ${micros(to)}.`),
      table("Statistics", ["pipe", "instructions", "busy", "share", "bytes", "rate"], statistics(this.lanes, from, to).map((x) => [
        `${x.lane.coreName}, ${x.lane.name}`, x.count, micros(x.busy), percent(x.busy / (to - from)), x.bytes > 0 ? bytes(x.bytes) : "", x.bytes > 0 ? digits(x.bytes / (to - from) / 1000) + " GB/s" : "",
      ]), [1, 2, 3, 4, 5]));
  }

  select(slice) {
    this.selected = slice;
    this.describe(slice);
    const line = lineIn(slice.args.at);
    if (line) this.context.reveal([line], [slice.args.at]);
    const span = this.to - this.from;
    if (slice.to < this.from || slice.from > this.to) this.show(slice.from - span / 2, slice.from + span / 2);
    else this.draw();
  }

  describe(slice) {
    const line = lineIn(slice.args.at);
    const parts = [slice.name, ...(line ? ["line " + line] : []), digits(slice.to - slice.from) + " µs from " + digits(slice.from, 5)];
    if (slice.args.bytes) parts.push(slice.args.bytes + " bytes");
    if (slice.args["began because of"]) parts.push("began because of: " + slice.args["began because of"]);
    this.detail.textContent = parts.join(" · ");
  }

  draw() {
    const scale = window.devicePixelRatio || 1;
    const { canvas, width } = this;
    canvas.style.height = this.height + "px";
    canvas.width = width * scale;
    canvas.height = this.height * scale;
    const g = canvas.getContext("2d");
    g.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    g.font = "12px " + style.fontFamily;
    g.textBaseline = "middle";
    this.axis(g, colour);
    let core = null;
    for (const lane of this.lanes) {
      if (lane.core !== core) {
        g.fillStyle = colour("--ground");
        g.fillRect(0, lane.y - CORE + 2, Math.max(g.measureText(lane.coreName).width + 8, this.label), CORE - 2);
        g.fillStyle = colour("--text");
        g.fillText(lane.coreName, 0, lane.y - CORE / 2 + 2);
        core = lane.core;
      }
      this.lane(g, colour, lane);
    }
    this.inTime(g, () => {
      this.arrows(g, colour);
      this.mark(g, colour);
    });
  }

  /** Draws only where the time is, not over names. */
  inTime(g, draw) {
    g.save();
    g.beginPath();
    g.rect(this.label, 0, this.room, this.height);
    g.clip();
    draw();
    g.restore();
  }

  /** Draws the signals of the selected instruction, and all others while there are few. */
  arrows(g, colour) {
    const seen = this.signals.filter((x) => x.to.time >= this.from && x.from.time <= this.to);
    for (const x of seen) {
      const chosen = this.touches(x, this.selected);
      if (!chosen && seen.length > MOST_ARROWS) continue;
      g.strokeStyle = g.fillStyle = colour(chosen ? "--text" : "--arrow");
      g.lineWidth = chosen ? 2 : 1;
      const x0 = this.x(x.from.time), x1 = this.x(x.to.time);
      const down = x.to.lane.y >= x.from.lane.y;
      const y0 = x.from.lane.y + (down ? LANE - 2 : 2), y1 = x.to.lane.y + (down ? 2 : LANE - 2);
      const bend = Math.max(8, Math.abs(y1 - y0) / 2) * (down ? 1 : -1);
      g.beginPath();
      g.moveTo(x0, y0);
      g.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
      g.stroke();
      g.beginPath();
      g.moveTo(x1, y1);
      g.lineTo(x1 - 3, y1 - (down ? 6 : -6));
      g.lineTo(x1 + 3, y1 - (down ? 6 : -6));
      g.fill();
    }
  }

  /** Whether a signal starts at the end of an instruction, or ends at its start. */
  touches(signal, slice) {
    if (!slice) return false;
    const near = 0.05 * Math.max(slice.to - slice.from, 1e-3);
    return signal.from.lane === slice.lane && signal.from.time >= slice.from - near && signal.from.time <= slice.to + near && signal.from.time > slice.from
      || signal.to.lane === slice.lane && Math.abs(signal.to.time - slice.from) <= near;
  }

  /** Draws the marked part. */
  mark(g, colour) {
    if (!this.marked) return;
    const from = this.x(this.marked.from), to = this.x(this.marked.to);
    g.globalAlpha = 0.15;
    g.fillStyle = colour("--accent");
    g.fillRect(from, AXIS, to - from, this.height);
    g.globalAlpha = 1;
    g.fillRect(from, AXIS, 1, this.height);
    g.fillRect(to, AXIS, 1, this.height);
  }

  /** Draws the times at the top. */
  axis(g, colour) {
    const span = this.to - this.from;
    const step = 10 ** Math.floor(Math.log10(span / 4));
    const every = [1, 2, 5, 10].map((m) => m * step).find((m) => span / m <= this.width / 90);
    for (let t = Math.ceil(this.from / every) * every; t <= this.to; t += every) {
      const x = this.x(t);
      g.fillStyle = colour("--line");
      g.fillRect(x, AXIS - 4, 1, this.height);
      g.fillStyle = colour("--muted");
      const text = digits(t, 5) + " µs";
      if (x + 4 + g.measureText(text).width <= this.width) g.fillText(text, x + 4, 10);
    }
  }

  lane(g, colour, lane) {
    g.fillStyle = colour("--muted");
    g.fillText(lane.name, 8, lane.y + LANE / 2, this.label - 12);
    const fillColour = colour("--hue-" + (hues[lane.name] ?? 0));
    const ink = colour("--on-hue");
    this.inTime(g, () => this.slices(g, colour, lane, fillColour, ink));
  }

  slices(g, colour, lane, fillColour, ink) {
    let last = -1;
    for (const slice of lane.slices) {
      const from = this.x(slice.from);
      const to = Math.max(this.x(slice.to), from + 1);
      const hit = matches(slice, this.text);
      if (to < this.label || from > this.width || to - last < 0.5 && !hit) continue;
      last = to;
      g.globalAlpha = this.text === "" || hit ? 1 : 0.3;
      g.fillStyle = fillColour;
      g.fillRect(from, lane.y + 2, Math.max(to - from - 0.5, 1), LANE - 4);
      g.globalAlpha = 1;
      if (slice === this.selected || hit) {
        g.strokeStyle = colour("--text");
        g.lineWidth = slice === this.selected ? 2 : 1;
        g.strokeRect(from, lane.y + 2, to - from, LANE - 4);
      }
      const name = slice.name.replace(/^pto\./, "");
      if (to - from > g.measureText(name).width + 8) {
        g.fillStyle = ink;
        g.fillText(name, Math.max(from, this.label) + 4, lane.y + LANE / 2);
      }
    }
  }
}

/** The pane of the timeline. */
export function timelineView(context, report) {
  if (!report.trace) return h("p", { class: "note" }, report.fault ? "The run faulted, so its time is not predicted." : "This run has no timeline.");
  const timeline = new Timeline(context, report.trace);
  return h("div", {}, h("p", { class: "note" }, "Predicted time, from a model of the chip. " + (report.graph ? "Lanes are the cores of each rank, and arrows are edges between tasks." : "Lanes are the pipes of each core.")), timeline.element);
}
