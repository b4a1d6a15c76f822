"""The order of things in ./test: the program is built beside the suites that do without it, and before those that drive it."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 30

# Suites that can only end if the build goes on beside them (rust), or has ended before them (readme).
SUITES = """
SUITES=(format rust build readme)
declare -A ABOUT=([format]="needs nothing" [rust]="waits for the build to begin" [build]="waits for rust" [readme]="needs the program")
until_there() { for _ in {1..600}; do [[ -e $1 ]] && return 0; sleep 0.05; done; echo "no $1"; return 1; }
suite_format() { :; }
suite_rust() { until_there target/begun && touch target/tested; }
suite_build() { echo $BASHPID >target/begun; until_there target/tested && echo words of the compiler && BUILD; }
suite_readme() { [[ -e target/program ]]; }
"""


class Order(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        shutil.copy(ROOT / "test", self.place / "test")
        shutil.copytree(ROOT / "tests/runner", self.place / "tests/runner")
        (self.place / "tests/runner/install.sh").write_text("require_toolchain() { :; }\n")

    def run_test(self, build, *suites):
        (self.place / "tests/runner/suites.sh").write_text(SUITES.replace("BUILD", build))
        words = [self.place / "test", *suites]
        return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_SECONDS * 2)

    def test_the_build_goes_on_beside_the_suites_before_it_and_ends_before_those_that_need_it(self):
        ended = self.run_test("touch target/program")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertIn("words of the compiler", ended.stdout)
        self.assertTrue(ended.stdout.endswith("4 passed, 0 failed\n"), ended.stdout)

    def test_after_a_failed_build_nothing_is_said_about_the_program(self):
        ended = self.run_test("false")
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("the build failed; the suites after it did not run\n2 passed, 1 failed\n", ended.stdout)
        self.assertNotIn("==> readme", ended.stdout)

    def test_what_needs_no_program_builds_none(self):
        ended = self.run_test("touch target/program", "format")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertNotIn("==> build", ended.stdout)
        self.assertFalse((self.place / "target/test-logs/build.log").exists())

    def test_an_interrupted_run_takes_its_build_along(self):
        (self.place / "tests/runner/suites.sh").write_text(SUITES.replace("until_there target/begun &&", "sleep 60;"))
        running = subprocess.Popen([self.place / "test"], stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            begun = self.place / "target/begun"
            until(lambda: begun.exists() and begun.read_text().strip())
            builder = int(begun.read_text())
            running.terminate()
            until(lambda: has_ended(builder))
        finally:
            os.killpg(running.pid, 9)
            running.wait()


def has_ended(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def until(condition):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {PATIENCE_SECONDS} seconds")
        time.sleep(0.02)


if __name__ == "__main__":
    unittest.main()
