"""A User Client written with authlib, unmodified: authorization code with PKCE, refresh, API calls."""

import unittest

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from apps import AMINA, REDIRECT, VERIFIER, Browser, WithService, login, query_of, secret


class UserClient(WithService):
    def test_a_code_with_pkce_becomes_tokens_that_open_both_apis(self):
        app = self.phone_app()
        token = self.approved(app)
        self.assertEqual(token["token_type"], "Bearer")
        self.assertEqual(token["expires_in"], 600)
        self.assertEqual(token["scope"], "patient")
        found = self.fhir(app, f"Patient?{AMINA}").json()
        self.assertEqual([e["resource"]["id"] for e in found["entry"]], ["amina-osei"])
        self.assertEqual(app.get(f"{self.base}/json/users/self").json()["firstName"], "Amina")

    def test_a_refresh_gives_new_tokens_that_work(self):
        app = self.phone_app()
        first = self.approved(app)
        second = app.refresh_token(self.token)
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        self.assertNotEqual(first["access_token"], second["access_token"])
        self.assertEqual(self.fhir(app, "Patient/amina-osei").status_code, 200)

    def test_the_library_refreshes_by_itself_when_a_token_is_about_to_expire(self):
        renewed = []
        app = self.phone_app(update_token=lambda token, **_: renewed.append(token), leeway=0)
        self.approved(app)
        app.leeway = 3600
        self.assertEqual(self.fhir(app, "Patient/amina-osei").status_code, 200)
        self.assertEqual(len(renewed), 1)

    def test_a_refresh_token_used_twice_is_invalid_grant_and_ends_the_session(self):
        app = self.phone_app("strict-app")
        first = self.approved(app)
        second = app.refresh_token(self.token)
        with self.assertRaises(OAuthError) as refused:
            app.refresh_token(self.token, refresh_token=first["refresh_token"])
        self.assertEqual(refused.exception.error, "invalid_grant")
        self.assertEqual(self.bearer(second).get(f"{self.base}/json/users/self").status_code, 401)
        with self.assertRaises(OAuthError) as dead:
            app.refresh_token(self.token, refresh_token=second["refresh_token"])
        self.assertEqual(dead.exception.error, "invalid_grant")

    def test_a_code_redeemed_twice_is_invalid_grant_and_ends_the_session(self):
        app = self.phone_app()
        landed, state = self.landing(app, code_verifier=VERIFIER)
        redeem = dict(authorization_response=landed, state=state, code_verifier=VERIFIER)
        token = app.fetch_token(self.token, **redeem)
        with self.assertRaises(OAuthError) as refused:
            app.fetch_token(self.token, **redeem)
        self.assertEqual(refused.exception.error, "invalid_grant")
        self.assertEqual(self.bearer(token).get(f"{self.base}/json/users/self").status_code, 401)

    def test_a_wrong_verifier_is_invalid_grant(self):
        app = self.phone_app()
        landed, state = self.landing(app, code_verifier=VERIFIER)
        with self.assertRaises(OAuthError) as refused:
            app.fetch_token(self.token, authorization_response=landed, state=state, code_verifier=VERIFIER + "x")
        self.assertEqual(refused.exception.error, "invalid_grant")

    def test_deny_and_a_wrong_password_both_come_back_as_access_denied_with_the_state(self):
        app = self.phone_app()
        for told, decision in ((login("amina")["password"], "deny"), ("not the password", "approve")):
            with self.subTest(decision=decision):
                landed, state = self.landing_with(app, told, decision)
                self.assertEqual(query_of(landed), {"error": "access_denied", "state": state, "iss": self.base})

    def test_a_confidential_client_proves_itself_by_basic_or_in_the_body(self):
        for method in ("client_secret_basic", "client_secret_post"):
            with self.subTest(method):
                app = OAuth2Session(
                    "ward-board", secret("ward-board"), token_endpoint_auth_method=method,
                    scope="CLINICIAN", redirect_uri=REDIRECT,
                )
                landed, state = self.landing(app, "dr.lindqvist")
                token = app.fetch_token(self.token, authorization_response=landed, state=state)
                self.assertEqual(token["scope"], "clinician")
                self.assertEqual(app.refresh_token(self.token)["scope"], "clinician")

    def test_a_wrong_secret_is_invalid_client_and_burns_nothing(self):
        good = OAuth2Session("ward-board", secret("ward-board"), scope="PATIENT", redirect_uri=REDIRECT)
        landed, state = self.landing(good)
        bad = OAuth2Session("ward-board", "not-the-secret", scope="PATIENT", redirect_uri=REDIRECT)
        with self.assertRaises(OAuthError) as refused:
            bad.fetch_token(self.token, authorization_response=landed, state=state)
        self.assertEqual(refused.exception.error, "invalid_client")
        token = good.fetch_token(self.token, authorization_response=landed, state=state)
        self.assertEqual(token["token_type"], "Bearer")

    def landing_with(self, app, password, decision):
        url, state = app.create_authorization_url(self.authorize, code_verifier=VERIFIER)
        return Browser(self.base).approve(url, "amina", password, decision), state

    def bearer(self, token):
        """A caller that holds this token and never refreshes it."""
        return OAuth2Session(token={"access_token": token["access_token"], "token_type": "Bearer"})


if __name__ == "__main__":
    unittest.main()
