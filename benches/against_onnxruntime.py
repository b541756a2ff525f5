#!/usr/bin/env python3
"""Our forward pass against onnxruntime's of the very same net, on the same cores, in turn.

    cargo build --release
    pip install numpy onnxruntime
    python benches/against_onnxruntime.py --game xiangqi --nets 4x32,6x64,10x128 --threads 2

Both have a worker for each thread and nothing to wait for. onnxruntime computes the logits of every move, ours those of
the legal ones, as a search asks for them. Prints evaluations a second and ours divided by theirs, medians of the rounds.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy
import onnxruntime

SANKI = pathlib.Path(__file__).parents[1] / "target" / "release" / "sanki"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="xiangqi")
    parser.add_argument("--nets", default="4x32,6x64,10x128", type=lambda text: text.split(","))
    parser.add_argument("--precision", default="fp32", help="of ours; onnxruntime's is always fp32")
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--batch", default=32, type=int)
    parser.add_argument("--seconds", default=1.0, type=float, help="of each measurement")
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--sanki", default=SANKI, help="the program, by default this checkout's release build")
    parser.add_argument("--json", action="store_true", help="one JSON object a net")
    return parser.parse_args()


def ours(args, net, export=()):
    """One measurement; what `sanki bench net` says."""
    command = [args.sanki, "bench", "net", "--game", args.game, "--net", net, "--precision", args.precision]
    for option in ("threads", "batch", "seconds"):
        command += [f"--{option}", str(getattr(args, option))]
    return json.loads(subprocess.run([*command, "--json", *export], check=True, stdout=subprocess.PIPE).stdout)


def load(model, batch, ready):
    """Makes this process a worker, and waits for the others."""
    global session, inputs
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    random = numpy.random.default_rng(1)
    # About as many features as there are pieces; the values do not matter to the speed.
    shapes = {value.name: [batch, *value.shape[1:]] for value in session.get_inputs()}
    inputs = {name: (random.random(shape) < 0.03).astype(numpy.float32) for name, shape in shapes.items()}
    session.run(None, inputs)
    ready.wait(timeout=60)


def evaluations(seconds):
    """This worker's evaluations a second."""
    batch = len(next(iter(inputs.values())))
    count, begin = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds:
        session.run(None, inputs)
        count += batch
    return count / elapsed


def compare(args, net, model):
    measured = ours(args, net, ["--export", model])
    rounds = []
    # Spawned, not forked: onnxruntime has threads.
    context = multiprocessing.get_context("spawn")
    start = (model, args.batch, context.Barrier(args.threads))
    with concurrent.futures.ProcessPoolExecutor(args.threads, context, load, start) as workers:
        for _ in range(args.rounds):
            theirs = sum(workers.map(evaluations, [args.seconds] * args.threads))
            rounds.append((ours(args, net)["evals_per_s"], theirs))
    own, theirs, ratio = map(statistics.median, zip(*((own, theirs, own / theirs) for own, theirs in rounds)))
    kept = {key: measured[key] for key in ("backend", "precision", "threads", "batch")}
    return {"net": net, "sanki": round(own), "onnxruntime": round(theirs), "ratio": round(ratio, 3), **kept}


def main():
    args = arguments()
    for net in args.nets:
        with tempfile.TemporaryDirectory() as folder:
            result = compare(args, net, str(pathlib.Path(folder) / "net.onnx"))
        if args.json:
            print(json.dumps(result), flush=True)
        else:
            print("{net:>8}: sanki {sanki:>8}/s, onnxruntime {onnxruntime:>8}/s, ratio {ratio:.2f}".format(**result))


if __name__ == "__main__":
    main()
