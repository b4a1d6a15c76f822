"""fhir.resources reads every FHIR answer that the other suites got."""

import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fhir-clients" / "python"))

from validator import faults  # noqa: E402


def kept_answers():
    directory = os.environ.get("RECORDGATE_ANSWERS")
    files = sorted(pathlib.Path(directory).glob("*.ndjson")) if directory else []
    if not files:
        raise AssertionError("no answers were kept: run `./test rust fhir-clients answers`, which keeps them first")
    for file in files:
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


class FhirResources(unittest.TestCase):
    maxDiff = None

    def test_every_answer_is_valid_by_fhir_resources(self):
        self.assertTrue(list(faults("nothing", {"resourceType": "Observation"})), "it tells what is wrong")
        wrong, count = [], 0
        for count, answer in enumerate(kept_answers(), 1):
            wrong.extend(faults(f"{answer['to']} ({answer['status']})", answer["resource"]))
        self.assertGreater(count, 500, "answers")
        self.assertEqual(wrong[:50], [], f"{len(wrong)} faults")


if __name__ == "__main__":
    unittest.main()
