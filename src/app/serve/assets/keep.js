// The game against a net is kept by the server after every move, and goes on where it stood.

import { runClock, savedClock, setClock } from "./clock.js";
import { board, ending, events, fail, game, go, isPersons, now } from "./game.js";
import { open } from "./link.js";
import { LEVELS, USUAL_LEVEL, beginAsAddressed, setUp } from "./play.js";
import { DATA, TEXTS, exchange, fill, part } from "./shared.js";

/** Milliseconds until a server that does not answer is asked again. */
const PATIENCE = 2000;
const PERSONS = { 0: "first", 1: "second", both: "both" };
const RESULTS = { 0: "1-0", 1: "0-1" };

/**
 * The game's name and whether the server has it; what was noted of it last; what the server has not yet, and which versions
 * it has, by the games' names; what was sent last, and of which game, where the server may or may not have it; whether it is
 * asked just now; whether the game has left another one, which has gone on elsewhere. A game from elsewhere is played on
 * under a name of its own.
 */
const keeping = {
  id: DATA.kept?.seating ? DATA.id : newId(), isKept: Boolean(DATA.kept?.seating), noted: "", waiting: new Map(),
  versions: new Map(DATA.kept ? [[DATA.id, DATA.version]] : []), unanswered: null, isBusy: false,
  isApart: false,
};

/** A name that no other game has. */
function newId() {
  const day = new Date().toISOString().slice(0, 10);
  const drawn = crypto.getRandomValues(new Uint32Array(2));
  return `${board.game}-${day}-${[...drawn].map((number) => number.toString(36)).join("")}`;
}

/** Who plays a side, as records name it. */
function playerName(side) {
  return isPersons(side) ? "human" : `${DATA.net} (${part("level").value})`;
}

/** The game as files keep it. */
function saved() {
  const end = ending();
  const result = end ? { result: RESULTS[end.winner] ?? "1/2-1/2", reason: end.reason } : {};
  const points = end?.points ? { points: end.points } : {};
  return {
    game: board.game, rules: game.rules, first: playerName(0), second: playerName(1), start: game.positions[0].fen,
    moves: game.moves.join(" "), ...result, ...points,
    seating: { net: DATA.net, level: part("level").value, person: PERSONS[game.person], clock: savedClock() },
  };
}

function note(text, state) {
  part("kept").textContent = text;
  part("kept").dataset.state = state;
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What makes a game another one: all but the clocks. */
function essence(body) {
  return JSON.stringify({ ...body, seating: { ...body.seating, clock: null } });
}

/** Notes the game to be kept, if it has changed. */
function keep() {
  const body = saved();
  if ((game.moves.length === 0 && !keeping.isKept) || essence(body) === keeping.noted) return;
  keeping.noted = essence(body);
  keeping.waiting.set(keeping.id, body);
  part("kept").dataset.state = "waiting";
  if (!keeping.isBusy) deliver();
}

/** Gives the server what it has not yet, and asks again and again where it is away; the page goes on meanwhile. */
async function deliver() {
  keeping.isBusy = true;
  while (keeping.waiting.size > 0) {
    const [[id, latest]] = keeping.waiting;
    // What was sent without an answer may have arrived: it goes again as it was, so that the version is known.
    const body = keeping.unanswered?.id === id ? keeping.unanswered.body : latest;
    const known = keeping.versions.get(id);
    try {
      const address = `/games/${encodeURIComponent(id)}`;
      const { version } = await exchange("PUT", address, body, known ? { "If-Match": known } : {});
      keeping.versions.set(id, version);
      keeping.unanswered = null;
      if (id === keeping.id && keeping.waiting.get(id) === body) delivered(id);
      // The game may have gone on meanwhile.
      if (keeping.waiting.get(id) === body) keeping.waiting.delete(id);
    } catch (error) {
      const isSilent = error instanceof TypeError;
      // A 403 comes before the server looks at the game. A server that fails may have written it.
      if (isSilent || error.status >= 500) keeping.unanswered = { id, body };
      else if (error.status !== 403) keeping.unanswered = null;
      if (error.status === 412) {
        setApart(id);
        continue;
      }
      // A server that answers has a reason. One that was started again does not know this browser, until its new
      // address is opened.
      const isAway = isSilent || error.status === 403;
      note(isSilent ? TEXTS.keep.away : fill(TEXTS.keep.refused, { why: error.message }), isAway ? "away" : "refused");
      if (isAway) {
        await wait(PATIENCE);
        continue;
      }
      // The next move tries again; it may have come meanwhile.
      if (keeping.waiting.get(id) === latest) keeping.waiting.delete(id);
    }
  }
  keeping.isBusy = false;
}

/** The game `id` has gone on elsewhere: what was played here gets a name of its own. */
function setApart(id) {
  const own = newId();
  keeping.waiting.set(own, keeping.waiting.get(id));
  keeping.waiting.delete(id);
  if (id === keeping.id) Object.assign(keeping, { id: own, isApart: true });
}

function delivered(id) {
  keeping.isKept = true;
  history.replaceState(null, "", `/play/${encodeURIComponent(id)}`);
  note(keeping.isApart ? TEXTS.keep.changed : TEXTS.keep.kept, "kept");
  showReview(id);
}

function showReview(id) {
  part("to-review").href = `/review/games/${encodeURIComponent(id)}`;
  part("to-review").hidden = false;
}

/** Goes on with a game that the server has. */
async function resume(kept) {
  const person = Object.keys(PERSONS).find((key) => PERSONS[key] === kept.seating?.person) ?? "both";
  const level = kept.seating?.level in LEVELS ? kept.seating.level : USUAL_LEVEL;
  for (const [name, value] of [["side", person], ["level", level], ["rules", kept.rules]]) part(name).value = value;
  const moves = kept.moves.split(/\s+/).filter((move) => move !== "");
  await setUp({ rules: kept.rules, fen: kept.start }, moves, person);
  if (kept.result && !now().outcome) {
    const winner = Object.keys(RESULTS).find((side) => RESULTS[side] === kept.result);
    game.ended = { winner: winner === undefined ? null : Number(winner), reason: kept.reason, points: kept.points ?? null };
  }
  setClock(kept.seating?.clock ?? { base: 0, increment: 0 });
  showReview(DATA.id);
  keeping.noted = essence(saved());
  await go();
}

/** A game of its own begins. */
function renew() {
  keeping.noted = "";
  if (!keeping.isKept && game.moves.length === 0) return;
  Object.assign(keeping, { id: newId(), isKept: false, isApart: false });
  history.replaceState(null, "", `/play?net=${encodeURIComponent(DATA.net)}`);
  note("", "none");
  part("to-review").hidden = true;
}

events.changed = () => {
  runClock();
  keep();
};
events.leaving = renew;
part("net").addEventListener("change", () => part("choice").requestSubmit());
open(DATA.netAddress).then(() => (DATA.kept ? resume(DATA.kept) : beginAsAddressed())).catch(fail);
