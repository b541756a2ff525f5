"""Measures how far the strengths of a net are apart, and places the levels of play on them.

    python benches/levels.py SANKI NET GAME [--games N] [--threads N] [--last STRENGTH] [--json FILE]

Neighbouring strengths play matches against each other: 0 against 1, 1 against 2 and so on. Where one side wins nearly all,
the middle between the two plays both. The sum of the differences is a curve of Elo over strength; the levels are the
strengths at equal distances on it, from the first to the last. Prints the curve, the levels, and the line for the game's
facts.
"""

import argparse
import json
import subprocess
import sys

# A match that is won more clearly than this says little of the distance.
CLEAR = 0.88
# The closest strengths that are told apart.
FINEST = 0.25
LEVELS = 19


def match(args, low, high):
    """The score of `high` against `low`, in 0..1, and the difference in Elo."""
    players = [f"{args.net}?strength={strength:g}@sims=1" for strength in (high, low)]
    command = [args.sanki, "match", *players, "--game", args.game, "--games", str(args.games), "--json"]
    command += ["--threads", str(args.threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    result = json.loads(done.stdout.strip().splitlines()[-1])
    elo = result["elo"] if result["elo"] is not None else 800.0
    print(f"{high:g} against {low:g}: {100 * result['score']:.1f}%, {elo:+.0f} ({result['elo_low']} to {result['elo_high']})",
          file=sys.stderr, flush=True)
    return result["score"], elo


def distances(args, low, high):
    """The points above `low` up to `high`, each with its distance in Elo from the one before."""
    score, elo = match(args, low, high)
    if score > CLEAR and high - low > FINEST:
        middle = (low + high) / 2
        return distances(args, low, middle) + distances(args, middle, high)
    return [(high, elo)]


def at(curve, elo):
    """The strength on the curve that has this Elo."""
    for (low, below), (high, above) in zip(curve, curve[1:]):
        if above >= elo:
            return low + (high - low) * (elo - below) / max(above - below, 1e-9)
    return curve[-1][0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sanki")
    parser.add_argument("net")
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--first", type=float, default=0.0)
    parser.add_argument("--last", type=float, default=15.0)
    parser.add_argument("--json")
    args = parser.parse_args()
    curve = [(args.first, 0.0)]
    strength = args.first
    while strength < args.last:
        for point, elo in distances(args, strength, strength + 1):
            # A curve rises: what is measured the other way round is noise.
            curve.append((point, curve[-1][1] + max(elo, 0.0)))
        strength += 1
    step = curve[-1][1] / (LEVELS - 1)
    levels = [at(curve, step * place) for place in range(LEVELS)]
    for point, elo in curve:
        print(f"{point:5g} {elo:7.0f}")
    print(f"levels are {step:.0f} Elo apart: {', '.join(f'{level:.2f}' for level in levels)}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"game": args.game, "games": args.games, "curve": curve, "step": step, "levels": levels}, file)


if __name__ == "__main__":
    main()
