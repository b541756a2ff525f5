"use strict";

// The worker: holds the module and the net, and answers the page. A search runs in slices, so that it can be stopped.

/** Levels: simulations of a move, or milliseconds; by instinct a move is drawn by the net's probabilities. */
const LEVELS = {
  instinct: { simulations: 0 },
  sims8: { simulations: 8 },
  sims40: { simulations: 40 },
  sims200: { simulations: 200 },
  sims1000: { simulations: 1000 },
  time3: { time: 3000 },
  time10: { time: 10000 },
};
/** Steps of a search between two looks at the clock. */
const SLICE = 64;
/** The most simulations of a search by time. */
const MOST = 10_000_000;

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

async function load({ module }) {
  const packed = new Blob([bytesOf(module)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const code = await new Response(packed).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(code, {});
  engine = instance.exports;
}

/** One of the moves, drawn by their probabilities. */
function draw(priors) {
  let rest = Math.random() * priors.reduce((sum, [, prior]) => sum + prior, 0);
  return (priors.find(([, prior]) => (rest -= prior) < 0) ?? priors[0])[0];
}

/** Lets messages in. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The move that the net plays at a level; `undefined` where it was stopped. */
async function think({ line, level }) {
  const number = ++current;
  const { simulations = MOST, time = Infinity } = LEVELS[level];
  const end = performance.now() + time;
  let thought = ask({ do: "search", line, simulations });
  if (level === "instinct") return { ...thought, best: draw(thought.priors) };
  while (!thought.over && performance.now() < end) {
    thought = ask({ do: "think", steps: SLICE });
    await pause();
    if (number !== current) return undefined;
  }
  return thought;
}

const ANSWERS = {
  load,
  open: ({ model }) => call("sanki_open", bytesOf(model)),
  think,
  position: ({ line }) => ask({ do: "position", line }),
  stop: () => {
    current += 1;
  },
};

onmessage = async ({ data: { id, request } }) => {
  try {
    postMessage({ id, answer: await ANSWERS[request.do](request) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
};
