"""Reads a suite's log and prints "PASSED FAILED": counts.py EXIT_CODE LOG.

Knows the closing lines of cargo test, unittest and node's test runner; a suite that prints none of them is one test.
"""

import pathlib
import re
import sys

CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed;", re.MULTILINE)
UNITTEST = re.compile(r"^Ran (\d+) tests? in .*?$\n+(?:OK|FAILED)(?: \((.*)\))?$", re.MULTILINE)
NODE = re.compile(r"^(?:#|ℹ) (pass|fail|cancelled) (\d+)$", re.MULTILINE)


def counts(code, log):
    passed, failed, counted = 0, 0, False
    for good, bad in CARGO.findall(log):
        passed, failed, counted = passed + int(good), failed + int(bad), True
    for ran, trouble in UNITTEST.findall(log):
        told = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", trouble)}
        bad = told.get("failures", 0) + told.get("errors", 0)
        passed, failed, counted = passed + max(0, int(ran) - bad - told.get("skipped", 0)), failed + bad, True
    for what, number in NODE.findall(log):
        counted = True
        if what == "pass":
            passed += int(number)
        else:
            failed += int(number)
    if not counted:
        return (1, 0) if code == 0 else (0, 1)
    # A runner that fell over, or found nothing to run, has not passed.
    if (code != 0 or passed == 0) and failed == 0:
        failed = 1
    return passed, failed


if __name__ == "__main__":
    print(*counts(int(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(errors="replace")))
