"""PyPI's fhirclient (SMART's own), unmodified, from the address of the FHIR API alone: it finds the endpoints in /metadata, sends its
user to the page, and reads with the tokens that it fetches. It has no PKCE, so its client is registered with that exception."""

import sys
import unittest

from fhirclient import client
from fhirclient.models.documentreference import DocumentReference
from fhirclient.models.observation import Observation
from fhirclient.models.patient import Patient
from fhirclient.server import FHIRPermissionDeniedException

from paths import WORLD_DIRECTORY

sys.path.insert(0, WORLD_DIRECTORY)

from browser import Browser  # noqa: E402
from service import Service  # noqa: E402
from world import login, secret  # noqa: E402

# Nothing listens here: the redirect is read off the answer. The client is registered without the port.
REDIRECT = "http://127.0.0.1:49162/callback"
SCOPE = "openid fhirUser offline_access patient/Patient.read patient/DocumentReference.read"


class Launch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.addClassCleanup(cls.service.__exit__)
        cls.service.load_world().start()

    def app(self, client_id="tide-desk"):
        settings = {
            "app_id": client_id, "app_secret": secret("tide-desk"), "api_base": f"{self.service.base}/fhir",
            "redirect_uri": REDIRECT, "scope": SCOPE,
        }
        return client.FHIRClient(settings=settings)

    def approved(self, app, decision="approve"):
        person = login("amina")
        return Browser(self.service.base).approve(app.authorize_url, person["username"], person["password"], decision)

    def test_is_launched_and_knows_its_patient(self):
        app = self.app()
        app.handle_callback(self.approved(app))
        self.assertTrue(app.ready)
        self.assertEqual(app.patient.id, "amina-osei")
        of_amina = {"patient": "amina-osei"}
        letters = DocumentReference.where(of_amina).perform_resources(app.server)
        self.assertEqual([letter.id for letter in letters], ["letter-1"])
        with self.assertRaises(FHIRPermissionDeniedException):
            Observation.where(of_amina).perform_resources(app.server)

    def test_refreshes_by_itself(self):
        app = self.app()
        app.handle_callback(self.approved(app))
        before = app.server.auth.access_token
        self.assertTrue(app.reauthorize())
        self.assertNotEqual(app.server.auth.access_token, before)
        self.assertEqual(Patient.read("amina-osei", app.server).id, "amina-osei")

    def test_hears_that_its_user_said_no(self):
        app = self.app()
        with self.assertRaises(Exception) as refused:
            app.handle_callback(self.approved(app, "deny"))
        self.assertIn("denied", str(refused.exception).lower())
