"""The score of the first player of a match, each different game counted once.

    python benches/different.py matches/NAME/games.jsonl

Engines without chance repeat games, and the interval of `sanki match` takes each for a new one.
"""

import json
import math
import sys

SCORES = {"1-0": 1.0, "0-1": 0.0}


def elo(score):
    return -400 * math.log10(1 / min(max(score, 1e-3), 1 - 1e-3) - 1)


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    # A match gives its first player the first move in game 0.
    player = min(games, key=lambda game: game["number"])["first"]
    different = {}
    for game in games:
        score, is_first = SCORES.get(game["result"], 0.5), game["first"] == player
        different[is_first, game["moves"]] = score if is_first else 1 - score
    scores = list(different.values())
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)
    margin = 1.96 * math.sqrt(variance / len(scores))
    low, high = elo(mean - margin), elo(mean + margin)
    print(f"{len(scores)} different games of {len(games)}: {100 * mean:.1f}%, Elo {elo(mean):+.0f} ({low:+.0f} to {high:+.0f})")


if __name__ == "__main__":
    main()
