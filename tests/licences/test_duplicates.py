"""The check for crates in two versions: it must find what it is there to find, and hold the list of exceptions to the tree."""

import unittest

from duplicates import duplicates

TWICE = ["service v0.1.0 (/project/service)", "b v1.0.2", "", "b v2.0.0 (*)", "b v1.0.2", "derive v1.0.0 (proc-macro)"]


class Duplicates(unittest.TestCase):
    def test_a_crate_in_two_versions_is_a_fault(self):
        [told] = duplicates(TWICE, [])
        self.assertIn("b is there in versions 1.0.2, 2.0.0", told)

    def test_one_that_is_named_with_its_reason_is_none(self):
        self.assertEqual(list(duplicates(TWICE, [{"crate": "b@1.0.2"}])), [])

    def test_a_third_version_beside_one_that_is_named_is_a_fault(self):
        self.assertEqual(len(list(duplicates([*TWICE, "b v3.0.0"], [{"crate": "b@1.0.2"}]))), 1)

    def test_an_exception_that_is_no_longer_needed_is_a_fault(self):
        for skipped in ("b@2.0.0", "b@1.0.2", "c@1.0.0"):
            [told] = duplicates(["b v2.0.0"], [{"crate": skipped}])
            self.assertIn("which is not there beside another", told)


if __name__ == "__main__":
    unittest.main()
