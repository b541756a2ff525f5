#!/usr/bin/env python3
"""How long the programs take to start: until `sanki --help` has ended, until the engine has answered `uciok` or
`usiok`, and until `readyok` with the largest net, which is that of shogi.

    cargo build --release
    python benches/startup.py
    python benches/startup.py target/try/root/sanki-0.1.0-x86_64-unknown-linux-musl     # a package

Times are in milliseconds by the clock, from before the process begins. "Cold": the system's copies of programs and nets
were dropped before each start (posix_fadvise; Linux), so that they come from the disk. Prints the median and the worst,
and the median of the processor time until the process has ended, which tells more on a busy machine.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).parents[1]
# What is sent, and the answers up to which time is taken; of a program that ends by itself, nothing.
STARTS = {
    "sanki --help": ("sanki", ["--help"], []),
    "sanki-engine, uciok": ("sanki-engine", [], [("uci", "uciok")]),
    "sanki-engine, usiok": ("sanki-engine", [], [("usi", "usiok")]),
    "sanki-engine, readyok with shogi.sanki": ("sanki-engine", [], [("usi", "usiok"), ("isready", "readyok")]),
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "target/release", help="of the programs")
    parser.add_argument("--starts", type=int, default=20, help="of each kind")
    return parser.parse_args()


def drop(folder):
    """Has the system forget the contents of the programs and of the nets that they find."""
    nets = {above / "checkpoints" for above in [folder, *folder.parents]}
    paths = [folder / "sanki", folder / "sanki-engine", *(path for net in nets for path in net.glob("*.sanki"))]
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def start(program, words, talk):
    """Milliseconds of one start by the clock, and of processor time."""
    begin = time.perf_counter()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([program, *words], text=True, **pipes) as process:
        for line, answer in talk:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            while (said := process.stdout.readline()) and said.strip() != answer:
                pass
            assert said, f"{program} ended before {answer}"
        if not talk:
            assert process.stdout.read(), f"{program} said nothing"
        taken = time.perf_counter() - begin
        process.stdin.close()
        _, process.returncode, used = os.wait4(process.pid, 0)
    return taken * 1000, (used.ru_utime + used.ru_stime) * 1000


def main():
    args = arguments()
    folder = args.folder.resolve()
    columns = f"{'median':>10}{'worst':>8}{'processor':>10}"
    print(f"{'':40}{'cold':>28}{'warm':>28}\n{'milliseconds':40}{columns}{columns}")
    for name, (program, words, talk) in STARTS.items():
        figures = []
        for cold in (True, False):
            times = []
            for _ in range(args.starts):
                if cold:
                    drop(folder)
                times.append(start(folder / program, words, talk))
            clock, used = zip(*times)
            figures.append(f"{statistics.median(clock):10.1f}{max(clock):8.1f}{statistics.median(used):10.1f}")
        print(f"{name:40}{''.join(figures)}")


if __name__ == "__main__":
    main()
