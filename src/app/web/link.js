"use strict";

// The way to the worker. In a page that is one file this stands before the net, which is the larger part of it: while the
// browser reads that, the worker begins and compiles the module.

/** The worker: from its address, or from the text in the page, since a page from disk may load no script. */
const worker = new Worker(
  DATA.worker ?? URL.createObjectURL(new Blob([part("worker").textContent], { type: "text/javascript" })),
);
const waiting = new Map();
let requests = 0;

/** Asks the worker; `onProgress` hears what it tells before it answers. */
function ask(request, onProgress = () => {}) {
  const id = ++requests;
  worker.postMessage({ id, request });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject, onProgress }));
}

worker.addEventListener("message", ({ data: { id, answer, error, progress } }) => {
  const { resolve, reject, onProgress } = waiting.get(id);
  if (progress) {
    onProgress(progress);
    return;
  }
  waiting.delete(id);
  if (error) reject(new Error(error));
  else resolve(answer);
});

let loading;

/** Loads the module, once. */
function load() {
  loading ??= ask({ do: "load", address: DATA.module, module: part("module")?.textContent });
  return loading;
}

/** Opens a net: the one at `address`, or the one in the page. */
async function open(address) {
  await load();
  return ask({ do: "open", address, model: address ? undefined : part("model").textContent });
}

// Whoever waits for it is told.
if (DATA.eager) load().catch(() => {});
