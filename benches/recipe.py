#!/usr/bin/env python3
"""Which settings train a better net in the same processor time: each change against the config as it is.

    cargo build --release
    python benches/recipe.py --config configs/minishogi.toml --out runs/recipe \\
        learner.schedule.peak=0.004 "selfplay.simulations=128 selfplay.quick_simulations=16"

Each argument is one change: settings as `sanki train --set` takes them, with spaces between them. Trains one net for
each change and seed, and one for each seed without a change; then each changed net plays a match against the unchanged
one of the same seed. Prints one line for each change: the Elo of each seed's match, and their mean with its 95%
interval. With two or three seeds this interval is rough.

A run that is done and a match that was played are kept in `--out`, so the same command goes on after a stop. Choose
another folder for another config or other options.

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
import sys

SANKI = pathlib.Path(__file__).parents[1] / "target" / "release" / "sanki"
UNCHANGED = ""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("changes", nargs="+", metavar="CHANGE")
    parser.add_argument("--config", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder of the runs and the results")
    parser.add_argument("--minutes", default=5.0, type=float, help="processor time of each run")
    parser.add_argument("--seeds", default="1,2", type=lambda text: [int(seed) for seed in text.split(",")])
    parser.add_argument("--play", default="--sims 200", help="the budget of a move in the matches")
    parser.add_argument("--settings", default="", help="how the nets play in them, for example search=alphabeta")
    parser.add_argument("--games", default=400, type=int, help="of each match")
    parser.add_argument("--stranger", help="another player that every net plays")
    parser.add_argument("--parallel", default=2, type=int, help="runs and matches at a time, each with one thread")
    parser.add_argument("--sanki", default=SANKI, type=pathlib.Path, help="the program [default: the release build]")
    return parser.parse_args()


def claim(args):
    """Creates the folder of the results, or refuses one that was made with other options."""
    args.out.mkdir(parents=True, exist_ok=True)
    options = {name: str(getattr(args, name)) for name in ("config", "minutes", "play", "settings", "games", "stranger")}
    file = args.out / "options.json"
    if file.exists() and json.loads(file.read_text()) != options:
        sys.exit(f"{args.out} has results of other options ({file}). Give another folder with --out.")
    file.write_text(json.dumps(options, indent=2))


def call(command):
    """The output of a command; what it says on its way is shown only if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr.decode()}")
    return done.stdout


def run_folder(args, change, seed):
    name = re.sub(r"[^\w.=-]+", "_", change) or "unchanged"
    return args.out / f"{name}-seed{seed}"


def train(args, change, seed):
    """Trains one net, unless it is there."""
    run = run_folder(args, change, seed)
    done = run / "done"
    if done.exists():
        return
    settings = [
        f"seed={seed}", f"budget.cpu_minutes={args.minutes}", "budget.minutes=none", "budget.positions=none",
        "budget.generations=none", "evaluation.every=1000000", *change.split(),
    ]
    command = [args.sanki, "train", "--config", args.config, "--out", run, "--threads", "1"]
    for setting in settings:
        command += ["--set", setting]
    call(command)
    done.touch()


def player(args, change, seed):
    """The net of a change as a player of `sanki match`."""
    settings = f"?{args.settings}" if args.settings else ""
    return f"{run_folder(args, change, seed)}{settings}"


def match(args, change, seed, opponent, name):
    """Elo of a net over an opponent, and its standard error. Plays the match, unless it was played."""
    run = run_folder(args, change, seed)
    result = run / f"{name}.json"
    if not result.exists():
        command = [args.sanki, "match", player(args, change, seed), opponent, "--games", args.games, "--out", run / name]
        result.write_bytes(call([*command, *args.play.split(), "--threads", "1", "--json"]))
    found = json.loads(result.read_text())
    return found["elo"], (found["elo_high"] - found["elo_low"]) / (2 * 1.96)


def gain(args, change, seed):
    """Elo of the changed net over the unchanged one, and its standard error."""
    return match(args, change, seed, player(args, UNCHANGED, seed), "match")


def gain_against_stranger(args, change, seed):
    """By how much the changed net does better against the stranger than the unchanged one."""
    (changed, error), (unchanged, other) = (
        match(args, net, seed, args.stranger, "stranger") for net in (change, UNCHANGED)
    )
    return changed - unchanged, math.hypot(error, other)


def prepare(args, change, seed, unchanged=None):
    """Trains the net of a change and plays its matches, when `unchanged`, the work on its opponent, is done."""
    train(args, change, seed)
    if unchanged:
        unchanged.result()
        gain(args, change, seed)
    if args.stranger:
        match(args, change, seed, args.stranger, "stranger")


def mean(gains):
    """Mean over the seeds, with its 95% interval."""
    elo = sum(elo for elo, _ in gains) / len(gains)
    # Seeds differ by more than their matches say: take the larger of both errors.
    within = math.sqrt(sum(error**2 for _, error in gains)) / len(gains)
    spread = sum((one - elo) ** 2 for one, _ in gains) / max(1, len(gains) - 1)
    error = 1.96 * max(within, math.sqrt(spread / len(gains)))
    return f"{elo:+.0f} ({elo - error:+.0f} to {elo + error:+.0f})"


def positions(args, change, seed):
    last = (run_folder(args, change, seed) / "metrics.jsonl").read_text().splitlines()[-1]
    return json.loads(last)["positions"]


def line(args, change):
    """A row of the table."""
    gains = [gain(args, change, seed) for seed in args.seeds]
    cells = [f"`{change}`", ", ".join(f"{elo:+.0f}" for elo, _ in gains), mean(gains)]
    if args.stranger:
        cells.append(mean([gain_against_stranger(args, change, seed) for seed in args.seeds]))
    played, usual = (sum(positions(args, net, seed) for seed in args.seeds) for net in (change, UNCHANGED))
    cells.append(f"{played / usual:.2f}")
    return f"| {' | '.join(cells)} |"


def main():
    args = arguments()
    claim(args)
    heads = ["change", "Elo of each seed", "mean (95% interval)", "positions, times the unchanged"]
    if args.stranger:
        heads.insert(3, "against the stranger")
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        unchanged = {seed: pool.submit(prepare, args, UNCHANGED, seed) for seed in args.seeds}
        rows = [[pool.submit(prepare, args, change, seed, unchanged[seed]) for seed in args.seeds] for change in args.changes]
        for change, row in zip(args.changes, rows):
            for work in row:
                work.result()
            print(line(args, change), flush=True)


if __name__ == "__main__":
    main()
