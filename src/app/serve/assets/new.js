// The form of a new run: another game has other rules and settings, and what to expect is measured here.

import { DATA, TEXTS, fill, part, send } from "./shared.js";

const form = document.querySelector("form.order");

// What learns can only be chosen where there is a graphics card.
const device = document.getElementById("device");

/** Another game or device has other settings: the form anew, with what was chosen. */
function renew() {
  const chosen = new URLSearchParams({ game: part("game").value, minutes: part("minutes").value, device: device?.value ?? "" });
  location.assign(`/new?${chosen}`);
}

part("game").addEventListener("change", renew);
device?.addEventListener("change", renew);

/** The positions as people say them: 12 million, 340 thousand. */
function rounded(positions) {
  return new Intl.NumberFormat(document.documentElement.lang, { notation: "compact", maximumSignificantDigits: 2 })
    .format(positions);
}

/** Says what the chosen time gives on this machine. */
async function expect() {
  part("expect").textContent = TEXTS.new.measuring;
  const chosen = new URLSearchParams(
    { game: part("game").value, minutes: part("minutes").value, cores: part("cores").value, device: device?.value ?? "" },
  );
  const asked = chosen.toString();
  expect.asked = asked;
  try {
    const expected = await send("POST", `/new/expect?${chosen}`);
    const { positions_per_s: speed, published, disk, free, fits } = expected;
    if (expect.asked !== asked) return;
    const positions = rounded(speed * 60 * Number(part("minutes").value));
    const text = published ? TEXTS.new.expect_beside : TEXTS.new.expect;
    const says = [fill(text, { positions, published: rounded(published) })];
    if (free) says.push(fill(TEXTS.new.disk, { size: disk, free }));
    if (!fits) says.push(TEXTS.new.disk_short);
    part("expect").textContent = says.join(" ");
  } catch (error) {
    if (expect.asked === asked) part("expect").textContent = error.message;
  }
}

part("minutes").addEventListener("change", expect);
part("cores").addEventListener("change", expect);
// Settings that were not edited are those of the game: the form need not bring them.
form.addEventListener("submit", () => {
  if (part("config").value.trim() === DATA.config.trim()) part("config").disabled = true;
});
// A page that comes back from the browser's memory is as it was left.
window.addEventListener("pageshow", () => {
  part("config").disabled = false;
});
expect();
