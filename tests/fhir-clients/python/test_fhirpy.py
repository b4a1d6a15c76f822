"""PyPI's fhirpy, unmodified, by its own defaults."""

import unittest

from fhirpy import SyncFHIRClient
from fhirpy.base.exceptions import OperationOutcome, ResourceNotFound

from session import WithToken, bundled, statuses, weight


class Fhirpy(WithToken):
    def setUp(self):
        self.client = self.connected()

    def connected(self, **settings):
        return SyncFHIRClient(f"{self.base}/fhir", authorization=f"Bearer {self.token}", **settings)

    def made(self, code, value=70):
        observation = self.client.resource("Observation", **without_type(weight(code, value)))
        observation.save()
        return observation

    def test_creates_and_reads(self):
        made = self.made("fhirpy-read", 70.5)
        read = self.client.reference("Observation", made.id).to_resource()
        self.assertEqual((read["valueQuantity"]["value"], read["meta"]["versionId"]), (70.5, "1"))

    def test_updates_and_reads_the_version_before_and_the_history(self):
        made = self.made("fhirpy-update")
        made["valueQuantity"]["value"] = 71
        made.save()
        self.assertEqual(made["meta"]["versionId"], "2")
        before = self.client.execute(f"Observation/{made.id}/_history/1", "get")
        self.assertEqual(before["valueQuantity"]["value"], 70)
        history = self.client.execute(f"Observation/{made.id}/_history", "get")
        self.assertEqual([entry["resource"]["valueQuantity"]["value"] for entry in history["entry"]], [71, 70])

    def test_patches(self):
        made = self.made("fhirpy-patch")
        made.patch(status="amended")
        self.assertEqual(made["status"], "amended")
        again = self.client.reference("Observation", made.id).to_resource()
        self.assertEqual((again["status"], again["valueQuantity"]["value"]), ("amended", 70))

    def test_deletes_and_hears_that_it_is_gone(self):
        made = self.made("fhirpy-delete")
        made.delete()
        with self.assertRaises(ResourceNotFound):
            self.client.reference("Observation", made.id).to_resource()

    def test_searches_and_goes_from_page_to_page(self):
        for value in range(1, 6):
            self.made("fhirpy-search", value)
        found = self.client.resources("Observation").search(code="urn:apps|fhirpy-search", patient="amina-osei")
        values = [each["valueQuantity"]["value"] for each in found.search(value_quantity__gt=3).fetch()]
        self.assertEqual(values, [5, 4])
        self.assertEqual([each["valueQuantity"]["value"] for each in found.limit(2).fetch_all()], [5, 4, 3, 2, 1])
        self.assertEqual(found.first()["valueQuantity"]["value"], 5)

    def test_creates_only_what_is_not_there_yet(self):
        once = {**weight("fhirpy-once", 70), "identifier": [{"system": "urn:apps:readings", "value": "fhirpy"}]}
        sought = self.client.resources("Observation").search(identifier="urn:apps:readings|fhirpy")
        made, again = (sought.get_or_create(self.client.resource("Observation", **without_type(once))) for _ in range(2))
        self.assertEqual((made[0].id, made[1], again[1]), (again[0].id, True, False))
        self.assertEqual(len(sought.fetch_all()), 1)

    def test_sends_a_batch_and_a_transaction(self):
        for kind in ("batch", "transaction"):
            self.assertEqual(statuses(self.client.execute("", "post", bundled(kind, f"fhirpy-{kind}"))), ["201", "201"])

    def test_reads_everything_about_a_patient(self):
        made = self.made("fhirpy-everything")
        bundle = self.client.reference("Patient", "amina-osei").execute("$everything", "get")
        ids = {entry["resource"]["id"] for entry in bundle["entry"]}
        self.assertLessEqual({"amina-osei", "letter-1", made.id}, ids)

    def test_counts_by_a_parameter_of_its_own_which_is_refused_unless_the_client_asks_for_leniency(self):
        self.made("fhirpy-count")
        counted = {"code": "urn:apps|fhirpy-count"}
        with self.assertRaisesRegex(OperationOutcome, "_totalMethod"):
            self.client.resources("Observation").search(**counted).count()
        lenient = self.connected(extra_headers={"Prefer": "handling=lenient"})
        self.assertEqual(lenient.resources("Observation").search(**counted).count(), 1)


def without_type(resource):
    return {name: value for name, value in resource.items() if name != "resourceType"}


if __name__ == "__main__":
    unittest.main()
