#!/usr/bin/env python3
"""What strength costs in long runs: N50 against processor time, for nets of one or more games, and the law.

    pip install matplotlib
    cargo build --release
    python benches/cost.py --out runs/cost \\
        "janggi=42.5:runs/j1.sanki,60.4:runs/j2.sanki,124.4:runs/j3.sanki" "xiangqi=20:runs/x1.sanki,72.1:runs/x2.sanki"

Each argument is a name, and nets with the minutes of processor time that made them. N50 is the number of nodes a move at
which the stranger, an external engine, scores 50% against the net (`sanki match --find-n50`). Fits a law to each name:
N50 = c * minutes^b, so that a doubling of the time makes N50 2^b times as large. Prints a table and draws `cost.svg` in
`--out`. What was measured is kept there, and the same command goes on after a stop.
"""

import argparse
import concurrent.futures
import json
import math
import pathlib
import subprocess
import sys

SANKI = pathlib.Path(__file__).parents[1] / "target" / "release" / "sanki"
MARKERS = "osD^v"


def named_nets(text):
    """`NAME=MINUTES:FILE,MINUTES:FILE,…` as the name and a list of (minutes, file)."""
    name, separator, nets = text.partition("=")
    try:
        points = [(float(minutes), pathlib.Path(file)) for minutes, file in (net.split(":", 1) for net in nets.split(","))]
    except ValueError:
        points = []
    if not separator or not points:
        raise argparse.ArgumentTypeError(f"expected NAME=MINUTES:FILE,…, not '{text}'")
    return name, points


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nets", nargs="+", metavar="NAME=MINUTES:FILE,…", type=named_nets)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder of the results and the picture")
    parser.add_argument("--play", default="?search=alphabeta@sims=4000", help="what stands behind each net's name")
    parser.add_argument("--stranger", default="uci:fairy-stockfish", help="the engine, without a budget")
    parser.add_argument("--games", default=60, type=int, help="with each net: a multiple of 20")
    parser.add_argument("--parallel", default=2, type=int, help="nets at a time, each with one thread")
    parser.add_argument("--sanki", default=SANKI, type=pathlib.Path, help="the program [default: the release build]")
    return parser.parse_args()


def n50(args, name, minutes, file):
    """What `sanki match --find-n50` says of a net. Measures it, unless that was done."""
    result = args.out / f"{name}-{minutes:g}.json"
    if not result.exists():
        command = [args.sanki, "match", f"{file}{args.play}", args.stranger, "--find-n50", "--games", args.games]
        command += ["--threads", 1, "--json", "--out", args.out / f"{name}-{minutes:g}"]
        done = subprocess.run([str(word) for word in command], capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{name}, {minutes:g} minutes: the match failed\n{done.stderr.decode()}")
        result.write_bytes(done.stdout)
    return json.loads(result.read_text())


def law(points):
    """Least squares of log2(N50) = a + b log2(minutes): (a, b)."""
    xs, ys = [math.log2(minutes) for minutes, _ in points], [math.log2(found["n50"]) for _, found in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    b = sum((xi - x) * (yi - y) for xi, yi in zip(xs, ys)) / sum((xi - x) ** 2 for xi in xs)
    return y - b * x, b


def draw(curves, to):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "sanki"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.6, 4.2))
    for (name, points), marker in zip(curves, MARKERS):
        minutes = [time for time, _ in points]
        a, b = law(points)
        (dots,) = axes.plot(
            minutes, [found["n50"] for _, found in points], marker, label=f"{name}: times {2**b:.1f} a doubling"
        )
        ends = [minutes[0], minutes[-1]]
        axes.plot(ends, [2 ** (a + b * math.log2(time)) for time in ends], "-", color=dots.get_color(), linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("minutes of processor time")
    axes.set_ylabel("N50, nodes a move")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(to, bbox_inches="tight", metadata={"Date": None})


def nodes(count):
    return f"{count:,.0f}" if count else "open"


def main():
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        asked = [(name, [(time, pool.submit(n50, args, name, time, file)) for time, file in nets]) for name, nets in args.nets]
        curves = [(name, [(time, found.result()) for time, found in nets]) for name, nets in asked]
    print("| net | minutes | N50 (95% interval) |\n| --- | --- | --- |")
    for name, points in curves:
        for minutes, found in points:
            low, high = nodes(found["n50_low"]), nodes(found["n50_high"])
            print(f"| {name} | {minutes:g} | {nodes(found['n50'])} ({low} to {high}) |")
    # A net that made every point, or none, has no N50.
    curves = [(name, [(time, found) for time, found in points if found["n50"]]) for name, points in curves]
    for name, points in curves:
        print(f"{name}: N50 grows {2 ** law(points)[1]:.2f} times with each doubling of the time")
    draw(curves, args.out / "cost.svg")


if __name__ == "__main__":
    main()
