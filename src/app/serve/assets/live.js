// Keeps the page as the server tells it: each event holds elements with ids, which take the places of those here.
// A script that draws on one of them hears of it by the event "live" on the new element.

import { part } from "./shared.js";

/** Milliseconds before a stream that the server refused is asked for again. */
const ASK_AGAIN = 5000;

/** What the server said of each element last, by id. */
const told = new Map();

/** Puts the elements of `html` into their places. What has not changed stays as it is, with what a script made of it. */
function take(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const element of [...parsed.body.children]) {
    const text = element.outerHTML;
    const old = part(element.id);
    // What the page came with counts as told.
    if (!old || (told.get(element.id) ?? old.outerHTML) === text) continue;
    told.set(element.id, text);
    replace(old, document.adoptNode(element));
  }
}

/** Replaces an element; what was in focus, unfolded, filled in or scrolled within it still is. */
function replace(old, next) {
  const focus = old.contains(document.activeElement) ? document.activeElement.id : "";
  for (const open of old.querySelectorAll("details[open][id]")) {
    next.querySelector(`#${CSS.escape(open.id)}`)?.setAttribute("open", "");
  }
  for (const input of old.querySelectorAll("input[id], textarea[id]")) {
    const twin = next.querySelector(`#${CSS.escape(input.id)}`);
    if (twin && input.value !== input.defaultValue) twin.value = input.value;
  }
  old.replaceWith(next);
  if (focus) part(focus)?.focus({ preventScroll: true });
  next.dispatchEvent(new CustomEvent("live", { bubbles: true }));
}

/** Follows the stream at `address` while the page is seen: a browser has few connections for all its tabs. */
function follow(address) {
  let stream = null;
  let again = 0;
  const say = (isAway) => { part("away").hidden = !isAway; };
  const open = () => {
    clearTimeout(again);
    if (stream || document.hidden) return;
    stream = new EventSource(address);
    stream.onopen = () => say(false);
    stream.onmessage = (event) => take(event.data);
    stream.onerror = () => {
      say(true);
      // By itself it comes back after a connection that broke, with its Last-Event-ID, but not after a refusal.
      if (stream.readyState !== EventSource.CLOSED) return;
      stream = null;
      again = setTimeout(open, ASK_AGAIN);
    };
  };
  const close = () => {
    clearTimeout(again);
    stream?.close();
    stream = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  // A page that is kept for the way back holds no stream.
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

for (const panel of document.querySelectorAll("[data-live]")) follow(panel.dataset.live);
