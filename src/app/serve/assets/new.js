// The form of a new run: another game has other rules and settings, and what to expect is measured here.

import { DATA, TEXTS, fill, part, send } from "./shared.js";

const form = document.querySelector("form.order");

// What learns can only be chosen where there is a graphics card.
const device = document.getElementById("device");

/** Shows the game and the device that the form was made for: a browser may put back others, that were chosen later. */
function showMade() {
  part("game").value = DATA.game;
  if (device) device.value = DATA.device;
}

/**
 * Another game or device has other settings: the form anew, with what was chosen. The person is asked where settings were
 * edited.
 */
function renew() {
  const isKept = isEdited() && !confirm(TEXTS.new.discard);
  const { name } = form.elements;
  const { config, ...order } = chosen();
  // Who comes back finds the form as it was.
  showMade();
  if (!isKept) location.assign(`/new?${new URLSearchParams({ ...order, name: name.value })}`);
}

part("game").addEventListener("change", renew);
device?.addEventListener("change", renew);

/** The positions as people say them: 12 million, 340 thousand. */
function rounded(positions) {
  return new Intl.NumberFormat(document.documentElement.lang, { notation: "compact", maximumSignificantDigits: 2 })
    .format(positions);
}

/** Whether the settings were edited: those that were not are the game's, and need not be sent. */
function isEdited() {
  return part("config").value.trim() !== DATA.config.trim();
}

/** What is chosen. */
function chosen() {
  const { game, rules, minutes, cores, from, config } = form.elements;
  return {
    game: game.value, rules: rules.value, minutes: Number(minutes.value), cores: Number(cores.value), from: from.value,
    device: device?.value ?? "", config: isEdited() ? config.value : "",
  };
}

/** Says what the chosen time gives on this machine. */
async function expect() {
  part("expect").textContent = TEXTS.new.measuring;
  const order = chosen();
  const asked = JSON.stringify(order);
  expect.asked = asked;
  try {
    const expected = await send("POST", "/new/expect", order);
    const { positions_per_s: speed, published, disk, free, fits } = expected;
    if (expect.asked !== asked) return;
    const positions = rounded(speed * 60 * order.minutes);
    const text = published ? TEXTS.new.expect_beside : TEXTS.new.expect;
    const says = [fill(text, { positions, published: rounded(published) })];
    if (free) says.push(fill(TEXTS.new.disk, { size: disk, free }));
    if (!fits) says.push(TEXTS.new.disk_short);
    part("expect").textContent = says.join(" ");
  } catch (error) {
    if (expect.asked === asked) part("expect").textContent = error.message;
  }
}

for (const name of ["minutes", "cores", "from", "config"]) {
  form.elements[name].addEventListener("change", expect);
}
form.addEventListener("submit", () => {
  part("config").disabled = !isEdited();
});
// A page that comes back from the browser's memory is as it was left.
window.addEventListener("pageshow", () => {
  part("config").disabled = false;
  showMade();
});
showMade();
expect();
