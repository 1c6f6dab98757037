// The worker runs the tools. It loads them once and answers requests one after the other,
// so the page can end an endless kernel by ending the worker. If the tools end by themselves,
// because memory is exhausted, it reports that.

/* global Go, ptoCall */

let ready;

/** Starts the program, from a compiled module or from the file. */
async function start(module) {
  importScripts("wasm_exec.js");
  const go = new Go();
  const running = new Promise((resolve) => { self.ptoReady = resolve; });
  if (!module) {
    module = await compile();
    self.postMessage({ module });
  }
  go.run(await WebAssembly.instantiate(module, go.importObject)).then(() => self.postMessage({ ended: true }));
  await running;
  self.postMessage({ ready: true });
}

/** Compiles the file while it arrives. It is compressed, whatever the host does. */
async function compile() {
  const response = await fetch("pto.wasm.gz");
  if (!response.ok) throw new Error("pto.wasm.gz: " + response.status);
  const total = Number(response.headers.get("content-length")) || 0;
  let seen = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      seen += chunk.length;
      self.postMessage({ loaded: seen, total });
      controller.enqueue(chunk);
    },
  });
  const plain = response.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(plain, { headers: { "content-type": "application/wasm" } }));
}

self.onmessage = async ({ data }) => {
  if (data.start) {
    ready = start(data.module).catch((error) => self.postMessage({ failed: String(error) }));
    return;
  }
  await ready;
  const began = performance.now();
  try {
    const { answer, files } = ptoCall(data.name, data.request, data.files || {});
    const transfer = Object.values(files).map((f) => f.buffer);
    self.postMessage({ id: data.id, answer: JSON.parse(answer), files, took: performance.now() - began }, transfer);
  } catch {
    self.postMessage({ ended: true });
  }
};
