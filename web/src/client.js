// The page's side of the worker.

/** Sends requests to a worker and ends it on demand. */
export class Client {
  /** listener receives the progress: {loaded, total}, {ready}, {failed}, {stopped}, {ended}. */
  constructor(listener) {
    this.listener = listener;
    this.waiting = new Map();
    this.next = 1;
    this.module = null;
    this.start();
  }

  start() {
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.listener({ failed: event.message || "the worker failed" });
    this.worker.postMessage({ start: true, module: this.module });
  }

  receive(data) {
    if (data.module) {
      this.module = data.module;
      return;
    }
    if (data.ended) {
      this.restart();
      this.listener(data);
      return;
    }
    if (data.id === undefined) {
      this.listener(data);
      return;
    }
    const request = this.waiting.get(data.id);
    this.waiting.delete(data.id);
    if (request) request.resolve(data);
  }

  /** Asks a question. The result is {answer, files, took}. */
  ask(name, request, files) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, name });
      this.worker.postMessage({ id, name, request: JSON.stringify(request), files });
    });
  }

  /** Ends the worker on demand of the user. */
  stop() {
    this.restart();
    this.listener({ stopped: true });
  }

  /** Ends the worker with all its requests, and starts another one. */
  restart() {
    this.worker.onmessage = null;
    this.worker.terminate();
    for (const request of this.waiting.values()) request.reject(new Error("stopped"));
    this.waiting.clear();
    this.start();
  }
}
