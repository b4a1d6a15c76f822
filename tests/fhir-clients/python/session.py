"""The service behind a recorder, a patient's access token for it, and the validator that reads every answer."""

import json
import sys
import unittest
import urllib.parse
import urllib.request

from paths import WORLD_DIRECTORY
from recorder import Recorder
from validator import faults

sys.path.insert(0, WORLD_DIRECTORY)

from browser import Browser  # noqa: E402
from service import Service  # noqa: E402
from world import login  # noqa: E402

# Nothing listens here: the redirect is read off the answer. The client is registered without the port.
REDIRECT = "http://127.0.0.1:49163/callback"
APP = "strict-app"


class WithToken(unittest.TestCase):
    """One service and one token for the tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.recorder = Recorder()
        cls.addClassCleanup(cls.recorder.close)
        cls.base = cls.recorder.url
        cls.service = Service()
        cls.addClassCleanup(cls.service.__exit__)
        # Whoever calls the service, calls the recorder.
        cls.service.base = cls.base
        cls.recorder.port = cls.service.port
        cls.service.load_world().start()
        cls.token = approved(cls.base)

    def tearDown(self):
        answers = self.recorder.taken()
        self.assertTrue(answers, "no answer was seen")
        self.assertEqual([fault for asked, resource in answers for fault in faults(asked, resource)], [])


def approved(base):
    """The access token of an app that Amina lets in."""
    asked = {"response_type": "code", "client_id": APP, "redirect_uri": REDIRECT, "scope": "PATIENT", "state": "s"}
    url = f"{base}/apiAuthorize.action?{urllib.parse.urlencode(asked)}"
    person = login("amina")
    landed = Browser(base).approve(url, person["username"], person["password"], "approve")
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(landed).query)["code"][0]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT, "client_id": APP}
    with urllib.request.urlopen(f"{base}/apiToken.action", urllib.parse.urlencode(form).encode()) as answer:
        return json.load(answer)["access_token"]


def statuses(bundle):
    return [entry["response"]["status"][:3] for entry in bundle["entry"]]


def bundled(kind, code):
    """Two weights in one bundle, of which the first refers to the second where that is possible."""
    first, second = (f"urn:uuid:0b9f6c1e-6f0a-4f6e-9d5e-2f1b7d8c9b0{number}" for number in (1, 2))
    panel = weight(f"{code}-panel", 70)
    if kind == "transaction":
        panel["hasMember"] = [{"reference": second}]
    post = {"method": "POST", "url": "Observation"}
    entries = [(first, panel), (second, weight(f"{code}-member", 71))]
    return {
        "resourceType": "Bundle", "type": kind,
        "entry": [{"fullUrl": url, "resource": resource, "request": post} for url, resource in entries],
    }


def weight(code, value):
    """A weight as an app writes it; `code` tells the tests' own from each other's."""
    return {
        "resourceType": "Observation", "status": "final", "code": {"coding": [{"system": "urn:apps", "code": code}]},
        "subject": {"reference": "Patient/amina-osei"}, "effectiveDateTime": "2026-11-01",
        "valueQuantity": {"value": value, "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg"},
    }
