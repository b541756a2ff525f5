"use strict";

// The way to the worker. This stands before the net, which is the larger part of the page: while the browser reads that,
// the worker begins and compiles the module.

const part = (name) => document.getElementById(name);

/** The worker, from the text in the page: a page from disk may load no script. */
const worker = new Worker(URL.createObjectURL(new Blob([part("worker").textContent], { type: "text/javascript" })));
const waiting = new Map();
let requests = 0;

/** Asks the worker. */
function ask(request) {
  const id = ++requests;
  worker.postMessage({ id, request });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

worker.addEventListener("message", ({ data: { id, answer, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(new Error(error));
  else resolve(answer);
});

part("status").textContent = TEXTS.loading;
const loaded = ask({ do: "load", module: part("module").textContent });
// Whoever waits for it is told.
loaded.catch(() => {});
