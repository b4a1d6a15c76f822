"""The reading and running of walk-through blocks."""

import os
import pathlib
import tempfile
import unittest

from walk import Shell, script_of, steps

PAGE = """
```sh
not for us
```
```sh walk
name=amina
```
Then:
```sh walk
echo "$name"
```
It says:
```text expect
amina
```
```json expect_not
```
"""


class Walk(unittest.TestCase):
    def test_only_tagged_blocks_are_run_and_expectations_belong_to_the_block_before(self):
        found = steps(PAGE)
        self.assertEqual([s.script for s in found], ["name=amina\n", 'echo "$name"\n'])
        self.assertEqual([s.expected for s in found], ["", "amina\n"])

    def test_an_expectation_without_a_block_is_an_error(self):
        with self.assertRaises(ValueError):
            steps("```text expect\nx\n```\n")

    def test_a_block_is_found_by_its_own_tag_and_read_without_comments(self):
        page = PAGE + "```sh reset\nrm -r here  # all of it\n```\n"
        self.assertEqual(script_of(page, "sh reset"), "rm -r here\n")
        with self.assertRaises(ValueError):
            script_of(PAGE, "sh reset")

    def test_blocks_share_one_shell_and_a_failing_command_stops_it(self):
        with tempfile.TemporaryDirectory() as directory:
            shell = Shell(pathlib.Path(directory), dict(os.environ))
            try:
                self.assertEqual([shell.run(s.script) for s in steps(PAGE)], ["", "amina\n"])
                self.assertEqual(shell.run("printf 'no newline'"), "no newline")
                with self.assertRaisesRegex(AssertionError, "gone wrong"):
                    shell.run("echo gone wrong >&2\nfalse\necho still here")
            finally:
                shell.close()


if __name__ == "__main__":
    unittest.main()
