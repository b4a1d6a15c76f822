"""PyPI's fhirclient (SMART's own), unmodified, by its own defaults, with a token that it did not fetch. It can neither patch nor
create on a condition."""

import unittest

from fhirclient import client
from fhirclient.auth import FHIROAuth2Auth
from fhirclient.models.bundle import Bundle
from fhirclient.models.observation import Observation
from fhirclient.models.patient import Patient
from fhirclient.server import FHIRNotFoundException
from requests.exceptions import HTTPError

from session import WithToken, bundled, statuses, weight


class Fhirclient(WithToken):
    def setUp(self):
        smart = client.FHIRClient(settings={"app_id": "tests", "api_base": f"{self.base}/fhir"})
        smart.server.auth = FHIROAuth2Auth({"access_token": self.token})
        self.server = smart.server

    def made(self, code, value=70.0):
        observation = Observation(weight(code, value))
        made = observation.create(self.server)
        return Observation(made)

    def test_reads_what_the_server_can_do(self):
        self.assertEqual(self.server.capabilityStatement.fhirVersion, "4.0.1")

    def test_creates_and_reads(self):
        made = self.made("fhirclient-read", 70.5)
        read = Observation.read(made.id, self.server)
        self.assertEqual((read.valueQuantity.value, read.meta.versionId), (70.5, "1"))
        self.assertEqual(Patient.read("amina-osei", self.server).name[0].family, "Osei")

    def test_updates_and_reads_the_version_before_and_the_history(self):
        made = self.made("fhirclient-update")
        made.valueQuantity.value = 71.0
        self.assertEqual(made.update(self.server)["meta"]["versionId"], "2")
        before = Observation.read_from(f"Observation/{made.id}/_history/1", self.server)
        self.assertEqual(before.valueQuantity.value, 70)
        history = Bundle.read_from(f"Observation/{made.id}/_history", self.server)
        self.assertEqual([entry.resource.valueQuantity.value for entry in history.entry], [71, 70])

    def test_sends_a_batch_and_a_transaction(self):
        for kind in ("batch", "transaction"):
            self.assertEqual(statuses(self.server.post_json("", bundled(kind, f"fhirclient-{kind}")).json()), ["201", "201"])

    def test_reads_everything_about_a_patient(self):
        made = self.made("fhirclient-everything")
        bundle = Bundle.read_from("Patient/amina-osei/$everything", self.server)
        self.assertLessEqual({"amina-osei", "letter-1", made.id}, {entry.resource.id for entry in bundle.entry})

    def test_deletes_and_hears_that_it_is_gone(self):
        made = self.made("fhirclient-delete")
        made.delete(self.server)
        with self.assertRaises(HTTPError) as gone:
            Observation.read(made.id, self.server)
        self.assertEqual(gone.exception.response.status_code, 410)
        with self.assertRaises(FHIRNotFoundException):
            Observation.read("nothing-of-that-name", self.server)

    def test_searches_and_goes_from_page_to_page(self):
        for value in (1.0, 2.0, 3.0, 4.0, 5.0):
            self.made("fhirclient-search", value)
        asked = {"code": "urn:apps|fhirclient-search", "patient": "amina-osei"}
        found = Observation.where(struct={**asked, "value-quantity": "gt3"}).perform_resources_iter(self.server)
        self.assertEqual([each.valueQuantity.value for each in found], [5, 4])
        pages = Observation.where(struct={**asked, "_count": "2"}).perform_resources_iter(self.server)
        self.assertEqual([each.valueQuantity.value for each in pages], [5, 4, 3, 2, 1])


if __name__ == "__main__":
    unittest.main()
