"""The order of things in ./test: the program is built beside the suites that do without it, and before those that drive it;
suites that wait run two at a time, and all others alone."""

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
DRIVES_THE_PROGRAM="readme" WAITS=""
until_there() { for _ in {1..600}; do [[ -e $1 ]] && return 0; sleep 0.05; done; echo "no $1"; return 1; }
suite_format() { :; }
suite_rust() { until_there target/begun && touch target/tested; }
suite_build() { echo $BASHPID >target/begun; until_there target/tested && echo words of the compiler && BUILD; }
suite_readme() { [[ -e target/program ]]; }
"""


# Suites that can only end while another waits beside them (one, two), that must not begin before others have ended (reader,
# alone), or that tell how many there were at a time (every one).
LANES = """
SUITES=(one two three reader alone)
declare -A ABOUT=([one]="waits for two" [two]="waits for one" [three]="fails" [reader]="reads what two kept" [alone]="is about time")
DRIVES_THE_PROGRAM="" WAITS="one two three reader"
declare -A AFTER=([reader]="two")
until_there() { for _ in {1..600}; do [[ -e $1 ]] && return 0; sleep 0.05; done; echo "no $1"; return 1; }
beside() { touch "target/in-$1"; ls target/in-* | wc -l >>target/at-a-time; "${@:2}"; local code=$?; rm "target/in-$1"; return "$code"; }
meets() { touch "target/$1-began"; echo "first of $1"; until_there "target/$2-began" && echo "last of $1" && touch "target/$1-ended"; }
suite_one() { beside one meets one two; }
suite_two() { beside two meets two one; }
suite_three() { beside three false; }
suite_reader() { beside reader test -e target/two-ended; }
suite_alone() { beside alone test -e target/one-ended && [[ $(tail -n 1 target/at-a-time) == 1 ]]; }
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
        return self.run_suites(SUITES.replace("BUILD", build), *suites)

    def run_suites(self, text, *suites):
        (self.place / "tests/runner/suites.sh").write_text(text)
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

    def test_suites_that_wait_run_two_at_a_time_and_what_they_print_is_not_mixed(self):
        ended = self.run_suites(LANES)
        self.assertIn("--> two begins, beside one\n", ended.stdout)
        for suite in ("one", "two"):
            self.assertRegex(ended.stdout, f"==> {suite}: .*\nfirst of {suite}\nlast of {suite}\n<== {suite}: 1 passed, 0 failed")
        counted = [int(line) for line in (self.place / "target/at-a-time").read_text().split()]
        self.assertEqual((len(counted), max(counted)), (5, 2), counted)

    def test_a_failure_in_a_lane_counts_and_is_told_and_stops_nobody(self):
        ended = self.run_suites(LANES)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("What failed in three:\n", ended.stdout)
        self.assertTrue(ended.stdout.endswith("4 passed, 1 failed\n"), ended.stdout)

    def test_one_suite_alone_is_shown_as_it_prints(self):
        ended = self.run_suites(LANES, "three")
        self.assertNotIn("-->", ended.stdout)
        self.assertTrue(ended.stdout.endswith("0 passed, 1 failed\n"), ended.stdout)

    def test_an_interrupted_run_takes_what_is_in_its_lanes_along(self):
        (self.place / "tests/runner/suites.sh").write_text(LANES.replace("suite_three() {", "suite_three() { echo $BASHPID >target/begun; sleep 60;"))
        self.interrupted("one", "three")

    def test_an_interrupted_run_takes_its_build_along(self):
        (self.place / "tests/runner/suites.sh").write_text(SUITES.replace("until_there target/begun &&", "sleep 60;"))
        self.interrupted()

    def interrupted(self, *suites):
        """Ends ./test while a suite runs that has told its process, and waits until that has ended too."""
        running = subprocess.Popen([self.place / "test", *suites], stdout=subprocess.DEVNULL, start_new_session=True)
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
