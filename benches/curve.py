#!/usr/bin/env python3
"""What strength costs: Elo against processor time for several runs of one game, on one rating list.

    pip install matplotlib
    cargo build --release
    for width in 128 256 512; do
        sanki train --config configs/minixiangqi.toml --out runs/w$width --threads 1 --set net.hidden=$width \\
            --set learner.schedule.decay_from=1.0 --set budget.minutes=none --set budget.cpu_minutes=60 \\
            --set checkpoints.milestone_every=20 --set evaluation.every=100000
    done
    python benches/curve.py --out runs/curve "128 wide=runs/w128" "256 wide=runs/w256" "512 wide=runs/w512"

Takes from each run the checkpoints nearest to the given minutes of processor time and lets all of them play on one
ladder (`sanki ladder`). Fits a law to each run: Elo = a + b log2(minutes), so that b is what a doubling of the time is
worth. Prints a table and draws `curve.svg` in `--out`. The same command goes on with a ladder that was stopped.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

SANKI = pathlib.Path(__file__).parents[1] / "target" / "release" / "sanki"
MARKERS = "osD^v"


def named_run(text):
    name, separator, folder = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"expected NAME=FOLDER, not '{text}'")
    return name, pathlib.Path(folder)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN", type=named_run)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder of the ladder and the picture")
    parser.add_argument("--minutes", default="1,2,4,8,16,30,60", type=lambda text: [float(m) for m in text.split(",")])
    parser.add_argument("--movetime", default=20, type=int, help="milliseconds a move")
    parser.add_argument("--games", default=1000, type=int, help="of the ladder")
    parser.add_argument("--threads", default=2, type=int, help="games at a time")
    parser.add_argument("--opponent", action="append", default=[], help="another player of the ladder")
    parser.add_argument("--sanki", default=SANKI, type=pathlib.Path, help="the program [default: the release build]")
    return parser.parse_args()


def milestones(run, minutes):
    """The run's checkpoints nearest to each of the times: (minutes of processor time, file), each once."""
    lines = (run / "metrics.jsonl").read_text().splitlines()
    spent = {report["generation"]: report["cpu_seconds"] / 60 for report in map(json.loads, lines)}
    kept = {int(file.stem.removeprefix("gen-")): file for file in (run / "checkpoints").glob("gen-*.sanki")}
    times = {spent[generation]: file for generation, file in kept.items() if generation in spent}
    if not times:
        sys.exit(f"{run} has no checkpoints")
    nearest = {min(times, key=lambda time: abs(math.log(time / wanted))) for wanted in minutes}
    return [(time, times[time]) for time in sorted(nearest)]


def ladder(args, points):
    """Elo and interval of each checkpoint, by its file."""
    names = {file: f"{file}@movetime={args.movetime}" for run in points for _, file in run}
    command = [args.sanki, "ladder", args.runs[0][1], "--checkpoints", "1", "--json", "--games", str(args.games)]
    command += ["--movetime", str(args.movetime), "--threads", str(args.threads), "--out", args.out / "ladder"]
    for player in [*names.values(), *args.opponent]:
        command += ["--opponent", player]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit("the ladder failed")
    players = {player["name"]: player for player in json.loads(done.stdout)["players"]}
    return {file: players[name] for file, name in names.items()}


def law(points):
    """Least squares of Elo = a + b log2(minutes): (a, b)."""
    xs, ys = [math.log2(minutes) for minutes, _ in points], [rated["elo"] for _, rated in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    b = sum((xi - x) * (yi - y) for xi, yi in zip(xs, ys)) / sum((xi - x) ** 2 for xi in xs)
    return y - b * x, b


def draw(curves, movetime, to):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "sanki"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.6, 4.2))
    for (name, points), marker in zip(curves, MARKERS):
        minutes = [time for time, _ in points]
        elo = [rated["elo"] for _, rated in points]
        a, b = law(points)
        (dots,) = axes.plot(minutes, elo, marker, label=f"{name}: {b:+.0f} Elo a doubling")
        ends = [minutes[0], minutes[-1]]
        axes.plot(ends, [a + b * math.log2(time) for time in ends], "-", color=dots.get_color(), linewidth=1)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("minutes of processor time")
    axes.set_ylabel(f"Elo, {movetime} ms a move")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(to, bbox_inches="tight", metadata={"Date": None})


def main():
    args = arguments()
    points = [milestones(run, args.minutes) for _, run in args.runs]
    rated = ladder(args, points)
    curves = [
        (name, [(minutes, rated[file]) for minutes, file in run]) for (name, _), run in zip(args.runs, points)
    ]
    print("| run | minutes | Elo (95% interval) |\n| --- | --- | --- |")
    for name, run in curves:
        for minutes, player in run:
            print(f"| {name} | {minutes:.1f} | {player['elo']:+.0f} ({player['elo_low']:+.0f} to {player['elo_high']:+.0f}) |")
    for name, run in curves:
        a, b = law(run)
        print(f"{name}: Elo = {a:.0f} + {b:.0f} log2(minutes)")
    draw(curves, args.movetime, args.out / "curve.svg")


if __name__ == "__main__":
    main()
