"""Holds the workspace's dependencies to deny.toml. Run from anywhere; needs cargo and nothing else."""

import json
import pathlib
import subprocess
import sys
import tomllib

from tree import faults

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    answer = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    metadata = json.loads(answer.stdout)
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    found = faults(metadata, allowed)
    for fault in found:
        print(f"licences: {fault}", file=sys.stderr)
    print(f"licences: {len(metadata['packages'])} packages read, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
