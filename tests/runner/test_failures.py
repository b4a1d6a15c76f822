"""What ./test ends with when something failed: which test, and what it said."""

import unittest

from failures import MOST_FAILURES, MOST_LINES, failures

CARGO = """test a::first ... ok
test a::second ... FAILED

failures:

---- a::second stdout ----

thread 'a::second' panicked at src/a.rs:7:5:
left is not right

failures:
    a::second

test result: FAILED. 1 passed; 1 failed; 0 ignored
"""
UNITTEST = f"""test_one (t.T.test_one) ... FAIL

{'=' * 70}
FAIL: test_one (t.T.test_one)
{'-' * 70}
Traceback (most recent call last):
AssertionError: 1 != 2

{'-' * 70}
Ran 1 test in 0.001s

FAILED (failures=1)
"""
NODE = """✖ the letter opens (3ms)
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at letters.test.mjs:7:1
✖ the letter opens (3ms)
  AssertionError: 404 is not 200
"""


class Failures(unittest.TestCase):
    def test_each_runners_failures_are_told_with_their_names_and_words(self):
        self.assertEqual(
            failures(CARGO), ["a::second\n  thread 'a::second' panicked at src/a.rs:7:5:\n  left is not right"]
        )
        [told] = failures(UNITTEST)
        self.assertIn("FAIL: test_one (t.T.test_one)", told)
        self.assertIn("AssertionError: 1 != 2", told)
        self.assertEqual(failures(NODE), ["✖ the letter opens (3ms)\n    AssertionError: 404 is not 200"])

    def test_a_suite_that_names_no_test_is_told_by_its_last_lines(self):
        self.assertEqual(failures("Compiling\nerror: no such crate\n"), ["Compiling\n  error: no such crate"])

    def test_a_flood_of_failures_stays_short(self):
        many = "".join(f"---- t{number} stdout ----\n" + "words\n" * 100 for number in range(50)) + "failures:\n"
        told = failures(many)
        self.assertEqual(len(told), MOST_FAILURES + 1)
        self.assertEqual(told[-1], "and 40 more")
        self.assertLessEqual(max(len(one.splitlines()) for one in told), MOST_LINES)


if __name__ == "__main__":
    unittest.main()
