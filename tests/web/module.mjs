// The module of the page in node: the same calls as in the page's worker.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Opens the model in the file `model` by the module in the file `module`, compressed or not; gives what asks it. */
export async function open(module, model) {
  const packed = readFileSync(module);
  const code = packed[0] === 0x1f ? gunzipSync(packed) : packed;
  const { instance } = await WebAssembly.instantiate(code, {});
  const engine = instance.exports;
  const call = (entry, bytes) => {
    const at = engine.sanki_room(bytes.length);
    new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
    const length = engine[entry]();
    const answer = new Uint8Array(engine.memory.buffer, engine.sanki_answer(), length);
    return JSON.parse(new TextDecoder().decode(answer));
  };
  const about = call("sanki_open", readFileSync(model));
  return { about, ask: (request) => call("sanki_ask", new TextEncoder().encode(JSON.stringify(request))) };
}
