"""Holds the workspace's dependencies to deny.toml. Run from anywhere; needs cargo and nothing else."""

import json
import pathlib
import subprocess
import sys
import tomllib

from duplicates import duplicates
from tree import faults

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Without what only tests need, and without what no feature in use asks for, which `cargo metadata` cannot tell.
SHIPPED = ("tree", "--workspace", "--edges", "normal,build", "--prefix", "none", "--format", "{p}")


def cargo(*words):
    return subprocess.run(["cargo", *words, "--locked"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout


def main():
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    metadata = json.loads(cargo("metadata", "--format-version", "1"))
    found = faults(metadata, set(rules["licenses"]["allow"]))
    for target in rules["graph"]["targets"]:
        found += duplicates(cargo(*SHIPPED, "--target", target).splitlines(), rules["bans"]["skip"])
    for fault in found:
        print(f"licences: {fault}", file=sys.stderr)
    print(f"licences: {len(metadata['packages'])} packages read, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
