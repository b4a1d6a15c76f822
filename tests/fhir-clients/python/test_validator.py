"""The validator that reads every answer tells a wrong one from a right one."""

import unittest

from session import weight
from validator import faults


class Validator(unittest.TestCase):
    def test_tells_what_is_wrong_also_inside_a_bundle(self):
        right, wrong = weight("x", 70), {"resourceType": "Observation", "colour": "red"}
        for resource, count in ((right, 0), (wrong, 1)):
            bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": resource}]}
            self.assertEqual(len(list(faults("asked", resource))), count)
            self.assertEqual(len(list(faults("asked", bundle))), count)


if __name__ == "__main__":
    unittest.main()
