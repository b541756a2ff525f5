// What all screens share: the element with an id, the texts, the page's data, and how the server is asked.

export const part = (name) => document.getElementById(name);
const embedded = (name) => JSON.parse(part(name)?.textContent ?? "null");
/** The texts of the page's language, by section and key. */
export const TEXTS = embedded("texts");
/** What the server gave this page. */
export const DATA = embedded("data");

/** A text with `{name}` replaced by the values of these names. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Bytes of a request that a browser still sends when its page is left: the limit is 64 KiB. */
const MOST_KEPT_ALIVE = 30_000;

/** Sends `body` as JSON with more `headers`; the text of the answer, and the version of what is there now. */
export async function exchange(method, address, body, headers = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(address, {
    method,
    headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
    body: text,
    // It arrives even if the page is left meanwhile.
    keepalive: text !== undefined && text.length < MOST_KEPT_ALIVE,
  });
  const told = await answer.text();
  if (!answer.ok) throw Object.assign(new Error(told || answer.statusText), { status: answer.status });
  return { told, version: answer.headers.get("ETag") };
}

/** Sends `body` as JSON, and gives the answer's JSON, if it has any. */
export async function send(method, address, body) {
  const { told } = await exchange(method, address, body);
  return told ? JSON.parse(told) : undefined;
}
