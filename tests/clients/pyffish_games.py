"""Plays whole games with pyffish, which is not ours, as the referee over two engines in UCI.

    python tests/clients/pyffish_games.py ENGINE SANKI [--fairy FAIRY] [--games N] [--tc SECONDS+INCREMENT]
        [--margin SECONDS] [--variants a,b] [--plies N] [--seed N]

Every variant is played N times with ENGINE on both sides and, with --fairy, N times against Fairy-Stockfish, from random
openings. Every move has to be legal there and in time, and no engine may hang. Then `SANKI show` says when and how the
game ended by our rules, and that has to agree with the referee, but for what is known to differ, which is counted apart:
chases in xiangqi, mates by a pawn's drop and declarations in shogi. Prints a line a variant, and exits with 1 if anything
else was wrong.
"""

import argparse
import collections
import json
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time

import pyffish

VARIANTS = {
    "janggi": ("janggi", "points"),
    "janggitraditional": ("janggi", "traditional"),
    "janggimodern": ("janggi", "kakao"),
    "janggicasual": ("janggi", "casual"),
    "xiangqi": ("xiangqi", "axf"),
    "shogi": ("shogi", "csa27"),
    "minixiangqi": ("minixiangqi", "standard"),
    "minishogi": ("minishogi", "standard"),
    "dobutsu": ("dobutsu", "standard"),
}
# Debian's Fairy-Stockfish 11.1 takes dobutsu's lion for a king that must not be left en prise. This is the game itself.
DOBUTSU = """[dobutsu-open:dobutsu]
king = -
commoner = l
extinctionValue = loss
extinctionPieceTypes = l
flagPiece = l
flagMove = true
mandatoryPiecePromotion = true
nFoldRule = 4
"""
# What our rules know and the referee does not, or not as well, by the reason of our verdict.
KNOWN = {"xiangqi": {"perpetual_chase", "repetition"}, "shogi": {"declaration"}}
PATIENCE = 20.0


class Engine:
    """A running engine in UCI."""

    def __init__(self, command, variant, options=()):
        self.name = os.path.basename(command)
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.say("uci")
        self.until("uciok")
        for name, value in [*options, ("UCI_Variant", variant)]:
            self.say(f"setoption name {name} value {value}")
        self.ready()

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        end = time.monotonic() + PATIENCE
        while True:
            line = self.lines.get(timeout=max(0.01, end - time.monotonic()))
            if line is None:
                raise RuntimeError(f"{self.name} has ended")
            if line.split(" ")[0] == word:
                return line.split()

    def ready(self):
        self.say("isready")
        self.until("readyok")

    def quit(self):
        try:
            self.say("quit")
            self.process.wait(timeout=30)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            raise


def side_to_move(fen, plies):
    first = fen.split()[1] == "w"
    return first if plies % 2 == 0 else not first


def verdict(variant, fen, moves, legal):
    """The result if the referee says that the game has ended, else None."""
    ends = (pyffish.is_immediate_game_end, pyffish.is_optional_game_end)
    found = [end(variant, fen, moves) for end in ends]
    values = [value for over, value in found if over]
    if not values and not legal:
        values = [pyffish.game_result(variant, fen, moves)]
    if not values:
        return None
    if values[0] == 0:
        return "1/2-1/2"
    return "1-0" if (values[0] > 0) == side_to_move(fen, len(moves)) else "0-1"


def opening(variant, rng):
    """A start and some random moves, after which the game goes on."""
    fen = pyffish.start_fen(variant)
    if variant.startswith("janggi"):
        wings = [rng.choice(["nb", "bn"]) for _ in range(4)]
        fen = fen.replace("rnba1abnr", f"r{wings[0]}a1a{wings[1]}r")
        fen = fen.replace("RNBA1ABNR", f"R{wings[2]}A1A{wings[3]}R".upper())
    while True:
        moves = []
        for _ in range(rng.randrange(2, 7)):
            legal = pyffish.legal_moves(variant, fen, moves)
            if not legal:
                break
            moves.append(rng.choice(legal))
        legal = pyffish.legal_moves(variant, fen, moves)
        if verdict(variant, fen, moves, legal) is None:
            return fen, moves


def play(variant, engines, clock, margin, most, rng):
    """Plays a game. Returns its start, its moves, the referee's result (None where it was cut short), and what was wrong."""
    fen, moves = opening(variant, rng)
    base, increment = clock
    left = {True: base, False: base}
    for engine in engines.values():
        engine.say("ucinewgame")
        engine.ready()
    while True:
        legal = pyffish.legal_moves(variant, fen, moves)
        result = verdict(variant, fen, moves, legal)
        if result is not None or len(moves) >= most:
            return fen, moves, result, None
        first = side_to_move(fen, len(moves))
        engine = engines[first]
        ms = {side: max(1, int(1000 * time_left)) for side, time_left in left.items()}
        inc = int(1000 * increment)
        begin = time.monotonic()
        try:
            engine.say(f"position fen {fen} moves {' '.join(moves)}")
            engine.say(f"go wtime {ms[True]} btime {ms[False]} winc {inc} binc {inc}")
            move = engine.until("bestmove")[1]
        except (queue.Empty, OSError, RuntimeError) as error:
            return fen, moves, None, f"{engine.name}: no answer ({error!r})"
        left[first] -= time.monotonic() - begin
        if left[first] < -margin:
            return fen, moves, None, f"{engine.name}: out of time by {-1000 * left[first]:.0f} ms"
        left[first] = max(left[first], 0.0) + increment
        if move not in legal:
            return fen, moves, None, f"{engine.name}: {move} is not legal"
        moves.append(move)


def own_verdicts(sanki, games):
    """What our rules say of the games, in their order."""
    lines = []
    for variant, fen, moves, *_ in games:
        game, rules = VARIANTS[variant]
        lines.append(json.dumps({"game": game, "rules": rules, "fen": fen, "moves": " ".join(moves)}))
    done = subprocess.run(
        [sanki, "show", "--stdin"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(variant, moves, result, own, dropped_mate):
    """`agreed`, `cut`, `known` with what is known to differ, or `wrong` with what is."""
    game = VARIANTS[variant][0]
    if "error" in own:
        # A mate by a pawn's drop is no move of ours; the referee lists it and counts it a loss.
        return ("known", "pawn-drop mate") if dropped_mate else ("wrong", own["error"])
    ended = own["outcome"]
    if result is None:
        if ended is None:
            return "cut", ""
        reason = ended["reason"]
        return ("known", reason) if reason in KNOWN.get(game, ()) else ("wrong", f"we say {ended}, the referee goes on")
    if ended is None:
        # The referee's own opinion of chases.
        return ("known", "chase") if game == "xiangqi" else ("wrong", f"the referee says {result}, we go on")
    if (ended["result"], own["ended_at"]) == (result, len(moves)):
        return "agreed", ""
    reason = ended["reason"]
    what = f"we say {ended} after {own['ended_at']} plies, the referee {result} after {len(moves)}"
    return ("known", reason) if reason in KNOWN.get(game, ()) else ("wrong", what)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("sanki")
    parser.add_argument("--fairy")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--tc", default="1+0.01")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--plies", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--margin", type=float, default=0.0, help="seconds by which a busy machine may overrun a clock")
    args = parser.parse_args()
    base, increment = (float(part) for part in args.tc.split("+"))
    clock = (base, increment)
    rng = random.Random(args.seed)
    is_wrong = False
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
        file.write(DOBUTSU)
        file.flush()
        for variant in args.variants.split(","):
            # With one thread the two do not take each other's time.
            pairs = [("both sides", [(args.engine, variant, [("Hash", "64")])] * 2)]
            if args.fairy:
                theirs, options = variant, [("Threads", "1"), ("Hash", "16")]
                if variant == "dobutsu":
                    theirs, options = "dobutsu-open", [*options, ("VariantPath", file.name)]
                pairs.append(("against Fairy-Stockfish", [pairs[0][1][0], (args.fairy, theirs, options)]))
            for name, specs in pairs:
                engines = [Engine(*spec) for spec in specs]
                games, count, score = [], collections.Counter(), 0.0
                for number in range(args.games):
                    us_first = number % 2 == 0
                    sides = {True: engines[0 if us_first else 1], False: engines[1 if us_first else 0]}
                    fen, moves, result, wrong = play(variant, sides, clock, args.margin, args.plies, rng)
                    games.append((variant, fen, moves, result, wrong))
                    if result:
                        score += {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[result] * (1 if us_first else -1)
                        score += 0.0 if us_first else 1.0
                    if wrong and "no answer" in wrong:
                        engines = [Engine(*spec) for spec in specs]
                for engine in engines:
                    engine.quit()
                plies = sum(len(moves) for _, _, moves, _, _ in games) / len(games)
                for (_, fen, moves, result, wrong), own in zip(games, own_verdicts(args.sanki, games)):
                    dropped_mate = bool(moves) and moves[-1].startswith("P@") and result is not None
                    what, why = ("wrong", wrong) if wrong else judge(variant, moves, result, own, dropped_mate)
                    count[f"{what} ({why})" if what == "known" else what] += 1
                    if what == "wrong":
                        is_wrong = True
                        print(f"{variant}: {why}: {fen} moves {' '.join(moves)}", file=sys.stderr)
                told = ", ".join(f"{number} {what}" for what, number in sorted(count.items()))
                print(f"{variant} {name}: {len(games)} games of {plies:.0f} plies: {told}; our score {score:g}", flush=True)
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
