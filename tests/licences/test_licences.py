"""The licence check itself: it must find what it is there to find."""

import unittest

from spdx import BadExpression, satisfied
from tree import faults

ALLOWED = {"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"}
REGISTRY = "registry+somewhere"


class Expressions(unittest.TestCase):
    def test_either_side_of_or_is_enough(self):
        self.assertTrue(satisfied("GPL-3.0-only OR MIT", ALLOWED))
        self.assertFalse(satisfied("GPL-3.0-only OR AGPL-3.0-only", ALLOWED))

    def test_both_sides_of_and_are_needed(self):
        self.assertTrue(satisfied("MIT AND Unicode-3.0", ALLOWED))
        self.assertFalse(satisfied("MIT AND GPL-3.0-only", ALLOWED))

    def test_and_binds_closer_than_or(self):
        self.assertTrue(satisfied("MIT OR GPL-3.0-only AND GPL-2.0-only", ALLOWED))
        self.assertFalse(satisfied("(MIT OR GPL-3.0-only) AND GPL-2.0-only", ALLOWED))

    def test_an_exception_must_be_allowed_by_name_or_by_its_licence(self):
        self.assertTrue(satisfied("Apache-2.0 WITH LLVM-exception", ALLOWED))
        self.assertFalse(satisfied("GPL-2.0-only WITH Classpath-exception-2.0", ALLOWED))

    def test_the_old_slash_reads_as_or(self):
        self.assertTrue(satisfied("GPL-3.0-only/MIT", ALLOWED))

    def test_nonsense_is_an_error_and_not_a_pass(self):
        for text in ("", "MIT OR", "(MIT", "MIT MIT", "OR MIT", "MIT WITH", "MIT & ISC"):
            with self.subTest(text), self.assertRaises(BadExpression):
                satisfied(text, ALLOWED)


class Trees(unittest.TestCase):
    def test_a_tree_of_allowed_licences_has_no_fault(self):
        self.assertEqual(faults(tree(package("serde", "1.0.1")), ALLOWED), [])

    def test_a_licence_that_is_missing_or_not_allowed_is_named_with_its_crate(self):
        found = faults(tree(package("copyleft", "1.0.0", "GPL-3.0-only"), package("silent", "1.0.0", None)), ALLOWED)
        self.assertEqual(len(found), 2)
        self.assertIn("copyleft 1.0.0", found[0])
        self.assertIn("silent 1.0.0 states no licence", found[1])

    def test_a_git_or_path_dependency_is_a_fault(self):
        found = faults(tree(package("a", "1.0.0", source="git+somewhere"), package("b", "1.0.0", source=None)), ALLOWED)
        self.assertEqual(len(found), 2)

    def test_a_second_registry_is_a_fault(self):
        found = faults(tree(package("a", "1.0.0"), package("b", "1.0.0", source="registry+elsewhere")), ALLOWED)
        self.assertEqual(len(found), 1)

    def test_incompatible_versions_among_direct_dependencies_are_a_fault(self):
        self.assertEqual(len(faults(tree(package("sha2", "0.10.9"), package("sha2", "0.11.0")), ALLOWED)), 1)
        self.assertEqual(len(faults(tree(package("url", "1.2.0"), package("url", "2.0.0")), ALLOWED)), 1)
        self.assertEqual(faults(tree(package("url", "2.1.0"), package("url", "2.0.0")), ALLOWED), [])


def package(name, version, licence="MIT", source=REGISTRY):
    return {"id": f"{name}@{version}", "name": name, "version": version, "license": licence, "source": source}


def tree(*packages):
    """A workspace of one member that depends directly on the packages."""
    ours = package("service", "0.1.0", source=None)
    nodes = [{"id": ours["id"], "deps": [{"pkg": p["id"]} for p in packages]}]
    return {"workspace_members": [ours["id"]], "packages": [ours, *packages], "resolve": {"nodes": nodes}}


if __name__ == "__main__":
    unittest.main()
