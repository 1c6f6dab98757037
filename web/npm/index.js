// The tools of ptogo as a library for node and browsers. The program dist/pto.wasm.gz
// answers requests by the global function ptoCall, which cmd/pto-wasm defines.

/** Where the WebAssembly program is, unless the options of load name another place. */
const PROGRAM = new URL("./dist/pto.wasm.gz", import.meta.url);

/** The tools that load has started. The program has one global function, so it runs once. */
let loaded;

/** A request that is wrong, such as one with an unknown format. */
export class RequestError extends Error {
  constructor(message) {
    super(message);
    this.name = "RequestError";
  }
}

/** Starts the tools. Later calls return the same tools. */
export function load(options = {}) {
  loaded ??= start(options).catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function start(options) {
  await import("./dist/wasm_exec.js");
  const go = new globalThis.Go();
  const bytes = await plain(options.wasm ?? (await read(PROGRAM)));
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  const ready = new Promise((resolve) => { globalThis.ptoReady = resolve; });
  const ended = go.run(instance).then(() => { throw new Error("the tools have ended because of a bug or a lack of memory"); });
  await Promise.race([ready, ended]);
  ended.catch(() => { loaded = undefined; }); // a later load starts them again
  delete globalThis.ptoReady;
  return new Tools(globalThis.ptoCall);
}

/** Reads a file of the package. Browsers fetch it; fetch of node does not read files. */
async function read(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Decompresses a gzip file. Bytes that are not compressed stay as they are. */
async function plain(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

/** The tools. load creates them. */
class Tools {
  #call;

  constructor(call) {
    this.#call = call;
  }

  #ask(request, text, options, files) {
    const { answer, files: out } = this.#call(request, JSON.stringify({ ...options, text }), files ?? {});
    const value = JSON.parse(answer);
    if (value.error !== undefined) throw new RequestError(value.error);
    return { value, files: out };
  }

  /** Reads and verifies a program, as pto-opt does. */
  check(text, { name, target, kernel } = {}) {
    return this.#ask("analyse", text, { name, target, kernel }).value;
  }

  /** Runs a kernel, checks the run and predicts its time, as pto-run does. */
  run(text, { name, target, kernel, blocks, ranks, args, chip, asWritten = true, expression, other, files } = {}) {
    const launch = { kernel, blocks, ranks, args };
    const { value, files: out } = this.#ask("run", text, { name, target, launch, chip, as_written: asWritten, expression, other }, files);
    const { arrays = [], ...report } = value;
    return {
      ...report,
      arrays: arrays.map(({ file, values, shown, ...array }) => ({ ...array, npy: out[file], values: numbers(out[values]) })),
    };
  }

  /** Searches for a faster program and launch, and verifies them, as pto-run --advise does. */
  advise(text, { name, target, kernel, blocks, args, chip, files } = {}) {
    return this.#ask("advise", text, { name, target, launch: { kernel, blocks, args }, chip }, files).value;
  }

  /** Runs passes. Without names, it runs those that prepare a program for a device. */
  passes(text, { name, target, passes = [] } = {}) {
    const { diagnostics, stages } = this.#ask("passes", text, { name, target, passes }).value;
    const after = (stage) => stage.lines.filter((l) => l.sign !== "-").map((l) => l.text).join("\n") + "\n";
    return { diagnostics, stages: (stages ?? []).map((s) => ({ pass: s.pass, doc: s.doc, changed: s.changed, text: after(s) })) };
  }

  /** Translates a program to llvm, cpp or pto-as, as pto-opt --emit does. */
  emit(text, form, { name, target } = {}) {
    return this.#ask("emit", text, { name, target, form }).value;
  }
}

/** The first elements of an array as numbers. Their file has 8 bytes for each, little-endian. */
function numbers(bytes) {
  if (!bytes) return new Float64Array(0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: bytes.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true));
}
