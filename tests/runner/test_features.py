"""The suite postgres runs the service's tests alone. If that gave any crate other features than the suite rust gives it, cargo
would build that crate, and all that stand on it, a second time: minutes that say nothing."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def crates(*whose):
    """Every crate that the tests of these packages need, with the features that it gets."""
    tree = ["cargo", "tree", "--locked", "--quiet", "--edges", "normal,build,dev", "--prefix", "none", "--no-dedupe"]
    ended = subprocess.run([*tree, "--format", "{p} {f}", *whose], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(ended.stdout.splitlines())


class Features(unittest.TestCase):
    def test_the_services_tests_alone_want_no_crate_otherwise_than_the_whole_workspace_does(self):
        alone, together = crates("--package", "service"), crates("--workspace")
        self.assertGreater(len(alone), 100)
        self.assertEqual(alone - together, set(), "give the service's dev-dependencies the features that the others ask for")


if __name__ == "__main__":
    unittest.main()
