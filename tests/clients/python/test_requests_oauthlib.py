"""Clients written with requests-oauthlib, unmodified. It holds the scope it is given to the one it asked for, letter by letter."""

import os
import unittest

from oauthlib.oauth2 import BackendApplicationClient, InvalidClientError, InvalidGrantError
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from apps import REDIRECT, Browser, WithService, login, secret

# The library refuses plain http unless it is told otherwise; the test service is on loopback.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"


class RequestsOauthlib(WithService):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.service.cli(
            "client", "add", "--kind", "user", "--client-id", "echo-app", "--owner", "Plain Apps", "--product", "Echo App",
            "--redirect-uri", "http://127.0.0.1/callback", "--scope", "PATIENT", "--require-pkce",
            "--scope-echo", "as-requested",
        )

    def app(self, client_id):
        return OAuth2Session(client_id, redirect_uri=REDIRECT, scope=["PATIENT"], pkce="S256")

    def landed(self, app):
        url, _ = app.authorization_url(self.authorize)
        person = login("amina")
        return Browser(self.base).approve(url, person["username"], person["password"])

    def approved(self, app):
        return app.fetch_token(self.token, authorization_response=self.landed(app), include_client_id=True)

    def test_with_the_scope_echoed_as_requested_a_code_with_pkce_becomes_tokens_and_a_refresh_gives_others(self):
        app = self.app("echo-app")
        first = self.approved(app)
        self.assertEqual((first["expires_in"], first["scope"]), (600, ["PATIENT"]))
        self.assertEqual(app.get(f"{self.base}/json/users/self").json()["firstName"], "Amina")
        second = app.refresh_token(self.token, client_id="echo-app")
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        self.assertEqual(app.get(f"{self.base}/fhir/Patient/amina-osei").status_code, 200)

    def test_without_that_setting_the_library_takes_the_lower_case_scope_for_another_one(self):
        with self.assertRaisesRegex(Warning, "Scope has changed"):
            self.approved(self.app("sleep-diary"))

    def test_a_refresh_token_used_twice_is_the_librarys_invalid_grant(self):
        app = self.app("echo-app")
        first = self.approved(app)
        app.refresh_token(self.token, client_id="echo-app")
        with self.assertRaises(InvalidGrantError):
            app.refresh_token(self.token, refresh_token=first["refresh_token"], client_id="echo-app")

    def test_client_credentials_give_an_hour_and_a_wrong_secret_is_invalid_client(self):
        app = OAuth2Session(client=BackendApplicationClient("letter-sender"))
        token = app.fetch_token(self.token, auth=HTTPBasicAuth("letter-sender", secret("letter-sender")))
        self.assertEqual(token["expires_in"], 3600)
        self.assertEqual(self.fhir(app, "Patient/amina-osei", **self.as_organisation()).status_code, 200)
        with self.assertRaises(InvalidClientError):
            app.fetch_token(self.token, auth=HTTPBasicAuth("letter-sender", "guess"))


if __name__ == "__main__":
    unittest.main()
