"""The counting of the closing lines that ./test adds up."""

import unittest

from counts import counts

CARGO = "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured\n"
NODE = "ℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\n"


class Counts(unittest.TestCase):
    def test_cargos_lines_are_added_up(self):
        self.assertEqual(counts(0, CARGO + CARGO), (10, 0))

    def test_unittest_failures_and_errors_both_count_as_failed(self):
        self.assertEqual(counts(1, "Ran 6 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n"), (3, 3))
        self.assertEqual(counts(0, "Ran 6 tests in 0.1s\n\nOK\n"), (6, 0))
        self.assertEqual(counts(0, "Ran 6 tests in 0.1s\n\nOK (skipped=2)\n"), (4, 0))

    def test_nodes_closing_lines_are_read_in_both_spellings(self):
        self.assertEqual(counts(1, NODE), (2, 1))
        self.assertEqual(counts(0, "# pass 4\n# fail 0\n# cancelled 0\n"), (4, 0))

    def test_a_plain_command_is_one_test(self):
        self.assertEqual(counts(0, "Finished"), (1, 0))
        self.assertEqual(counts(101, "error"), (0, 1))

    def test_a_runner_that_fell_over_or_ran_nothing_has_failed(self):
        self.assertEqual(counts(124, CARGO), (5, 1))
        self.assertEqual(counts(0, "ℹ pass 0\nℹ fail 0\n"), (0, 1))


if __name__ == "__main__":
    unittest.main()
