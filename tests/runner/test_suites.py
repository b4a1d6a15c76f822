"""The lists of suites.sh: every suite can be run, and each list names suites that are there."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def said(script):
    """What bash says to the script behind the real suites."""
    words = ["bash", "-c", f"source tests/runner/suites.sh; {script}"]
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()


class Suites(unittest.TestCase):
    def setUp(self):
        self.suites = said('echo "${SUITES[@]}"')

    def test_every_suite_is_told_of_and_can_be_run(self):
        self.assertEqual(sorted(said('echo "${!ABOUT[@]}"')), sorted(self.suites))
        functions = said("declare -F | grep -o 'suite_.*'")
        self.assertEqual(sorted(functions), sorted(f"suite_{suite.replace('-', '_')}" for suite in self.suites))

    def test_lists_name_suites_and_what_is_read_is_kept_before(self):
        self.assertLessEqual({*said("echo $DRIVES_THE_PROGRAM"), *said("echo $WAITS")}, set(self.suites))
        self.assertEqual(said('echo "${!AFTER[@]}"'), ["answers"])
        for kept in ("rust", *said('echo "${AFTER[answers]}"')):
            self.assertLess(self.suites.index(kept), self.suites.index("answers"))

    def test_what_drives_the_program_comes_after_the_build(self):
        driving = said("echo $DRIVES_THE_PROGRAM")
        self.assertGreater(min(map(self.suites.index, driving)), self.suites.index("build"))

    def test_what_is_about_time_runs_alone(self):
        self.assertEqual({"chaos", "bench"} & set(said("echo $WAITS")), set())

    def test_the_suites_rust_and_program_run_every_file_of_tests_once_between_them(self):
        files = {path.stem for path in ROOT.glob("*/tests/*.rs")} | {path.stem for path in ROOT.glob("tests/*/tests/*.rs")}
        folders = {path.parent.name for path in ROOT.glob("*/tests/*/main.rs")}
        without_tests = 'require_postgresql() { :; }; cargo() { if [[ $1 == metadata ]]; then command cargo "$@"; else echo "$@"; fi; }'
        words = said(f"{without_tests}; suite_rust; suite_program")
        self.assertEqual(sorted(word for before, word in zip(words, words[1:]) if before == "--test"), sorted(files | folders))

    def test_the_suite_postgres_leaves_out_what_the_list_names_and_nothing_else(self):
        lines = (ROOT / "service/tests/contract/once.txt").read_text().splitlines()
        listed = [line.split()[0] for line in lines if not line.startswith("#")]
        self.assertGreater(len(listed), 10)
        self.assertEqual(said("same_on_every_engine"), [word for name in listed for word in ("--skip", f"{name}::")])


if __name__ == "__main__":
    unittest.main()
