"""Prints what a suite's log says of each test that failed: failures.py LOG.

Who sees only the end of a long run still learns which test it was, and what it said.
"""

import pathlib
import re
import sys

# Of one failure, and of one suite.
MOST_LINES = 15
MOST_FAILURES = 10

CARGO = re.compile(r"^---- (\S+) stdout ----\n(.*?)(?=^---- |^failures:$)", re.MULTILINE | re.DOTALL)
UNITTEST = re.compile(r"^={70}\n((?:FAIL|ERROR): .*?)(?=^={70}$|^-{70}\nRan )", re.MULTILINE | re.DOTALL)
# Node tells all failures once more behind this line.
NODE = re.compile(r"^✖ failing tests:\n(.*)", re.MULTILINE | re.DOTALL)
NODE_TEST = re.compile(r"^test at .*\n(✖ .*\n(?:  .*\n|\n)*)", re.MULTILINE)


def failures(log):
    found = [f"{name}\n{said}" for name, said in CARGO.findall(log)]
    found += UNITTEST.findall(log)
    found += [said for part in NODE.findall(log) for said in NODE_TEST.findall(part)]
    if not found:
        found = ["\n".join(log.splitlines()[-MOST_LINES:])]
    told = [shortened([line for line in said.splitlines() if line.strip()]) for said in found[:MOST_FAILURES]]
    if len(found) > MOST_FAILURES:
        told.append(f"and {len(found) - MOST_FAILURES} more")
    return told


def shortened(lines):
    """The first line is the test's name; what it said last, the error itself, is in the end of a traceback."""
    if len(lines) > MOST_LINES:
        half = MOST_LINES // 2
        lines = [*lines[:half], "…", *lines[-half:]]
    return "\n  ".join(lines)


if __name__ == "__main__":
    for told in failures(pathlib.Path(sys.argv[1]).read_text(errors="replace")):
        print(told)
