#!/usr/bin/env python3
"""A client of `sanki analysis` that asks a lot: `benches/analysis.py PROGRAM [--requests N] [--threads N] [--autogroup NICE]`.

It sends requests in all six games, with priorities, and cancels some; checks that every position is answered once, and
every cancel; and prints how busy the program kept the cores, and its memory. On a machine that others use the cores are
not the program's alone. So it also prints the share of the time in which its threads ran or were ready to run, as Linux
counts both (`/proc/PID/task/TID/schedstat`): what is missing there they waited for work. `--autogroup -8` gives the
program more of such a machine (as root).
"""

import argparse
import json
import os
import random
import subprocess
import threading
import time

LINES = {
    "janggi": "c4d4 c7d7 a4b4 a7b7",
    "xiangqi": "h3e3 h8e8 h1g3 h10g8",
    "shogi": "g3g4 c7c6 h2c2",
    "minixiangqi": "c2c3 c6c5",
    "minishogi": "a2a3 e4e3",
    "dobutsu": "b2b3 c4b3",
}


def requests(number):
    """The lines to be sent: requests, and behind every tenth a cancel of an earlier one."""
    rng = random.Random(1)
    for place in range(number):
        game = list(LINES)[place % len(LINES)]
        moves = LINES[game].split()
        turns = rng.sample(range(len(moves) + 1), rng.choice([1, 1, 1, 2]))
        budget = {"nodes": rng.randrange(2000, 20_000)} if place % 10 == 3 else {"sims": rng.randrange(500, 4000)}
        yield {"id": f"r{place}", "game": game, "moves": moves, "turns": turns, "priority": rng.randrange(-2, 3),
               "lines": rng.randrange(1, 4), **budget}
        if place % 10 == 9:
            yield {"cancel": f"r{place - rng.randrange(min(place + 1, 2000))}"}


def processor_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ready_seconds(pid):
    """Time in which the threads that judge ran, or were ready to run while others had the cores."""
    seconds = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        if open(f"/proc/{pid}/task/{thread}/comm").read().startswith("judge-"):
            ran, waited, _ = open(f"/proc/{pid}/task/{thread}/schedstat").read().split()
            seconds += (int(ran) + int(waited)) / 1e9
    return seconds


def mebibytes(pid, key):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    raise KeyError(key)


def check(asked, answers):
    """Every position is answered once, or its request was cancelled, and then nothing more came of it."""
    turns, cancels = {}, {}
    for answer in answers:
        name = answer["id"]
        if "cancelled" in answer:
            cancels.setdefault(name, []).append(answer["cancelled"])
        else:
            assert "best" in answer or "outcome" in answer, answer
            assert True not in cancels.get(name, []), f"{answer} behind its cancel"
            assert answer["turn"] not in turns.setdefault(name, set()), f"{answer} twice"
            turns[name].add(answer["turn"])
    sent = {}
    for request in asked:
        if "cancel" in request:
            sent[request["cancel"]] = sent.get(request["cancel"], 0) + 1
            continue
        found, wanted = turns.get(request["id"], set()), set(request["turns"])
        is_cancelled = True in cancels.get(request["id"], [])
        assert found < wanted if is_cancelled else found == wanted, request
    assert {name: len(all) for name, all in cancels.items()} == sent, "a cancel is not answered once"
    assert all(all.count(True) <= 1 for all in cancels.values())
    return sum(len(found) for found in turns.values()), sum(all.count(True) for all in cancels.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--autogroup", type=int)
    args = parser.parse_args()
    command = [args.program, "analysis", "--threads", str(args.threads)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True, start_new_session=True)
    if args.autogroup is not None:
        with open(f"/proc/{child.pid}/autogroup", "w") as file:
            file.write(str(args.autogroup))
    asked = list(requests(args.requests))

    def send():
        for request in asked:
            child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()

    writer = threading.Thread(target=send)
    writer.start()
    answers, memory, begin = [], [], None
    # The nets are read while the first tenth is answered, and at the end one thread has nothing left to do.
    first, last = len(asked) // 10, len(asked) - len(asked) // 20
    while len(answers) < last:
        answers.append(json.loads(child.stdout.readline()))
        if len(answers) % (len(asked) // 10) == 0:
            memory.append(mebibytes(child.pid, "VmRSS"))
        if len(answers) == first:
            begin = time.monotonic(), processor_seconds(child.pid), ready_seconds(child.pid), mebibytes(child.pid, "VmHWM")
    wall, own, ready = (now - then for now, then in zip(
        (time.monotonic(), processor_seconds(child.pid), ready_seconds(child.pid)), begin))
    peak = mebibytes(child.pid, "VmHWM")
    writer.join()
    child.stdin.close()
    answers += [json.loads(line) for line in child.stdout]
    assert child.wait() == 0
    positions, cancelled = check(asked, answers)
    print(f"{args.requests} requests, {positions} positions answered, {cancelled} requests cancelled in time")
    whole = wall * args.threads
    print(f"over {wall:.1f} s on {args.threads} threads: {100 * own / whole:.1f}% of the cores' time used, "
          f"threads running or ready to run {100 * ready / whole:.1f}% of the time")
    print(f"resident memory at each tenth of the answers, MiB: {' '.join(f'{one:.0f}' for one in memory)}; "
          f"peak after the first {begin[3]:.0f}, at the end {peak:.0f}")


if __name__ == "__main__":
    main()
