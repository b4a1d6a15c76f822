"""A System Client and a Tethered-Token System Client written with authlib, unmodified."""

import json
import unittest

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from apps import Browser, WithService, login
from world import OTHER_ORGANISATION


class SystemClient(WithService):
    def test_client_credentials_by_basic_or_in_the_body_give_an_hour_and_no_refresh_token(self):
        for method in ("client_secret_basic", "client_secret_post"):
            with self.subTest(method):
                app = self.letter_sender(method)
                token = app.fetch_token(self.token, grant_type="client_credentials")
                self.assertEqual(token["expires_in"], 3600)
                self.assertNotIn("refresh_token", token)
                self.assertEqual(self.fhir(app, "Patient/amina-osei", **self.as_organisation()).status_code, 200)

    def test_every_call_names_an_organisation_that_has_granted_access(self):
        app = self.letter_sender("client_secret_basic")
        app.fetch_token(self.token, grant_type="client_credentials")
        self.assertEqual(self.fhir(app, "Patient/amina-osei").status_code, 400)
        refused = self.fhir(app, "Patient/amina-osei", **self.as_organisation(OTHER_ORGANISATION))
        self.assertEqual(refused.status_code, 403)

    def test_it_asks_for_read_receipts_of_its_organisation(self):
        app = self.letter_sender("client_secret_basic")
        app.fetch_token(self.token, grant_type="client_credentials")
        asked = {"resourceType": "Parameters", "parameter": [
            {"name": "documentIdentifier", "valueString": "0d5d4f0a-6f1e-4c0d-9a77-0c5f8a6f2b01"}]}
        answer = app.post(
            f"{self.base}/fhir/DocumentReference/$read-receipt-query", data=json.dumps(asked),
            headers={"Accept": "application/fhir+json", "Content-Type": "application/fhir+json", **self.as_organisation()},
        )
        self.assertEqual(answer.status_code, 200, answer.text)
        parts = {p["name"]: p for p in answer.json()["parameter"][0]["part"]}
        self.assertIs(parts["read"]["valueBoolean"], False)

    def test_the_custom_rest_api_is_closed_to_it(self):
        app = self.letter_sender("client_secret_basic")
        app.fetch_token(self.token, grant_type="client_credentials")
        self.assertEqual(app.get(f"{self.base}/json/users/self").status_code, 403)

    def test_a_wrong_secret_is_invalid_client_however_it_is_sent(self):
        for method in ("client_secret_basic", "client_secret_post"):
            with self.subTest(method), self.assertRaises(OAuthError) as refused:
                app = OAuth2Session("letter-sender", "guess", token_endpoint_auth_method=method)
                app.fetch_token(self.token, grant_type="client_credentials")
            self.assertEqual(refused.exception.error, "invalid_client")


class TetheredClient(WithService):
    def test_the_coordinators_refresh_token_works_with_scope_site_and_rotates(self):
        app = self.tethered()
        first = app.refresh_token(self.token)
        self.assertEqual((first["expires_in"], first["scope"]), (600, "site"))
        self.assertEqual(self.fhir(app, "Patient/amina-osei").status_code, 200)
        second = app.refresh_token(self.token)
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        self.assertEqual(self.fhir(app, "Patient/amina-osei").status_code, 200)

    def test_any_other_scope_is_invalid_scope_and_does_not_use_the_token_up(self):
        app = self.tethered()
        with self.assertRaises(OAuthError) as refused:
            app.refresh_token(self.token, scope="PATIENT")
        self.assertEqual(refused.exception.error, "invalid_scope")
        self.assertEqual(app.refresh_token(self.token)["scope"], "site")

    def tethered(self):
        person = Browser(self.base)
        person.sign_in(**login("coordinator"))
        held = {"refresh_token": person.grant("clinic-link"), "token_type": "Bearer", "access_token": "none yet"}
        return OAuth2Session("clinic-link", scope="SITE", token=held, token_endpoint=self.token)


if __name__ == "__main__":
    unittest.main()
