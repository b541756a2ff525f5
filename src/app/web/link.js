// The way to the worker. In a page that is one file the net stands behind the scripts, and is the larger part of it: while
// the browser reads that, the worker begins and compiles the module.

import { DATA, part } from "./shared.js";

/** The worker: from its address, or from the text in the page, since a page from disk may load no script. */
export const worker = new Worker(
  DATA.worker ?? URL.createObjectURL(new Blob([part("worker").textContent], { type: "text/javascript" })),
);
const waiting = new Map();
let requests = 0;

/** Asks the worker; `onProgress` hears what it tells before it answers. */
export function ask(request, onProgress = () => {}) {
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

/** The net in the page, once that has been read to its end. */
async function ownModel() {
  if (document.readyState === "loading") {
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  }
  return part("model").textContent;
}

/** Opens a net: the one at `address`, or the one in the page. */
export async function open(address) {
  await load();
  return ask({ do: "open", address, model: address ? undefined : await ownModel() });
}

// An error reaches the callers that wait for it.
if (DATA.eager) load().catch(() => {});
