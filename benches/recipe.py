#!/usr/bin/env python3
"""Which settings train a better net in the same processor time: each change against the config as it is.

    cargo build --release
    python benches/recipe.py --config configs/minishogi.toml --out /tmp/recipe \\
        learner.schedule.peak=0.004 "selfplay.simulations=128 selfplay.quick_simulations=16"

Each argument is one change: settings as `sanki train --set` takes them, with spaces between them. Trains one net for
each change and seed, and one for each seed without a change; then each changed net plays a match against the unchanged
one of the same seed. A run that is done and a match that was played are kept, so the same command goes on after a stop.
Prints one line for each change: the Elo of each seed's match, and their mean with its 95% interval.

Nets that are alike flatter themselves when they play each other. With `--stranger uci:fairy-stockfish@nodes=1000` every
net, the unchanged ones too, also plays that engine, and a further column has the Elo that the change gained there.
"""

import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parents[1]
SANKI = ROOT / "target" / "release" / "sanki"
UNCHANGED = ""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("changes", nargs="+", metavar="CHANGE")
    parser.add_argument("--config", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder of the runs and the results")
    parser.add_argument("--minutes", default=5.0, type=float, help="processor time of each run")
    parser.add_argument("--seeds", default="1,2", type=lambda text: [int(seed) for seed in text.split(",")])
    parser.add_argument("--play", default="--sims 200", help="the budget of a move in the matches")
    parser.add_argument("--games", default=400, type=int, help="of each match")
    parser.add_argument("--stranger", help="another player that every net plays")
    parser.add_argument("--parallel", default=2, type=int, help="runs and matches at a time, each with one thread")
    parser.add_argument("--sanki", default=SANKI, help="the program, by default this checkout's release build")
    return parser.parse_args()


def folder(args, change, seed):
    name = re.sub(r"[^\w.=-]+", "_", change) or "unchanged"
    return args.out / f"{name}-seed{seed}"


def train(args, change, seed):
    """Trains one net, unless it is there."""
    run = folder(args, change, seed)
    done = run / "done"
    if done.exists():
        return
    settings = [
        f"seed={seed}", f"budget.cpu_minutes={args.minutes}", "budget.minutes=none", "budget.positions=none",
        "evaluation.every=1000000", *change.split(),
    ]
    command = [args.sanki, "train", "--config", args.config, "--out", run, "--threads", "1"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done.touch()


def match(args, change, seed, opponent, name):
    """Elo of a net over an opponent, and its standard error."""
    result = folder(args, change, seed) / f"{name}.json"
    if not result.exists():
        command = [args.sanki, "match", folder(args, change, seed), opponent, "--games", str(args.games)]
        command += [*args.play.split(), "--threads", "1", "--json"]
        found = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        result.write_bytes(found)
    found = json.loads(result.read_text())
    return found["elo"], (found["elo_high"] - found["elo_low"]) / (2 * 1.96)


def unchanged(args, seed):
    train(args, UNCHANGED, seed)
    if args.stranger:
        match(args, UNCHANGED, seed, args.stranger, "stranger")


def gain(args, change, seed):
    """Elo of the changed net over the unchanged one."""
    return match(args, change, seed, folder(args, UNCHANGED, seed), "match")


def gain_against_stranger(args, change, seed):
    """By how much the changed net does better against the stranger than the unchanged one."""
    found = [match(args, net, seed, args.stranger, "stranger") for net in (change, UNCHANGED)]
    return found[0][0] - found[1][0], math.hypot(found[0][1], found[1][1])


def mean(found):
    """Mean of several seeds, with its 95% interval."""
    elo = sum(elo for elo, _ in found) / len(found)
    # Seeds differ by more than their matches say: take the larger of both errors.
    within = math.sqrt(sum(error**2 for _, error in found)) / len(found)
    spread = sum((one - elo) ** 2 for one, _ in found) / max(1, len(found) - 1)
    error = 1.96 * max(within, math.sqrt(spread / len(found)))
    return f"{elo:+.0f} ({elo - error:+.0f} to {elo + error:+.0f})"


def positions(args, change, seed):
    return json.loads((folder(args, change, seed) / "metrics.jsonl").read_text().splitlines()[-1])["positions"]


def line(args, change):
    found = [gain(args, change, seed) for seed in args.seeds]
    cells = [f"`{change}`", ", ".join(f"{elo:+.0f}" for elo, _ in found), mean(found)]
    if args.stranger:
        cells.append(mean([gain_against_stranger(args, change, seed) for seed in args.seeds]))
    seen, usual = (sum(positions(args, net, seed) for seed in args.seeds) for net in (change, UNCHANGED))
    return f"| {' | '.join(cells)} | {seen / usual:.2f} |"


def main():
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    heads = ["change", "Elo of each seed", "mean (95% interval)", "positions, times the unchanged"]
    if args.stranger:
        heads.insert(3, "against the stranger")
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        list(pool.map(lambda seed: unchanged(args, seed), args.seeds))
        pairs = [(change, seed) for change in args.changes for seed in args.seeds]

        def both(pair):
            train(args, *pair)
            gain(args, *pair)
            if args.stranger:
                gain_against_stranger(args, *pair)
            return pair

        for change, seed in pool.map(both, pairs):
            if seed == args.seeds[-1]:
                print(line(args, change), flush=True)


if __name__ == "__main__":
    main()
