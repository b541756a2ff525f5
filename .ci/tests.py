#!/usr/bin/env python3
"""The tests by the README's own command, without stopping at the first failure. Tests that fail are run once more, to tell a
fault from a moment of a shared machine: a fault is there the second time too. Those that passed then are listed in
target/second-time, for .ci/run to say at its end.
"""

import pathlib
import re
import subprocess
import sys

COMMAND = ["cargo", "test", "--release"]
SECOND_TIME = pathlib.Path("target/second-time")


def failed(output):
    """The targets that failed, each as cargo names it, with its tests that failed; none where these are not known, such
    as those of a program that did not come to its end.

    >>> failed('''     Running unittests src/lib.rs (target/release/deps/sanki-0f)
    ... test a::b ... ok
    ... test a::c ... FAILED
    ... test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
    ... error: test failed, to rerun pass `-p sanki --lib`
    ...      Running tests/arena/main.rs (target/release/deps/arena-0f)
    ... test d ... FAILED
    ... error: test failed, to rerun pass `-p sanki --test arena`
    ...      Running tests/nets/main.rs (target/release/deps/nets-0f)
    ... a word of its own test e ... FAILED
    ... test f ... FAILED
    ... test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out
    ... error: test failed, to rerun pass `-p sanki --test nets`
    ... error: 3 targets failed:''')
    [(['-p', 'sanki', '--lib'], ['a::c']), (['-p', 'sanki', '--test', 'arena'], []), (['-p', 'sanki', '--test', 'nets'], [])]
    """
    targets, tests, count = [], [], 0
    for line in output.splitlines():
        if re.match(r"\s+(Running|Doc-tests) ", line):
            tests, count = [], 0
        elif found := re.match(r"test (\S+)(?: - should panic)? \.\.\. FAILED", line):
            tests.append(found[1])
        elif found := re.match(r"test result: FAILED\. \d+ passed; (\d+) failed", line):
            count = int(found[1])
        elif found := re.match(r"error: (?:doc)?test failed, to rerun pass `(.*)`", line):
            targets.append((found[1].split(), tests if len(tests) == count else []))
    return targets


def run(words):
    """Runs `words`, with all that it says on stdout: whether it succeeded, and what it said."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = []
    for line in process.stdout:
        print(line, end="", flush=True)
        lines.append(line)
    return process.wait() == 0, "".join(lines)


def main():
    SECOND_TIME.unlink(missing_ok=True)
    succeeded, output = run(COMMAND + ["--no-fail-fast"])
    if succeeded:
        return 0
    again = failed(output)
    if not again:
        return 1
    for target, tests in again:
        words = COMMAND + target + (["--", "--exact", *tests] if tests else [])
        print("\n== failed, so once more:", *words, flush=True)
        if not run(words)[0]:
            return 1
        SECOND_TIME.parent.mkdir(exist_ok=True)
        with SECOND_TIME.open("a") as file:
            file.write(" ".join(words) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
