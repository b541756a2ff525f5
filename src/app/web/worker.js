"use strict";

// The worker: holds the module and the net, and answers the page. A search runs in slices, so that it can be stopped.

/** Steps of a search between two looks at the clock. */
const SLICE = 64;
/** The most simulations of a search by time. */
const MOST = 10_000_000;
/** Milliseconds between two tellings of what a search has found so far. */
const TELLING = 250;

let engine;
/** The number of the search that may go on. */
let current = 0;

/** The bytes of megabytes of base64: a plain loop, the fastest way that every browser has. */
function bytesOf(base64) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = letters.charCodeAt(index);
  return bytes;
}

/** What is at an address of the page's own server. */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/** Hands `bytes` to the module, calls it and reads its answer. */
function call(entry, bytes) {
  const at = engine.sanki_room(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const length = engine[entry]();
  const answer = new Uint8Array(engine.memory.buffer, engine.sanki_answer(), length);
  const read = JSON.parse(new TextDecoder().decode(answer));
  if (read.error) throw new Error(read.error);
  return read;
}

function ask(request) {
  return call("sanki_ask", new TextEncoder().encode(JSON.stringify(request)));
}

/** Begins with the module at `address`, or the one in the text `module`. */
async function load({ address, module }) {
  let code;
  if (address) {
    code = await (await fetched(address)).arrayBuffer();
  } else {
    const packed = new Blob([bytesOf(module)]).stream().pipeThrough(new DecompressionStream("gzip"));
    code = await new Response(packed).arrayBuffer();
  }
  const { instance } = await WebAssembly.instantiate(code, {});
  engine = instance.exports;
}

/** Opens the net at `address`, or the one in the text `model`. */
async function open({ address, model }) {
  const bytes = address ? new Uint8Array(await (await fetched(address)).arrayBuffer()) : bytesOf(model);
  return call("sanki_open", bytes);
}

/** Lets messages in. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** What the net thinks within a budget; `undefined` where it was stopped. `tell` hears it on the way. */
async function think({ line, budget }, tell) {
  const number = ++current;
  const { level, simulations = MOST, time = Infinity } = budget;
  if (level) return ask({ do: "play", line, level, seed: Math.floor(Math.random() * 2 ** 32) });
  const end = performance.now() + time;
  let thought = ask({ do: "search", line, simulations });
  let told = performance.now();
  while (!thought.over && performance.now() < end) {
    thought = ask({ do: "think", steps: SLICE });
    await pause();
    if (number !== current) return undefined;
    if (performance.now() - told < TELLING) continue;
    tell(thought);
    told = performance.now();
  }
  return thought;
}

const ANSWERS = {
  load,
  open,
  think,
  position: ({ line }) => ask({ do: "position", line }),
  positions: ({ line }) => ask({ do: "positions", line }),
  stop: () => {
    current += 1;
  },
};

onmessage = async ({ data: { id, request } }) => {
  const tell = (progress) => postMessage({ id, progress });
  try {
    postMessage({ id, answer: await ANSWERS[request.do](request, tell) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
};
