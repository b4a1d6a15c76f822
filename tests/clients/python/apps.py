"""Client applications as their developers write them with authlib, and the people who use them."""

import sys
import unittest
import urllib.parse

from authlib.integrations.requests_client import OAuth2Session

from paths import WORLD_DIRECTORY

sys.path.insert(0, WORLD_DIRECTORY)

from browser import Browser  # noqa: E402
from service import Service  # noqa: E402
from world import ORGANISATION, login, secret  # noqa: E402

# Nothing listens here: the redirect is read off the answer. The client is registered without the port.
REDIRECT = "http://127.0.0.1:49160/callback"
VERIFIER = "a-verifier-of-more-than-forty-three-letters-0123456789"
FHIR = {"Accept": "application/fhir+json"}
AMINA = "identifier=https%3A%2F%2Ffhir.nhs.uk%2FId%2Fnhs-number%7C9990000018"


class WithService(unittest.TestCase):
    """One service for the tests of a class; every test opens sessions of its own."""

    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.addClassCleanup(cls.service.__exit__)
        cls.service.load_world().start()
        cls.base = cls.service.base
        cls.authorize = f"{cls.base}/apiAuthorize.action"
        cls.token = f"{cls.base}/apiToken.action"

    def phone_app(self, client_id="sleep-diary", **options):
        return OAuth2Session(
            client_id, scope="PATIENT", redirect_uri=REDIRECT, code_challenge_method="S256",
            token_endpoint=self.token, **options,
        )

    def landing(self, app, username="amina", decision="approve", **parameters):
        """Where the browser lands, and the state sent along, after the person has decided."""
        url, state = app.create_authorization_url(self.authorize, **parameters)
        person = login(username)
        return Browser(self.base).approve(url, person["username"], person["password"], decision), state

    def approved(self, app, username="amina"):
        """The app's tokens once the person has approved."""
        landed, state = self.landing(app, username, code_verifier=VERIFIER)
        return app.fetch_token(self.token, authorization_response=landed, state=state, code_verifier=VERIFIER)

    def letter_sender(self, method):
        return OAuth2Session(
            "letter-sender", secret("letter-sender"), token_endpoint_auth_method=method, token_endpoint=self.token
        )

    def fhir(self, app, path, **headers):
        return app.get(f"{self.base}/fhir/{path}", headers={**FHIR, **headers})

    def as_organisation(self, organisation=ORGANISATION):
        return {"X-Org-Public-Id": organisation}


def query_of(address):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
