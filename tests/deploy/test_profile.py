"""What is shipped is the build that the figures are of: one profile of Cargo.toml, named wherever somebody installs the program."""

import re
import tomllib
import unittest

from nginx import DEPLOY
from said import DOCKERFILE
from world import ROOT

PROFILES = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]
SHIPPED = "dist"


class Profile(unittest.TestCase):
    def test_the_shipped_profile_is_optimised_across_crates(self):
        self.assertEqual({"lto": "fat", "codegen-units": 1}, {k: PROFILES[SHIPPED][k] for k in ("lto", "codegen-units")})

    def test_whoever_installs_the_program_builds_and_copies_that_one(self):
        for name, text in (("Dockerfile", DOCKERFILE), ("README.md", (DEPLOY / "README.md").read_text())):
            self.assertEqual(re.findall(r"cargo build (.*?) --locked", text), [f"--profile {SHIPPED}"], name)
            self.assertEqual(set(re.findall(r"target/(\w+)/recordgate", text)), {SHIPPED}, name)

    def test_the_figures_are_of_the_same(self):
        told = (ROOT / "docs/speed.md").read_text()
        self.assertEqual(set(re.findall(r"cargo run (.*?) -p bench", told)), {f"--profile {SHIPPED}"})


if __name__ == "__main__":
    unittest.main()
