"""Which features a crate gets depends on what is built with it, and with other features it is another crate, built a second time."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def crates(*whose, edges="normal,build,dev"):
    """Every crate that these packages need, with the features that it gets."""
    tree = ["cargo", "tree", "--locked", "--quiet", "--edges", edges, "--prefix", "none", "--no-dedupe"]
    ended = subprocess.run([*tree, "--format", "{p} {f}", *whose], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(ended.stdout.splitlines())


class Features(unittest.TestCase):
    def test_the_services_tests_alone_want_no_crate_otherwise_than_the_whole_workspace_does(self):
        alone, together = crates("--package", "service"), crates("--workspace")
        self.assertGreater(len(alone), 100)
        self.assertEqual(alone - together, set(), "give the service's dev-dependencies the features that the others ask for")

    def test_the_program_wants_no_crate_otherwise_when_what_drives_it_is_built_beside_it(self):
        program = ["--package", "service"]
        alone = crates(*program, edges="normal,build")
        together = crates(*program, "--package", "bench", "--package", "cluster", edges="normal,build")
        added = {crate.split()[0] for crate in together - alone if crate}
        self.assertGreater(len(alone), 100)
        self.assertEqual(added, {"bench", "cluster"}, "give the service's dependencies the features that these ask for")


if __name__ == "__main__":
    unittest.main()
