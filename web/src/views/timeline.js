// The timeline of the predicted run: a lane for each pipe of each core, drawn on a canvas.

import { download, h, lineIn } from "../dom.js";
import { digits } from "../format.js";

const LANE = 22;
const CORE = 24;
const AXIS = 24;
const LABEL = 96;
const MOST_LANES = 400;

/** The class of colour of a pipe. */
const hues = { MTE2: 1, MTE1: 2, CUBE: 3, FIXP: 4, SCALAR: 0, VECTOR: 5, MTE3: 6 };

/** Reads a trace: cores with lanes of slices, and the end of the time. */
export function lanesOf(trace) {
  const names = new Map();
  const lanes = new Map();
  let end = 0;
  for (const e of trace.traceEvents) {
    const key = e.pid + ":" + e.tid;
    if (e.ph === "M" && e.name === "process_name") names.set("p" + e.pid, e.args.name);
    if (e.ph === "M" && e.name === "thread_name") names.set(key, e.args.name);
    if (e.ph === "M" && e.name === "thread_sort_index") names.set("s" + key, e.args.sort_index);
    if (e.ph !== "X" || e.cat === "stall") continue;
    if (!lanes.has(key)) lanes.set(key, { core: e.pid, key, slices: [] });
    const lane = lanes.get(key);
    lane.slices.push({ name: e.name, from: e.ts, to: e.ts + e.dur, args: e.args || {} });
    end = Math.max(end, e.ts + e.dur);
  }
  const list = [...lanes.values()].filter((l) => names.get(l.key) && l.core !== 0);
  for (const lane of list) {
    lane.name = names.get(lane.key);
    lane.coreName = names.get("p" + lane.core) || "core " + lane.core;
    lane.sort = names.get("s" + lane.key) || 0;
    lane.slices.sort((a, b) => a.from - b.from);
  }
  list.sort((a, b) => a.core - b.core || a.sort - b.sort);
  return { lanes: list.slice(0, MOST_LANES), cut: Math.max(0, list.length - MOST_LANES), end };
}

/** Draws a timeline. Keys and the wheel zoom and move it; a click shows the line. */
export class Timeline {
  constructor(context, trace) {
    this.context = context;
    Object.assign(this, lanesOf(trace));
    this.from = 0;
    this.to = this.end || 1;
    this.selected = null;
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
      wheel: (e) => this.wheel(e), pointermove: (e) => this.pointer(e), pointerdown: (e) => this.press(e), pointerup: () => { this.drag = null; },
      click: (e) => this.click(e), keydown: (e) => this.key(e) });
    this.detail = h("p", { class: "detail", "aria-live": "polite" }, "Move over a bar to see the instruction. Scroll or press + and − to zoom, drag or press ← and → to move, Tab and N to go to the next instruction.");
    this.element = h("div", { class: "timeline-box" },
      h("div", { class: "tools" },
        h("button", { type: "button", click: () => this.zoom(0.5) }, "Zoom in"), h("button", { type: "button", click: () => this.zoom(2) }, "Zoom out"),
        h("button", { type: "button", click: () => this.show(0, this.end) }, "Whole run"),
        h("button", { type: "button", click: () => download("trace.json", JSON.stringify(trace), "application/json") }, "Export for Perfetto")),
      this.canvas, this.detail, this.cut > 0 ? h("p", { class: "note" }, this.cut + " more lanes are in the exported file.") : null);
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

  x(time) {
    return LABEL + ((time - this.from) / (this.to - this.from)) * (this.width - LABEL);
  }

  time(x) {
    return this.from + ((x - LABEL) / (this.width - LABEL)) * (this.to - this.from);
  }

  show(from, to) {
    const least = this.end / 1e5 || 1e-6;
    const span = Math.min(Math.max(to - from, least), this.end || 1);
    this.from = Math.max(0, Math.min(from, (this.end || 1) - span));
    this.to = this.from + span;
    this.draw();
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
    this.drag = { x: event.offsetX, from: this.from, moved: false };
  }

  pointer(event) {
    if (this.drag) {
      const by = ((event.offsetX - this.drag.x) / (this.width - LABEL)) * (this.to - this.from);
      this.drag.moved = this.drag.moved || Math.abs(event.offsetX - this.drag.x) > 3;
      this.show(this.drag.from - by, this.drag.from - by + (this.to - this.from));
      this.moved = this.drag.moved;
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

  /** Selects the next or the previous instruction in time. */
  next(by) {
    const all = this.lanes.flatMap((l) => l.slices).sort((a, b) => a.from - b.from);
    if (all.length === 0) return;
    const at = all.indexOf(this.selected);
    this.select(all[Math.max(0, Math.min(all.length - 1, at + by))]);
  }

  select(slice) {
    this.selected = slice;
    this.describe(slice);
    const line = lineIn(slice.args.at);
    if (line) this.context.reveal([line]);
    this.draw();
  }

  describe(slice) {
    const parts = [slice.name, "line " + lineIn(slice.args.at), digits(slice.to - slice.from) + " µs from " + digits(slice.from, 5)];
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
        g.fillRect(0, lane.y - CORE + 2, Math.max(g.measureText(lane.coreName).width + 8, LABEL), CORE - 2);
        g.fillStyle = colour("--text");
        g.fillText(lane.coreName, 0, lane.y - CORE / 2 + 2);
        core = lane.core;
      }
      this.lane(g, colour, lane);
    }
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
      g.fillText(digits(t, 5) + " µs", Math.min(x + 4, this.width - 56), 10);
    }
  }

  lane(g, colour, lane) {
    g.fillStyle = colour("--muted");
    g.fillText(lane.name, 8, lane.y + LANE / 2);
    const fillColour = colour("--hue-" + (hues[lane.name] ?? 0));
    const ink = colour("--on-hue");
    g.save();
    g.beginPath();
    g.rect(LABEL, 0, this.width, this.height);
    g.clip();
    let last = -1;
    for (const slice of lane.slices) {
      const from = this.x(slice.from);
      const to = Math.max(this.x(slice.to), from + 1);
      if (to < LABEL || from > this.width || to - last < 0.5) continue;
      last = to;
      g.fillStyle = fillColour;
      g.fillRect(from, lane.y + 2, Math.max(to - from - 0.5, 1), LANE - 4);
      if (slice === this.selected) {
        g.strokeStyle = colour("--text");
        g.lineWidth = 2;
        g.strokeRect(from, lane.y + 2, to - from, LANE - 4);
      }
      const name = slice.name.replace(/^pto\./, "");
      if (to - from > g.measureText(name).width + 8) {
        g.fillStyle = ink;
        g.fillText(name, Math.max(from, LABEL) + 4, lane.y + LANE / 2);
      }
    }
    g.restore();
  }
}

/** The pane of the timeline. */
export function timelineView(context, report) {
  if (!report.trace) return h("p", { class: "note" }, report.fault ? "The run faulted, so its time is not predicted." : "This run has no timeline.");
  const timeline = new Timeline(context, report.trace);
  return h("div", {}, h("p", { class: "note" }, "Predicted time, from a model of the chip. Lanes are the pipes of each core."), timeline.element);
}
