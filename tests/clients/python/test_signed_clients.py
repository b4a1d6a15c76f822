"""Clients that sign instead of having a secret (private_key_jwt), written with authlib, unmodified."""

import json
import time
import unittest

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc.jwk import ECKey, OKPKey, RSAKey

from apps import REDIRECT, VERIFIER, WithService
from world import ORGANISATION

KEYS = {"ES256": lambda: ECKey.generate_key("P-256"), "ES384": lambda: ECKey.generate_key("P-384"),
        "RS256": lambda: RSAKey.generate_key(2048), "RS384": lambda: RSAKey.generate_key(2048),
        "PS256": lambda: RSAKey.generate_key(2048), "EdDSA": lambda: OKPKey.generate_key("Ed25519")}


class SignedClients(WithService):
    def register(self, client_id, key, *options):
        path = self.service.directory / f"{client_id}.json"
        path.write_text(json.dumps({"keys": [key.as_dict(private=False)]}))
        self.service.cli("client", "add", "--client-id", client_id, "--owner", "Postbridge", "--product", client_id,
                         "--jwks", str(path), *options)

    def session(self, client_id, key, algorithm, **options):
        app = OAuth2Session(client_id, key, token_endpoint_auth_method="private_key_jwt", **options)
        self.sign(app, algorithm)
        return app

    def sign(self, app, algorithm):
        """Left to itself the library signs for an hour; with claims of ours it keeps their jti, so each request gets new ones."""
        claims = {"exp": int(time.time()) + 60}
        app.register_client_auth_method(PrivateKeyJWT(self.token, claims=claims, alg=algorithm))

    def test_a_system_client_gets_its_token_by_each_algorithm(self):
        for algorithm, make in KEYS.items():
            with self.subTest(algorithm):
                client_id, key = f"night-report-{algorithm}", make()
                self.register(client_id, key, "--kind", "system")
                self.service.cli("organisation", "grant", ORGANISATION, client_id)
                app = self.session(client_id, key, algorithm)
                token = app.fetch_token(self.token, grant_type="client_credentials")
                self.assertEqual(token["expires_in"], 3600)
                self.assertEqual(self.fhir(app, "Patient/amina-osei", **self.as_organisation()).status_code, 200)

    def test_a_confidential_user_client_redeems_and_refreshes_and_a_replay_is_invalid_grant(self):
        key = KEYS["ES256"]()
        self.register("signing-board", key, "--kind", "user", "--scope", "PATIENT", "--redirect-uri", "http://127.0.0.1/callback")
        app = self.session("signing-board", key, "ES256", scope="PATIENT", redirect_uri=REDIRECT, code_challenge_method="S256")
        landed, state = self.landing(app, code_verifier=VERIFIER)
        first = app.fetch_token(self.token, authorization_response=landed, state=state, code_verifier=VERIFIER)
        self.sign(app, "ES256")
        app.refresh_token(self.token)
        self.assertEqual(app.get(f"{self.base}/json/users/self").json()["firstName"], "Amina")
        self.sign(app, "ES256")
        with self.assertRaises(OAuthError) as refused:
            app.refresh_token(self.token, refresh_token=first["refresh_token"])
        self.assertEqual(refused.exception.error, "invalid_grant")

    def test_an_assertion_for_an_hour_and_one_that_is_sent_twice_are_invalid_client_and_told_why(self):
        key = KEYS["ES256"]()
        self.register("hasty", key, "--kind", "system")
        app = self.session("hasty", key, "ES256")
        app.fetch_token(self.token, grant_type="client_credentials")
        for prepare, why in ((lambda: None, "jti"),
                             (lambda: app.register_client_auth_method(PrivateKeyJWT(self.token, alg="ES256")), "too long")):
            prepare()
            with self.assertRaises(OAuthError) as refused:
                app.fetch_token(self.token, grant_type="client_credentials")
            self.assertEqual(refused.exception.error, "invalid_client")
            self.assertIn(why, refused.exception.description)

    def test_another_key_is_invalid_client(self):
        self.register("robbed", KEYS["ES256"](), "--kind", "system")
        app = self.session("robbed", KEYS["ES256"](), "ES256")
        with self.assertRaises(OAuthError) as refused:
            app.fetch_token(self.token, grant_type="client_credentials")
        self.assertEqual(refused.exception.error, "invalid_client")


if __name__ == "__main__":
    unittest.main()
